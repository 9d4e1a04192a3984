/*
 * Context: O.  Reads the names that a profile embeds into the model, for
 * read_profile.c.
 */
#ifndef READ_PROFILE_NAMES_H
#define READ_PROFILE_NAMES_H

#include "base/model.h"

/* Returns the module of the model that contains a place of the file. */
typedef uint32_t read_profile_names_place(const void *arg,
    const struct decode_place *p);

/*
 * Adds the names of all places of the file to m->given; the texts are copied
 * into the model.  Must be called before symbolize_all().  `process` is the
 * file's process; `module` is called with `arg` for each place.  Returns 0, or
 * -EINVAL or -ENOMEM with *f set.
 */
int read_profile_names(struct model *m, const struct decode *d,
    uint32_t process, read_profile_names_place *module, const void *arg,
    struct fault *f);

#endif
