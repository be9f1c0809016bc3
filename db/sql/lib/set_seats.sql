seat1_state = c.seat1_state, seat1_name = c.seat1_name,
    seat1_engine = c.seat1_engine, seat1_token = c.seat1_token,
    seat1_player = c.seat1_player, seat1_invitation = c.seat1_invitation,
    seat1_invited_until = c.seat1_invited_until,
    seat2_state = c.seat2_state, seat2_name = c.seat2_name,
    seat2_engine = c.seat2_engine, seat2_token = c.seat2_token,
    seat2_player = c.seat2_player, seat2_invitation = c.seat2_invitation,
    seat2_invited_until = c.seat2_invited_until, hooks = g.hooks | c.hooks
