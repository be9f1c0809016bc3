-- What is stored of the answers to these keys: the whole answer, or the event that has the key's mark.
--: read; absent not_found; bind answers_bind; decode answers_decode
\set name answer
\set more ''
\ir lib/names.psql
\ir lib/answer.psql
