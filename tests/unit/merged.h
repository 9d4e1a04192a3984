/* Context: O.  A model made of files in memory, for tests of core/model. */
#ifndef MERGED_H
#define MERGED_H

#include "names/symbolize.h"
#include "table/group.h"

#include "build.h"

#define MS 1000000u

extern struct filter filter;
extern struct model m;
extern struct group g;

/* start(), add() each file, finish(), look at `g` and `m`, done(). */
void start(unsigned by);
void add(struct build *b);		/* ends it too */
void finish(unsigned by, enum group_sort sort);
void done(void);

/* A process of two threads; `ms` in each, in one module at two places. */
void process(struct build *b, int pid, uint64_t ms);

const struct group_line *line(size_t i);

#endif
