/* player.c - players, their tasks and webhooks as JSON and as texts. */
#include "api/view/player.h"

#include <stdlib.h>

#include "api/game/ids.h"
#include "api/game/profile.h"
#include "api/game/words.h"
#include "api/text/json.h"
#include "api/text/out.h"
#include "db/hooks.h"
#include "db/tasks.h"

const char *view_player_url(struct arena *arena, db_id id)
{
    char text[IDS_TEXT];

    ids_text(id, text);
    return arena_format(arena, "/v1/players/%s", text);
}

static void view_player_links(struct json *json, const char *id, bool own)
{
    struct arena *arena = json->out.arena;

    json_key(json, "links");
    json_open(json, '{');
    json_member(json, "self", arena_format(arena, "/v1/players/%s", id));
    if (own) {
        json_member(json, "me", "/v1/me");
        json_member(json, "tokens", "/v1/me/tokens");
    }
    json_member(json, "games",
                own ? "/v1/me/games" : arena_format(arena, "/v1/games?player=%s", id));
    json_close(json, '}');
}

static void view_profile(struct json *json, const struct db_player *player)
{
    char dark[PROFILE_COLOUR_TEXT], light[PROFILE_COLOUR_TEXT];

    if (player->about != NULL)
        json_member(json, "about", player->about);
    if (player->picture != NULL)
        json_member(json, "picture", player->picture);
    profile_colours(player->id, dark, light);
    json_key(json, "colours");
    json_open(json, '{');
    json_member(json, "dark", dark);
    json_member(json, "light", light);
    json_close(json, '}');
}

const char *view_player_json(struct arena *arena, const struct db_player *player, bool own,
                             const char *token)
{
    char id[IDS_TEXT];
    struct json json;

    ids_text(player->id, id);
    json_init(&json, arena);
    json_open(&json, '{');
    json_member(&json, "id", id);
    json_member(&json, "name", player->name);
    if (token != NULL)
        json_member(&json, "token", token);
    json_member_time(&json, "created_at", player->created_at);
    view_profile(&json, player);
    if (own)
        json_member_bool(&json, "findable", !player->unfound);
    if (own && player->joined.is)
        json_member_time(&json, "account_since_at", player->joined.at);
    view_player_links(&json, id, own);
    json_finish(&json);
    return json.out.text;
}

const char *view_player_text(struct arena *arena, const struct db_player *player, const char *token)
{
    char id[IDS_TEXT];
    struct out out;

    ids_text(player->id, id);
    out_init(&out, arena);
    out_format(&out, "id     %s\nname   %s\n", id, player->name);
    if (token != NULL)
        out_format(&out, "token  %s\n", token);
    out_format(&out, "since  %s\n", json_time_text(arena, player->created_at));
    if (player->about != NULL)
        out_format(&out, "about  %s\n", player->about);
    return out.text;
}

/* ---- tasks ---- */

const char *view_task_url(struct arena *arena, db_id id)
{
    char text[IDS_TEXT];

    ids_text(id, text);
    return arena_format(arena, "/v1/jobs/%s", text);
}

/* Thousandths of the work. Nothing is complete before it is over. */
static int64_t progress(const struct db_task *task)
{
    int64_t part;

    if (task->state == TASK_DONE)
        return 1000;
    if (task->size <= 0)
        return 0;
    part = (int64_t)((double)task->place / (double)task->size * 1000);
    return part > 999 ? 999 : part;
}

static void view_task_links(struct json *json, db_id id)
{
    const char *self = view_task_url(json->out.arena, id);

    json_key(json, "links");
    json_open(json, '{');
    json_member(json, "self", self);
    json_member(json, "items", arena_format(json->out.arena, "%s/items", self));
    json_close(json, '}');
}

void view_task(struct json *json, const struct db_task *task)
{
    char id[IDS_TEXT];

    ids_text(task->id, id);
    json_open(json, '{');
    json_member(json, "id", id);
    json_member(json, "kind", words_task_kind(task->kind));
    json_member(json, "state", words_task_state(task->state));
    json_key(json, "progress");
    json_seconds(json, progress(task) * 1000);
    json_member_int(json, "done", task->done);
    json_member_int(json, "failed", task->failed);
    json_key(json, "params");
    json_raw(json, task->params);
    if (task->result != NULL) {
        json_key(json, "result");
        json_raw(json, task->result);
    }
    json_member_time(json, "created_at", task->created_at);
    json_member_time(json, "updated_at", task->updated_at);
    view_task_links(json, task->id);
    json_close(json, '}');
}

const char *view_task_line(struct arena *arena, const struct db_task *task)
{
    char id[IDS_TEXT];

    ids_text(task->id, id);
    return arena_format(arena, "%s  %s  %s  %d %%  %d done  %d failed\n", id,
                        words_task_kind(task->kind), words_task_state(task->state),
                        (int)(progress(task) / 10), task->done, task->failed);
}

/* ---- webhooks and their deliveries ---- */

const char *view_webhook_url(struct arena *arena, db_id id)
{
    char text[IDS_TEXT];

    ids_text(id, text);
    return arena_format(arena, "/v1/webhooks/%s", text);
}

static void member_id(struct json *json, const char *key, db_id id)
{
    char text[IDS_TEXT];

    ids_text(id, text);
    json_member(json, key, text);
}

static void member_moment(struct json *json, const char *key, int64_t at)
{
    if (at != DB_NEVER)
        json_member_time(json, key, at);
}

void view_wanted_events(struct json *json, int64_t events)
{
    json_key(json, "events");
    json_open(json, '[');
    for (int wanted = 0; wanted < EVENT_KINDS; wanted++)
        if ((events >> wanted & 1) != 0)
            json_string(json, words_event(wanted));
    json_close(json, ']');
}

static void view_webhook_links(struct json *json, db_id id)
{
    const char *self = view_webhook_url(json->out.arena, id);

    json_key(json, "links");
    json_open(json, '{');
    json_member(json, "self", self);
    json_member(json, "deliveries", arena_format(json->out.arena, "%s/deliveries", self));
    json_close(json, '}');
}

void view_webhook(struct json *json, const struct db_hook *hook, const char *secret, int64_t now)
{
    json_open(json, '{');
    member_id(json, "id", hook->id);
    json_member(json, "url", hook->url);
    view_wanted_events(json, hook->events);
    json_member(json, "games", "mine");
    json_member_bool(json, "enabled", hook->disabled == HOOK_ENABLED);
    if (hook->disabled != HOOK_ENABLED)
        json_member(json, "disabled", words_hook(hook->disabled));
    json_member_int(json, "failures", hook->failures);
    member_moment(json, "failing_since_at", hook->failing_since);
    member_moment(json, "retry_at", hook->retry_at);
    member_moment(json, "test_at", hook->test_at);
    if (secret != NULL)
        json_member(json, "secret", secret);
    if (hook->old_until != DB_NEVER && hook->old_until > now)
        json_member_time(json, "old_secret_until_at", hook->old_until);
    json_member_time(json, "created_at", hook->created_at);
    view_webhook_links(json, hook->id);
    json_close(json, '}');
}

const char *view_webhook_text(struct arena *arena, const struct db_hook *hook, const char *secret)
{
    char id[IDS_TEXT];
    struct out out;

    ids_text(hook->id, id);
    out_init(&out, arena);
    out_format(&out, "id      %s\nurl     %s\nstate   %s\n", id, hook->url,
               hook->disabled == HOOK_ENABLED ? "enabled" : words_hook(hook->disabled));
    if (secret != NULL)
        out_format(&out, "secret  %s\n", secret);
    return out.text;
}

void view_delivery(struct json *json, const struct db_delivery *delivery, const char *type)
{
    json_open(json, '{');
    json_member_int(json, "number", delivery->number);
    json_member(json, "type", type);
    if (delivery->has_game) {
        member_id(json, "game", delivery->game);
        json_member_int(json, "version", delivery->version);
    }
    json_member_bool(json, "delivered", delivery->failure == HOOK_DELIVERED);
    if (delivery->failure != HOOK_DELIVERED)
        json_member(json, "failure", words_hook_failure(delivery->failure));
    if (delivery->status != 0)
        json_member_int(json, "status", delivery->status);
    json_member_time(json, "at", delivery->at);
    json_member_seconds(json, "took_s", (int64_t)delivery->took_ms * 1000);
    member_moment(json, "retry_at", delivery->retry_at);
    json_close(json, '}');
}

const char *view_delivery_line(struct arena *arena, const struct db_delivery *delivery,
                               const char *type)
{
    const char *result =
        delivery->failure == HOOK_DELIVERED ? "delivered" : words_hook_failure(delivery->failure);
    char id[IDS_TEXT] = "";

    if (delivery->has_game)
        ids_text(delivery->game, id);
    return arena_format(arena, "%5d  %s  %-10s  %3d  %6d ms  %-8s  %s  %d\n", delivery->number,
                        json_time_text(arena, delivery->at), result, delivery->status,
                        delivery->took_ms, type, id, delivery->version);
}

/* ---- subscriptions to Web Push, and addresses for mails ---- */

static const char *hour_text(struct arena *arena, const char *sign, int minutes)
{
    return arena_format(arena, "%s%02d:%02d", sign, minutes / 60, minutes % 60);
}

static void view_offset(struct json *json, int offset)
{
    json_member(json, "offset", hour_text(json->out.arena, offset < 0 ? "-" : "+", abs(offset)));
}

static void view_quiet(struct json *json, const struct db_hook *hook)
{
    struct arena *arena = json->out.arena;

    json_key(json, "quiet");
    json_open(json, '{');
    json_member(json, "from", hour_text(arena, "", hook->quiet_from));
    json_member(json, "to", hour_text(arena, "", hook->quiet_to));
    view_offset(json, hook->quiet_offset);
    json_close(json, '}');
}

static void view_digest(struct json *json, const struct db_hook *hook)
{
    json_key(json, "digest");
    json_open(json, '{');
    json_member(json, "at", hour_text(json->out.arena, "", hook->digest_minute));
    view_offset(json, hook->digest_offset);
    json_close(json, '}');
}

/* What receivers have that are no webhooks. */
static void members_of_receiver(struct json *json, const struct db_hook *hook)
{
    view_wanted_events(json, hook->events);
    if (hook->quiet_from >= 0)
        view_quiet(json, hook);
    if (hook->digest_minute >= 0)
        view_digest(json, hook);
    json_member(json, "lang", hook->lang);
    json_member_int(json, "failures", hook->failures);
    member_moment(json, "failing_since_at", hook->failing_since);
    if (hook->failure != HOOK_DELIVERED)
        json_member(json, "failure", words_hook_failure(hook->failure));
    if (hook->status != 0)
        json_member_int(json, "status", hook->status);
    if (hook->retry_at != DB_NEVER)
        json_member_time(json, "retry_at", hook->retry_at);
    json_member_time(json, "created_at", hook->created_at);
}

void view_subscription(struct json *json, const struct db_hook *hook, const char *host)
{
    char id[IDS_TEXT];

    ids_text(hook->id, id);
    json_open(json, '{');
    json_member(json, "id", id);
    json_member(json, "service", host);
    members_of_receiver(json, hook);
    json_close(json, '}');
}

void view_mail(struct json *json, const struct db_hook *hook, const char *address)
{
    json_open(json, '{');
    json_member(json, "address", address);
    json_member_bool(json, "confirmed", hook->confirmed_at != DB_NEVER);
    if (hook->confirmed_at != DB_NEVER)
        json_member_time(json, "confirmed_at", hook->confirmed_at);
    members_of_receiver(json, hook);
    json_close(json, '}');
}
