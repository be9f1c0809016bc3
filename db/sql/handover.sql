-- Which players these codes are for, and until when; each once.
--: read; absent not_found; bind batch_bind_ids; decode handovers_decode
prepare handover as
select id, player_id, until from handovers where id = any($1::uuid[]);
