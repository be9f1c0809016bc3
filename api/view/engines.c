/* engines.c - which computer opponents there are, for clients that let people choose one. */
#include "api/view/catalogue.h"

#include "api/game/opponent.h"
#include "engine/engine.h"

static const char *const levels[ENGINE_LEVELS] = {
    "A first opponent: it plays many moves without a look, and often misses the answer.",
    "It takes what stands open and sees most answers, when it looks; it does not always.",
    "It follows short exchanges. This is the usual level.",
    "It looks further, and overlooks an answer now and then.",
    "It follows every exchange to its end.",
    "It looks further still, and errs less.",
    "It looks far, and errs only now and then.",
    "Its best: some seconds a move.",
};

static void write_level(struct json *json, unsigned level)
{
    json_open(json, '{');
    json_member_int(json, "level", level);
    json_member_int(json, "nodes", (int64_t)engine_nodes(level));
    json_member(json, "doc", levels[level - 1]);
    json_close(json, '}');
}

/* An engine without levels answers in the same way for ever, and has no version. */
static void write_engine(struct json *json, const char *name, const char *title, const char *doc,
                         unsigned nlevels)
{
    json_open(json, '{');
    json_member(json, "name", name);
    json_member(json, "title", title);
    json_member(json, "doc", doc);
    if (nlevels > 0) {
        json_member_int(json, "version", ENGINE_VERSION);
        json_member_int(json, "level", OPPONENT_LEVEL);
    }
    json_key(json, "levels");
    json_open(json, '[');
    for (unsigned level = 1; level <= nlevels; level++)
        write_level(json, level);
    json_close(json, ']');
    json_close(json, '}');
}

void view_engines(struct json *json, bool thinks)
{
    json_open(json, '[');
    if (thinks)
        write_engine(json, "plyd", "plyd's engine",
                     "It thinks about its move, which follows on yours as an event of its own.",
                     ENGINE_LEVELS);
    write_engine(json, "random", "chance",
                 "It plays any legal move, in the same moment as you do yours.", 0);
    json_close(json, ']');
}

void view_engines_of(struct json *json, const struct rules_game *game, bool thinks)
{
    json_open(json, '[');
    if (thinks && engine_knows(game))
        json_string(json, "plyd");
    json_string(json, "random");
    json_close(json, ']');
}
