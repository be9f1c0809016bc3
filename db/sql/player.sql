-- The players of these ids, each once.
--: read; absent not_found; bind batch_bind_ids; decode players_decode
prepare player as
select id, name, token, created_at, left_at, hooks, token_at, account, account_at,
    account_under is not distinct from token, account_secret, account_from,
    case when tokens_under = token then tokens end, case when tokens_under = token then tokens_about end,
    case when tokens_under = token then handover end, unfound, about, picture
from players
where id = any($1::uuid[]);
