/* Context: O.  Tests of core/format/decode/header.c. */
#include "decode/header.h"

#include "build.h"
#include "tail.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#define AT(field) offsetof(struct format_header, field)

/* The text, its place, and whether it says what to do. */
static void
refuses(const void *bytes, size_t size, const char *what, uint64_t offset,
    bool remedy)
{
	unsigned char *copy = tail_copy(bytes, size);
	struct format_header h;
	struct fault f = {0};

	cr_expect_eq(header_read(&h, copy, size, &f), -EINVAL, "%s", what);
	cr_expect_str_eq(f.what != NULL ? f.what : "", what);
	cr_expect_eq(f.offset, offset, "%s: offset %#jx", what,
	    (uintmax_t)f.offset);
	cr_expect_eq(f.remedy != NULL, remedy, "%s", what);
	tail_free(copy, size);
}

static void
refuses_whole(const void *bytes, size_t size, const char *what)
{
	refuses(bytes, size, what, FAULT_NO_OFFSET, true);
}

static void
refuses_built(struct build *b, const char *what, uint64_t offset, bool remedy)
{
	refuses(b->bytes, build_size(b), what, offset, remedy);
	build_fini(b);
}

Test(header, a_valid_one_is_copied)
{
	struct format_header h;
	struct fault f;
	struct build b;

	build_init(&b);
	cr_assert_eq(header_read(&h, b.bytes, build_size(&b), &f), 0);
	cr_assert_eq(memcmp(&h, b.bytes, sizeof h), 0);
	build_fini(&b);
}

Test(header, empty_file)
{
	refuses_whole("", 0, "the file is empty");
}

Test(header, all_zero_file)
{
	static const unsigned char zero[FORMAT_HEADER + 100];

	refuses_whole(zero, sizeof zero, "the header is all zero");
	refuses_whole(zero, FORMAT_HEADER, "the header is all zero");
	refuses_whole(zero, 1, "the header is all zero");
}

Test(header, every_short_length)
{
	struct build b;

	build_init(&b);
	for (size_t size = 1; size < FORMAT_HEADER; size++)
		refuses(b.bytes, size, "cut short within its header",
		    size, true);
	build_fini(&b);
}

Test(header, other_files)
{
	static const char *const others[] = {
		"x", "mon", "#!/bin/sh\n", "gmon\1",
		"\211PNG\r\n",
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		refuses_whole(others[i], strlen(others[i]),
		    "not a profile of libmon");
}

/* Files that users give to prof all the same. */
Test(header, files_of_other_tools)
{
	static const char core[20] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0";

	refuses_whole("PERFILE2", 8, "a perf.data, which perf alone reads");
	refuses_whole("\177ELF\2\1\1", 7, "a program, not a profile");
	refuses_whole(core, sizeof core, "a core dump, which has no profile");
	refuses_whole("\x1f\x8b\10", 3, "compressed by gzip");
	refuses_whole("\x1f", 1, "not a profile of libmon");
	refuses_whole("<!DOCTYPE html>", 15, "a page for the browser");
}

Test(header, zero_magic_before_other_bytes)
{
	struct build b;

	build_init(&b);
	memset(b.bytes, 0, 8);
	refuses_whole(b.bytes, build_size(&b), "not a profile of libmon");
}

Test(header, text_mode_damage)
{
	static const char *const damaged[] = {
		"\211mon\n\032\n",		/* CR LF to LF */
		"\211mon\r\r\n\032\r\n",	/* LF to CR LF */
		"\011mon\r\n\032\n",		/* 8 bits to 7 */
	};

	for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++)
		refuses_whole(damaged[i], strlen(damaged[i]), "damaged in "
		    "transfer: its bytes were converted as text");
}

Test(header, pointer_record)
{
	static const char pointer[] = "monptr 1\npath=/dev/shm/x\n";

	refuses_whole(pointer, sizeof pointer - 1,
	    "a pointer to a live profile, not a profile");
	refuses_whole(pointer, 7,
	    "a pointer to a live profile, not a profile");
	refuses_whole(pointer, 6, "not a profile of libmon");
}

Test(header, born_and_nothing_more)
{
	struct build b;

	build_init(&b);
	build_header(&b)->state = FORMAT_INCOMPLETE;
	build_header(&b)->version = 0;
	refuses_built(&b, "no profile yet: its program had only begun to write "
	    "it", AT(state), true);
}

Test(header, a_newer_version_comes_before_all_else)
{
	struct build b;

	build_init(&b);
	build_header(&b)->version = FORMAT_VERSION + 1;
	build_header(&b)->header_bytes = 8192;
	build_header(&b)->state = FORMAT_INCOMPLETE;
	refuses_built(&b, "written in a newer format than this tool can read",
	    AT(version), true);
}

Test(header, fixed_fields)
{
	struct build b;

	build_init(&b);
	build_header(&b)->version = 0;
	refuses_built(&b, "format version 0", AT(version), false);
	build_init(&b);
	build_header(&b)->header_bytes = 512;
	refuses_built(&b, "wrong header size", AT(header_bytes), false);
	build_init(&b);
	build_header(&b)->address_bits = 32;
	refuses_built(&b, "addresses are not of 64 bits", AT(address_bits),
	    false);
}

static void
refuses_cap(uint64_t cap)
{
	struct build b;

	build_init(&b);
	build_header(&b)->cap = cap;
	refuses_built(&b, "impossible size limit", AT(cap), false);
}

Test(header, impossible_caps)
{
	refuses_cap(0);
	refuses_cap(FORMAT_HEADER - 1);
	refuses_cap(((uint64_t)FORMAT_UNIT << 32) + 1);
	refuses_cap(UINT64_MAX);
}

static void
refuses_used(uint64_t used, const char *what)
{
	struct build b;
	size_t size;

	build_init(&b);
	size = build_size(&b);
	build_header(&b)->used = used;
	refuses(b.bytes, size, what, AT(used), false);
	build_fini(&b);
}

Test(header, impossible_ends_of_the_data)
{
	refuses_used(0, "impossible end of the data");
	refuses_used(FORMAT_HEADER - 16, "impossible end of the data");
	refuses_used(FORMAT_HEADER + 8, "impossible end of the data");
	refuses_used(UINT64_MAX, "impossible end of the data");
	refuses_used(BUILD_CAP + 16, "the data end past their own limit");
	refuses_used(-(uint64_t)16, "the data end past their own limit");
}

Test(header, a_sealed_file_holds_what_it_uses)
{
	struct build b;
	size_t size;

	build_init(&b);
	build_seal(&b, FORMAT_END_EXIT, 0);
	size = build_size(&b) - 1;
	refuses(b.bytes, size, "cut short", size, true);
	build_fini(&b);
}

static void
accepts(struct build *b, uint64_t size)
{
	struct format_header h;
	struct fault f = {0};

	cr_expect_eq(header_read(&h, b->bytes, size, &f), 0, "%s", f.what);
}

Test(header, a_live_one_may_be_longer_or_shorter)
{
	struct build b;

	build_init(&b);
	accepts(&b, FORMAT_HEADER);
	accepts(&b, BUILD_CAP);
	build_seal(&b, FORMAT_END_EXIT, 0);
	accepts(&b, build_size(&b) + 1);
	build_fini(&b);
}

/* The seal sets it, so that no thread takes space behind its back. */
Test(header, closed_is_no_part_of_the_size)
{
	struct format_header h;
	struct fault f;
	struct build b;
	size_t size;

	build_init(&b);
	size = build_size(&b);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_header(&b)->used, size + FORMAT_CLOSED);
	cr_assert_eq(header_read(&h, b.bytes, size, &f), 0);
	cr_expect_eq(h.used, size);
	build_header(&b)->used = size;	/* and a seal that does not */
	cr_assert_eq(header_read(&h, b.bytes, size, &f), 0);
	cr_expect_eq(h.used, size);
	build_fini(&b);
}

Test(header, unknown_values_of_enumerations_are_let_through)
{
	struct build b;
	struct format_header *h;

	build_init(&b);
	h = build_header(&b);
	h->state = 77;
	h->end = 77;
	h->clock = 77;
	h->machine = 0xffff;
	h->coarse_seen = h->fine_seen = UINT32_MAX;
	accepts(&b, build_size(&b));
	build_fini(&b);
}
