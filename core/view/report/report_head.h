/*
 * Context: O.  Prints what a report is of, above its first table.
 * cmd/prof/report.c and export/html/html_head.c print the whole head,
 * cmd/prof/prof_diff.c the subject of each side, after symbolize_all().
 */
#ifndef REPORT_HEAD_H
#define REPORT_HEAD_H

#include "base/term.h"
#include "report/footer_sums.h"
#include "table/group.h"

/*
 * Prints the command, the date, the host, elapsed time, CPU time, processes and
 * threads of profiles of libmon.so, and lines for the files of other profilers
 * and of tprof; an empty line ends it.  If the model holds time, prints also
 * how far the numbers of libmon.so can be trusted.  *g: all lines of the report
 * by function.
 */
void report_head_print(const struct term *t, struct model *m,
    const struct group *g);

/*
 * Prints the command of profiles of libmon.so, and their date, host, elapsed
 * time, CPU time, processes and threads; nothing for other files.
 */
void report_head_subject(const struct term *t, const struct model *m);

#endif
