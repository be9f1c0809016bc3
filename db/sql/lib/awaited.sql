-- Promises to tell webhooks of the games whose players have some. The row that was written says so,
-- and the caller need not know. A game that is over is to be looked at once more: it may be one that
-- is found by its positions. For any other game nothing is stored. It is one insert, since each is
-- planned and sent by itself on Citus.
awaited as (
    insert into due (id, kind, at, leased_until)
    select :w_id, k.kind, w.updated_at, w.updated_at from :written_here w
    join (values (:due_news::int2), (:due_positions)) as k(kind)
    on case k.kind when :due_news then w.hooks <> 0 else w.status = :status_finished end
    on conflict (id, kind) do update
    set at = excluded.at, leased_until = :lease
)
