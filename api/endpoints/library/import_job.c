#include "api/endpoints/library/import_job.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/duty/due.h"
#include "api/endpoints/games/import_record.h"
#include "api/game/ids.h"
#include "api/game/name.h"
#include "api/game/words.h"
#include "api/http/reply_problem.h"
#include "api/live/ask.h"
#include "api/live/players.h"
#include "api/loop/loop.h"
#include "api/net/offload.h"
#include "api/record/archive.h"
#include "api/record/lines.h"
#include "api/record/record.h"
#include "api/record/split.h"
#include "api/text/json.h"
#include "api/text/json_fields.h"
#include "api/text/must.h"
#include "db/library.h"
#include "db/tasks.h"

enum {
    PIECE_GAMES = 8,
    PIECE_BYTES = 256 << 10,  /* of records; the last one may go beyond */
    PIECE_UNFOLDED = 8 << 20, /* bytes of entries; the last one may go beyond */
    NAME_MAX_BYTES = 200      /* of an entry's name that is told */
};

/* ---- the file ---- */

/* Where the next record is looked for. It is the task's mark. */
struct mark {
    size_t entry;    /* of an archive: a place in its directory */
    size_t at;       /* in the text of that, or in the file */
    size_t line;     /* lines before it */
    int32_t number;  /* of the game before it */
    size_t unfolded; /* bytes of the entries before that entry, also of those that failed */
};

/* All that a run has of its task. The worker who gathers records has it alone meanwhile. */
struct file {
    char *bytes;
    size_t len, size;
    int32_t parts; /* that were read */
    bool whole;
    bool zipped;
    struct archive archive;
    struct archive_entry entry;
    char *text; /* of that entry; NULL: it was not unfolded yet */
    size_t text_len;
    struct mark mark;
    struct player player;
    char *name; /* of the player */
    char *query;
    int16_t visibility;
    db_id collection;
};

static void import_job_leave(struct task_run *run)
{
    struct file *file = run->memory;

    free(file->bytes);
    free(file->text);
    free(file->name);
    free(file->query);
    free(file);
}

static const char *mark_text(struct arena *arena, const struct mark *mark)
{
    return arena_format(arena, "%zu %zu %zu %d %zu", mark->entry, mark->at, mark->line,
                        mark->number, mark->unfolded);
}

static bool read_import_mark(const char *text, struct mark *mark)
{
    return sscanf(text, "%zu %zu %zu %d %zu", &mark->entry, &mark->at, &mark->line, &mark->number,
                  &mark->unfolded) == 5;
}

/* ---- a piece: gathering records, by a worker ---- */

/* One record, or an entry that could not be unfolded. */
struct item {
    struct piece *piece;
    int32_t number;
    const char *name; /* of its entry; NULL: the file is no archive */
    struct import_record record;
    const char *why; /* it cannot be imported; NULL: it can */
    bool failed;
    const char *data;
};

struct piece {
    struct task_run *run;
    struct file *file;
    struct arena *arena;
    struct item item[PIECE_GAMES];
    size_t count;
    size_t bytes;
    size_t unfolded;
    bool over;          /* of the file */
    const char *broken; /* why the rest cannot be read; or NULL */
    size_t open;        /* records that are being imported */
    bool failing;       /* the database is */
};

/* A name that can be shown, whatever its encoding and its characters are. */
static const char *entry_name(struct arena *arena, const struct archive_entry *entry)
{
    size_t cut = entry->name_len < NAME_MAX_BYTES ? entry->name_len : NAME_MAX_BYTES, len;
    struct record_error error;
    const char *charset;
    char *name = record_decode(arena, entry->name, cut, false, &len, &charset, &error);

    return name == NULL || strlen(name) != len ? "?" : name_tame(arena, name);
}

static struct item *new_item(struct piece *piece)
{
    struct file *file = piece->file;
    struct item *item = &piece->item[piece->count++];

    *item = (struct item){
        .piece = piece,
        .number = ++file->mark.number,
        .record = {.visibility = file->visibility, .query = file->query, .line = file->mark.line}};
    if (file->zipped)
        item->name = entry_name(piece->arena, &file->entry);
    return item;
}

static void add_record(struct piece *piece, const struct record_part *part)
{
    struct item *item = new_item(piece);

    item->record.line = part->line;
    if (part->len > RECORD_BYTES_MAX) {
        item->why = "The record is longer than 1 MiB.";
        return;
    }
    item->record.text = arena_copy(piece->arena, part->bytes, part->len);
    item->record.len = part->len;
    piece->bytes += part->len;
}

/* Converts a text in UTF-16, which cannot be split as it is. Any other is left as it is. */
static void decode_utf16(char **bytes, size_t *len)
{
    struct arena arena = {NULL, NULL, NULL};
    const char *charset;
    size_t out_len;
    char *text = record_from_utf16(&arena, *bytes, *len, &out_len, &charset);

    if (text != NULL) {
        free(*bytes);
        *bytes = must_alloc(out_len + 1);
        memcpy(*bytes, text, out_len + 1);
        *len = out_len;
    }
    arena_free(&arena);
}

static void leave_entry(struct file *file)
{
    free(file->text);
    file->text = NULL;
    file->mark.entry = file->entry.next;
    file->mark.unfolded += file->text_len;
    file->mark.at = file->mark.line = 0;
}

/* Begins with the next entry that is a file, and unfolds it. False: there is none, or it could not
 * be unfolded and the mark is behind it. */
static bool open_entry(struct piece *piece)
{
    struct file *file = piece->file;
    const char *why;

    while (archive_entry(&file->archive, file->mark.entry, &file->entry) &&
           archive_is_chaff(&file->entry))
        file->mark.entry = file->entry.next;
    if (!archive_entry(&file->archive, file->mark.entry, &file->entry)) {
        piece->over = true;
        if (file->mark.entry < file->archive.end)
            piece->broken = "The directory of the archive is broken.";
        return false;
    }
    file->text =
        archive_unfold(&file->archive, &file->entry, IMPORT_ENTRY_MAX, &file->text_len, &why);
    piece->unfolded += file->text_len;
    if (file->text == NULL) {
        new_item(piece)->why = why;
        leave_entry(file);
        return false;
    }
    decode_utf16(&file->text, &file->text_len);
    return true;
}

static bool has_import_room(const struct piece *piece)
{
    return piece->count < PIECE_GAMES && piece->bytes < PIECE_BYTES;
}

/* Adds the records of a text behind the mark, as many as there is room for. True: it has no more.
 */
static bool gather_from(struct piece *piece, const char *text, size_t len)
{
    struct mark *mark = &piece->file->mark;
    struct record_split split;
    struct record_part part;

    record_split_init(&split, text, len);
    if (mark->at > split.at) {
        split.at = mark->at;
        split.line = mark->line;
    }
    while (has_import_room(piece)) {
        if (!record_split_next(&split, &part))
            return true;
        add_record(piece, &part);
        mark->at = split.at;
        mark->line = split.line;
    }
    return false;
}

static void end_early(struct piece *piece, const char *why)
{
    piece->over = true;
    piece->broken = why;
}

static void gather_from_archive(struct piece *piece)
{
    struct file *file = piece->file;

    while (!piece->over && has_import_room(piece) && piece->unfolded < PIECE_UNFOLDED) {
        if (file->mark.unfolded > IMPORT_ARCHIVE_MAX) {
            end_early(piece, "The archive unfolds to more than 256 MiB. The rest was left out.");
        } else if (file->text != NULL || open_entry(piece)) {
            if (gather_from(piece, file->text, file->text_len))
                leave_entry(file);
        }
    }
}

static void gather(struct request *request, void *args)
{
    struct piece *piece = args;
    struct file *file = piece->file;

    (void)request;
    if (file->zipped)
        gather_from_archive(piece);
    else
        piece->over = gather_from(piece, file->bytes, file->len);
    if (file->mark.number >= IMPORT_GAMES_MAX && !piece->over)
        end_early(piece, "The file has more than 20000 games. The rest was left out.");
}

/* ---- a piece: making the games ---- */

/* It follows from the task and the number, so that a piece that is done twice makes no more. */
static db_id game_id(const struct task_run *run, int32_t number)
{
    uint8_t key[sizeof(db_id) + sizeof(number)];
    db_id id;

    memcpy(key, &run->task.id, sizeof(db_id));
    memcpy(key + sizeof(db_id), &number, sizeof(number));
    crypto_generichash(id.byte, sizeof(id.byte), key, sizeof(key),
                       (const unsigned char *)"plyd import", 11);
    ids_set_time(&id, &run->task.id);
    return id;
}

/* What the player is told of an item. `problem` is the object of a problem; NULL: it is a game. */
static void describe_import_item(struct item *item, const char *problem)
{
    char id[IDS_TEXT];
    struct json json;

    json_init(&json, item->piece->arena);
    json_open(&json, '{');
    json_member_int(&json, "number", item->number);
    if (item->name != NULL)
        json_member(&json, "file", item->name);
    json_member_int(&json, "line", (int64_t)item->record.line + 1);
    if (problem != NULL) {
        json_key(&json, "problem");
        json_raw(&json, problem);
    } else {
        ids_text(item->record.id, id);
        json_member(&json, "game", id);
    }
    json_close(&json, '}');
    item->failed = problem != NULL;
    item->data = json.out.text;
}

static void describe_unread(struct item *item)
{
    struct json json;

    json_init(&json, item->piece->arena);
    json_open(&json, '{');
    reply_problem_members(&json, PROBLEM_BAD_RECORD, item->why, NULL);
    json_close(&json, '}');
    describe_import_item(item, json.out.text);
}

static const char *import_result_text(const struct piece *piece)
{
    struct json json;

    if (piece->broken == NULL)
        return NULL;
    json_init(&json, piece->arena);
    json_open(&json, '{');
    json_member(&json, "detail", piece->broken);
    json_close(&json, '}');
    return json.out.text;
}

static void store_import_piece(struct piece *piece)
{
    const struct file *file = piece->file;
    struct db_task_item *items = arena_alloc(piece->arena, sizeof(*items) * PIECE_GAMES);
    struct task_piece stored = {.items = items, .count = piece->count};

    for (size_t i = 0; i < piece->count; i++)
        items[i] = (struct db_task_item){piece->item[i].number, piece->item[i].failed,
                                         piece->item[i].data};
    if (piece->over)
        stored.state = piece->broken == NULL ? TASK_DONE : TASK_FAILED;
    stored.size = (int64_t)(file->zipped ? file->archive.end - file->archive.begin : file->len);
    stored.place = (int64_t)(file->zipped ? file->mark.entry - file->archive.begin : file->mark.at);
    stored.mark = mark_text(piece->arena, &file->mark);
    stored.result = import_result_text(piece);
    tasks_store(piece->run, &stored);
}

/* The games of this piece are there all the same, and among its items. */
static void know_collected(void *context, const struct db_reply *reply)
{
    struct piece *piece = context;

    if (reply->outcome == DB_CONFLICT)
        end_early(piece, "The collection is full. The rest was left out.");
    else if (reply->outcome == DB_NOT_FOUND)
        end_early(piece, "The collection was deleted. The rest was left out.");
    else if (reply->outcome != DB_OK) {
        tasks_give_up(piece->run);
        return;
    }
    store_import_piece(piece);
}

static void collect(struct piece *piece)
{
    struct loop *loop = piece->run->request->loop;
    db_id *games = arena_alloc(piece->arena, sizeof(*games) * PIECE_GAMES);
    struct db_collected *collected = arena_alloc(piece->arena, sizeof(*collected));

    *collected = (struct db_collected){piece->run->task.owner, piece->file->collection, games, 0,
                                       db_now(loop->db)};
    for (size_t i = 0; i < piece->count; i++)
        if (!piece->item[i].failed)
            games[collected->count++] = piece->item[i].record.id;
    if (collected->count > 0)
        db_collect(loop->db, collected,
                   ASK_ALSO(done, piece->run->request, ASK_ALL, know_collected, piece));
    else
        store_import_piece(piece);
}

static void end_piece(struct piece *piece)
{
    if (piece->failing)
        tasks_give_up(piece->run);
    else
        collect(piece);
}

/* A fault of ours is not the record's. */
static void on_imported(void *context, struct request *request)
{
    struct item *item = context;
    struct piece *piece = item->piece;
    const char *problem = item->record.problem;

    if (problem == NULL && request->reply.status >= 400)
        piece->failing = true;
    else
        describe_import_item(
            item, problem == NULL ? NULL : arena_copy(piece->arena, problem, strlen(problem)));
    if (--piece->open == 0)
        end_piece(piece);
}

static void import_item(struct item *item)
{
    const struct task_run *run = item->piece->run;
    const struct file *file = item->piece->file;
    struct request *request = due_request(run->request, on_imported, item);

    item->piece->open++;
    item->record.id = game_id(run, item->number);
    request->client = run->request->client;
    request->player = &file->player;
    ids_text(run->task.id, request->id);
    import_record(request, &item->record);
}

/* Whatever is imported at once still counts as open until all have begun. */
static void import_items(struct request *request, void *args)
{
    struct piece *piece = args;

    if (request->reply.status != 0) /* the worker could not take it */
        return;
    tasks_charge(piece->run, piece->unfolded);
    piece->open = 1;
    for (size_t i = 0; i < piece->count; i++) {
        if (piece->item[i].why == NULL)
            import_item(&piece->item[i]);
        else
            describe_unread(&piece->item[i]);
    }
    if (--piece->open == 0)
        end_piece(piece);
}

static void begin_import_piece(struct task_run *run)
{
    struct arena *arena = &run->request->arena;
    struct piece *piece = arena_zero(arena, sizeof(*piece));

    piece->run = run;
    piece->file = run->memory;
    piece->arena = arena;
    offload(run->request, gather, import_items, piece);
}

/* ---- reading what the task needs ---- */

static void read_parts(struct task_run *run);

/* A task whose file or params cannot be read was written by another version, or damaged. */
static void fail_import(struct task_run *run, const char *why)
{
    struct json json;

    json_init(&json, &run->request->arena);
    json_open(&json, '{');
    json_member(&json, "detail", why);
    json_close(&json, '}');
    tasks_store(run, &(struct task_piece){.state = TASK_FAILED,
                                          .size = run->task.size,
                                          .place = run->task.place,
                                          .result = json.out.text});
}

static bool read_params(struct task_run *run)
{
    struct file *file = run->memory;
    struct arena *arena = &run->request->arena;
    struct json_error error = {PROBLEM_NONE, NULL, NULL};
    struct json_value *value = json_read(arena, run->task.params, strlen(run->task.params), &error);
    const char *query = "", *visibility = "", *collection = "";
    struct json_fields fields;
    bool has_collection;

    if (value == NULL)
        return false;
    json_fields(&fields, arena, value, &error);
    json_take_string(&fields, "query", REQUEST_URL_MAX, &query);
    json_take_string(&fields, "visibility", 16, &visibility);
    json_take_string(&fields, "collection", IDS_TEXT, &collection);
    file->query = must_copy(query);
    for (int16_t i = VISIBILITY_PUBLIC; i <= VISIBILITY_UNLISTED; i++)
        if (strcmp(visibility, words_visibility(i)) == 0)
            file->visibility = i;
    has_collection = ids_read(collection, &file->collection);
    json_free(value);
    return file->visibility != 0 && has_collection;
}

static void begin_file(struct task_run *run)
{
    struct file *file = run->memory;

    file->whole = true;
    decode_utf16(&file->bytes, &file->len);
    file->zipped = archive_is(file->bytes, file->len);
    if (file->zipped && !archive_open(&file->archive, file->bytes, file->len))
        fail_import(run, "The archive cannot be read.");
    else if (!read_params(run))
        fail_import(run, "The terms of the import cannot be read.");
    else {
        file->mark.entry = file->archive.begin;
        if (run->task.mark == NULL || read_import_mark(run->task.mark, &file->mark))
            begin_import_piece(run);
        else
            fail_import(run, "The place where the import goes on cannot be read.");
    }
}

static void add_part(struct file *file, const struct db_task_part *part)
{
    if (file->len + part->len + 1 > file->size) {
        file->size = file->len + part->len + 1;
        file->bytes = must_realloc(file->bytes, file->size);
    }
    memcpy(file->bytes + file->len, part->bytes, part->len);
    file->len += part->len;
    file->bytes[file->len] = '\0';
    file->parts = part->number;
}

static void know_parts(void *context, const struct db_reply *reply,
                       const struct db_task_parts *parts)
{
    struct task_run *run = context;

    if (reply->outcome != DB_OK) {
        tasks_give_up(run);
        return;
    }
    for (size_t i = 0; i < parts->count; i++) {
        add_part(run->memory, &parts->items[i]);
        if (run->task.mark == NULL) /* where it is read again, that is no wish of the player */
            tasks_charge(run, parts->items[i].len);
    }
    if (parts->count > 0)
        read_parts(run);
    else
        begin_file(run);
}

static void read_parts(struct task_run *run)
{
    const struct file *file = run->memory;

    db_get_task_parts(db_of(run->request), run->task.owner, run->task.id, file->parts,
                      ASK_ALSO(task_parts, run->request, ASK_ALL, know_parts, run));
}

static void know_importer(void *context, const struct db_reply *reply,
                          const struct db_player *player)
{
    struct task_run *run = context;
    struct file *file = run->memory;

    if (reply->outcome == DB_NOT_FOUND ||
        (reply->outcome == DB_OK && player->left_at != DB_NEVER)) {
        fail_import(run, "The player has left.");
    } else if (reply->outcome != DB_OK) {
        tasks_give_up(run);
    } else {
        file->name = must_copy(player->name);
        file->player = (struct player){.id = player->id,
                                       .name = file->name,
                                       .created_at = player->created_at,
                                       .hooks = player->hooks};
        file->size = (size_t)run->task.size + 1;
        file->bytes = must_alloc(file->size);
        read_parts(run);
    }
}

static void import_job_step(struct task_run *run)
{
    struct file *file = run->memory;

    if (file != NULL && file->whole) {
        begin_import_piece(run);
        return;
    }
    if (file == NULL)
        run->memory = must_zero(sizeof(*file));
    db_get_player(db_of(run->request), run->task.owner,
                  ASK_ALSO(player, run->request, ASK_ALL, know_importer, run));
}

const struct task_kind import_job = {.number = TASK_IMPORT,
                                     .at_once = 1,
                                     .kept = 3,
                                     .step = import_job_step,
                                     .leave = import_job_leave};
