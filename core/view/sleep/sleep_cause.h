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
 * Returns the cause of a row of time asleep, of kind FORMAT_SLEEP.  The model
 * must have names; without stacks only the row's own function is asked.
 */
struct sleep_cause sleep_cause_of(const struct model *m,
    const struct model_row *r);

/*
 * Returns whether a thread that slept for that reason waited for what another
 * thread of the program did, and for nothing else: that one's time tells why.
 */
bool sleep_cause_is_elsewhere(enum sleep_reason reason);

#endif
