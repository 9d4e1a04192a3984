/*
 * Context: O.  Chooses the functions whose code is in a page, for html_code.c,
 * before it reads any.
 */
#ifndef HTML_CODE_CHOICE_H
#define HTML_CODE_CHOICE_H

#include "html/html_tree.h"

/*
 * Functions are taken until they have HTML_CODE_PERCENT of the time, then those
 * that have HTML_CODE_TOTAL_PERCENT of it with what they called; at most
 * HTML_CODE_FUNCTIONS.
 */
#define HTML_CODE_PERCENT	95
#define HTML_CODE_TOTAL_PERCENT	2
#define HTML_CODE_FUNCTIONS	100u

/*
 * Sets *order to the chosen functions of the model, malloced, and *count to
 * their number: those with the most time first, then those that have the most
 * with what they called.  `numbers` is what html_tree_add() returned for the
 * samples.  Returns 0 or -ENOMEM; *order must be freed in either case.
 */
int html_code_choose(const struct model *m,
    const struct html_tree_samples *samples, const uint32_t *numbers,
    uint32_t **order, uint32_t *count);

#endif
