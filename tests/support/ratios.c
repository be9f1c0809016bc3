#include "ratios.h"

#include <stdio.h>

static void print(const char *what, const char *plyd, const char *beside, const char *ratio,
                  const char *goal)
{
    printf("%-45s %-27s %-32s %6s  %s\n", what, plyd, beside, ratio, goal);
    fflush(stdout);
}

void ratios_head(void)
{
    print("what", "plyd", "beside it", "ratio", "goal");
}

static void print_ratio(const char *what, const char *plyd, const char *beside, double ratio,
                        const char *goal)
{
    char text[16] = "";

    if (ratio > 0)
        snprintf(text, sizeof(text), "%.2f", ratio);
    print(what, plyd, beside, text, goal);
}

void ratios_row(const char *what, const char *plyd, const char *beside, double ratio)
{
    print_ratio(what, plyd, beside, ratio, "");
}

static void print_goal(const char *what, const char *plyd, const char *beside, double ratio,
                       const char *relation, double goal, int met)
{
    char text[40];

    snprintf(text, sizeof(text), "%s %.3g  %s", relation, goal, met ? "met" : "NOT MET");
    print_ratio(what, plyd, beside, ratio, text);
}

void ratios_at_least(const char *what, const char *plyd, const char *beside, double ratio,
                     double goal)
{
    print_goal(what, plyd, beside, ratio, ">=", goal, ratio >= goal);
}

void ratios_at_most(const char *what, const char *plyd, const char *beside, double ratio,
                    double goal)
{
    print_goal(what, plyd, beside, ratio, "<=", goal, ratio <= goal);
}
