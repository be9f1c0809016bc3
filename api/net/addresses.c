#include "api/net/addresses.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/text/must.h"

_Static_assert(ADDRESSES_KEY == crypto_shorthash_KEYBYTES, "the key is one of this hash");

void addresses_open(struct addresses *addresses)
{
    crypto_shorthash_keygen(addresses->key);
}

static struct address_count *const *find(const struct addresses *addresses,
                                         const struct quota_address *address)
{
    struct address_count *const *at;
    uint64_t hash;

    crypto_shorthash((unsigned char *)&hash, address->bytes, address->len, addresses->key);
    at = &addresses->row[hash % ADDRESSES_ROWS];
    while (*at != NULL && ((*at)->address.len != address->len ||
                           memcmp((*at)->address.bytes, address->bytes, address->len) != 0))
        at = &(*at)->next;
    return at;
}

static struct address_count **place_of_address(struct addresses *addresses,
                                               const struct quota_address *address)
{
    return (struct address_count **)(uintptr_t)find(addresses, address);
}

size_t addresses_count(const struct addresses *addresses, const struct quota_address *address)
{
    const struct address_count *count = *find(addresses, address);

    return count == NULL ? 0 : count->connections;
}

void addresses_add(struct addresses *addresses, const struct quota_address *address,
                   struct client *client)
{
    struct address_count **at = place_of_address(addresses, address);

    if (*at == NULL) {
        *at = must_zero(sizeof(**at));
        (*at)->address = *address;
        TAILQ_INIT(&(*at)->clients);
    }
    (*at)->connections++;
    TAILQ_INSERT_TAIL(&(*at)->clients, client, of_address);
    client->from = *at;
}

void addresses_remove(struct addresses *addresses, struct client *client)
{
    struct address_count *count = client->from, **at;

    if (count == NULL)
        return;
    TAILQ_REMOVE(&count->clients, client, of_address);
    if (--count->connections > 0)
        return;
    at = place_of_address(addresses, &count->address);
    *at = count->next;
    free(count);
}

struct client *addresses_least(struct addresses *addresses, const struct quota_address *address)
{
    struct address_count *count = *place_of_address(addresses, address);
    size_t looks = count == NULL                            ? 0
                   : count->connections < CLIENTS_LOOKED_AT ? count->connections
                                                            : CLIENTS_LOOKED_AT;
    struct client *least = NULL;

    while (looks-- > 0) {
        struct client *client = TAILQ_FIRST(&count->clients);

        TAILQ_REMOVE(&count->clients, client, of_address);
        TAILQ_INSERT_TAIL(&count->clients, client, of_address);
        least = clients_of_two(least, client);
    }
    return least;
}
