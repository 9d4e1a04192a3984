/* Context: P.  Following an index in a profile file; the decoder's own. */
#ifndef LINK_H
#define LINK_H

#include "decode.h"

/*
 * May `bytes` at `index` be read?  `from` is the offset of the link that says
 * so.  0 there is no record (index 0), 1 yes, LINK_CUT, -errno with *f set.
 */
#define LINK_CUT 2	/* leads out of the copy of a file that is not sealed */

int link_peek(const struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f);

/* The same of a record that some writer may have taken and not yet filled. */
int link_peek_record(const struct decode *d, uint64_t from, uint32_t index,
    size_t bytes, struct fault *f);

/* 0, or -errno if a record was met there before. */
int link_claim(struct decode *d, uint64_t from, uint32_t index, size_t bytes,
    struct fault *f);

/* link_peek_record(), and once a record; a cut is counted and gives 0. */
int link_meet(struct decode *d, uint64_t from, uint32_t index, size_t bytes,
    struct fault *f);

/*
 * The next record of a list that was checked; its link comes first in it.
 * *index is the cursor, 0 to start at `head`.  1, 0 at the end, -errno.
 */
int link_next(const struct decode *d, uint32_t head, uint32_t *index,
    void *out, size_t bytes, struct fault *f);

/*
 * 0, or -errno where a sealed file names a module that is not listed; `at` is
 * where it does.  In another that is a cut.
 */
int link_listed(struct decode *d, uint64_t at, uint32_t module,
    struct fault *f);

/* A record, or a header, that nobody has written. */
bool link_is_zero(const unsigned char *bytes, size_t count);

bool link_marked(const unsigned char *map, uint32_t unit);
void link_mark(unsigned char *map, uint32_t unit);
uint64_t link_offset(uint32_t index);

#endif
