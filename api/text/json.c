#include "api/text/json.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void json_init(struct json *json, struct arena *arena)
{
    out_init(&json->out, arena);
    json->comma = false;
}

static void append_json(struct json *json, const char *bytes, size_t len)
{
    out_bytes(&json->out, bytes, len);
}

static void separate(struct json *json)
{
    if (json->comma)
        append_json(json, ",", 1);
    json->comma = true;
}

void json_open(struct json *json, char bracket)
{
    separate(json);
    append_json(json, &bracket, 1);
    json->comma = false;
}

void json_close(struct json *json, char bracket)
{
    append_json(json, &bracket, 1);
    json->comma = true;
}

void json_finish(struct json *json)
{
    append_json(json, "}\n", 2);
}

/* Most texts need no escape, so what lies between two escapes is copied as a whole. UTF-8 goes out
 * as it is. */
static void quoted(struct json *json, const char *text)
{
    append_json(json, "\"", 1);
    for (;;) {
        size_t plain = 0;
        char escape[8];
        unsigned char c;

        while ((unsigned char)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\')
            plain++;
        append_json(json, text, plain);
        c = (unsigned char)text[plain];
        if (c == '\0')
            break;
        if (c == '"' || c == '\\')
            snprintf(escape, sizeof(escape), "\\%c", c);
        else
            snprintf(escape, sizeof(escape), "\\u%04x", c);
        append_json(json, escape, strlen(escape));
        text += plain + 1;
    }
    append_json(json, "\"", 1);
}

void json_key(struct json *json, const char *key)
{
    separate(json);
    quoted(json, key);
    append_json(json, ":", 1);
    json->comma = false;
}

void json_string(struct json *json, const char *text)
{
    separate(json);
    quoted(json, text);
}

void json_int(struct json *json, int64_t number)
{
    separate(json);
    if (number < 0)
        append_json(json, "-", 1);
    out_number(&json->out, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

void json_raw(struct json *json, const char *text)
{
    separate(json);
    append_json(json, text, strlen(text));
}

void json_bool(struct json *json, bool value)
{
    json_raw(json, value ? "true" : "false");
}

void json_null(struct json *json)
{
    json_raw(json, "null");
}

/* Puts a number of `least` digits or more and returns where it ends. */
static char *put_digits(char *at, uint64_t number, int least)
{
    char reversed[20];
    int n = 0;

    for (; number > 0 || n < least; number /= 10)
        reversed[n++] = (char)('0' + number % 10);
    while (n > 0)
        *at++ = reversed[--n];
    return at;
}

/* Puts a number of two digits and the character after it. */
static char *put_two(char *at, int number, char behind)
{
    at = put_digits(at, (uint64_t)number, 2);
    *at++ = behind;
    return at;
}

const char *json_time_text(struct arena *arena, int64_t us)
{
    /* Rounded down, also before 1970: the fraction is never negative. */
    int64_t within = us % 1000000, seconds = us / 1000000 - (within < 0);
    struct tm utc;
    char text[48], *at = text;

    within += within < 0 ? 1000000 : 0;
    /* RFC 3339 has years of four digits. */
    if (seconds < JSON_TIME_MIN / 1000000)
        seconds = JSON_TIME_MIN / 1000000;
    if (seconds > JSON_TIME_MAX / 1000000)
        seconds = JSON_TIME_MAX / 1000000;
    time_t time = (time_t)seconds;

    gmtime_r(&time, &utc);
    at = put_digits(at, (uint64_t)utc.tm_year + 1900, 4);
    *at++ = '-';
    at = put_two(at, utc.tm_mon + 1, '-');
    at = put_two(at, utc.tm_mday, 'T');
    at = put_two(at, utc.tm_hour, ':');
    at = put_two(at, utc.tm_min, ':');
    at = put_two(at, utc.tm_sec, '.');
    at = put_digits(at, (uint64_t)(within / 1000), 3);
    *at++ = 'Z';
    return arena_copy(arena, text, (size_t)(at - text));
}

void json_time(struct json *json, int64_t us)
{
    const char *text = json_time_text(json->out.arena, us);

    separate(json);
    append_json(json, "\"", 1);
    append_json(json, text, strlen(text));
    append_json(json, "\"", 1);
}

/* A number from 0 on, with three decimals at most: 0.5, 1. */
static void json_thousandths(struct json *json, int64_t number)
{
    uint64_t thousandths = (uint64_t)number;
    char decimals[4] = ".";
    size_t len = 4;

    put_digits(decimals + 1, thousandths % 1000, 3);
    while (decimals[len - 1] == '0')
        len--;
    separate(json);
    out_number(&json->out, thousandths / 1000);
    if (len > 1)
        append_json(json, decimals, len);
}

void json_seconds(struct json *json, int64_t us)
{
    json_thousandths(json, us / 1000);
}

void json_member(struct json *json, const char *key, const char *text)
{
    json_key(json, key);
    json_string(json, text);
}

void json_member_int(struct json *json, const char *key, int64_t number)
{
    json_key(json, key);
    json_int(json, number);
}

void json_member_bool(struct json *json, const char *key, bool value)
{
    json_key(json, key);
    json_bool(json, value);
}

void json_member_time(struct json *json, const char *key, int64_t us)
{
    json_key(json, key);
    json_time(json, us);
}

void json_member_thousandths(struct json *json, const char *key, int64_t number)
{
    json_key(json, key);
    json_thousandths(json, number);
}

void json_member_seconds(struct json *json, const char *key, int64_t us)
{
    json_key(json, key);
    json_seconds(json, us);
}
