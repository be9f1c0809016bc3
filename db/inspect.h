/*
 * inspect.h - what an operator wants to know of a database, for `plyd admin`.
 *
 * The questions are the files of sql/inspect/. Each is one statement that only reads, and that the
 * server ends after 20 s. Answers are rows of texts; what they mean is judged elsewhere. An
 * inspection has a connection of its own, and blocks. It belongs to one thread.
 */
#ifndef PLYD_DB_INSPECT_H
#define PLYD_DB_INSPECT_H

#include "db.h"

struct db_inspection;

enum db_question {
#define DB_QUESTION(name, sql) DB_ASK_##name,
#include "embed/db/inspect.def"
#undef DB_QUESTION
    DB_QUESTIONS
};

/* Connects to a server that takes writes. NULL and *error if that fails. */
struct db_inspection *db_inspect_open(const char *url, struct db_error *error);

/* Asks a question and calls `row` for each row of the answer. The fields are in the order of
 * the file, NULL stands for a null, and they are valid during the call. False and *error if the
 * server refuses the question; others may be asked still. */
bool db_inspect(struct db_inspection *inspection, enum db_question question,
                void (*row)(void *context, const char *const *fields), void *context,
                struct db_error *error);

void db_inspect_close(struct db_inspection *inspection);

#endif
