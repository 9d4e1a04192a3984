/*
 * Context: O.  Finds why a thread slept: the reason, and the function of the
 * program that is behind it.  For sleep_reasons.c and the page
 * (export/html/html_samples.c), after symbolize_all().
 */
#ifndef SLEEP_CAUSE_H
#define SLEEP_CAUSE_H

#include "base/model.h"
#include "base/sleep_reason.h"

/* Why a thread slept. */
struct sleep_cause {
	/*
	 * the first function outside of the language's libraries;
	 * MODEL_NONE: none is known
	 */
	uint32_t function;
	enum sleep_reason reason;
};

/*
 * Notes the reasons of all rows asleep, before charge_callers() takes the
 * functions out of the stacks that tell them.  Returns 0 or -ENOMEM.
 */
int sleep_cause_keep(struct model *m);

/*
 * Returns the cause of a row of time asleep, of kind FORMAT_SLEEP, which must
 * be an element of m->rows.  The model must have names; without stacks only the
 * row's own function is asked.
 */
struct sleep_cause sleep_cause_of(const struct model *m,
    const struct model_row *r);

/*
 * Returns whether a thread that slept for that reason waited for what another
 * thread of the program did, and for nothing else: that one's time tells why.
 */
bool sleep_cause_is_elsewhere(enum sleep_reason reason);

#endif
