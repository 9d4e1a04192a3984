/*
 * Context: O.  Tests of core/sampler/ring/perf_record.c: whole, cut and lying
 * records.
 */
#include "ring/perf_record.h"
#include "tail.h"

#include <criterion/criterion.h>
#include <string.h>

static unsigned char bytes[4096];
static size_t used;

static const struct perf_record_form form = {
	.sample_type = PERF_RECORD_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN |
	    PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	.regs = 7,
};

static void
put(const void *what, size_t size)
{
	memcpy(bytes + used, what, size);
	used += size;
}

static void
put64(uint64_t v)
{
	put(&v, sizeof(v));
}

static void
put32(uint32_t v)
{
	put(&v, sizeof(v));
}

static void
begin(uint32_t type, uint16_t misc)
{
	const struct perf_event_header h = { .type = type, .misc = misc };

	used = 0;
	put(&h, sizeof(h));
}

static void
end(void)
{
	((struct perf_event_header *)bytes)->size = (uint16_t)used;
}

/* pid 7, tid 8, time 9, CPU 1, event 99. */
static void
trailer(void)
{
	put32(7);
	put32(8);
	put64(9);
	put32(1);
	put32(0);
	put64(99);
	end();
}

static void
sample(void)
{
	begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	put64(99);
	put64(0x1234);
	put32(7);
	put32(8);
	put64(9);
	put32(1);
	put32(0);
	put64(1000);
	put64(2);
	put64(0x1234);
	put64(0x5678);
	put64(2);
	put64(11);
	put64(12);
	put64(13);
	put64(16);
	put("0123456789abcdef", 16);
	put64(5);
	end();
}

Test(perf_record, a_sample_has_all_that_was_asked)
{
	struct perf_record k;

	sample();
	cr_assert(perf_record_read(&k, &form, bytes, used));
	cr_expect_eq(k.id, 99);
	cr_expect_eq(k.ip, 0x1234);
	cr_expect_eq(k.pid, 7);
	cr_expect_eq(k.tid, 8);
	cr_expect_eq(k.time, 9);
	cr_expect_eq(k.cpu, 1);
	cr_expect_eq(k.period, 1000);
	cr_assert_eq(k.chain_count, 2);
	cr_expect_eq(perf_record_caller(&k, 1), 0x5678);
	cr_assert_eq(k.reg_count, 3);
	cr_expect_eq(k.regs[2], 13);
	cr_expect_eq(k.stack_bytes, 5, "as much as was filled");
	cr_expect_eq(memcmp(k.stack, "01234", 5), 0);
}

/* No byte behind it is read: a copy ends at an unmapped page. */
Test(perf_record, a_cut_one_is_none)
{
	struct perf_record k;

	sample();
	for (size_t size = 0; size < used; size++) {
		unsigned char *copy = tail_copy(bytes, size);

		cr_expect_not(perf_record_read(&k, &form, copy, size), "%zu",
		    size);
		cr_expect_eq(k.ip, 0);
		/* It may also say itself that it is so long. */
		if (size >= sizeof(struct perf_event_header)) {
			((struct perf_event_header *)copy)->size =
			    (uint16_t)size;
			cr_expect_not(perf_record_read(&k, &form, copy, size),
			    "%zu", size);
		}
		tail_free(copy, size);
	}
}

Test(perf_record, counts_that_lie_are_none)
{
	static const uint64_t lies[] = { UINT64_MAX, 1ull << 61, 1000 };
	/* Offsets of how many callers, and how many bytes of stack. */
	static const size_t at[] = { 56, 112 };
	struct perf_record k;

	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < 3; j++) {
			unsigned char *copy;

			sample();
			memcpy(bytes + at[i], &lies[j], sizeof(lies[j]));
			copy = tail_copy(bytes, used);
			cr_expect_not(perf_record_read(&k, &form, copy, used),
			    "%zu %zu", i, j);
			tail_free(copy, used);
		}
}

Test(perf_record, a_mapping_has_its_build_id_or_its_file)
{
	unsigned char id[24] = { 20, 0, 0, 0, 1, 2, 3 };
	struct perf_record k;

	for (unsigned i = 0; i < 2; i++) {
		begin(PERF_RECORD_MMAP2, i == 0 ?
		    PERF_RECORD_MISC_MMAP_BUILD_ID : 0);
		put32(7);
		put32(8);
		put64(0x1000);
		put64(0x2000);
		put64(0x3000);
		put(id, sizeof(id));
		put32(5);
		put32(2);
		put("/bin/x\0", 8);
		trailer();
		cr_assert(perf_record_read(&k, &form, bytes, used));
		cr_expect(k.executable);
		cr_expect_eq(k.start, 0x1000);
		cr_expect_eq(k.length, 0x2000);
		cr_expect_eq(k.offset, 0x3000);
		cr_expect_str_eq(k.text, "/bin/x");
		cr_expect_eq(k.build_id_bytes, i == 0 ? 20 : 0);
		cr_expect_eq(k.time, 9);
		cr_expect_eq(k.device != 0, i == 1);
	}
}

Test(perf_record, a_text_without_an_end_is_none)
{
	struct perf_record k;

	begin(PERF_RECORD_COMM, 0);
	put32(7);
	put32(8);
	put("abcdefgh", 8);
	trailer();
	cr_expect_not(perf_record_read(&k, &form, bytes, used));
}

Test(perf_record, sizes_that_cannot_be_end_a_list)
{
	struct perf_event_header h = { .size = 7 };

	cr_expect_eq(perf_record_size((unsigned char *)&h, sizeof(h)), 0);
	h.size = 9;
	cr_expect_eq(perf_record_size((unsigned char *)&h, sizeof(h)), 0);
	h.size = 8;
	cr_expect_eq(perf_record_size((unsigned char *)&h, sizeof(h)), 8);
	cr_expect_eq(perf_record_size((unsigned char *)&h, 7), 0);
}
