/*
 * framing.h - where each request on a connection begins and ends, by the letter of RFC 9112.
 *
 * libmicrohttpd is generous: it takes a bare line feed for the end of a line, a header
 * "Content-Length " for one that it does not know, and more. A proxy that reads such bytes in
 * another way passes on as one request what libmicrohttpd takes for two, and the second has passed
 * the proxy unseen. So the bytes are read here, too, and strictly. exchange.c hands over a request
 * only if its end was found here.
 *
 * Pure, and the same however the bytes are cut into pieces.
 */
#ifndef PLYD_API_NET_FRAMING_H
#define PLYD_API_NET_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAMING_WORD = 18 }; /* one more than the longest word that matters, "transfer-encoding" */

/* All zero at the beginning of a connection. */
struct framing {
    /* For the caller. */
    uint64_t heads;    /* requests whose head is complete */
    uint64_t requests; /* requests that are complete */
    const char *wrong; /* a sentence; NULL: nothing so far. What follows is not read */
    enum { FRAMING_SHORT, FRAMING_ADDRESS_LONG, FRAMING_HEADERS_LONG } too_long; /* that is wrong */

    /* The present request. */
    uint8_t state;
    bool http_1_0, chunked, trailers;
    uint8_t hosts, lengths, encodings; /* headers of these names */
    bool low_line;                     /* the present name has one */
    uint8_t word_len;
    char word[FRAMING_WORD]; /* the beginning of a name or a value, in small letters */
    uint8_t digits;          /* of a length */
    uint64_t left;           /* bytes that still belong to the body or the chunk */
    uint32_t head;           /* memory that its head takes */
};

/* Reads the next bytes of a connection, and takes out the extensions of chunks, which mean nothing
 * to us, and which libmicrohttpd 1.0 takes for a part of the body, and the names of cookies. Of a
 * request in which something is wrong nothing is left, so that libmicrohttpd does not answer it in
 * its own way. Returns how many bytes are left. */
size_t framing_read(struct framing *framing, char *bytes, size_t len);

/* How many of the next `size` bytes may be read at once: what is left of a body or chunk, and
 * FRAMING_BEHIND more. What is read beyond the end of a request lies in libmicrohttpd's memory for
 * the connection, in which the head of the answer must find room. */
enum { FRAMING_BEHIND = 8 << 10 };
size_t framing_may_read(const struct framing *framing, size_t size);

/* Whether a request has begun and the rest of it is still to come. */
bool framing_in_request(const struct framing *framing);

#endif
