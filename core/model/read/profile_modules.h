/*
 * Context: O.  Modules of one profile: reads its records, and finds the module
 * of the model that a record or a node stands for.  For read_profile.c and the
 * files that read parts of a profile.
 */
#ifndef PROFILE_MODULES_H
#define PROFILE_MODULES_H

#include "read/profile_reader.h"

/*
 * Reads all module records of the file and chooses the module of its kernel
 * functions.  Must be called once, after x->process is set and before nodes are
 * read.  Returns 0, or -EINVAL or -ENOMEM with *x->fault set.
 */
int profile_modules_read(struct profile_reader *x);

/*
 * Returns the module in the model of a node (profile_modules_of_node) or of the
 * record with that index (profile_modules_of_record): MODEL_MODULE_UNLISTED if
 * the file has no such record.  Both are to be called after
 * profile_modules_read().
 */
uint32_t profile_modules_of_node(const struct profile_reader *x,
    const struct format_node *n);
uint32_t profile_modules_of_record(const struct profile_reader *x,
    uint32_t record);

#endif
