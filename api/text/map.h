/*
 * map.h - a hash map: things that are found by their keys.
 *
 * Ids, or numbers that are hashes.
 *
 * A map has buckets for as many things as there may be, about. What is in it stays where it is,
 * with its key, and has a link; so only opening takes memory. Several may have the same key. A map
 * belongs to one thread.
 */
#ifndef PLYD_API_TEXT_MAP_H
#define PLYD_API_TEXT_MAP_H

#include <stddef.h>

struct map_link {
    struct map_link *next; /* in its bucket */
    const void *key;
    void *of;
};

struct map {
    struct map_link **bucket;
    size_t buckets; /* a power of two */
    size_t key_bytes;
    size_t count;
};

/* The last bytes of keys, as many as a size_t has, tell them apart well. Memory is not refused
 * (must.h). */
void map_open(struct map *map, size_t key_bytes, size_t limit);

/* What is in the map stays as it is. */
void map_close(struct map *map);

/* The last thing of a key that was put in; NULL: there is none. */
void *map_find(const struct map *map, const void *key);

/* The one of the same key that was put in before; NULL: there is none. */
void *map_next(const struct map *map, const struct map_link *link);

void map_put(struct map *map, struct map_link *link, const void *key, void *of);
void map_take(struct map *map, struct map_link *link);

#endif
