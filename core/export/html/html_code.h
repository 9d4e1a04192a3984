/*
 * Context: O.  Puts the code of the functions with the most time into a page.
 */
#ifndef HTML_CODE_H
#define HTML_CODE_H

#include "html/html_tree.h"

#include <stdio.h>

/*
 * Limits: functions are taken until they have HTML_CODE_PERCENT of the time,
 * and at most so many functions and bytes.
 */
#define HTML_CODE_PERCENT	95
#define HTML_CODE_FUNCTIONS	100u
#define HTML_CODE_BYTES		(2u << 20)

/*
 * Writes members of a JSON object: the code, the functions left out and why,
 * and the limits.  `numbers` is what html_tree_add() returned for the samples.
 * Returns 0 or -ENOMEM.
 */
int html_code_put(FILE *out, const struct model *m,
    const struct html_tree_samples *s, const uint32_t *numbers);

#endif
