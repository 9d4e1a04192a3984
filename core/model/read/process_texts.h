/*
 * Context: O.  Keeps the command line and the host of a process in the model,
 * where heads of reports and findings read them.  For read_profile.c.
 */
#ifndef PROCESS_TEXTS_H
#define PROCESS_TEXTS_H

#include "read/profile_reader.h"

/*
 * Keeps the command line and the host name that the file has of its process in
 * model.processes, unless another file of the process had them.  x->process
 * must be set.  Returns 0, or -EINVAL or -ENOMEM with *x->fault set.
 */
int process_texts_keep(struct profile_reader *x);

#endif
