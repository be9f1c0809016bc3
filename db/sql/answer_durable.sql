-- As answer.sql, when the standby has it, too.
--: write; absent not_found; bind answers_bind; decode answers_decode_durable
\set name answer_durable
\set more ':durable'
\ir lib/names.psql
\ir lib/answer.psql
