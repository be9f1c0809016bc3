-- Forgets what codes are for. Returns the ids of those that were there.
--: write; absent not_found; bind batch_bind_ids; decode batch_decode_ids
prepare delete_handover as
delete from handovers where id = any($1::uuid[]) returning id;
