#include "api/hooks/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* The registries of special addresses of IANA, as far as those are not globally reachable or lead
 * to other addresses. */
static const struct range {
    uint8_t bytes[4];
    unsigned bits;
} special[] = {
    {{0}, 8},             /* this network */
    {{10}, 8},            /* private */
    {{100, 64}, 10},      /* shared by customers of a provider */
    {{127}, 8},           /* loopback */
    {{169, 254}, 16},     /* link-local: metadata of clouds */
    {{172, 16}, 12},      /* private */
    {{192, 0, 0}, 24},    /* protocols */
    {{192, 0, 2}, 24},    /* documents */
    {{192, 88, 99}, 24},  /* 6to4 */
    {{192, 168}, 16},     /* private */
    {{198, 18}, 15},      /* benchmarks */
    {{198, 51, 100}, 24}, /* documents */
    {{203, 0, 113}, 24},  /* documents */
    {{224}, 4},           /* multicast */
    {{240}, 4},           /* reserved, broadcast */
};

/* Of IPv6 only 2000::/3 is global unicast, but for these. */
static const struct range special6[] = {
    {{0x20, 0x01, 0x00}, 23},       /* protocols: Teredo, ORCHID */
    {{0x20, 0x01, 0x0d, 0xb8}, 32}, /* documents */
    {{0x20, 0x02}, 16},             /* 6to4 */
    {{0x3f, 0xff, 0x00}, 20},       /* documents */
};

static bool address_begins(const uint8_t *bytes, const uint8_t *prefix, unsigned bits)
{
    unsigned whole = bits / 8, mask = 0xff00U >> bits % 8 & 0xff;

    return memcmp(bytes, prefix, whole) == 0 &&
           (bits % 8 == 0 || ((bytes[whole] ^ prefix[whole]) & mask) == 0);
}

static bool is_public4(const uint8_t bytes[4])
{
    for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
        if (address_begins(bytes, special[i].bytes, special[i].bits))
            return false;
    return true;
}

static bool is_public6(const uint8_t bytes[16])
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};   /* ::ffff:0:0/96 */
    static const uint8_t translated[12] = {0x00, 0x64, 0xff, 0x9b}; /* 64:ff9b::/96 */

    if (address_begins(bytes, mapped, 96) || address_begins(bytes, translated, 96))
        return is_public4(bytes + 12);
    for (size_t i = 0; i < sizeof(special6) / sizeof(special6[0]); i++)
        if (address_begins(bytes, special6[i].bytes, special6[i].bits))
            return false;
    return (bytes[0] & 0xe0) == 0x20;
}

bool address_is_public(const struct sockaddr *address)
{
    struct sockaddr_in in;
    struct sockaddr_in6 in6;

    if (address->sa_family == AF_INET) {
        memcpy(&in, address, sizeof(in));
        return is_public4((const uint8_t *)&in.sin_addr);
    }
    if (address->sa_family == AF_INET6) {
        memcpy(&in6, address, sizeof(in6));
        return is_public6(in6.sin6_addr.s6_addr);
    }
    return false;
}

/* RFC 6761: localhost and all names below it are this machine. */
static bool is_localhost(const char *name)
{
    static const char localhost[] = "localhost";
    size_t len = strlen(name), own = sizeof(localhost) - 1;

    len -= len > own && name[len - 1] == '.';
    return len >= own && strncasecmp(name + len - own, localhost, own) == 0 &&
           (len == own || name[len - own - 1] == '.');
}

bool address_text_is_public(const char *text)
{
    char plain[INET6_ADDRSTRLEN];
    size_t len = strlen(text);
    uint8_t bytes[16];

    if (is_localhost(text))
        return false;
    if (*text == '[' && len >= 2) {
        text++;
        len -= 2;
    }
    if (len >= sizeof(plain))
        return true;
    memcpy(plain, text, len);
    plain[len] = '\0';
    if (inet_pton(AF_INET, plain, bytes) == 1)
        return is_public4(bytes);
    return inet_pton(AF_INET6, plain, bytes) != 1 || is_public6(bytes);
}
