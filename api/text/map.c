#include "api/text/map.h"

#include <stdlib.h>
#include <string.h>

#include "api/text/must.h"

void map_open(struct map *map, size_t key_bytes, size_t limit)
{
    *map = (struct map){.buckets = 1, .key_bytes = key_bytes};
    while (map->buckets < limit)
        map->buckets *= 2;
    map->bucket = must_zero(map->buckets * sizeof(struct map_link *));
}

void map_close(struct map *map)
{
    free(map->bucket);
}

static struct map_link **bucket_of(const struct map *map, const void *key)
{
    size_t hash;

    memcpy(&hash, (const char *)key + map->key_bytes - sizeof(hash), sizeof(hash));
    return &map->bucket[hash & (map->buckets - 1)];
}

static void *first_of_map(const struct map *map, const struct map_link *link, const void *key)
{
    while (link != NULL && memcmp(link->key, key, map->key_bytes) != 0)
        link = link->next;
    return link == NULL ? NULL : link->of;
}

void *map_find(const struct map *map, const void *key)
{
    return map->count == 0 ? NULL : first_of_map(map, *bucket_of(map, key), key);
}

void *map_next(const struct map *map, const struct map_link *link)
{
    return first_of_map(map, link->next, link->key);
}

void map_put(struct map *map, struct map_link *link, const void *key, void *of)
{
    struct map_link **bucket = bucket_of(map, key);

    *link = (struct map_link){*bucket, key, of};
    *bucket = link;
    map->count++;
}

void map_take(struct map *map, struct map_link *link)
{
    struct map_link **at = bucket_of(map, link->key);

    while (*at != link)
        at = &(*at)->next;
    *at = link->next;
    map->count--;
}
