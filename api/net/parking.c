#include "api/net/parking.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

bool parking_open(struct parking *parking)
{
    parking->epoll = epoll_create1(EPOLL_CLOEXEC);
    return parking->epoll >= 0;
}

void parking_close(struct parking *parking)
{
    close(parking->epoll);
}

int parking_add(struct parking *parking, int fd, struct request *request)
{
    struct epoll_event event = {.events = EPOLLRDHUP, .data.ptr = request};
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    if (copy < 0)
        return -1;
    if (epoll_ctl(parking->epoll, EPOLL_CTL_ADD, copy, &event) != 0) {
        close(copy);
        return -1;
    }
    return copy;
}

void parking_remove(struct parking *parking, int fd)
{
    epoll_ctl(parking->epoll, EPOLL_CTL_DEL, fd, NULL);
}

struct request *parking_closed(const struct parking *parking)
{
    struct epoll_event event;

    return epoll_wait(parking->epoll, &event, 1, 0) == 1 ? event.data.ptr : NULL;
}
