-- Stores events under the games that :event_game says. Their parameters come first in every write to
-- a game, so that they have the same numbers everywhere. The last event of a request with a key
-- carries its mark, unless its answer is stored whole.
insert into events (game_id, version, kind, seat, line, ply, key, at, move, position,
    data, mark, request)
select :event_game, e.version, e.kind, e.seat, e.line, e.ply, e.key, e.at, e.move, e.position,
    e.data, e.mark, e.request
from unnest($1::uuid[], $2::int4[], $3::int2[], $4::int2[], $5::int4[], $6::int4[],
    $7::int8[], $8::timestamptz[], $9::text[], $10::text[], $11::text[], $12::int8[],
    $13::int8[])
as e(game_id, version, kind, seat, line, ply, key, at, move, position, data, mark,
    request)
