#include "bare.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"

enum { BACKLOG = 4096, CONNECTIONS = 4096, POOL = 16 << 10, LINE_BYTES = 512 };

static bool is_set_by_library(const char *name)
{
    return strcasecmp(name, "Date") == 0 || strcasecmp(name, "Content-Length") == 0 ||
           strcasecmp(name, "Connection") == 0;
}

static struct MHD_Response *response_like(const struct http_reply *reply)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        reply->len, (void *)(uintptr_t)reply->body, MHD_RESPMEM_PERSISTENT);
    char name[LINE_BYTES], value[LINE_BYTES];

    for (const char *line = strstr(reply->headers, "\r\n") + 2; *line != '\r';
         line = strstr(line, "\r\n") + 2)
        if (sscanf(line, "%511[^:]: %511[^\r]", name, value) == 2 && !is_set_by_library(name))
            MHD_add_response_header(response, name, value);
    return response;
}

/* Answers in the second call: the library closes a connection that is answered in the first. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **memory)
{
    bool first = *memory == NULL;

    (void)url, (void)method, (void)version, (void)data, (void)size;
    *memory = cls;
    return first ? MHD_YES : MHD_queue_response(connection, MHD_HTTP_OK, cls);
}

static int listen_anywhere(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (bind(fd, (struct sockaddr *)&address, len) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &len) != 0)
        die("listen: %m");
    *port = ntohs(address.sin_port);
    return fd;
}

/* How long to sleep. The library may have more to do although nothing new came. */
static int sleep_ms(struct MHD_Daemon *daemon)
{
    MHD_UNSIGNED_LONG_LONG ms;

    return MHD_get_timeout(daemon, &ms) == MHD_YES ? (int)ms : -1;
}

static _Noreturn void serve(int listener, struct MHD_Response *response)
{
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_TURBO, 0, NULL, NULL, on_request, response,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL, MHD_OPTION_END);
    struct pollfd ready = {.events = POLLIN};

    if (daemon == NULL)
        die("start: %m");
    ready.fd = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    for (;;) {
        poll(&ready, 1, sleep_ms(daemon));
        MHD_run(daemon);
    }
}

void bare_start(struct bare *bare, const struct http_reply *reply)
{
    int listener = listen_anywhere(&bare->port);
    pid_t parent = getpid();

    bare->pid = fork();
    if (bare->pid < 0)
        die("fork: %m");
    if (bare->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        serve(listener, response_like(reply));
    }
    close(listener);
}

void bare_stop(const struct bare *bare)
{
    kill(bare->pid, SIGKILL);
    waitpid(bare->pid, NULL, 0);
}
