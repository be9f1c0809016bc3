-- Makes the games whose id is free, with what belongs to them. Returns their ids.
--: write; absent conflict; bind writes_bind_create; decode batch_decode_ids; piece writes_piece
\ir lib/game_write.psql
prepare "create" as
with written as (
    insert into games (:game_columns, ended_at)
    select :game_columns, case when status > :status_active then now() end
    from unnest(:state_arrays, :seat_arrays, :fixed_arrays)
    as c(:state_names, :seat_columns, :fixed_columns)
    on conflict (id) do nothing
    returning id, variant, status, updated_at, hooks,
        case when :seat_challenged in (seat1_state, seat2_state) then 0 else visibility end as visibility
), :published, :awaited, :told, :promised
select id from written;
