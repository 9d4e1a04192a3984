/*
 * Context: S.  The space of the profile file: gives it out, makes it real,
 * publishes records, for all that counts, in any thread and any signal handler;
 * see store.h.  No lock guards it.
 */
#include "store/store.h"

#include "base/loss_count.h"
#include "base/mmap_area.h"
#include "base/store_header.h"
#include "base/str.h"
#include "count/arc_shard.h"
#include "thread/private_fds.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23	/* Linux 5.14 */
#endif

bool
store_contains(const void *address)
{
	const unsigned char *p = address;

	return mon->store.base != NULL && p >= mon->store.base &&
	    p < mon->store.base + mon->store.cap;
}

/*
 * Stores that are under way go on into memory that no tool reads.  Only one
 * page is replaced at each fault, because a limit of the process may forbid
 * more.  The memory is made elsewhere and moved, because an mmap() in place
 * that fails would leave a hole.
 */
bool
store_replace_page(uintptr_t address)
{
	uintptr_t page = address & ~(config.page - 1);
	void *memory = mmap_area_alloc(config.page);

	if (memory == NULL)
		return false;
	if ((uintptr_t)SYS(mremap, memory, config.page, config.page,
	    MREMAP_MAYMOVE | MREMAP_FIXED, page, 0) == page)
		return true;
	mmap_area_unmap(memory, config.page);
	return false;
}

bool
store_on_truncate(void *address)
{
	struct store *s = &mon->store;
	unsigned ready = STORE_READY;

	if (!store_replace_page((uintptr_t)address))
		return false;
	/* The next file waits until every tick under way is over. */
	s->attempts++;
	s->retry_mono = sys_clock(CLOCK_MONOTONIC) + STORE_RETRY_NS;
	if (atomic_compare_exchange_strong(&s->state, &ready, STORE_NONE)) {
		loss_count(LOSS_STORE_TAKEN, 1);
		/* Else calls of known arcs would be counted in that memory. */
		arc_shard_forget_text(0, UINTPTR_MAX);
	}
	return true;
}

void
store_discard(void)
{
	struct store *s = &mon->store;

	atomic_store(&s->state, STORE_NONE);
	s->removed = false;
	if (lineage.ancestor == (struct format_header *)s->base)
		lineage.ancestor = NULL;
	mmap_area_unmap(s->base, s->cap);
	s->base = NULL;
}

/*
 * A range of the file that is to get blocks.  Kernels before 5.14 cannot
 * populate pages for writing.  There the file is opened again and its blocks
 * are allocated, which also answers with an error code if there is no space.
 */
struct allocation {
	uint64_t from, n;
};

/*
 * Allocates the blocks of a struct allocation in the file.  private_fds_run()
 * runs it.  Returns 0 or -errno.
 */
static int
allocate_blocks_by_path(void *allocation)
{
	struct allocation *a = allocation;
	struct stat st;
	int fd, ret;

	fd = sys_open(mon->store.path, O_WRONLY | O_NOFOLLOW, 0);
	if (fd < 0)
		return fd;
	ret = (int)SYS(fstat, fd, &st, 0, 0, 0, 0);
	if (ret == 0 && (st.st_dev != mon->store.device ||
	    st.st_ino != mon->store.inode))
		ret = -ESTALE;
	if (ret == 0)
		ret = (int)SYS(fallocate, fd, 0, a->from, a->n, 0, 0);
	sys_close(fd);
	return ret;
}

/* Makes the pages of n bytes from `from` real.  Returns 0 or -errno. */
static int
populate_store(uint64_t from, uint64_t n)
{
	uint64_t low = from & ~(config.page - 1);
	struct allocation a = {from, n};
	int ret;

	do
		ret = sys_madvise(mon->store.base + low, from + n - low,
		    MADV_POPULATE_WRITE);
	while (ret == -EINTR || ret == -EAGAIN);
	if (ret == -EINVAL || ret == -ENOSYS || ret == -EPERM)
		ret = config.place == CONFIG_PLACE_MEMORY ? 0 :
		    private_fds_run(allocate_blocks_by_path, &a);
	/* store_refusal_loss() takes EPERM for a seccomp filter. */
	return ret == -EFAULT || ret == -EPERM ? -ENOSPC : ret;
}

/*
 * Moves `ready` to `end` or beyond.  Any number of threads may do so at once.
 * Returns 0 or -errno.
 */
static int
grow_ready_part(struct format_header *h, uint64_t end)
{
	uint64_t ready;
	int ret;

	while ((ready = __atomic_load_n(&h->ready, __ATOMIC_ACQUIRE)) < end) {
		/* 16 KiB hold most profiles; 64 KiB at once cost 70 us more. */
		uint64_t n = ready < FORMAT_STEP ? FORMAT_STEP / 4 :
		    FORMAT_STEP;

		if (ready + n > h->cap)
			n = h->cap - ready;
		if (n == 0)
			return -EFBIG;
		if (atomic_load_explicit(&mon->frozen, memory_order_relaxed))
			return -EPERM;
		if (atomic_load_explicit(&mon->store.barren,
		    memory_order_relaxed))
			return -ENOSPC;
		ret = populate_store(ready, n);
		if (ret != 0) {
			atomic_store(&mon->store.barren, true);
			return ret;
		}
		__atomic_compare_exchange_n(&h->ready, &ready, ready + n,
		    false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
	return 0;
}

int
store_reserve(uint64_t n)
{
	struct format_header *h = store_header();
	uint64_t end;

	if (h == NULL)
		return -ENOENT;
	end = (__atomic_load_n(&h->used, __ATOMIC_RELAXED) &
	    ~(uint64_t)FORMAT_CLOSED) + n;
	return grow_ready_part(h, end < h->cap ? end : h->cap);
}

/*
 * Any number of threads may do so at once, while others take space: they are
 * never further ahead of `ready` than a step.
 */
void
store_shrink(uint64_t n)
{
	struct store *s = &mon->store;
	struct format_header *h = store_header();
	uint64_t cap, old = s->cap;

	if (h == NULL)
		return;
	cap = __atomic_load_n(&h->ready, __ATOMIC_ACQUIRE) + n;
	cap = (cap + config.page - 1) & ~(config.page - 1);
	if (cap >= old || !__atomic_compare_exchange_n(&s->cap, &old, cap,
	    false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&h->cap, cap, __ATOMIC_RELEASE);
	mmap_area_unmap(s->base + cap, old - cap);
}

enum loss
store_refusal_loss(void)
{
	switch (atomic_load_explicit(&mon->store.refused,
	    memory_order_relaxed)) {
	case -EFBIG:
		return LOSS_STORE_FULL;
	case -ESHUTDOWN:
		return LOSS_STORE_CLOSED;
	case -EPERM:
		return LOSS_FROZEN;
	default:
		return LOSS_STORE_SPACE;
	}
}

bool
store_is_exhausted(void)
{
	const struct store *s = &mon->store;

	return atomic_load_explicit(&s->barren, memory_order_relaxed) ||
	    atomic_load_explicit(&s->refused, memory_order_relaxed) ==
	    -EFBIG || atomic_load_explicit(&mon->frozen,
	    memory_order_relaxed) ||
	    atomic_load_explicit(&s->state, memory_order_relaxed) ==
	    STORE_CLOSED;
}

/*
 * Takes n bytes of the first `most` bytes of the file.  Returns 0, with the
 * index, or -errno.
 */
static int
take_store_space(struct format_header *h, size_t n, uint64_t most,
    uint32_t *index)
{
	uint64_t used = __atomic_load_n(&h->used, __ATOMIC_RELAXED);
	int ret;

	n = (n + FORMAT_UNIT - 1) & ~(size_t)(FORMAT_UNIT - 1);
	do {
		/* Space is made real before it is given out. */
		ret = (used & FORMAT_CLOSED) != 0 ? -ESHUTDOWN :
		    used + n > most ? -EFBIG : grow_ready_part(h, used + n);
		if (ret != 0)
			return ret;
	} while (!__atomic_compare_exchange_n(&h->used, &used, used + n, true,
	    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	*index = (uint32_t)(used / FORMAT_UNIT);
	return 0;
}

uint32_t
store_take(size_t n)
{
	struct format_header *h = store_header();
	uint32_t index = 0;
	int ret;

	if (h == NULL)
		return 0;
	ret = take_store_space(h, n, h->cap, &index);
	if (ret != 0)
		atomic_store_explicit(&mon->store.refused, ret,
		    memory_order_relaxed);
	return index;
}

uint32_t
store_take_optional(size_t n)
{
	struct format_header *h = store_header();
	uint32_t index = 0;

	if (h != NULL)
		take_store_space(h, n, h->cap / 2, &index);
	return index;
}

uint32_t
store_text(const char *bytes, size_t n)
{
	struct format_text *t;
	uint32_t index;

	index = store_take(sizeof(*t) + n);
	if (index == 0)
		return 0;
	t = store_at(index);
	t->bytes = (uint32_t)n;
	mem_copy(t->text, bytes, n);
	return index;
}

void
store_publish(uint32_t *head, uint32_t index)
{
	uint32_t *next = store_at(index);
	uint32_t old = __atomic_load_n(head, __ATOMIC_RELAXED);

	do
		*next = old;
	while (!__atomic_compare_exchange_n(head, &old, index, true,
	    __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

