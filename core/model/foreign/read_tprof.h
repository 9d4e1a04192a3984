/* Context: O.  A tprof.out into the model. */
#ifndef READ_TPROF_H
#define READ_TPROF_H

#include "base/model.h"

/* A sample as it was taken, and the row that it was added to. */
struct read_tprof_sample {
	uint32_t pid, lwp;
	uint32_t cpu;		/* UINT32_MAX = not known */
	uint32_t event;
	bool kernel;
	uint64_t pc;
	uint32_t row;		/* its `number` */
};

/* 0, or -ENOMEM. */
typedef int read_tprof_on_sample(void *arg, const struct read_tprof_sample *s);

struct read_tprof_request {
	const unsigned char *bytes;
	size_t size;
	bool asked;		/* that is what it is: NetBSD's have no magic */
	const char *event;	/* NULL = the first one in the file ... */
	bool all;		/* ... or all, whatever they count ... */
	bool adds_up;		/* ... and each as if it were asked for */
	/* of those that are asked for, or NULL */
	read_tprof_on_sample *each;
	void *arg;
};

/*
 * What is cut short is read up to there.  0, LOAD_OTHER: it is no such file; or
 * -errno with *f set, and nothing of it is added unless memory ran out.
 */
int read_tprof_add(struct model *m, const struct read_tprof_request *file,
    struct fault *f);

/*
 * Ends a file that read_tprof_add() has refused before the damaged record, so
 * that it can be added again.  Returns false if nothing precedes that record.
 */
bool read_tprof_trim(struct read_tprof_request *file, const struct fault *f);

/*
 * Opens and adds the file at that path; `bytes` and `size` of *file are not
 * used.  Returns as read_tprof_add() does, or LOAD_PARTLY if only the part
 * before a damaged record was added; *f names that.
 */
int read_tprof_add_path(struct model *m, const struct read_tprof_request *file,
    const char *path, struct fault *f);

/* Does it begin as one of ours?  Quiet. */
bool read_tprof_probe(const char *path);

/* What is in a file, of all events. */
struct read_tprof_sum {
	uint64_t modules, nodes, samples, bytes;
	bool cut;		/* in a record, or a text: it ends there */
	bool ended;		/* its writer has closed it */
};

/* All of the file is looked at, and nothing kept.  As read_tprof_add_path(). */
int read_tprof_check(const char *path, struct read_tprof_sum *sum,
    struct fault *f);

#endif
