/*
 * replay.c - gives a fuzzer the inputs that are kept: all files of the folders that are named.
 *
 * It stands in for libFuzzer, so that any compiler can prove that nothing that was found once is
 * back.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/die.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Allocates exactly the size of the file, so that the sanitizer sees a read behind its end. */
static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    uint8_t *data;
    size_t size;

    if (file == NULL || fstat(fileno(file), &info) != 0)
        die("%s: %m", path);
    size = (size_t)info.st_size;
    data = malloc(size);
    if (fread(data, 1, size, file) != size)
        die("%s: %m", path);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
}

static size_t replay_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    size_t count = 0;

    if (dir == NULL)
        die("%s: %m", folder);
    while ((entry = readdir(dir)) != NULL) {
        char path[4096];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        replay_file(path);
        count++;
    }
    closedir(dir);
    return count;
}

int main(int argc, char **argv)
{
    size_t count = 0;

    for (int i = 1; i < argc; i++)
        count += replay_folder(argv[i]);
    printf("  %zu passed, 0 failed\n", count);
    return 0;
}
