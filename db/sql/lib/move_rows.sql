unnest($1::uuid[], $2::int4[], $3::int2[], $4::int4[], $5::int4[], $6::int4[],
    $7::int8[], $8::timestamptz[], $9::text[], $10::text[], $11::text[],
    $12::int8[], $13::int8[], $14::int2[], $15::int2[], $16::int2[],
    $17::text[], $18::int4[], $19::timestamptz[], $20::text[], $21::text[], $22::int4[])
