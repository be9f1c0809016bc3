/* test_habits.c - the habits of libmicrohttpd that net/ needs, and what is said if one is missing.
 *
 * The linker puts the functions below between libmicrohttpd and what it calls, or what we call of
 * it. So each habit can be taken away, as another release might do. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <criterion/redirect.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "api/loop/config.h"
#include "api/net/habits.h"
#include "api/net/tap.h"
#include "api/server.h"
#include "db/db.h"

static const char *missing = "";

static bool is_missing(const char *habit)
{
    return strcmp(missing, habit) == 0;
}

/* Exchanges two words of the same length in what was read. */
static void change(char *bytes, size_t len, const char *from, const char *to)
{
    char *at = memmem(bytes, len, from, strlen(from));

    if (at != NULL)
        memcpy(at, to, strlen(to));
}

ssize_t __real_tap_recv(int fd, void *bytes, size_t size, int flags);
ssize_t __wrap_tap_recv(int fd, void *bytes, size_t size, int flags);

ssize_t __wrap_tap_recv(int fd, void *bytes, size_t size, int flags)
{
    ssize_t len;

    if (is_missing("recv"))
        return recv(fd, bytes, size, flags);
    len = __real_tap_recv(fd, bytes, size, flags);
    if (len > 0 && is_missing("first-line"))
        change(bytes, (size_t)len, "%2F", "x/y");
    if (len > 0 && is_missing("chunks"))
        change(bytes, (size_t)len, "3\r\n1", "4\r\n1");
    if (len > 0 && is_missing("order"))
        change(bytes, (size_t)len, "/last", "/past");
    return len;
}

int __real_close(int fd);
int __wrap_close(int fd);

int __wrap_close(int fd)
{
    return is_missing("leave-waiting") ? 0 : __real_close(fd);
}

ssize_t __real_send(int fd, const void *bytes, size_t len, int flags);
ssize_t __wrap_send(int fd, const void *bytes, size_t len, int flags);

ssize_t __wrap_send(int fd, const void *bytes, size_t len, int flags)
{
    if (is_missing("continue") && len > 12 && memcmp(bytes, "HTTP/1.1 100", 12) == 0)
        return (ssize_t)len;
    return __real_send(fd, bytes, len, flags);
}

void __real_MHD_suspend_connection(struct MHD_Connection *connection);
void __wrap_MHD_suspend_connection(struct MHD_Connection *connection);

void __wrap_MHD_suspend_connection(struct MHD_Connection *connection)
{
    if (!is_missing("head"))
        __real_MHD_suspend_connection(connection);
    if (is_missing("suspend"))
        MHD_resume_connection(connection);
}

void __real_MHD_resume_connection(struct MHD_Connection *connection);
void __wrap_MHD_resume_connection(struct MHD_Connection *connection);

void __wrap_MHD_resume_connection(struct MHD_Connection *connection)
{
    if (is_missing("half-closed"))
        shutdown(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
                 SHUT_RDWR);
    if (!is_missing("leave-resting") && !is_missing("body"))
        __real_MHD_resume_connection(connection);
}

/* ---- probes ---- */

Test(habits, are_all_there)
{
    const struct habit *habit = habits_missing();

    cr_assert_null(habit, "libmicrohttpd %s %s", habits_version(), habit->what);
}

ParameterizedTestParameters(habits, one_that_is_missing_is_noticed)
{
    static size_t numbers[32];
    size_t count = 0;

    for (; habits_at(count) != NULL; count++)
        numbers[count] = count;
    return cr_make_param_array(size_t, numbers, count);
}

ParameterizedTest(const size_t *number, habits, one_that_is_missing_is_noticed)
{
    missing = habits_at(*number)->name;
    cr_assert_not(habits_has(*number), "%s: nobody notices", missing);
}

Test(habits, without_one_the_daemon_does_not_start_and_says_why, .init = cr_redirect_stderr)
{
    struct config config;
    char *argv[] = {"serve", NULL};
    char expected[200], said[2000] = "";
    bool help, check;

    cr_assert(config_read(&config, 1, argv, &help, &check));
    missing = "suspend";
    cr_assert_eq(server_main(&config, &(struct db_time){0, 0}), 1);
    fflush(stderr);
    cr_assert_gt(fread(said, 1, sizeof(said) - 1, cr_get_redirected_stderr()), 0);
    snprintf(expected, sizeof(expected),
             "plyd: libmicrohttpd %s does not leave a suspended connection alone until it is "
             "resumed. plyd cannot work with it.\n",
             habits_version());
    cr_assert_not_null(strstr(said, expected), "%s", said);
}
