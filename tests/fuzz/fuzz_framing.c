/*
 * fuzz_framing.c - the bytes of a connection, whole and in pieces.
 *
 * Input: a byte that says how long the pieces are, and what comes over the connection.
 */
#include <ctype.h>
#include <stdbool.h>

#include "api/net/framing.h"
#include "fuzz.h"

static struct framing read_pieces(const char *bytes, size_t len, size_t piece)
{
    struct framing framing = {.state = 0};

    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        char *copy = malloc(n);

        must(copy != NULL);
        memcpy(copy, bytes + at, n);
        must(framing_read(&framing, copy, n) <= n);
        free(copy);
    }
    return framing;
}

/* The head of a request, read line by line: what every reader of it must agree about. */
static void check_head(const char *head, size_t len)
{
    const char *end = head + len;
    int lines = 0;

    must(memchr(head, '\0', len) == NULL);
    for (const char *line = head; line < end; lines++) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));

        must(feed != NULL && feed > head && feed[-1] == '\r');
        must(memchr(line, '\r', (size_t)(feed - line)) == feed - 1);
        must(lines == 0 || (line[0] != ' ' && line[0] != '\t'));
        if (lines > 0 && feed > line + 1) {
            const char *colon = memchr(line, ':', (size_t)(feed - line));

            must(colon != NULL && colon > line && !isspace((unsigned char)colon[-1]));
        }
        line = feed + 1;
    }
}

/* Finds the end of the first head byte by byte. */
static void check_first_head(const char *bytes, size_t len)
{
    struct framing framing = {.state = 0};
    size_t from = 0;

    for (size_t i = 0; i < len && framing.wrong == NULL; i++) {
        char byte = bytes[i];

        framing_read(&framing, &byte, 1);
        if (!framing_in_request(&framing) && framing.heads == 0)
            from = i + 1;
        if (framing.heads == 1) {
            check_head(bytes + from, i + 1 - from);
            return;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data + 1;
    struct framing whole, pieces;

    if (size == 0)
        return 0;
    whole = read_pieces(bytes, size - 1, size);
    pieces = read_pieces(bytes, size - 1, 1 + data[0] % 16);
    must(whole.heads == pieces.heads && whole.requests == pieces.requests);
    must(whole.wrong == pieces.wrong && whole.left == pieces.left);
    must(framing_in_request(&whole) == framing_in_request(&pieces));
    must(whole.heads >= whole.requests && whole.heads - whole.requests <= 1);
    check_first_head(bytes, size - 1);
    return 0;
}
