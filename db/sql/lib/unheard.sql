-- What the daemon itself holds until $6 or later: it has not heard of these.
due.leased_until > due.at and due.leased_until >= ($6::timestamptz[])[1] and due.holder = ($4::uuid[])[1]
