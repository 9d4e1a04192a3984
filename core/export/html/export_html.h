/*
 * Context: O.  Writes one HTML page for a browser that contains all that it
 * needs.  core/export/export.c calls it with --write=html: one profile, two
 * that are compared, or time with allocations.
 */
#ifndef EXPORT_HTML_H
#define EXPORT_HTML_H

#include "base/model.h"

#include <stdio.h>

/*
 * Writes a page of the model, which keeps stacks, after symbolize_all();
 * changes the shown names, and of allocations the metric and the rows.  Returns
 * 0 or -ENOMEM; errors of `out` are found by closing it.
 */
int export_html(struct model *m, FILE *out);

/*
 * Writes a page of the changes from `old` to `now`; with `old` NULL, works as
 * export_html().  work: how many units of work each of them did, old first, as
 * in diff_make(), or NULL.
 */
int export_html_diff(struct model *old, struct model *now, const double *work,
    FILE *out);

/*
 * Writes a page of time that also has the allocations of `heap`, a model of the
 * same profiles.  Works as export_html().
 */
int export_html_both(struct model *time, struct model *heap, FILE *out);

#endif
