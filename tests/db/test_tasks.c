/* test_tasks.c - long work: what guards it, what belongs to it, what ends with it. */
#include <criterion/criterion.h>
#include <string.h>

#include "bed.h"
#include "db/tasks.h"

static struct bed bed;
static db_id owner;
static struct call done_call;

enum { KIND = 1, WAITING = 2, DUE_KIND = 8 };

static void make(void)
{
    bed_make(&bed);
    owner = new_id();
}

static void end(void)
{
    bed_remove(&bed);
}

TestSuite(tasks, .init = make, .fini = end);

static struct db_task make_task(int16_t state)
{
    struct db_task task = {.owner = owner,
                           .id = new_id(),
                           .kind = KIND,
                           .state = state,
                           .version = 1,
                           .created_at = db_now(bed.db),
                           .updated_at = db_now(bed.db),
                           .size = 10,
                           .params = "{}"};

    CALL(DB_OK, done, db_create_task, &task, NULL);
    return task;
}

static void set_task(const struct db_task *task, enum db_outcome outcome)
{
    struct db_task_write write = {.task = task};

    CALL(outcome, done, db_set_task, &write);
}

static void put_part(const struct db_task *task, int32_t number, const char *bytes,
                     enum db_outcome outcome)
{
    struct db_task_part part = {number, bytes, strlen(bytes)};

    CALL(outcome, done, db_put_task_part, owner, task->id, &part);
}

Test(tasks, what_was_set_is_read_back_one_version_later)
{
    struct db_task task = make_task(WAITING);

    task.place = 7;
    task.done = 3;
    task.failed = 1;
    task.mark = "here";
    set_task(&task, DB_OK);
    CALL(DB_OK, tasks, db_get_tasks, owner, &task.id);
    cr_assert_eq(done_call.count, 1);
    cr_assert_eq(done_call.tasks[0].version, 2);
    cr_assert_eq(done_call.tasks[0].place, 7);
    cr_assert_eq(done_call.tasks[0].size, 10);
    cr_assert_eq(done_call.tasks[0].done, 3);
    cr_assert_eq(done_call.tasks[0].failed, 1);
    cr_assert_str_eq(done_call.texts[0], "here");
    cr_assert_null(done_call.tasks[0].result);
}

Test(tasks, one_who_expects_another_version_writes_nothing)
{
    struct db_task task = make_task(WAITING);
    struct db_task_item item = {1, false, "{}"};
    struct db_task_write write = {.task = &task, .items = &item, .count = 1};

    set_task(&task, DB_OK);
    CALL(DB_CONFLICT, done, db_set_task, &write);
    assert_sql(bed.url, "select count(*) from task_items", "0");
    task.id = new_id();
    set_task(&task, DB_NOT_FOUND);
}

Test(tasks, an_id_is_taken_once)
{
    struct db_task task = make_task(WAITING);

    CALL(DB_CONFLICT, done, db_create_task, &task, NULL);
}

Test(tasks, an_owner_has_a_bounded_number_that_are_not_over)
{
    struct db_task task = make_task(WAITING), more = task;

    for (int i = 1; i < DB_TASKS_OPEN_MAX; i++)
        make_task(WAITING);
    more.id = new_id();
    CALL(DB_CONFLICT, done, db_create_task, &more, NULL);
    task.state = DB_TASK_OVER;
    set_task(&task, DB_OK);
    CALL(DB_OK, done, db_create_task, &more, NULL);
}

Test(tasks, an_owner_has_a_bounded_number_in_all)
{
    struct db_task more = make_task(WAITING);

    sql(bed.url, "update tasks set state = 4");
    sql(bed.url, "insert into tasks select owner_id, gen_random_uuid(), kind, state, version,"
                 " created_at, updated_at, size, place, done, failed, params"
                 " from tasks, generate_series(2, 100)");
    more.id = new_id();
    CALL(DB_CONFLICT, done, db_create_task, &more, NULL);
    sql(bed.url, "delete from tasks where id = (select min(id::text)::uuid from tasks)");
    CALL(DB_OK, done, db_create_task, &more, NULL);
}

Test(tasks, all_of_an_owner_come_the_oldest_first)
{
    struct db_task first = make_task(WAITING), second = make_task(WAITING);

    owner = new_id();
    make_task(WAITING);
    CALL(DB_OK, tasks, db_get_tasks, first.owner, NULL);
    cr_assert_eq(done_call.count, 2);
    cr_assert_arr_eq(&done_call.tasks[1].id, &second.id, sizeof(second.id));
}

Test(tasks, the_file_is_stored_in_parts_while_it_comes_in)
{
    struct db_task task = make_task(DB_TASK_INCOMING);

    put_part(&task, 2, "two", DB_OK);
    put_part(&task, 1, "wrong", DB_OK);
    put_part(&task, 1, "one", DB_OK);
    CALL(DB_OK, task_parts, db_get_task_parts, owner, task.id, 0);
    cr_assert_eq(done_call.count, 2);
    cr_assert_eq(done_call.parts[0].number, 1);
    cr_assert_eq(done_call.parts[0].len, 3);
    cr_assert_arr_eq(done_call.texts[0], "one", 3);
    task.state = WAITING;
    set_task(&task, DB_OK);
    put_part(&task, 3, "late", DB_NOT_FOUND);
}

Test(tasks, the_file_of_a_task_that_is_over_is_deleted)
{
    struct db_task task = make_task(DB_TASK_INCOMING), other = make_task(DB_TASK_INCOMING);

    put_part(&task, 1, "one", DB_OK);
    put_part(&other, 1, "one", DB_OK);
    task.state = DB_TASK_OVER;
    set_task(&task, DB_OK);
    assert_sql(bed.url, "select count(*) from task_parts", "1");
}

Test(tasks, items_come_in_pages_and_those_that_failed_alone)
{
    struct db_task task = make_task(WAITING);
    struct db_task_item items[] = {
        {1, false, "a"}, {2, true, "b"}, {3, false, "c"}, {4, true, "d"}};
    struct db_task_write write = {.task = &task, .items = items, .count = 4};

    CALL(DB_OK, done, db_set_task, &write);
    CALL(DB_OK, task_items, db_get_task_items, owner, task.id, false, 1, 2);
    cr_assert_eq(done_call.count, 2);
    cr_assert_eq(done_call.items[0].number, 2);
    cr_assert(done_call.items[0].failed);
    cr_assert_str_eq(done_call.texts[1], "c");
    CALL(DB_OK, task_items, db_get_task_items, owner, task.id, true, 0, 10);
    cr_assert_eq(done_call.count, 2);
    cr_assert_str_eq(done_call.texts[1], "d");
}

Test(tasks, a_promise_is_made_with_what_causes_it)
{
    struct db_task task = make_task(WAITING);
    struct db_due due = {owner, DUE_KIND, db_now(bed.db)};
    struct db_task_write write = {.task = &task, .due = &due};

    CALL(DB_OK, done, db_set_task, &write);
    CALL(DB_CONFLICT, done, db_set_task, &write);
    assert_sql(bed.url, "select count(*) from due where kind = 8", "1");
}

Test(tasks, deleting_one_takes_all_that_belongs_to_it)
{
    struct db_task task = make_task(DB_TASK_INCOMING), other = make_task(DB_TASK_INCOMING);
    struct db_task_item item = {1, false, "{}"};
    struct db_task_write write = {.task = &task, .items = &item, .count = 1};

    put_part(&task, 1, "one", DB_OK);
    CALL(DB_OK, done, db_set_task, &write);
    CALL(DB_OK, done, db_delete_task, owner, task.id);
    CALL(DB_NOT_FOUND, done, db_delete_task, owner, task.id);
    assert_sql(bed.url,
               "select (select count(*) from task_parts) + (select count(*) from task_items)", "0");
    CALL(DB_OK, tasks, db_get_tasks, owner, NULL);
    cr_assert_arr_eq(&done_call.tasks[0].id, &other.id, sizeof(other.id));
    cr_assert_eq(done_call.count, 1);
}
