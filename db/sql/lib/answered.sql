-- Stores the answers that belong to the games or players that this statement wrote.
answered as (
    insert into answers (game_id, key, fingerprint, status, sealed, at)
    select :w_id, a.key, a.fingerprint, a.status, a.sealed, a.at
    from unnest(:answers) as a(game_id, key, fingerprint, status, sealed, at)
    join :written_here w on w.id = a.game_id
)
