-- plyd: oldest 10
-- 0011: accounts of an identity provider.

-- Which player an account is. The id follows from the provider and from its name for the account
-- (iss and sub of a JWT), neither of which is stored. Older programs know players by tokens alone.
create table if not exists accounts (
    id         uuid        not null,
    player_id  uuid        not null,
    created_at timestamptz not null,
    primary key (id)
);
