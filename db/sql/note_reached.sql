-- Notes the positions that games have reached, in scopes. Returns the scopes.
--: write; absent unavailable; bind library_bind_note; decode batch_decode_ids
\ir lib/names.psql
prepare note_reached as
with noted as (
    insert into positions (scope, key, game_id, ply, next, winner, at, made)
    select p.scope, p.key, p.game_id, p.ply, p.next, p.winner, p.at, :positions_made
    from unnest($2::uuid[], $3::int8[], $4::uuid[], $5::int4[], $6::text[], $7::int2[],
        $8::timestamptz[]) as p(scope, key, game_id, ply, next, winner, at)
    on conflict (scope, key, game_id) do nothing
)
select s.id from unnest($1::uuid[]) as s(id);
