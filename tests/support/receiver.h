/*
 * receiver.h - a receiver of webhooks for tests, or a push service,, which answers as badly as a
 * test wants.
 *
 * It runs in threads of the calling process, on a free port of 127.0.0.1, and keeps every message
 * that came as a whole. Each connection is closed after its answer.
 */
#ifndef PLYD_TESTS_SUPPORT_RECEIVER_H
#define PLYD_TESTS_SUPPORT_RECEIVER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define RECEIVER_OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

struct receiver_message {
    char path[64], id[64], timestamp[32], signature[256], agent[32], type[64];
    char encoding[32], ttl[16], urgency[16], topic[40], authorization[640]; /* of Web Push */
    char *body;
    size_t len; /* of the body */
    bool again; /* one with this id had come before */
};

struct receiver {
    int port;

    /* Private to receiver.c. */
    int listener;
    pthread_t thread;
    pthread_mutex_t lock;
    const char *answer;
    size_t answer_len;
    bool by_byte, silent, ending;
    size_t connections, under_way, most_under_way;
    struct receiver_message **message;
    size_t count, room;
};

/* Starts one that answers RECEIVER_OK. */
void receiver_start(struct receiver *receiver);
void receiver_stop(struct receiver *receiver);

/* From now on it answers with these bytes, which must stay; all at once, or one every 20 ms. */
void receiver_answers(struct receiver *receiver, const char *answer, size_t len, bool by_byte);

/* From now on it takes messages and says nothing. */
void receiver_falls_silent(struct receiver *receiver);

/* Waits until so many messages have come in all. */
void receiver_await(struct receiver *receiver, size_t count);

/* How many have come, and message i. */
size_t receiver_count(struct receiver *receiver);
const struct receiver_message *receiver_message(struct receiver *receiver, size_t i);

/* How many are under way. */
size_t receiver_under_way(struct receiver *receiver);

/* How many were under way at once, at most. */
size_t receiver_most_at_once(struct receiver *receiver);

/* The versions of the messages about a game, in the order in which they came, without those whose
 * id had come before: "1 2 3". */
void receiver_versions(struct receiver *receiver, const char *game, char *text, size_t size);

#endif
