/*
 * Context: O.  Reads a tprof.out into the model, checks it, and passes its
 * samples on: for read_inputs(), prof --check, tprof analyze and tpfmt.
 */
#ifndef READ_TPROF_H
#define READ_TPROF_H

#include "base/model.h"

/* One sample of the file, and the row that it was added to. */
struct read_tprof_sample {
	uint32_t pid, lwp;	/* 0 in the first version of NetBSD's files */
	uint32_t cpu;		/* UINT32_MAX = not known */
	uint32_t event;		/* number of the event in the file */
	bool kernel;
	uint64_t pc;
	uint32_t row;		/* the row's number before model_finish() */
};

/*
 * Is called for each sample that was added; *s is valid during the call.
 * Returns 0; any other result ends the reading, which then fails as if memory
 * were out.
 */
typedef int read_tprof_on_sample(void *arg, const struct read_tprof_sample *s);

/* The bytes of a file, and what to read of it. */
struct read_tprof_request {
	const unsigned char *bytes;
	size_t size;
	/* treat it as a tprof.out in any case: NetBSD's have no magic */
	bool asked;
	/* name of the event to read; NULL = the first in the file */
	const char *event;
	/*
	 * read all events, whatever they count; rows then have counts and no
	 * time
	 */
	bool all;
	/* with `all`: check the sums of each event as if it alone were read */
	bool adds_up;
	/* called with `arg` for each selected sample; or NULL */
	read_tprof_on_sample *each;
	void *arg;
};

/*
 * Adds a file to the model, before model_finish().  A file that was truncated
 * is read up to the truncation.  file->bytes must last during the call.
 * Returns 0; LOAD_OTHER if it is no tprof.out; or -EINVAL or -ENOMEM with *f
 * set, and then no sample of the file is added unless memory ran out, but
 * processes may be.
 */
int read_tprof_add(struct model *m, const struct read_tprof_request *file,
    struct fault *f);

/*
 * Reads the file at that path and adds it; `bytes` and `size` of *file are
 * ignored.  If a record is damaged, adds only the part before it.  Returns 0;
 * LOAD_PARTLY if a part was left out, *f says which; LOAD_OTHER if it is no
 * tprof.out; or -errno with *f set, except f->file.
 */
int read_tprof_add_path(struct model *m, const struct read_tprof_request *file,
    const char *path, struct fault *f);

/* Totals of a file, over all events. */
struct read_tprof_sum {
	uint64_t modules, nodes, samples, bytes;
	bool cut;		/* the file ends within a record or a text */
	bool ended;		/* the writer closed it in order */
};

/*
 * Reads all of a file without keeping anything, and sets *sum if it returns 0.
 * Returns 0; LOAD_OTHER if it is no tprof.out; or -errno with *f set.
 */
int read_tprof_check(const char *path, struct read_tprof_sum *sum,
    struct fault *f);

#endif
