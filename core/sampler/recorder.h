/*
 * Context: O.  Writes samples of the kernel into a tprof.out, for
 * recording_kernel.c of cmd/tprof.  Makes the head of each tprof.out, also of
 * one by libmon.so, for recording_preload.c.
 */
#ifndef RECORDER_H
#define RECORDER_H

#include "sampler.h"

/* A tprof.out that is being written. */
struct recorder {
	struct tprof_writer put;
	struct tprof_writer_frame *frames;
	size_t frame_room;
	/* sums of weights, and numbers of samples, of each event */
	uint64_t *weights;
	uint64_t *samples;
};

/*
 * Begins the output `out`, which the caller closes, with the events in *e.
 * more: the head, KEY=VALUE lines, as recorder_head() makes it.  Returns 0 or
 * -ENOMEM; the caller calls recorder_free() in either case.
 */
int recorder_begin(struct recorder *r, FILE *out, const struct events *e,
    const char *more);

/*
 * Writes a sample, and before it what it refers to.  recorder: a struct
 * recorder.  Returns 0 or -ENOMEM.  This is a sampler_take for sampler_next().
 * A failed write shows in tprof_writer_end().
 */
int recorder_take(void *recorder, const struct sampler_seen *seen);

/*
 * Writes the names of the kernel functions in samples, if they may be read.
 * Call it after the last sample and before tprof_writer_end().  Returns 0, also
 * if they may not, or -ENOMEM.
 */
int recorder_name_kernel(struct recorder *r);

/* Frees the recorder; the output stays open. */
void recorder_free(struct recorder *r);

/*
 * Returns the head of a tprof.out: the name of the backend, where it was made,
 * the lines of `more`, and the command argv (NULL: none).  The caller frees it.
 * Returns NULL without memory.
 */
char *recorder_head(const char *backend, char **argv, const char *more);

#endif
