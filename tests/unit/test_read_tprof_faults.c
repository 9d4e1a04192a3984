/* Context: O.  Tests of damaged files of tprof, and of those of NetBSD. */
#include "tprof_model.h"
#include "sampled.h"
#include "tail.h"
#include "foreign/read_tprof.h"
#include "names/symbolize.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

TestSuite(read_tprof_faults, .init = tprof_make, .fini = tprof_clean);

/* All samples that stand before the cut, the last without its place. */
Test(read_tprof_faults, a_cut_file_is_read_up_to_there)
{
	uint64_t before = 0;

	for (size_t size = TPROF_RECORD; size < s.size; size++) {
		struct tprof_record own;

		cr_assert_eq(tprof_add(size, NULL, ALL), 0, "%zu: %s", size,
		    f.what);
		cr_expect(m.samplings->cut);
		memcpy(&own, s.bytes + size / TPROF_RECORD * TPROF_RECORD -
		    TPROF_RECORD, sizeof(own));
		if (size % TPROF_RECORD == 0 &&
		    (own.flags & TPROF_F_NOTE) == 0 &&
		    tprof_kind(own.flags) == 0)
			before++;
		cr_expect_eq(tprof_count_all(), before, "%zu", size);
		cr_expect_eq(tprof_ns_all(), before * SAMPLED_MS, "%zu", size);
	}
	cr_expect_eq(before, 14);
}

Test(read_tprof_faults, nothing_of_a_damaged_file_is_added)
{
	for (size_t i = 0; i < s.size; i++) {
		const char was = s.bytes[i];

		s.bytes[i] = (char)(was ^ 0x80);
		if (tprof_add(s.size, NULL, ALL) != 0) {
			cr_expect_eq(m.row_count, 0, "%zu", i);
			cr_expect_eq(m.files, 0);
			cr_expect_eq(m.lost_count, 0);
		}
		s.bytes[i] = was;
	}
}

Test(read_tprof_faults, what_cannot_be_added_up_is_refused)
{
	struct tprof_writer_sample own = { .pid = 1, .weight = UINT64_MAX / 4 };

	sampled_free(&s);
	sampled_begin(&s, "");
	tprof_writer_event(&s.put, 3, "cycles", false, 0);
	own.event = 3;
	tprof_writer_sample(&s.put, &own);
	own.weight = 1;
	tprof_writer_sample(&s.put, &own);
	sampled_end(&s);
	cr_expect_eq(tprof_add(s.size, NULL, 0), -EINVAL);
	cr_expect_str_eq(f.what, "the counts are too large");
	cr_expect_eq(m.row_count, 0);
}

static void
netbsd(struct tprof_record *r)
{
	sampled_free(&s);
	s.size = 2 * TPROF_RECORD;
	s.bytes = calloc(2, TPROF_RECORD);
	cr_assert_not_null(s.bytes);
	for (unsigned i = 0; i < 2; i++)
		tprof_put_record((unsigned char *)s.bytes + i * TPROF_RECORD,
		    &r[i]);
}

/* Who ran there is told, and nothing of the kernel's names. */
Test(read_tprof_faults, files_of_netbsd_are_read)
{
	netbsd((struct tprof_record[]) {
		{ 7, 8, 0, TPROF_F_KERNEL, 0xffffffff80000010 },
		{ 7, 9, 1, 0, 0x400010 },
	});
	cr_assert_eq(tprof_add(s.size, NULL, ALL), 0, "%s", f.what);
	tprof_finish();
	cr_expect(m.samplings->bare);
	cr_expect_eq(m.samplings->samples, 2);
	cr_expect_eq(m.samplings->value, 2, "the first one, too");
	cr_expect_eq(tprof_ns_all(), 2 * SAMPLED_MS);
	cr_expect_str_eq(tprof_name(tprof_row(FORMAT_KFUNC,
	    0xffffffff80000010)),
	    "[kernel]+0xffffffff80000010");
	cr_expect_eq(tprof_row(FORMAT_USER, 0x400010)->process, 0);
	cr_expect_eq(m.thread_count, 2);
	s.size = 8;
	memset(s.bytes, 0xff, 8);
	cr_assert_eq(tprof_add(s.size, NULL, ALL), 0, "%s", f.what);
	cr_expect_eq(m.process_count, 0);
	cr_expect_eq(tprof_count_all(), 1);
}
