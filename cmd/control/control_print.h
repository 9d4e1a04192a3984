/*
 * Context: O.  Prints the answers and states of processes for prof --control:
 * prof_control.c calls this when control_session_run() has returned.
 */
#ifndef CONTROL_PRINT_H
#define CONTROL_PRINT_H

#include "base/data_table.h"
#include "control_session.h"

/*
 * Prints on `out` one line or row for each process, and one for the directory
 * defaults.  Reports processes that did not take the command by
 * control_session_report().
 */
void control_print_answers(struct control_session *c,
    const struct control_command *o, FILE *out, enum data_table_format form);

#endif
