/* Context: O.  The state of a profiled process, made without the preload. */
#ifndef TARGET_H
#define TARGET_H

#include "base/state.h"
#include "decode/decode.h"
#include "decode/snapshot.h"

/*
 * Sets up `mon`, `config` and `virtual_signals` as process_begin() of
 * core/runtime/life does, but starts no clock.  The working directory
 * and PROFDIR are new ones, and each file has at most `cap` bytes.  The
 * function aborts a test for which it cannot do so.
 */
#define TARGET_CAP (1u << 20)
void target_init(void);
void target_fini(void);

/* In the directory; the last eight answers hold. */
const char *target_path(const char *name);

/* A slot for the calling thread, as its wrapper makes it; no clock runs. */
struct thread_slot *target_slot(void);

/* Makes the file, or the test fails. */
void target_birth(void);

/* A loss, wherever it stands now. */
uint64_t target_loss(enum loss loss);

/* The file at `path`, decoded whole; anything that is wrong fails the test. */
struct target_file {
	struct snapshot copy;
	struct decode d;
	struct fault f;
	uint64_t nodes, count, ns;	/* of all threads */
	unsigned threads, modules;
};
void target_read(struct target_file *t, const char *path);
void target_read_fini(struct target_file *t);

/* The text, until the next call. */
const char *target_text(struct target_file *t, uint32_t index);

/*
 * Runs fn in a forked child, where a check that fails is `return __LINE__`,
 * and none of Criterion's may stand.  0, what fn returned, or -signal.
 */
int target_child(int (*fn)(void));

/* In such a child: from here on the system call fails with that errno when
 * its argument 2 is `third`, or always for TARGET_ANY.  Its errno or 0. */
#define TARGET_ANY UINT32_MAX
int target_forbid(long nr, uint32_t third, int error);

/* Open descriptors of the process. */
unsigned target_descriptors(void);

#endif
