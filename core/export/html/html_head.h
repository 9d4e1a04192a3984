/*
 * Context: O.  Puts into a page what it is of, and how far its numbers can be
 * trusted: what a report has above and below its table.  export_html.c calls it
 * for each profile of a page; main.js and panes.js show the lines.
 */
#ifndef HTML_HEAD_H
#define HTML_HEAD_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes the title of the page, which has the programs and what was counted,
 * and the subject, which has the latter alone, as two members of a JSON object,
 * each with a comma behind.  Returns 0 or -ENOMEM.
 */
int html_head_title(FILE *out, const struct model *m);

/*
 * Writes the command, the lines of report_head_print() below it, those of
 * findings_print() or of heap_summary_print(), and the footer, as members of a
 * JSON object, without a comma behind.  Where no profile is of libmon.so the
 * command is null.  It must be the last that is written of a model of
 * allocations, whose metric and stacks it changes.  Returns 0 or -ENOMEM.
 */
int html_head_put(FILE *out, struct model *m);

#endif
