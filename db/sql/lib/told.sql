-- Stores the events and answers of the games that were written.
told as (
    :events
    join :written_here w on w.id = e.game_id
), :answered
