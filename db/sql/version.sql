-- The versions of these games, each once.
--: read; absent not_found; bind batch_bind_ids; decode games_decode_versions
prepare version as
select id, version from games where id = any($1::uuid[]);
