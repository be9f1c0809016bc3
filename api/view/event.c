#include "api/view/event.h"

#include "api/game/words.h"

void view_event(struct json *json, const struct db_event *event)
{
    json_open(json, '{');
    json_member_int(json, "version", event->version);
    json_member(json, "type", words_event(event->kind));
    if (event->seat != 0)
        json_member_int(json, "seat", event->seat);
    json_member_int(json, "line", event->line);
    json_member_int(json, "ply", event->ply);
    if (event->move != NULL)
        json_member(json, "move", event->move);
    if (event->position != NULL)
        json_member(json, "position", event->position);
    if (event->data != NULL) {
        json_key(json, "data");
        json_raw(json, event->data);
    }
    json_member_time(json, "at", event->at);
    json_close(json, '}');
}
