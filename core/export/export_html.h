/* Context: O.  One page for a browser, with all that it needs in it. */
#ifndef EXPORT_HTML_H
#define EXPORT_HTML_H

#include "base/model.h"

#include <stdio.h>

/* 0 or -ENOMEM. */
int export_html(struct model *m, FILE *out);

/* What changed; old: NULL is the same as without. */
int export_html_diff(struct model *old, struct model *now, FILE *out);

#endif
