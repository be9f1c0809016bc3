/*
 * test_disk.c - a full disk: clear 503s, reads go on, nothing acknowledged is lost, and writes go
 * on once there is room.
 *
 * The disk is a small file system in memory, which only root may mount.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "new_game.h"
#include "tests/support/backoff.h"
#include "tests/support/http.h"
#include "tests/support/plyd.h"

enum { ROOM_KB = 384, MOVES_MAX = 20000 };

static char dir[256], url[512];
static struct plyd plyd;

static int run(const char *command)
{
    char line[512];

    snprintf(line, sizeof(line), "scripts/postgres.sh %s %s/pg >/dev/null 2>&1", command, dir);
    return system(line);
}

static void read_url(void)
{
    char line[512];
    FILE *out;

    snprintf(line, sizeof(line), "scripts/postgres.sh url %s/pg", dir);
    out = popen(line, "r");
    cr_assert_not_null(fgets(url, sizeof(url), out));
    url[strcspn(url, "\n")] = '\0';
    pclose(out);
}

/* Fills the disk but for so much room. */
static void fill_disk(unsigned room_kb)
{
    char path[300], block[4096] = "";
    struct statvfs disk;
    FILE *file;

    snprintf(path, sizeof(path), "%s/filler", dir);
    file = fopen(path, "w");
    cr_assert_not_null(file);
    do {
        cr_assert_eq(fwrite(block, sizeof(block), 1, file), 1);
        fflush(file);
        cr_assert_eq(statvfs(dir, &disk), 0);
    } while (disk.f_bavail * disk.f_frsize > (unsigned long)room_kb << 10);
    fclose(file);
}

static void empty_disk(void)
{
    char path[300];

    snprintf(path, sizeof(path), "%s/filler", dir);
    cr_assert_eq(unlink(path), 0);
}

static int put(const char *id, const char *token, int ply)
{
    static const char *const moves[] = {"7b8b", "2h3h", "8b7b", "3h2h"};
    char path[128], headers[256];
    struct http_reply reply;
    int status;

    snprintf(path, sizeof(path), "/v1/games/%s/moves/%d", id, ply);
    snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\nContent-Type: text/plain\r\n",
             token);
    http_request(plyd.port, &reply, "PUT", path, headers, moves[ply % 4]);
    status = reply.status;
    cr_assert(status == 200 || status == 201 || status == 503, "%d %.300s", status, reply.body);
    http_free(&reply);
    return status;
}

static int present_ply(const char *id)
{
    struct http_reply reply;
    char path[128];
    int ply;

    snprintf(path, sizeof(path), "/v1/games/%s", id);
    http_request(plyd.port, &reply, "GET", path, NULL, NULL);
    cr_assert_eq(reply.status, 200, "%.300s", reply.body);
    ply = atoi(strstr(reply.body, "\"ply\":") + 6);
    http_free(&reply);
    return ply;
}

/* A folder that the server can enter whoever it runs as. The checkout's folder need not be one. */
static void make_dir(void)
{
    const char *parent = getenv("TMPDIR");

    snprintf(dir, sizeof(dir), "%s/plyd-full-XXXXXX", parent == NULL ? "/tmp" : parent);
    cr_assert_not_null(mkdtemp(dir));
    cr_assert_eq(chmod(dir, 0755), 0);
}

static bool mounted;

/* Also after a failure: otherwise a server and a mount would outlive the test. */
static void clean_up(void)
{
    if (plyd.pid > 0)
        plyd_kill9(&plyd);
    if (mounted) {
        run("remove");
        umount2(dir, MNT_DETACH);
    }
    if (*dir != '\0')
        rmdir(dir);
}

Test(disk, a_full_disk_is_503_and_nothing_acknowledged_is_lost, .fini = clean_up)
{
    char id[NEW_GAME_ID], token[NEW_GAME_TOKEN];
    int acknowledged = 0;

    make_dir();
    mounted = mount("tmpfs", dir, "tmpfs", 0, "size=160m,mode=0755") == 0;
    if (!mounted)
        cr_skip_test("only root may mount");
    cr_assert_eq(run("start"), 0);
    read_url();
    plyd_migrate(url);
    plyd_start(&plyd, url, "--db-deadline-ms", "60000", NULL);
    new_game(plyd.port, "{\"variant\":\"shogi\",\"options\":{\"repetition\":0}}", id, token);
    fill_disk(ROOM_KB);
    while (acknowledged < MOVES_MAX && put(id, token, acknowledged + 1) != 503)
        acknowledged++;
    cr_assert_lt(acknowledged, MOVES_MAX, "the disk never filled");
    cr_assert_geq(present_ply(id), acknowledged);
    empty_disk();
    for (int looks = 0; put(id, token, acknowledged + 1) == 503; looks++)
        back_off(looks);
    cr_assert_geq(present_ply(id), acknowledged + 1);
    cr_assert_eq(plyd_stop(&plyd), 0);
}
