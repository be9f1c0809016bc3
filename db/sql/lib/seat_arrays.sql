$45::int2[], $46::text[], $47::text[], $48::bytea[], $49::uuid[], $50::bytea[],
$51::timestamptz[],
$52::int2[], $53::text[], $54::text[], $55::bytea[], $56::uuid[], $57::bytea[],
$58::timestamptz[], $59::int2[]
