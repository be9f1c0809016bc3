#include "letter.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...)
{
    size_t len = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + len, size - len, format, args);
    va_end(args);
}

/* ---- the address ---- */

static const char *const places[] = {
    [MODEL_CREATE] = "",
    [MODEL_FORK] = "/fork",
    [MODEL_JOIN] = "/join",
    [MODEL_POST] = "/moves",
    [MODEL_PUT] = "/moves/",
    [MODEL_UNDO] = "/undo",
    [MODEL_REDO] = "/redo",
    [MODEL_RESIGN] = "/resign",
    [MODEL_ABORT] = "/abort",
    [MODEL_OFFER] = "/offers",
    [MODEL_ACCEPT] = "/offers/",
    [MODEL_DECLINE] = "/offers/",
    [MODEL_WITHDRAW] = "/offers/",
    [MODEL_CLAIM] = "/claims",
    [MODEL_MESSAGE] = "/messages",
    [MODEL_INVITE] = "/invitations",
    [MODEL_DISINVITE] = "/invitations/",
    [MODEL_REMATCH] = "/rematch",
    [MODEL_GAME] = "",
    [MODEL_EVENTS] = "/events",
    [MODEL_HISTORY] = "/moves",
    [MODEL_POSITION] = "/positions/",
    [MODEL_LEGAL] = "/legal-moves",
};

static const char *method_of(enum model_verb verb)
{
    if (verb == MODEL_PUT)
        return "PUT";
    if (verb == MODEL_WITHDRAW || verb == MODEL_DISINVITE)
        return "DELETE";
    return verb >= MODEL_GAME ? "GET" : "POST";
}

static void add_parameter(struct letter *letter, const char *name, int value)
{
    if (value != MODEL_NONE)
        append(letter->path, sizeof(letter->path), "%s%s=%d",
               strchr(letter->path, '?') == NULL ? "?" : "&", name, value);
}

static void add_word(struct letter *letter, const char *word)
{
    append(letter->path, sizeof(letter->path), "%s%s",
           strchr(letter->path, '?') == NULL ? "?" : "&", word);
}

static void write_path(const struct walk_step *step, struct letter *letter)
{
    const struct model_request *request = &step->request;
    bool reads = request->verb >= MODEL_GAME;

    snprintf(letter->path, sizeof(letter->path), "/v1/games");
    if (request->verb != MODEL_CREATE)
        append(letter->path, sizeof(letter->path), "/%s%s",
               request->story == NULL ? "00000000000000000000000000" : request->story->id,
               places[request->verb]);
    if (step->nonsense != NULL && step->nonsense->place != NULL)
        append(letter->path, sizeof(letter->path), "%s", step->nonsense->place);
    else if (request->verb == MODEL_PUT || request->verb == MODEL_POSITION)
        append(letter->path, sizeof(letter->path), "%d", request->ply);
    else if (request->verb >= MODEL_ACCEPT && request->verb <= MODEL_WITHDRAW)
        append(letter->path, sizeof(letter->path), "%d%s", request->offer,
               request->verb == MODEL_ACCEPT    ? "/accept"
               : request->verb == MODEL_DECLINE ? "/decline"
                                                : "");
    else if (request->verb == MODEL_DISINVITE)
        append(letter->path, sizeof(letter->path), "%s",
               request->seat == 0   ? "nobody"
               : request->seat == 1 ? "1"
                                    : "2");
    else if (request->verb == MODEL_LEGAL)
        add_parameter(letter, "ply", request->ply);
    if (reads)
        add_parameter(letter, "line", request->line);
    add_parameter(letter, "after", request->after);
    add_parameter(letter, "limit", request->limit);
    if (request->tree)
        add_word(letter, "format=tree");
    if (request->offers_draw && step->form == WALK_BARE)
        add_word(letter, "offer=draw");
    if (request->dry_run)
        add_word(letter, "dry_run=true");
    if (request->with_moves)
        add_word(letter, "include=legal_moves");
    if (step->nonsense != NULL && step->nonsense->query != NULL)
        add_word(letter, step->nonsense->query);
}

/* ---- the body ---- */

static void add_number(cJSON *body, const char *name, int value)
{
    if (value != MODEL_NONE)
        shown_int(body, name, value);
}

static void add_seat(cJSON *body, const struct model_request *request)
{
    static const char *const none = "nobody";

    if (request->seat == 0)
        shown_text(body, "seat", none);
    else if (request->seat == 1) /* by its number, */
        shown_int(body, "seat", 1);
    else if (request->seat == 2 && request->story != NULL) /* and by its name */
        shown_text(body, "seat", request->story->rules->seat[1].name);
    else if (request->seat == 2)
        shown_text(body, "seat", "2");
}

static void add_moves(cJSON *body, const struct model_request *request)
{
    cJSON *list;

    if (request->nclicks > 0) {
        list = cJSON_AddArrayToObject(body, "clicks");
        for (size_t i = 0; i < request->nclicks; i++)
            cJSON_AddItemToArray(list, cJSON_CreateString(request->click[i]));
    } else if (request->list) {
        list = cJSON_AddArrayToObject(body, "moves");
        for (size_t i = 0; i < request->nmoves; i++)
            cJSON_AddItemToArray(list, cJSON_CreateString(request->move[i]));
    } else if (request->nmoves > 0) {
        shown_text(body, "move", request->move[0]);
    }
}

static void add_terms(cJSON *body, const struct model_terms *terms)
{
    cJSON *list;
    char seed[24];

    if (terms->noptions > 0) {
        list = cJSON_AddObjectToObject(body, "options");
        for (size_t i = 0; i < terms->noptions; i++)
            shown_text(list, terms->option[i].name, terms->option[i].value);
    }
    if (terms->position[0] != '\0')
        shown_text(body, "position", terms->position);
    if (terms->undo != NULL)
        shown_text(body, "undo", terms->undo);
    if (terms->visibility != NULL)
        shown_text(body, "visibility", terms->visibility);
    if (terms->clock) {
        list = cJSON_AddObjectToObject(body, "clock");
        shown_text(list, "kind", "days");
        shown_int(list, "days", 30);
    }
    if (!terms->seats_given)
        return;
    list = cJSON_AddArrayToObject(body, "seats");
    for (int i = 0; i < STORY_SEATS; i++) {
        cJSON *seat = cJSON_CreateObject();

        if (terms->seat[i].sitter == STORY_COMPUTER) {
            shown_text(seat, "engine", "random");
            snprintf(seed, sizeof(seed), "%llu", (unsigned long long)terms->seed);
            cJSON_AddItemToObject(seat, "seed", cJSON_CreateRaw(seed)); /* cJSON rounds numbers */
        } else {
            cJSON_AddTrueToObject(seat, terms->seat[i].sitter == STORY_PERSON ? "me" : "open");
        }
        if (terms->seat[i].name[0] != '\0')
            shown_text(seat, "name", terms->seat[i].name);
        cJSON_AddItemToArray(list, seat);
    }
}

static cJSON *body_of(const struct model_request *request, enum walk_form form)
{
    cJSON *body = cJSON_CreateObject();

    if (request->verb == MODEL_CREATE)
        shown_text(body, "variant", request->terms.rules->name);
    if (request->verb == MODEL_CREATE || request->verb == MODEL_FORK)
        add_terms(body, &request->terms);
    if (request->invitation != NULL)
        shown_text(body, "invitation", request->invitation);
    if (request->message != NULL)
        shown_text(body, "text", request->message);
    if (request->kind != NULL)
        shown_text(body, "kind", request->kind);
    if (request->verb != MODEL_PUT)
        add_number(body, "ply", request->ply);
    add_number(body, "line", request->line);
    add_number(body, "to_ply", request->to_ply);
    add_seat(body, request);
    if (request->name[0] != '\0')
        shown_text(body, "name", request->name);
    add_moves(body, request);
    if (request->offers_draw && form != WALK_BARE)
        shown_text(body, "offer", "draw");
    return body;
}

static void print_value(FILE *file, const cJSON *value, bool escaped)
{
    if (cJSON_IsNumber(value)) {
        fprintf(file, "%d", value->valueint);
        return;
    }
    for (const char *at = value->valuestring; *at != '\0'; at++)
        fprintf(file, escaped && !isalnum((unsigned char)*at) ? "%%%02X" : "%c",
                (unsigned char)*at);
}

/* As a form; or, bare, the value of its one member. */
static char *plain_body(const cJSON *body, bool bare)
{
    const cJSON *member;
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    if (file == NULL)
        abort();
    cJSON_ArrayForEach(member, body)
    {
        if (!bare)
            fprintf(file, "%s%s=", member->prev->next == NULL ? "" : "&", member->string);
        print_value(file, member, !bare);
    }
    fclose(file);
    return text;
}

static const char *write_body(const struct walk_step *step, struct letter *letter)
{
    cJSON *body;

    if (step->nonsense != NULL && step->nonsense->body != NULL) {
        letter->body = strdup(step->nonsense->body);
        return step->nonsense->type;
    }
    if (step->request.verb >= MODEL_GAME || step->request.verb == MODEL_WITHDRAW ||
        step->request.verb == MODEL_DISINVITE)
        return NULL;
    body = body_of(&step->request, step->form);
    letter->body = step->form == WALK_JSON ? cJSON_PrintUnformatted(body)
                                           : plain_body(body, step->form == WALK_BARE);
    cJSON_Delete(body);
    return step->form == WALK_JSON   ? "application/json"
           : step->form == WALK_FORM ? "application/x-www-form-urlencoded"
                                     : "text/plain";
}

/* ---- the headers ---- */

static void add_guard(struct letter *letter, const struct model_request *request)
{
    append(letter->headers, sizeof(letter->headers), "If-Match: %s",
           request->nversions == 0 ? "*" : "");
    for (size_t i = 0; i < request->nversions; i++)
        append(letter->headers, sizeof(letter->headers), "%s%s\"%lld\"", i == 0 ? "" : ", ",
               request->version[i] < 0 ? "W/" : "", llabs(request->version[i]));
    append(letter->headers, sizeof(letter->headers), "\r\n");
}

void letter_write(const struct walk_step *step, struct letter *letter)
{
    const struct model_request *request = &step->request;
    const char *type;
    size_t size;

    memset(letter, 0, sizeof(*letter));
    letter->method = method_of(request->verb);
    write_path(step, letter);
    type = write_body(step, letter);
    if (request->who->token[0] != '\0')
        append(letter->headers, sizeof(letter->headers), "Authorization: Bearer %s\r\n",
               request->who->token);
    if (type != NULL)
        append(letter->headers, sizeof(letter->headers), "Content-Type: %s\r\n", type);
    if (request->text)
        append(letter->headers, sizeof(letter->headers), "Accept: text/plain\r\n");
    if (step->key[0] != '\0')
        append(letter->headers, sizeof(letter->headers), "Idempotency-Key: %s\r\n", step->key);
    if (request->guarded)
        add_guard(letter, request);
    if (request->has != MODEL_NONE)
        append(letter->headers, sizeof(letter->headers), "If-None-Match: \"%d\"\r\n", request->has);
    if (step->nonsense != NULL && step->nonsense->header != NULL)
        append(letter->headers, sizeof(letter->headers), "%s\r\n", step->nonsense->header);
    size = strlen(letter->path) + (letter->body == NULL ? 0 : strlen(letter->body)) + 2;
    letter->sent = malloc(size);
    if (letter->sent == NULL)
        abort();
    snprintf(letter->sent, size, "%s\n%s", letter->path, letter->body == NULL ? "" : letter->body);
}

void letter_free(struct letter *letter)
{
    free(letter->body);
    free(letter->sent);
}

/* ---- for people ---- */

static void print_quoted(FILE *file, const char *text, size_t len)
{
    for (; len > 0; len--, text++)
        if (*text == '\'')
            fputs("'\\''", file);
        else
            fputc(*text, file);
}

void letter_print(FILE *file, const struct letter *letter, int port)
{
    fprintf(file, "curl -i -X %s", letter->method);
    for (const char *line = letter->headers; *line != '\0'; line += strcspn(line, "\r") + 2)
        fprintf(file, " -H '%.*s'", (int)strcspn(line, "\r"), line);
    if (letter->body != NULL) {
        fputs(" --data-raw '", file);
        print_quoted(file, letter->body, strlen(letter->body));
        fputs("'", file);
    }
    fprintf(file, " 'http://127.0.0.1:%d%s'\n", port, letter->path);
}
