#include "api/play/input.h"

#include <stdlib.h>
#include <string.h>

#include "api/http/reply.h"
#include "api/play/common.h"
#include "api/table/auth.h"
#include "api/table/players.h"
#include "api/text/json_read.h"

bool read_id(struct request *request, db_id *id)
{
    if (auth_id_read(request->param[0], id))
        return true;
    reply_problem(request, "no-such-game", NULL);
    return false;
}

const struct rules_game *read_variant(struct request *request)
{
    const struct rules_game *game = rules_find(request->param[0]);

    if (game == NULL)
        reply_problem(request, "no-such-variant", NULL);
    return game;
}

bool read_done(struct request *request, struct json_value *body, struct json_fields *fields)
{
    bool ok = json_ok(fields);

    if (!ok)
        reply_problem_at(request, fields->error->code, fields->error->pointer,
                         fields->error->detail);
    json_free(body);
    return ok;
}

const char *kept(struct json_fields *fields, const char *text)
{
    return text == NULL ? NULL : arena_copy(fields->arena, text, strlen(text));
}

bool read_choice(struct request *request)
{
    static const char *const known[] = {"include", NULL};

    return request_query_ok(request, known) && view_choice_read(request);
}

bool wants_moves(const struct request *request)
{
    return (request->choice->include & (INCLUDE_LEGAL_MOVES | INCLUDE_LEGAL_TREE)) != 0;
}

/* Control characters, the ends of lines and paragraphs, and what turns the direction of writing. */
static bool is_disturbing(const unsigned char *at)
{
    return at[0] < 0x20 || at[0] == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0) ||
           (at[0] == 0xe2 && at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) ||
           (at[0] == 0xe2 && at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);
}

bool is_fine_name(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (is_disturbing((const unsigned char *)text + i))
            return false;
    return true;
}

bool take_name(struct json_fields *fields, bool needed, const char **name)
{
    static const char blanks[] = " \t\r\n";
    const char *text;
    size_t len;
    bool fine;

    if (!json_take_string(fields, "name", REQUEST_BODY_MAX, &text))
        return false;
    text += strspn(text, blanks);
    len = strlen(text);
    while (len > 0 && strchr(blanks, text[len - 1]) != NULL)
        len--;
    fine = is_fine_name(text, len);
    if (len == 0 && !needed)
        return false;
    if (!fine || len == 0 || len > PLAYER_NAME_BYTES) {
        json_refuse(fields, "bad-parameter", "name",
                    "A name of 1 to 64 bytes without control characters is expected.");
        return false;
    }
    *name = arena_copy(fields->arena, text, len);
    return true;
}

bool may_read(struct job *job)
{
    if (!job_confirmed(job))
        return false;
    if (!hidden(job->table, auth_seats(job->request, &job->table->row)))
        return true;
    reply_problem(job->request, "no-such-game", NULL);
    job_done(job);
    return false;
}

bool read_ply(struct request *request, int32_t least, int32_t *ply)
{
    const char *text = request->param[1];
    char *end;
    long number = strtol(text, &end, 10);

    *ply = (int32_t)number;
    if (strchr("-0123456789", *text) != NULL && *end == '\0' && number >= least &&
        number <= INT32_MAX)
        return true;
    reply_problem(request, "no-such-ply", NULL);
    return false;
}

/* Games that are played have hundreds of moves, and the fullest boards thousands. But a position
 * can be made up in which Turkish kings capture in hundreds of thousands of ways, and writing them
 * all down would hold everybody else up. */
bool can_list_moves(struct request *request, const struct game_view *view)
{
    size_t n = view->game->count(view->state);
    struct json json;

    if (n <= LEGAL_LIST_MAX || view->row->status > STATUS_ACTIVE)
        return true;
    problem_open(request, &json, "too-many-moves", NULL);
    json_member_int(&json, "count", (int64_t)n);
    problem_send(request, &json, "too-many-moves");
    return false;
}

void refuse_ply(struct job *job)
{
    struct game_view view = job_view(job);

    reply_game_problem(job->request, &view, "no-such-ply", NULL);
    job_done(job);
}

/* For an earlier line all of its moves are read: its last one is the last that is its own, what
 * follows belongs to the lines before it. */
bool know_line_end(struct job *job, int32_t line, int32_t *end)
{
    const struct db_game *row = &job->table->row;

    if (line == row->line) {
        *end = row->tip;
        return true;
    }
    if (!job_need_moves(job, line, 1, INT32_MAX - 1))
        return false;
    *end = 0;
    for (size_t i = 0; i < job->moves.count; i++)
        if (job->moves.moves[i].line == line)
            *end = job->moves.moves[i].ply;
    return true;
}

bool know_line(struct job *job, int64_t wanted, int32_t *line, int32_t *end)
{
    const struct db_game *row = &job->table->row;

    *line = wanted == 0 ? row->line : (int32_t)wanted;
    *end = row->ply;
    if (*line > row->lines) {
        refuse_ply(job);
        return false;
    }
    return wanted == 0 || know_line_end(job, *line, end);
}

bool reply_unchanged(struct job *job)
{
    const char *etag = etag_text(&job->request->arena, job->table->row.version);

    if (!request_has(job->request, etag))
        return false;
    reply_header(job->request, "ETag", etag);
    reply_empty(job->request, 304);
    return true;
}

bool may_read_anew(struct job *job)
{
    if (!may_read(job))
        return false;
    if (!reply_unchanged(job))
        return true;
    job_done(job);
    return false;
}
