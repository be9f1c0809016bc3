$60::text[], $61::int4[], $62::text[], $63::text[], $64::int2[], $65::int2[], $66::int8[],
$67::timestamptz[], $68::text[], $69::text[]
