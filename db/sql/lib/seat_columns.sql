seat1_state, seat1_name, seat1_engine, seat1_token, seat1_player,
seat1_invitation, seat1_invited_until,
seat2_state, seat2_name, seat2_engine, seat2_token, seat2_player,
seat2_invitation, seat2_invited_until, hooks
