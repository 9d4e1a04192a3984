/* Context: O.  Samples of the kernel into a tprof.out. */
#ifndef RECORDER_H
#define RECORDER_H

#include "sampler.h"

struct recorder {
	struct tprof_writer put;
	struct tprof_writer_frame *frames;
	size_t frame_room;
	uint64_t *weights;	/* of the samples of each event */
	uint64_t *samples;
};

/* A head of KEY=VALUE lines, the lines of `more` among them.  0 or -ENOMEM. */
int recorder_begin(struct recorder *r, FILE *out, const struct events *e,
    const char *more);

/* A sampler_take. */
int recorder_take(void *recorder, const struct sampler_seen *seen);

/* Names of the kernel functions that were met, where they may be read. */
int recorder_name_kernel(struct recorder *r);
void recorder_free(struct recorder *r);

/* What all heads say of where they were made: malloced, NULL: no memory. */
char *recorder_head(const char *backend, char **argv, const char *more);

#endif
