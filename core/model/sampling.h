/* Context: O.  A tprof.out into the model. */
#ifndef SAMPLING_H
#define SAMPLING_H

#include "model.h"

/* A sample as it was taken, and the row that it was added to. */
struct sampling_sample {
	uint32_t pid, lwp;
	uint32_t cpu;		/* UINT32_MAX = not known */
	uint32_t event;
	bool kernel;
	uint64_t pc;
	uint32_t row;		/* its `number` */
};

/* 0, or -ENOMEM. */
typedef int sampling_each(void *arg, const struct sampling_sample *s);

struct sampling_file {
	const unsigned char *bytes;
	size_t size;
	bool asked;		/* that is what it is: NetBSD's have no magic */
	const char *event;	/* NULL = the first one in the file ... */
	bool all;		/* ... or all, whatever they count ... */
	bool adds_up;		/* ... and each as if it were asked for */
	sampling_each *each;	/* of those that are asked for, or NULL */
	void *arg;
};

/*
 * What is cut short is read up to there.  0, LOAD_OTHER: it is no such file; or
 * -errno with *f set, and nothing of it is added unless memory ran out.
 */
int sampling_add(struct model *m, const struct sampling_file *file,
    struct fault *f);

/*
 * Ends a file that sampling_add() has refused before the damaged record, so
 * that it can be added again.  Returns false if nothing precedes that record.
 */
bool sampling_trim(struct sampling_file *file, const struct fault *f);

/*
 * Opens and adds the file at that path; `bytes` and `size` of *file are not
 * used.  Returns as sampling_add() does, or LOAD_PARTLY if only the part before
 * a damaged record was added; *f names that.
 */
int sampling_read(struct model *m, const struct sampling_file *file,
    const char *path, struct fault *f);

/* Does it begin as one of ours?  Quiet. */
bool sampling_is(const char *path);

/* What is in a file, of all events. */
struct sampling_sum {
	uint64_t modules, nodes, samples, bytes;
	bool cut;		/* in a record, or a text: it ends there */
	bool ended;		/* its writer has closed it */
};

/* All of the file is looked at, and nothing kept.  As sampling_read(). */
int sampling_check(const char *path, struct sampling_sum *sum,
    struct fault *f);

#endif
