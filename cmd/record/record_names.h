/*
 * Context: O.  Stores the names of a run in its profiles, for prof_record.c: a
 * program that is built again takes its names with it, and prof --diff would
 * have nothing to compare.
 */
#ifndef RECORD_NAMES_H
#define RECORD_NAMES_H

#include "record/record_output.h"

/*
 * Stores names, as prof --embed does, in the first profiles of the run whose
 * processes have ended and had code outside of the directories of the system.
 * The programs of the system change seldom, and runs of many processes mostly
 * run these.  Prints a line on standard error for a file that cannot be
 * written, and one if there were more profiles than it takes.  A signal may end
 * this process meanwhile: each profile then is whole, with or without names.
 */
void record_names_store(const struct record_output *o);

#endif
