/* Context: O.  The names that a file has itself into the model. */
#ifndef READ_PROFILE_NAMES_H
#define READ_PROFILE_NAMES_H

#include "base/model.h"

/* The module of the model that a place is in. */
typedef uint32_t read_profile_names_place(const void *arg,
    const struct decode_place *p);

/* Before its addresses are looked up.  0 or -errno with *f set. */
int read_profile_names(struct model *m, const struct decode *d,
    uint32_t process, read_profile_names_place *module, const void *arg,
    struct fault *f);

#endif
