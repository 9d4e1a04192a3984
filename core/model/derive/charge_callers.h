/*
 * Context: O.  Charges the time of libraries to their callers in the program,
 * for prof --mine, before its views and exporters see the model.
 */
#ifndef CHARGE_CALLERS_H
#define CHARGE_CALLERS_H

#include "base/model.h"

/*
 * Moves the time of each row to the nearest function on its stack that is the
 * user's, and takes all others out of the stacks.  A function is the user's if
 * it is in an executable, in generated code or in a module that `more` names
 * (with commas between names, "" = none), and if its own name is not one of a
 * standard library.  A row without such a function keeps its stack.  Sets
 * m->uncharged_ns to the CPU time (or metric) of these, and
 * m->uncharged_sleep_ns to their time asleep.  FILTER_FOCUS and
 * FILTER_IGNORE still mean the stacks of before.  The model must keep stacks;
 * call it once, after symbolize_all().  Returns 0 or -ENOMEM.
 */
int charge_callers(struct model *m, const char *more);

/* Bytes of a name of a module that the user gives. */
#define CHARGE_CALLERS_NAME	256

/*
 * Returns whether some name in `more` is that of no module, and copies the
 * first such name to `name`, cut to fit.  If it returns false, `name` means
 * nothing.
 */
bool charge_callers_unknown(const struct model *m, const char *more,
    char name[CHARGE_CALLERS_NAME]);

#endif
