-- The key of Web Push; if there was none, it is the one that is given from now on. Of two that give
-- one at once, both get the same.
--: write; absent unavailable; bind hooks_bind_push_key; decode hooks_decode_push_key
prepare push_key as
insert into push_key (one, made_at, secret) values (1, now(), ($1::bytea[])[1])
on conflict (one) do update set made_at = push_key.made_at
returning secret;
