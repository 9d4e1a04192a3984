/*
 * Context: O.  Resets the profile of a running process, for the command `end`
 * of a control session; see profile_reset.h.
 */
#include "profile_reset.h"

#include "base/clock_ns.h"
#include "baseline_words.h"
#include "decode/decode_heap.h"
#include "file_lock.h"
#include "decode/header.h"
#include "load.h"
#include "process_state.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A profile, and what it has counted so far. */
struct counts {
	struct load load;
	bool loaded;
	struct baseline_words words;
};

/*
 * Bytes that are kept free beside the words of the baseline: the process may go
 * on counting until it sees the order.
 */
#define SPARE	4096u

static int
fault_profile_full(struct fault *f)
{
	int ret = fault_set(f, "has no room for a baseline",
	    FAULT_NO_OFFSET, 0);

	f->remedy = "start the program with a larger PROFOPTS=size=";
	return ret;
}

/*
 * Reserves space for a record as the process's own threads do.  The bytes of a
 * record that no link names yet do no harm.
 */
static int
allocate_record(struct format_header *h, size_t bytes, uint64_t *at,
    struct fault *f)
{
	uint64_t used = __atomic_load_n(&h->used, __ATOMIC_RELAXED);

	bytes = (bytes + FORMAT_UNIT - 1) & ~(size_t)(FORMAT_UNIT - 1);
	do {
		if ((used & FORMAT_CLOSED) == 0 && used + bytes <= h->cap)
			continue;
		return fault_profile_full(f);
	} while (!__atomic_compare_exchange_n(&h->used, &used, used + bytes,
	    true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	*at = used;
	return 0;
}

/* Writes n bytes at file offset `at`.  Returns 0, or -errno with *f set. */
static int
write_at(int fd, const void *bytes, size_t n, uint64_t at, struct fault *f)
{
	const char *from = bytes;

	while (n > 0) {
		ssize_t done = pwrite(fd, from, n, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return fault_set(f, "cannot be written",
			    FAULT_NO_OFFSET, errno);
		from += done;
		at += (uint64_t)done;
		n -= (size_t)done;
	}
	return 0;
}

/* Returns the era of the record of that index, or 0 if there is none. */
static uint32_t
memory_era(const struct decode *d, uint32_t memory)
{
	struct format_memory m;
	struct fault none = { 0 };

	return decode_memory_at(d, memory, &m, &none) == 1 ?
	    (uint32_t)m.era : 0;
}

/*
 * Appends the baseline to the live profile and links it in the header.  The
 * caller holds the file lock.  d: the copy that *w comes from.
 */
static int
write_base(struct control_client *a, const struct baseline_words *w,
    const struct decode *d, struct fault *f)
{
	struct format_header *h = a->header;
	const uint64_t cpu = process_state_cpu_ns(h->pid);
	const struct format_baseline base = {
		.mono = clock_ns_now(CLOCK_MONOTONIC),
		.cpu_ns = cpu > d->header.cpu_ns ? cpu : d->header.cpu_ns,
		.stopped_ns = header_stopped_ns(&d->header, cpu),
		.words = (uint32_t)w->count,
		.era = { memory_era(d, d->header.memory),
			 memory_era(d, d->header.maps) },
	};
	const size_t words = w->count * sizeof(*w->all);
	uint64_t at = 0;
	int ret = allocate_record(h, sizeof(base) + words, &at, f);

	if (ret == 0)
		ret = write_at(a->fd, &base, sizeof(base), at, f);
	if (ret == 0)
		ret = write_at(a->fd, w->all, words, at + sizeof(base), f);
	if (ret == 0)
		__atomic_store_n(&h->base, (uint32_t)(at / FORMAT_UNIT),
		    __ATOMIC_RELEASE);
	return ret;
}

/*
 * Loads the profile and collects what it has counted so far.  Returns 0, or
 * -errno with *f set; close_counts() must be called in either case.
 */
static int
open_counts(struct counts *c, const char *path, struct fault *f)
{
	int ret = load_open_raw(&c->load, path, f);

	c->loaded = ret == 0;
	if (c->loaded)
		ret = baseline_words_collect(&c->words, &c->load.decode, f);
	return ret > 0 ? -EINVAL : ret;
}

static void
close_counts(struct counts *c)
{
	baseline_words_free(&c->words);
	if (c->loaded)
		load_close(&c->load);
}

int
profile_reset_fits(const struct control_client *a, const char *path,
    struct fault *f)
{
	const struct format_header *h = a->header;
	struct counts c = { 0 };
	const size_t each = sizeof(*c.words.all);
	int ret = open_counts(&c, path, f);

	if (ret == 0 && (h->used & ~(uint64_t)FORMAT_CLOSED) +
	    sizeof(struct format_baseline) + SPARE +
	    (c.words.count + c.words.count / 4) * each > h->cap)
		ret = fault_profile_full(f);
	close_counts(&c);
	return ret;
}

int
profile_reset_write(struct control_client *a, const char *path, struct fault *f)
{
	struct counts c = { 0 };
	int ret = open_counts(&c, path, f);

	if (ret == 0)
		ret = file_lock_take(a->fd, f);
	if (ret == 0) {
		ret = write_base(a, &c.words, &c.load.decode, f);
		file_lock_drop(a->fd);
	}
	close_counts(&c);
	return ret;
}
