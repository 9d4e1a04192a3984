/* Context: O.  What was left out of the files of other profilers. */
#ifndef LEFTFOOT_H
#define LEFTFOOT_H

#include "model.h"
#include "term.h"

/* Records that could not be read, and time below zero; nothing of neither. */
void leftfoot_print(const struct term *t, struct model *m);

#endif
