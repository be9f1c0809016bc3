#include "api/monitor.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "api/loop/admission.h"
#include "api/loop/config.h"
#include "api/loop/log.h"
#include "api/loop/loop.h"
#include "api/loop/quota.h"
#include "api/net/listen.h"
#include "api/net/net.h"
#include "api/routes.h"

/* It has a struct loop, since a request needs one, but no games and no database. It is not
 * registered: its own requests are not counted. */
static struct {
    bool running;
    struct loop loop;
    pthread_t thread;
    int listener;
    int stop; /* eventfd: readable once it shall end */
} monitor;

static void *run_monitor(void *unused)
{
    struct loop *loop = &monitor.loop;
    net_watch(loop->net, monitor.stop, 0);
    while (net_wait(loop->net, net_timeout_ms(loop->net)) == 0) {
        loop->now = loop_clock_us();
        net_cut_idle(loop->net);
        net_run(loop->net);
    }
    return unused;
}

static bool start_monitor(void)
{
    static const struct net_service service = {routes_body_max, routes_welcome, routes_dispatch};
    struct loop *loop = &monitor.loop;

    monitor.stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    loop->monitors = true;
    loop->routes = routes_all;
    loop->now = loop_clock_us();
    loop->quota = admission_open(loop->config, 1);
    if (monitor.stop < 0 || loop->quota == NULL)
        return false;
    loop->net = net_open(loop, monitor.listener, &service);
    return loop->net != NULL && pthread_create(&monitor.thread, NULL, run_monitor, NULL) == 0;
}

bool monitor_start(const struct config *config)
{
    char address[LISTEN_ADDRESS];

    if (config->metrics_listen == NULL)
        return true;
    monitor.loop.config = config;
    if (!listen_all(config->metrics_listen, &monitor.listener, 1, address) || !start_monitor()) {
        log_event(LOG_ERROR, "cannot-listen", "address", config->metrics_listen, "reason",
                  strerror(errno), NULL);
        return false;
    }
    monitor.running = true;
    log_event(LOG_INFO, "listening-for-metrics", "address", address, NULL);
    return true;
}

void monitor_stop(void)
{
    uint64_t one = 1;

    if (!monitor.running)
        return;
    if (write(monitor.stop, &one, sizeof(one)) < 0)
        log_event(LOG_ERROR, "stop-failed", NULL);
    pthread_join(monitor.thread, NULL);
    monitor.loop.ending = true;
    net_close(monitor.loop.net);
    quota_close(monitor.loop.quota);
    close(monitor.listener);
    close(monitor.stop);
    monitor.running = false;
}
