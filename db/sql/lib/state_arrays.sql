$20::uuid[], $21::int4[], $22::int4[], $23::int4[], $24::int4[], $25::int4[], $26::int4[],
$27::int2[], $28::int2[], $29::int2[], $30::int2[], $31::timestamptz[], $32::timestamptz[],
$33::text[], $34::text[], $35::text[], $36::int4[], $37::timestamptz[], $38::text[],
$39::text[], $40::int4[], $41::uuid[]
