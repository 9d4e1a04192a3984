/* Context: O.  Tests of core/hot/store/store.c. */
#include "store/store.h"
#include "store/store_create.h"
#include "target.h"

#include "base/loss_count.h"
#include "base/store_header.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

static void
start(void)
{
	target_init();
	target_birth();
}

TestSuite(store, .init = start, .fini = target_fini);
TestSuite(bare, .init = target_init, .fini = target_fini);

static struct format_header *
header(void)
{
	return (struct format_header *)mon->store.base;
}

Test(store, room_for_records)
{
	uint32_t a = store_take(1), b = store_take(17), c = store_take(48);
	uint32_t d = store_take(16);

	cr_expect_eq(b, a + 1);
	cr_expect_eq(c, b + 2);
	cr_expect_eq(d, c + 3);
	cr_expect_eq(header()->used, (uint64_t)(d + 1) * FORMAT_UNIT);
	cr_expect_geq(header()->ready, header()->used);
	for (unsigned i = 0; i < 48; i++)
		cr_assert_eq(((char *)store_at(c))[i], 0);
	cr_expect_eq(store_at(a), mon->store.base + a * 16);
}

Test(store, texts)
{
	uint32_t index = store_text("hello", 5), empty = store_text("", 0);
	struct target_file t;

	target_read(&t, mon->store.path);
	cr_expect_str_eq(target_text(&t, index), "hello");
	cr_expect_str_eq(target_text(&t, empty), "");
	target_read_fini(&t);
}

Test(store, lists)
{
	uint32_t head = 0, first = store_take(16), second = store_take(16);

	store_publish(&head, first);
	cr_expect_eq(head, first);
	cr_expect_eq(*(uint32_t *)store_at(first), 0);
	store_publish(&head, second);
	cr_expect_eq(head, second);
	cr_expect_eq(*(uint32_t *)store_at(second), first);
}

/* Small at first, for the many that stay small. */
static uint64_t
step(uint64_t ready)
{
	return ready < FORMAT_STEP ? FORMAT_STEP / 4 : FORMAT_STEP;
}

/* `ready` moves in steps, never less than what is handed out, to the cap. */
Test(store, grows_to_its_cap)
{
	struct format_header *h = header();
	struct target_file t;
	uint64_t before;

	cr_assert_eq(h->cap, TARGET_CAP);
	do {
		before = h->ready;
		cr_assert_leq(h->used, h->ready);
		if (h->used + 1024 > h->cap)
			break;
		cr_assert_neq(store_take(1024), 0);
		cr_assert(h->ready == before ||
		    h->ready == before + step(before) || h->ready == h->cap);
	} while (h->used < h->cap);
	while (h->used < h->cap)
		cr_assert_neq(store_take(16), 0);
	cr_expect_eq(h->ready, h->cap);
	cr_expect_not(store_is_exhausted());
	cr_expect_eq(store_take(16), 0);
	cr_expect_eq(store_text("x", 1), 0);
	cr_expect_eq(store_refusal_loss(), LOSS_STORE_FULL);
	cr_expect(store_is_exhausted());
	cr_expect_eq(target_loss(LOSS_STORE_FULL), 0, "for callers to count");
	cr_expect_eq(h->used, h->cap);
	target_read(&t, mon->store.path);
	cr_expect_eq(t.d.header.used, TARGET_CAP);
	target_read_fini(&t);
}

Test(store, more_than_is_left)
{
	cr_expect_eq(store_take(TARGET_CAP), 0);
	cr_expect_eq(store_refusal_loss(), LOSS_STORE_FULL);
	cr_expect_neq(store_take(16), 0);
}

Test(store, closed)
{
	uint64_t used = header()->used;

	header()->used |= FORMAT_CLOSED;
	cr_expect_eq(store_take(16), 0);
	cr_expect_eq(header()->used, used | FORMAT_CLOSED);
}

Test(store, room_ahead)
{
	cr_expect_eq(store_reserve(3 * FORMAT_STEP), 0);
	cr_expect_geq(header()->ready, header()->used + 3 * FORMAT_STEP);
	cr_expect_lt(header()->ready, header()->used + 5 * FORMAT_STEP);
	cr_expect_eq(store_reserve(2 * TARGET_CAP), 0);
	cr_expect_eq(header()->ready, TARGET_CAP);
}

Test(store, frozen)
{
	uint64_t ready;

	cr_assert_eq(store_reserve(FORMAT_STEP), 0);
	atomic_store(&mon->frozen, true);
	ready = header()->ready;
	while (header()->used < ready)
		cr_assert_neq(store_take(16), 0);
	cr_expect_eq(store_take(16), 0);
	cr_expect_eq(store_refusal_loss(), LOSS_FROZEN);
	cr_expect_eq(header()->ready, ready);
}

Test(bare, none)
{
	cr_expect_null(store_header());
	cr_expect_eq(store_take(16), 0);
	cr_expect_eq(store_reserve(16), -ENOENT);
	cr_expect_not(store_contains(NULL));
	loss_count(LOSS_NESTED, 3);
	cr_expect_eq(atomic_load(&mon->early[LOSS_NESTED]), 3);
	/* The file takes over what was counted before it. */
	cr_expect(store_create_if_due());
	cr_expect_eq(atomic_load(&mon->early[LOSS_NESTED]), 0);
	loss_count(LOSS_NESTED, 2);
	cr_expect_eq(header()->loss[LOSS_NESTED], 5);
	atomic_store(&mon->store.state, STORE_CLOSED);
	cr_expect_not(store_create_if_due());
	cr_expect_null(store_header());
}

Test(store, its_addresses)
{
	const unsigned char *base = mon->store.base;

	cr_expect(store_contains(base));
	cr_expect(store_contains(base + TARGET_CAP - 1));
	cr_expect_not(store_contains(base - 1));
	cr_expect_not(store_contains(base + TARGET_CAP));
}

/* No unit is handed out twice, none is lost between two. */
#define RACERS	4
#define TAKES	100000
#define LARGE	(64u << 20)

static uint32_t taken[RACERS][TAKES];
static pthread_barrier_t begin;

static void *
take_many(void *arg)
{
	uint32_t *to = arg;

	pthread_barrier_wait(&begin);
	for (unsigned i = 0; i < TAKES; i++)
		to[i] = store_take(32);
	return NULL;
}

Test(bare, taken_by_many, .timeout = 60)
{
	static unsigned char seen[LARGE / FORMAT_UNIT];
	pthread_t thread[RACERS];
	uint64_t before;

	config.size = LARGE;
	target_birth();
	before = header()->used;
	pthread_barrier_init(&begin, NULL, RACERS);
	for (unsigned i = 0; i < RACERS; i++)
		pthread_create(&thread[i], NULL, take_many, taken[i]);
	for (unsigned i = 0; i < RACERS; i++)
		pthread_join(thread[i], NULL);
	cr_expect_eq(header()->used, before + RACERS * TAKES * 32);
	for (unsigned i = 0; i < RACERS * TAKES; i++) {
		uint32_t index = taken[i / TAKES][i % TAKES];

		cr_assert_neq(index, 0);
		cr_assert_eq(seen[index]++, 0);
		cr_assert_eq(seen[index + 1]++, 0);
	}
}

/* Where MADV_POPULATE_WRITE is not known: the file is opened again. */
static uint64_t
blocks(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (uint64_t)st.st_blocks * 512 : 0;
}

static int
without_populate(void)
{
	char other[PATH_MAX];
	unsigned before;

	target_init();
	if (target_forbid(SYS_madvise, 23, EINVAL) != 0)
		return __LINE__;
	before = target_descriptors();
	if (!store_create_try())
		return __LINE__;
	if (store_reserve(4 * FORMAT_STEP) != 0 ||
	    header()->ready < 4 * FORMAT_STEP)
		return __LINE__;
	if (blocks(mon->store.path) < 4 * FORMAT_STEP)
		return __LINE__;
	if (target_descriptors() != before)
		return __LINE__;
	/* Another file by that name is not touched. */
	snprintf(other, sizeof other, "%s.other", mon->store.path);
	if (rename(mon->store.path, other) != 0)
		return __LINE__;
	close(open(mon->store.path, O_WRONLY | O_CREAT, 0600));
	if (store_reserve(8 * FORMAT_STEP) != -ESTALE)
		return __LINE__;
	if (blocks(mon->store.path) != 0)
		return __LINE__;
	if (store_take(TARGET_CAP / 2) != 0 ||
	    store_refusal_loss() != LOSS_STORE_SPACE)
		return __LINE__;
	target_fini();
	return 0;
}

Test(alone, old_kernels)
{
	int line = target_child(without_populate);

	cr_expect_eq(line, 0, "line %d", line);
}

/* Before mlockall(MCL_CURRENT), which makes all that is mapped real. */
static int
shrunk(void)
{
	uint64_t cap;

	target_init();
	store_shrink(FORMAT_STEP);	/* no file, nothing to do */
	if (!store_create_try())
		return __LINE__;
	store_shrink(2 * TARGET_CAP);
	if (header()->cap != TARGET_CAP)
		return __LINE__;
	store_shrink(FORMAT_STEP);
	cap = header()->cap;
	if (cap != header()->ready + FORMAT_STEP || mon->store.cap != cap)
		return __LINE__;
	if (msync(mon->store.base + cap, 4096, MS_ASYNC) == 0 ||
	    errno != ENOMEM)
		return __LINE__;	/* still mapped */
	while (store_take(48) != 0)
		memset(store_at((uint32_t)(header()->used / 16 - 3)), 1, 48);
	if (header()->used < cap - 48 || header()->ready != cap ||
	    store_refusal_loss() != LOSS_STORE_FULL)
		return __LINE__;
	target_fini();
	return 0;
}

Test(alone, shrunk)
{
	int line = target_child(shrunk);

	cr_expect_eq(line, 0, "line %d", line);
}

/* A full disk is an error code, not a SIGBUS. */
#define NO_MOUNT 77777

static int
on_a_full_disk(void)
{
	uint64_t ready;

	target_init();
	if (unshare(CLONE_NEWNS) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("full", config.directory, "tmpfs", 0, "size=256k") != 0)
		return NO_MOUNT;
	if (!store_create_try())
		return __LINE__;
	while (store_take(48) != 0)
		memset(store_at((uint32_t)(header()->used / 16 - 3)), 1, 48);
	ready = header()->ready;
	if (ready < FORMAT_STEP || ready > 256u << 10)
		return __LINE__;
	if (store_refusal_loss() != LOSS_STORE_SPACE || !store_is_exhausted())
		return __LINE__;
	/* Room that becomes free is not seen before the next tick. */
	if (mount(NULL, config.directory, NULL, MS_REMOUNT, "size=512k") != 0)
		return NO_MOUNT;
	if (store_take(48) != 0)
		return __LINE__;
	store_allow_retry();
	if (store_is_exhausted() || store_take(48) == 0)
		return __LINE__;
	if (store_reserve(TARGET_CAP) != -ENOSPC || !store_is_exhausted())
		return __LINE__;
	umount2(config.directory, MNT_DETACH);	/* it is mapped */
	target_fini();
	return 0;
}

Test(alone, a_full_disk)
{
	int line = target_child(on_a_full_disk);

	if (line == NO_MOUNT)
		cr_skip_test("may not mount");
	cr_expect_eq(line, 0, "line %d", line);
}
