#include "shuffle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "{\"format\":\"plyd-record\",\"format_version\":1,\"variant\":\"shogi\","
                           "\"options\":{\"repetition\":1000000},\"moves\":[";

const char *shuffle_move(int ply)
{
    static const char *const moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};

    return moves[ply % 4];
}

char *shuffle_record(int plies, size_t comment)
{
    char *text = malloc(sizeof(head) + (size_t)plies * (comment + 36) + 3);
    char *at = text + sprintf(text, "%s", head);

    for (int i = 0; i < plies; i++) {
        at += sprintf(at, "%s{\"move\":\"%s\",\"comment\":\"", i == 0 ? "" : ",", shuffle_move(i));
        at = (char *)memset(at, 'x', comment) + comment;
        at += sprintf(at, "\"}");
    }
    strcpy(at, "]}");
    return text;
}
