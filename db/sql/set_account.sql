-- Sets the players of the accounts whose player is the one that was expected. Returns their ids.
--: write; absent conflict; bind accounts_bind_change; decode batch_decode_ids
prepare set_account as
update accounts a set player_id = c.player_id
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as c(id, player_id, expected)
where a.id = c.id and a.id = any($1) and a.player_id = c.expected
returning a.id;
