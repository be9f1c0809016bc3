-- The games in which player p holds a seat (what follows says which), and whether it is that player's
-- turn.
select g.id, g.variant, g.status, :shown_visibility as visibility, g.updated_at, g.deadline_at,
    :shown_ended_at as ended_at, g.metadata, g.status = :status_open and :is_challenge as is_challenge,
    g.status = :status_active and p.player is not distinct from
    case g.to_move when 1 then g.seat1_player else g.seat2_player end as their_turn
from games g where
