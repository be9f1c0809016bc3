version = c.version, ply = c.ply, line = c.line, lines = c.lines, tip = c.tip,
    status = c.status, to_move = c.to_move, winner = c.winner, last_seat = c.last_seat,
    last_at = c.last_at, updated_at = c.updated_at, reason = c.reason,
    position = c.position, last_move = c.last_move, deadline_at = c.deadline_at,
    timing = c.timing, offers = c.offers, plans = c.plans, next_game = c.next_game,
    ended_at = :new_ended_at
