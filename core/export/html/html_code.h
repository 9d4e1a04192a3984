/*
 * Context: O.  Puts the code of the functions with the most time into a page.
 * export_html.c calls it once a page, for the profile of now; code.js shows it.
 */
#ifndef HTML_CODE_H
#define HTML_CODE_H

#include "html/html_tree.h"

#include <stdio.h>

/* most bytes of the code of all functions */
#define HTML_CODE_BYTES		(2u << 20)

/*
 * Writes members of a JSON object, each with a comma behind: the code, the
 * functions left out and why, and the limits.  `numbers` is what
 * html_tree_add() returned for the samples.  Returns 0 or -ENOMEM.
 */
int html_code_put(FILE *out, const struct model *m,
    const struct html_tree_samples *s, const uint32_t *numbers);

#endif
