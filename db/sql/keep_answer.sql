-- Stores answers by themselves, under ids that are of no game and no player; but not where there is one
-- already. Returns the ids.
--: write; absent conflict; bind answers_bind_keep; decode batch_decode_ids
\ir lib/names.psql
prepare keep_answer as
insert into answers (game_id, key, fingerprint, status, sealed, at)
select a.*
from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::int2[], $5::bytea[], $6::timestamptz[])
as a(id, key, fingerprint, status, sealed, at)
on conflict (game_id, key) do nothing
returning game_id;
