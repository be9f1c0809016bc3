-- Keeps the list of public games up to date: it repeats what their rows say. An insert that runs into
-- a conflict finds the row of the list, not a join: that surely goes by the key. It also makes the
-- row where it is missing, because a daemon older than the list wrote the game.
published as (
    insert into public_games (game_id, variant, status, active_at)
    select :w_id, w.variant, w.status, w.updated_at from :written_here w
    where w.visibility = :visibility_public
    on conflict (game_id) do update
    set status = excluded.status, active_at = excluded.active_at
)
