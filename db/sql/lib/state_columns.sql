version, ply, line, lines, tip, status, to_move, winner, last_seat, last_at, updated_at,
reason, position, last_move, deadline_at, timing, offers, plans, next_game
