-- plyd: oldest 10
-- 9001: what a later release may add. No program reads it: it is for tests alone, in the program `plyd-next`.
set lock_timeout = '500ms';
alter table games
    add column if not exists mood text,
    add column if not exists hints_left integer not null default 7;
alter table events add column if not exists mood text;
alter table due add column if not exists mood text;
reset lock_timeout;

create table if not exists moods (
    game_id uuid not null,
    mood    text not null,
    primary key (game_id)
);
create index if not exists moods_by_mood on moods (mood, game_id);

-- Work that only the later release does.
insert into due (id, kind, at, leased_until) values (gen_random_uuid(), 31, now(), now());
