/* Context: O.  The command and the host of a process, for heads of reports. */
#ifndef PROCESS_TEXTS_H
#define PROCESS_TEXTS_H

#include "read/profile_reader.h"

/*
 * Keeps the command line and the host name that the file has of its process in
 * the model, unless another file of the process had them.  x->process must be
 * set.  Returns 0, or -EINVAL or -ENOMEM with *x->fault set.
 */
int process_texts_keep(struct profile_reader *x);

#endif
