/* outline.c - the data of an SVG path as points (outline.h). */
#include "api/view/outline.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBERS_MAX = 7,      /* of a command */
    STEP_PIXELS = 2,      /* of a bow, about */
    STEPS_MAX = 120,      /* of a bow */
    POINTS_MAX = 1 << 17, /* of a path: more are left out */
    FAR_AWAY = 1000000    /* units; a number beyond is none of a picture */
};

static const double pi = 3.14159265358979323846;

struct outline_matrix outline_multiply(struct outline_matrix m, struct outline_matrix n)
{
    return (struct outline_matrix){m.a * n.a + m.c * n.b,       m.b * n.a + m.d * n.b,
                                   m.a * n.c + m.c * n.d,       m.b * n.c + m.d * n.d,
                                   m.a * n.e + m.c * n.f + m.e, m.b * n.e + m.d * n.f + m.f};
}

struct canvas_point outline_place(const struct outline_matrix *m, double x, double y)
{
    return (struct canvas_point){m->a * x + m->c * y + m->e, m->b * x + m->d * y + m->f};
}

/* ---- reading ---- */

static void skip_between(const char **at)
{
    while (isspace((unsigned char)**at) || **at == ',')
        ++*at;
}

bool outline_number(const char **at, double *number)
{
    const char *digits;
    char *end;

    skip_between(at);
    digits = *at + (**at == '-' || **at == '+');
    if (!isdigit((unsigned char)*digits) && !(*digits == '.' && isdigit((unsigned char)digits[1])))
        return false;
    *number = strtod(*at, &end);
    *at = end;
    return fabs(*number) < FAR_AWAY;
}

/* A flag of an arc is one digit, and what follows need not be set apart. */
static bool read_arc_flag(const char **at, double *flag)
{
    skip_between(at);
    if (**at != '0' && **at != '1')
        return false;
    *flag = *(*at)++ - '0';
    return true;
}

static bool read_numbers(const char **at, char command, double *number)
{
    static const char commands[] = "MLHVCSQTAZ", count[] = "2211644270";
    const char *known = strchr(commands, toupper((unsigned char)command));
    int n = known == NULL || *known == '\0' ? -1 : count[known - commands] - '0';

    for (int i = 0; i < n; i++) {
        bool is_flag = n == NUMBERS_MAX && (i == 3 || i == 4);

        if (!(is_flag ? read_arc_flag(at, &number[i]) : outline_number(at, &number[i])))
            return false;
    }
    return n >= 0;
}

/* ---- drawing ---- */

/* Where the pen is, in the units of the path. */
struct pen {
    struct outline *outline;
    const struct outline_matrix *matrix;
    struct canvas_point at, began, bend; /* `bend`: the last one of the bow before */
    char before;                         /* the command before, as a capital */
};

static void add_point(struct pen *pen, struct canvas_point at, bool begins)
{
    struct outline *outline = pen->outline;

    pen->at = at;
    if (outline->n == POINTS_MAX)
        return;
    outline->points = arena_grow(outline->arena, outline->points, outline->n, &outline->capacity,
                                 sizeof(*outline->points));
    outline->points[outline->n++] =
        (struct outline_point){outline_place(pen->matrix, at.x, at.y), begins};
}

/* The number of lines that a bow of so many units is made of. */
static int steps_of(const struct pen *pen, double length)
{
    double pixels =
        length * sqrt(fabs(pen->matrix->a * pen->matrix->d - pen->matrix->b * pen->matrix->c));
    double steps = 2 + pixels / STEP_PIXELS;

    return steps < STEPS_MAX ? (int)steps : STEPS_MAX;
}

static double between(struct canvas_point a, struct canvas_point b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

static void add_cubic(struct pen *pen, struct canvas_point p, struct canvas_point q,
                      struct canvas_point to)
{
    struct canvas_point from = pen->at;
    int steps = steps_of(pen, between(from, p) + between(p, q) + between(q, to));

    for (int i = 1; i <= steps; i++) {
        double t = (double)i / steps, s = 1 - t;
        double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;

        add_point(pen,
                  (struct canvas_point){a * from.x + b * p.x + c * q.x + d * to.x,
                                        a * from.y + b * p.y + c * q.y + d * to.y},
                  false);
    }
    pen->bend = q;
}

/* A bow with one bend is one with two, each of which lies two thirds of the way to it. */
static void add_quadratic(struct pen *pen, struct canvas_point bend, struct canvas_point to)
{
    struct canvas_point from = pen->at;

    add_cubic(pen, (struct canvas_point){(from.x + 2 * bend.x) / 3, (from.y + 2 * bend.y) / 3},
              (struct canvas_point){(to.x + 2 * bend.x) / 3, (to.y + 2 * bend.y) / 3}, to);
    pen->bend = bend;
}

/* A part of an ellipse, which is found where the ellipse is a circle of radius 1 around its middle,
 * turned and stretched. */
struct arc {
    double rx, ry, cosine, sine;
    double from, sweep;         /* angles */
    struct canvas_point middle; /* of the circle, seen from the middle between both ends */
};

/* Fits an ellipse to its first end, seen from there; the other one is opposite. False: the arc is a
 * straight line. (SVG 2, B.2.4) */
static bool fit_arc(struct arc *arc, struct canvas_point end, bool is_large, bool is_clockwise)
{
    double x = (arc->cosine * end.x + arc->sine * end.y) / arc->rx;
    double y = (arc->cosine * end.y - arc->sine * end.x) / arc->ry;
    double square = x * x + y * y, grown = square > 1 ? sqrt(square) : 1, away;

    if (arc->rx < 1e-6 || arc->ry < 1e-6 || square < 1e-12)
        return false;
    x /= grown; /* an ellipse that is too small grows until it reaches */
    y /= grown;
    arc->rx *= grown;
    arc->ry *= grown;
    away = sqrt(fmax(1 / (x * x + y * y) - 1, 0)) * (is_large == is_clockwise ? -1 : 1);
    arc->middle = (struct canvas_point){away * y, -away * x};
    arc->from = atan2(y - arc->middle.y, x - arc->middle.x);
    arc->sweep = atan2(-y - arc->middle.y, -x - arc->middle.x) - arc->from;
    if (is_clockwise && arc->sweep < 0)
        arc->sweep += 2 * pi;
    else if (!is_clockwise && arc->sweep > 0)
        arc->sweep -= 2 * pi;
    return true;
}

static void add_arc(struct pen *pen, const double *number, struct canvas_point to)
{
    struct canvas_point from = pen->at;
    double turn = number[2] * pi / 180;
    struct arc arc = {
        .rx = fabs(number[0]), .ry = fabs(number[1]), .cosine = cos(turn), .sine = sin(turn)};
    struct canvas_point end = {(from.x - to.x) / 2, (from.y - to.y) / 2};
    int steps = 0;

    if (fit_arc(&arc, end, number[3] != 0, number[4] != 0))
        steps = steps_of(pen, fmax(arc.rx, arc.ry) * fabs(arc.sweep)) + 2;
    for (int i = 1; i < steps; i++) {
        double angle = arc.from + arc.sweep * i / steps;
        double u = arc.rx * (arc.middle.x + cos(angle)), v = arc.ry * (arc.middle.y + sin(angle));

        add_point(pen,
                  (struct canvas_point){(from.x + to.x) / 2 + arc.cosine * u - arc.sine * v,
                                        (from.y + to.y) / 2 + arc.sine * u + arc.cosine * v},
                  false);
    }
    add_point(pen, to, false);
}

/* The bend that goes on from the one of the bow before, if that was of the same kind. */
static struct canvas_point smooth_bend(const struct pen *pen, const char *kinds)
{
    if (strchr(kinds, pen->before) == NULL)
        return pen->at;
    return (struct canvas_point){2 * pen->at.x - pen->bend.x, 2 * pen->at.y - pen->bend.y};
}

/* `command` is a capital; the places are absolute. */
static void draw_command(struct pen *pen, char command, const double *number,
                         const struct canvas_point *place)
{
    switch (command) {
    case 'M':
        add_point(pen, place[0], true);
        pen->began = place[0];
        break;
    case 'C':
        add_cubic(pen, place[0], place[1], place[2]);
        break;
    case 'S':
        add_cubic(pen, smooth_bend(pen, "CS"), place[0], place[1]);
        break;
    case 'Q':
        add_quadratic(pen, place[0], place[1]);
        break;
    case 'T':
        add_quadratic(pen, smooth_bend(pen, "QT"), place[0]);
        break;
    case 'A':
        add_arc(pen, number, place[0]);
        break;
    case 'Z':
        add_point(pen, pen->began, false);
        break;
    default: /* L, H, V */
        add_point(pen, place[0], false);
    }
    pen->before = command;
}

/* The places of a command, absolute. */
static void find_places(const struct pen *pen, char command, const double *number,
                        struct canvas_point *place)
{
    bool is_relative = islower((unsigned char)command) != 0;
    struct canvas_point origin = is_relative ? pen->at : (struct canvas_point){0, 0};

    switch (toupper((unsigned char)command)) {
    case 'H':
        place[0] = (struct canvas_point){origin.x + number[0], pen->at.y};
        break;
    case 'V':
        place[0] = (struct canvas_point){pen->at.x, origin.y + number[0]};
        break;
    case 'A':
        place[0] = (struct canvas_point){origin.x + number[5], origin.y + number[6]};
        break;
    default:
        for (int i = 0; i < 3; i++)
            place[i] =
                (struct canvas_point){origin.x + number[2 * i], origin.y + number[2 * i + 1]};
    }
}

/* A command that is left out is the one before, and a line after M. */
static char next_command(const char **at, char before)
{
    skip_between(at);
    if (isalpha((unsigned char)**at))
        return *(*at)++;
    return before == 'M'                    ? 'L'
           : before == 'm'                  ? 'l'
           : before == 'z' || before == 'Z' ? '\0'
                                            : before;
}

struct outline outline_read(struct arena *arena, const char *data,
                            const struct outline_matrix *matrix)
{
    struct outline outline = {.arena = arena};
    struct pen pen = {.outline = &outline, .matrix = matrix};
    double number[NUMBERS_MAX] = {0};
    struct canvas_point place[3];
    char command = next_command(&data, '\0');

    while (command != '\0' && read_numbers(&data, command, number)) {
        bool goes_on = outline.n > 0 && pen.before == 'Z' && toupper((unsigned char)command) != 'M';

        if (goes_on) /* a line that was closed goes on from where it began */
            add_point(&pen, pen.began, true);
        find_places(&pen, command, number, place);
        draw_command(&pen, (char)toupper((unsigned char)command), number, place);
        command = next_command(&data, command);
    }
    return outline;
}
