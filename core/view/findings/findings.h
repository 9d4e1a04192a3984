/*
 * Context: O.  Says below the table of a report what the data shows at once:
 * shares of the time that have one cause, and what to do about them.
 * cmd/prof/report.c calls it for a table by function, export/html/html_head.c
 * for the page.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "base/model.h"
#include "base/term.h"

/*
 * Prints the largest findings of a model of CPU time that keeps stacks and has
 * names, a line each.  There are none if total_ns is 0, if rows have signs, or
 * if samples count another event than time.  total_ns: the CPU time of the
 * report.  explain: prints all findings, with what to do about each, or a line
 * that there are none; else nothing is printed where there are none.  Returns 0
 * or -ENOMEM.
 */
int findings_print(const struct term *t, struct model *m, uint64_t total_ns,
    bool explain);

#endif
