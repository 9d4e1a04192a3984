/* Context: O.  prof --control: what processes answered, or do. */
#ifndef CONTROL_PRINT_H
#define CONTROL_PRINT_H

#include "base/data_table.h"
#include "control_session.h"

/* A line each; who did not is complained of. */
void control_print_answers(struct control_session *c,
    const struct control_command *o, FILE *out, enum data_table_format form);

#endif
