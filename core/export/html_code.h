/* Context: O.  The code of the functions with the most time, for a page. */
#ifndef HTML_CODE_H
#define HTML_CODE_H

#include "html_tree.h"

#include <stdio.h>

/* Of as many functions as have that much of the time; what there may be. */
#define HTML_CODE_PERCENT	95
#define HTML_CODE_FUNCTIONS	100u
#define HTML_CODE_BYTES		(2u << 20)

/*
 * Members of a JSON object: what is there, and of what was left out why.
 * numbers: as of html_tree_add() of those samples.  0 or -ENOMEM.
 */
int html_code_put(FILE *out, const struct model *m,
    const struct html_tree_samples *s, const uint32_t *numbers);

#endif
