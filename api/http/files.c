#include "api/http/files.h"

#include <pthread.h>
#include <sodium.h>
#include <string.h>

static const struct file files[] = {
#define FILE_OF(name, type, text, gzip) \
    {name, type, text, sizeof(text) - 1, gzip, sizeof(gzip) - 1},
#include "embed/files.def"
#undef FILE_OF
};

enum { FILES = sizeof(files) / sizeof(files[0]) };

const struct file *files_find(const char *name)
{
    for (size_t i = 0; i < FILES; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

enum { BUILD_BYTES = crypto_generichash_BYTES_MIN };

static char build[2 * BUILD_BYTES + 1];

static void hash_all(void)
{
    unsigned char hash[BUILD_BYTES];
    crypto_generichash_state state;

    crypto_generichash_init(&state, NULL, 0, sizeof(hash));
    for (size_t i = 0; i < FILES; i++)
        crypto_generichash_update(&state, (const unsigned char *)files[i].text, files[i].len);
    crypto_generichash_final(&state, hash, sizeof(hash));
    sodium_bin2hex(build, sizeof(build), hash, sizeof(hash));
}

const char *files_build(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, hash_all); /* any loop may be the first */
    return build;
}
