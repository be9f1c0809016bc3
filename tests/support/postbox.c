#include "postbox.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backoff.h"

enum { LINE_MAX_BYTES = 4096, MAIL_BYTES = 64 << 10 };

static void fail(const char *what)
{
    fprintf(stderr, "postbox: %s: %s\n", what, strerror(errno));
    abort();
}

struct session {
    struct postbox *postbox;
    int fd;
    char bytes[LINE_MAX_BYTES];
    size_t len, line; /* of the line that was taken */
    struct postbox_mail mail;
    char data[MAIL_BYTES];
};

/* ---- what a mail says ---- */

static int hex(char c)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *at = strchr(digits, c);

    return at == NULL || c == '\0' ? -1 : (int)(at - digits);
}

static char *decode_text(const char *text)
{
    char *decoded = malloc(strlen(text) + 1), *to = decoded;

    while (*text != '\0') {
        if (strncmp(text, "=\r\n", 3) == 0) {
            text += 3;
        } else if (*text == '=' && hex(text[1]) >= 0 && hex(text[2]) >= 0) {
            *to++ = (char)(hex(text[1]) * 16 + hex(text[2]));
            text += 3;
        } else if (*text == '\r') {
            text++;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    return decoded;
}

static void decode_subject(const char *bytes, char *subject, size_t size)
{
    static const char begins[] = "=?UTF-8?B?";
    const char *at = strstr(bytes, "\r\nSubject:"), *end;
    size_t len = 0, got;

    *subject = '\0';
    if (at == NULL)
        return;
    for (at = strstr(at, begins); at != NULL;
         at = strncmp(end, "?=\r\n =?", 7) == 0 ? strstr(end + 4, begins) : NULL) {
        at += strlen(begins);
        end = strstr(at, "?=");
        if (sodium_base642bin((unsigned char *)subject + len, size - 1 - len, at,
                              (size_t)(end - at), NULL, &got, NULL,
                              sodium_base64_VARIANT_ORIGINAL) != 0)
            fail("a subject");
        len += got;
        subject[len] = '\0';
    }
}

bool postbox_has_header(const struct postbox_mail *mail, const char *line)
{
    const char *end = strstr(mail->bytes, "\r\n\r\n"), *at = mail->bytes;
    size_t len = strlen(line);

    for (; at != NULL && at < end; at = strstr(at, "\r\n") + 2)
        if (strncmp(at, line, len) == 0 && strncmp(at + len, "\r\n", 2) == 0)
            return true;
    return false;
}

static void keep_mail(struct session *session)
{
    struct postbox *postbox = session->postbox;
    struct postbox_mail *mail = malloc(sizeof(*mail));
    const char *body = strstr(session->data, "\r\n\r\n");

    *mail = session->mail;
    mail->bytes = strdup(session->data);
    mail->text = decode_text(body == NULL ? "" : body + 4);
    decode_subject(mail->bytes, mail->subject, sizeof(mail->subject));
    pthread_mutex_lock(&postbox->lock);
    if (postbox->count == postbox->room) {
        postbox->room = 2 * postbox->room + 16;
        postbox->mail = realloc(postbox->mail, postbox->room * sizeof(*postbox->mail));
    }
    postbox->mail[postbox->count++] = mail;
    pthread_mutex_unlock(&postbox->lock);
}

/* ---- a session ---- */

static bool is_ending(struct postbox *postbox)
{
    bool ending;

    pthread_mutex_lock(&postbox->lock);
    ending = postbox->ending;
    pthread_mutex_unlock(&postbox->lock);
    return ending;
}

/* The next line without its end. NULL: the connection is over. */
static const char *take_line(struct session *session)
{
    struct pollfd ready = {session->fd, POLLIN, 0};
    char *end;

    memmove(session->bytes, session->bytes + session->line, session->len - session->line + 1);
    session->len -= session->line;
    session->line = 0;
    while ((end = strstr(session->bytes, "\r\n")) == NULL) {
        ssize_t got;

        if (is_ending(session->postbox))
            return NULL;
        if (poll(&ready, 1, 50) <= 0)
            continue;
        got = recv(session->fd, session->bytes + session->len,
                   sizeof(session->bytes) - 1 - session->len, 0);
        if (got <= 0)
            return NULL;
        session->len += (size_t)got;
        session->bytes[session->len] = '\0';
    }
    *end = '\0';
    session->line = (size_t)(end - session->bytes) + 2;
    return session->bytes;
}

/* What is answered to a command, as it usually is or as the test wants it; "": nothing yet. */
static void choose_reply(struct postbox *postbox, const char *command, const char *usual,
                         char reply[160])
{
    size_t len;
    bool is_chosen;

    pthread_mutex_lock(&postbox->lock);
    len = strlen(postbox->command);
    is_chosen = strncasecmp(postbox->command, command, len) == 0 && (len > 0 || *command == '\0');
    snprintf(reply, 160, "%s", is_chosen ? postbox->reply : usual);
    pthread_mutex_unlock(&postbox->lock);
}

/* Until there is an answer, or the other side gives up. */
static void keep_silent(struct session *session, const char *command, const char *usual,
                        char reply[160])
{
    struct pollfd given_up = {session->fd, POLLIN, 0};

    while (*reply == '\0' && poll(&given_up, 1, 50) <= 0 && !is_ending(session->postbox))
        choose_reply(session->postbox, command, usual, reply);
}

static void count_silent(struct postbox *postbox, int more)
{
    pthread_mutex_lock(&postbox->lock);
    postbox->silent += (size_t)more;
    pthread_mutex_unlock(&postbox->lock);
}

/* Answers a command. False: with an error, or not before the other side has given up. */
static bool reply_to(struct session *session, const char *command, const char *usual)
{
    char reply[160];

    choose_reply(session->postbox, command, usual, reply);
    if (*reply == '\0') {
        count_silent(session->postbox, 1);
        keep_silent(session, command, usual, reply);
        count_silent(session->postbox, -1);
        if (*reply == '\0')
            return false;
    }
    if (strcmp(reply, POSTBOX_HANGS_UP) == 0) {
        shutdown(session->fd, SHUT_RDWR);
        return false;
    }
    strcat(reply, "\r\n");
    return send(session->fd, reply, strlen(reply), MSG_NOSIGNAL) > 0 && *reply < '4';
}

static bool take_data(struct session *session)
{
    size_t len = 0;
    const char *line;

    session->data[0] = '\0';
    while ((line = take_line(session)) != NULL && strcmp(line, ".") != 0) {
        line += *line == '.';
        len += (size_t)snprintf(session->data + len, sizeof(session->data) - len, "%s\r\n", line);
    }
    return line != NULL;
}

static void copy_line(char *to, size_t size, const char *line)
{
    snprintf(to, size, "%s", line);
}

static void obey(struct session *session, const char *line)
{
    struct postbox_mail *mail = &session->mail;

    if (strncasecmp(line, "EHLO ", 5) == 0 || strncasecmp(line, "HELO ", 5) == 0) {
        copy_line(mail->greeting, sizeof(mail->greeting), line);
        reply_to(session, "EHLO", "250-postbox\r\n250 AUTH PLAIN");
    } else if (strncasecmp(line, "AUTH ", 5) == 0) {
        copy_line(mail->login, sizeof(mail->login), line);
        reply_to(session, "AUTH", "235 welcome");
    } else if (strncasecmp(line, "MAIL ", 5) == 0) {
        copy_line(mail->from, sizeof(mail->from), line);
        reply_to(session, "MAIL", "250 ok");
    } else if (strncasecmp(line, "RCPT ", 5) == 0) {
        copy_line(mail->to, sizeof(mail->to), line);
        reply_to(session, line, "250 ok");
    } else if (strcasecmp(line, "DATA") == 0) {
        if (reply_to(session, "DATA", "354 go on") && take_data(session)) {
            keep_mail(session);
            reply_to(session, ".", "250 taken");
        }
    } else {
        reply_to(session, "QUIT", "221 bye");
    }
}

static void *serve(void *cls)
{
    struct session *session = cls;
    struct postbox *postbox = session->postbox;
    const char *line;

    if (reply_to(session, "", "220 postbox"))
        while ((line = take_line(session)) != NULL)
            obey(session, line);
    close(session->fd);
    free(session);
    pthread_mutex_lock(&postbox->lock);
    postbox->connections--;
    pthread_mutex_unlock(&postbox->lock);
    return NULL;
}

/* ---- the listener ---- */

static void *listen_on(void *cls)
{
    struct postbox *postbox = cls;
    struct pollfd ready = {postbox->listener, POLLIN, 0};

    while (!is_ending(postbox)) {
        struct session *session;
        pthread_t thread;
        int fd;

        if (poll(&ready, 1, 50) <= 0)
            continue;
        fd = accept4(postbox->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            continue;
        session = calloc(1, sizeof(*session));
        session->postbox = postbox;
        session->fd = fd;
        pthread_mutex_lock(&postbox->lock);
        postbox->connections++;
        postbox->sessions++;
        pthread_mutex_unlock(&postbox->lock);
        if (pthread_create(&thread, NULL, serve, session) != 0)
            fail("pthread_create");
        pthread_detach(thread);
    }
    return NULL;
}

void postbox_start(struct postbox *postbox)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);

    memset(postbox, 0, sizeof(*postbox));
    pthread_mutex_init(&postbox->lock, NULL);
    postbox_says(postbox, "", NULL);
    postbox->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(postbox->listener, (struct sockaddr *)&address, size) != 0 ||
        listen(postbox->listener, 128) != 0 ||
        getsockname(postbox->listener, (struct sockaddr *)&address, &size) != 0)
        fail("listen");
    postbox->port = ntohs(address.sin_port);
    if (pthread_create(&postbox->thread, NULL, listen_on, postbox) != 0)
        fail("pthread_create");
}

void postbox_stop(struct postbox *postbox)
{
    bool busy = true;

    pthread_mutex_lock(&postbox->lock);
    postbox->ending = true;
    pthread_mutex_unlock(&postbox->lock);
    pthread_join(postbox->thread, NULL);
    close(postbox->listener);
    for (int looks = 0; busy; looks++) {
        pthread_mutex_lock(&postbox->lock);
        busy = postbox->connections > 0;
        pthread_mutex_unlock(&postbox->lock);
        if (busy)
            back_off(looks);
    }
    for (size_t i = 0; i < postbox->count; i++) {
        free(postbox->mail[i]->bytes);
        free(postbox->mail[i]->text);
        free(postbox->mail[i]);
    }
    free(postbox->mail);
}

/* ---- for tests ---- */

void postbox_says(struct postbox *postbox, const char *command, const char *reply)
{
    pthread_mutex_lock(&postbox->lock);
    snprintf(postbox->command, sizeof(postbox->command), "%s", reply == NULL ? "none" : command);
    snprintf(postbox->reply, sizeof(postbox->reply), "%s", reply == NULL ? "" : reply);
    pthread_mutex_unlock(&postbox->lock);
}

static size_t read_count(struct postbox *postbox, const size_t *count)
{
    size_t read;

    pthread_mutex_lock(&postbox->lock);
    read = *count;
    pthread_mutex_unlock(&postbox->lock);
    return read;
}

size_t postbox_count(struct postbox *postbox)
{
    return read_count(postbox, &postbox->count);
}

void postbox_await_silence(struct postbox *postbox)
{
    for (int looks = 0; read_count(postbox, &postbox->silent) == 0; looks++)
        back_off(looks);
}

size_t postbox_sessions(struct postbox *postbox)
{
    return read_count(postbox, &postbox->sessions);
}

const struct postbox_mail *postbox_await(struct postbox *postbox, size_t count)
{
    const struct postbox_mail *mail;

    for (int looks = 0; postbox_count(postbox) < count; looks++)
        back_off(looks);
    pthread_mutex_lock(&postbox->lock);
    mail = postbox->mail[count - 1];
    pthread_mutex_unlock(&postbox->lock);
    return mail;
}
