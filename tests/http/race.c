#include "race.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_barrier_t line; /* that all racers start from */

static void *run_racer(void *context)
{
    struct racer *racer = context;
    int fd = http_connect(racer->port);
    bool has_body = racer->body[0] != '\0';

    pthread_barrier_wait(&line);
    http_send(fd, racer->method, racer->path, racer->headers, has_body ? racer->body : NULL,
              strlen(racer->body));
    http_receive(fd, racer->method, &racer->reply);
    close(fd);
    return NULL;
}

void race_run(void *(*work)(void *), void *const *contexts, size_t n)
{
    pthread_t threads[RACERS_MAX];

    for (size_t i = 0; i < n; i++)
        if (pthread_create(&threads[i], NULL, work, contexts[i]) != 0) {
            perror("race: pthread_create");
            exit(1);
        }
    for (size_t i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

void race(struct racer *racers, size_t n)
{
    void *contexts[RACERS_MAX];

    for (size_t i = 0; i < n; i++)
        contexts[i] = &racers[i];
    pthread_barrier_init(&line, NULL, (unsigned)n);
    race_run(run_racer, contexts, n);
    pthread_barrier_destroy(&line);
}
