/*
 * Context: O. Tests of core/sampler/tprof_writer.c: what it forgets it writes
 * again.
 */
#include "tprof_writer.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define OTHERS	(TPROF_WRITER_NODES + TPROF_WRITER_NODES / 2)
#define KERNEL	0xffffffff81000000u

static struct tprof_writer p;
static char *bytes;
static size_t size;

static void
sample_of(const struct tprof_writer_frame *frames, size_t depth)
{
	tprof_writer_sample(&p, &(struct tprof_writer_sample) {
		.pid = 1, .tid = 1, .pc = frames[0].address, .weight = 1,
		.frames = frames, .depth = depth });
}

/* One function of the kernel, called from more places than it keeps. */
static void
write_all(void)
{
	FILE *out = open_memstream(&bytes, &size);
	struct tprof_writer_frame f[2] = {
		{ .address = KERNEL, .flags = TPROF_F_KERNEL },
		{ .flags = TPROF_F_CALLER },
	};

	cr_assert_not_null(out);
	tprof_writer_begin(&p, out, "", 0);
	for (uint64_t i = 1; i <= OTHERS; i++) {
		f[1].address = i;
		sample_of(f, 2);
		if (i % 1024 == 0)
			sample_of(f, 2);
	}
	cr_assert_eq(fclose(out), 0);
	cr_expect_not(p.out_of_memory);
}

Test(tprof_writer, nodes_that_are_forgotten_are_written_again)
{
	uint64_t *address = calloc(2 * OTHERS + 1, sizeof(*address));
	uint32_t *caller = calloc(2 * OTHERS + 1, sizeof(*caller));
	uint64_t nodes = 0, places = 0, wanted = 0;
	static struct tprof_item i;
	struct tprof_reader r;
	struct fault fault;
	int got;

	write_all();
	cr_assert(address != NULL && caller != NULL);
	cr_assert_eq(tprof_open(&r, (unsigned char *)bytes, size, &fault), 0);
	while ((got = tprof_next(&r, &i, &fault)) == 1) {
		if (i.note && tprof_kind(i.n.flags) == TPROF_N_NODE) {
			address[++nodes] = i.n.d;
			caller[nodes] = i.n.a;
		} else if (i.note && tprof_kind(i.n.flags) == TPROF_N_PLACE) {
			wanted += places++ % 1025 != 1024;
			cr_assert_eq(address[i.n.a], KERNEL);
			cr_assert_eq(address[caller[i.n.a]], wanted);
		}
	}
	cr_expect_eq(got, 0, "%s", got == 0 ? "" : fault.what);
	cr_expect_eq(places, OTHERS + OTHERS / 1024);
	cr_expect_lt(p.node_count, TPROF_WRITER_NODES + 2);
	cr_expect_eq(p.kernel_count, 1, "what names are wanted of is kept");
	cr_expect_eq(p.kernel[0], KERNEL);
	tprof_writer_free(&p);
	free(address);
	free(caller);
	free(bytes);
}
