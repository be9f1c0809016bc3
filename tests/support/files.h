/*
 * files.h - whole files, as texts.
 */
#ifndef PLYD_TESTS_SUPPORT_FILES_H
#define PLYD_TESTS_SUPPORT_FILES_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/die.h"

/* Its path is formatted. The caller frees the text. */
__attribute__((format(printf, 1, 2))) static inline char *file_read(const char *format, ...)
{
    char path[512], *text = NULL;
    size_t size = 0;
    va_list values;
    FILE *file;

    va_start(values, format);
    vsnprintf(path, sizeof(path), format, values);
    va_end(values);
    file = fopen(path, "r");
    if (file == NULL || (getdelim(&text, &size, '\0', file) < 0 && ferror(file)))
        die("%s: %m", path);
    fclose(file);
    return text;
}

static inline void file_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        die("%s: %m", path);
}

#endif
