/* Context: O.  For tests of read_tprof.c: makes a file, and its model. */
#ifndef TPROF_MODEL_H
#define TPROF_MODEL_H

#include "sampled.h"
#include "tail.h"
#include "foreign/read_tprof.h"
#include "names/symbolize.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define ALL	(MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD | \
		MODEL_KEEP_STACKS | MODEL_KEEP_MOMENTS)

extern struct sampled s;
extern struct filter filter;
extern struct model m;
extern struct fault f;

void tprof_make(void);

void tprof_clean(void);

int tprof_add(size_t size, const char *event, unsigned keep);

void tprof_finish(void);

uint64_t tprof_count_all(void);

uint64_t tprof_ns_all(void);

/* Finds the row of that kind at that address, with samples. */
const struct model_row *tprof_row(uint32_t kind, uint64_t address);

const char *tprof_name(const struct model_row *r);

#endif
