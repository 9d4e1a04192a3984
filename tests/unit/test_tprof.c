/* Context: O.  Tests of core/format/classic/tprof.c and
 * core/sampler/tprof_writer.c. */
#include "sampled.h"
#include "tail.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct sampled s;
static struct fault f;
static char text[8192];
static size_t used;

static void
make(void)
{
	sampled_all(&s, SAMPLED_HEAD);
}

static void
clean(void)
{
	sampled_free(&s);
}

TestSuite(tprof, .init = make, .fini = clean);

static void __attribute__((format(printf, 1, 2)))
say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	used += (size_t)vsnprintf(text + used, sizeof(text) - used, format,
	    args);
	va_end(args);
	cr_assert_lt(used, sizeof(text));
}

static void
say_item(const struct tprof_item *i)
{
	if (!i->note) {
		say("%" PRIu32 "/%" PRIu32 " %" PRId32 " %" PRIx32 " %" PRIx64
		    "\n", i->sample.pid, i->sample.lwp,
		    (int32_t)i->sample.cpu, i->sample.flags, i->sample.pc);
		return;
	}
	say("%" PRIu32 ": %" PRIu32 " %" PRIu32 " ", tprof_kind(i->n.flags),
	    i->n.a, i->n.b);
	if (i->text != NULL)
		say("\"%s\" ", i->text);
	else
		say("%" PRIu32 " %" PRIx32 " ", i->n.c,
		    i->n.flags & 0xfffffd);
	say("%" PRIx64 "\n", i->n.d);
}

/* Reads all items of a copy that ends at an unmapped page; says how it
 * ended. */
static int
read_all(const void *bytes, size_t size, struct tprof_reader *r)
{
	unsigned char *copy = tail_copy(bytes, size);
	struct tprof_item *i = malloc(sizeof(*i));
	int ret = tprof_open(r, copy, size, &f);

	cr_assert_not_null(i);
	used = 0;
	*text = '\0';
	while (ret == 0 && (ret = tprof_next(r, i, &f)) == 1) {
		cr_assert(i->text == NULL ||
		    i->text[i->text_bytes] == '\0');
		say_item(i);
		ret = 0;
	}
	free(i);
	tail_free(copy, size);
	return ret;
}

static const char whole[] =
    "1: 1179603540 1 \"" SAMPLED_HEAD "\" e8d4a51000\n"
    "3: 0 1 \"cpu-clock\" f4240\n"
    "3: 1 0 \"faults:u\" 1\n"
    "4: 10 1000 \"/bin/prog\" e8d4a51000\n"
    "5: 10 10 \"main\" 0\n"
    "5: 10 11 \"worker\" 0\n"
    "9: 0 256 \"inner\" ffffffff81000000\n"
    "9: 0 32 \"outer\" ffffffff81000100\n"
    "6: 1 2 \"abcd 34359738369 77 1000000000000 /none/lib.so\" 1000\n"
    "7: 0 0 0 8 1\n"
    "7: 1 1 0 4 456\n"
    "7: 2 1 0 0 123\n"
    "10/10 1 0 7f0000000123\n"
    "8: 3 1000000 0 0 3b9aca00\n"
    "10/10 1 0 7f0000000123\n"
    "8: 3 1000000 0 0 77359400\n"
    "7: 0 1 0 4 456\n"
    "7: 4 0 0 5 ffffffff81000120\n"
    "7: 5 0 0 1 ffffffff81000010\n"
    "10/11 1 1 ffffffff81000010\n"
    "8: 6 1000000 0 0 b2d05e00\n";

/* A node is written once, whoever has it. */
Test(tprof, reads_what_was_put)
{
	struct tprof_reader r;

	cr_expect_eq(read_all(s.bytes, s.size, &r), 0);
	cr_expect(r.ended);
	cr_expect_not(r.cut);
	cr_expect_eq(r.nodes, 7);
	cr_expect_eq(strncmp(text, whole, strlen(whole)), 0, "%s", text);
	cr_expect_not_null(strstr(text, "\n10/11 -1 0 6000\n8: 0 1000000 0 0 "
	    ), "%s", text);
	cr_expect_not_null(strstr(text, "\n10/10 0 1000000 7f0000000123\n"
	    "8: 3 1 0 0 "), "%s", text);
	cr_expect_not_null(strstr(text, "\n11: 0 1 0 0 1406f40\n"
	    "13: 0 0 \"the program wrote over it\" 6\n"
	    "13: 0 0 \"moments: no room\" 1\n"
	    "10: 0 0 0 0 15\n10: 1 0 0 0 8\n"), "%s", text);
	cr_expect_not_null(strstr(text, "12: 0 0 0 0 170cdc1e00\n"), "%s",
	    text);
}

/* Reads the items before the cut, and that it is one. */
Test(tprof, reads_up_to_the_cut)
{
	static char all[sizeof(text)];
	struct tprof_reader r;

	cr_assert_eq(read_all(s.bytes, s.size, &r), 0);
	memcpy(all, text, sizeof(all));
	for (size_t size = TPROF_RECORD; size < s.size; size++) {
		cr_expect_eq(read_all(s.bytes, size, &r), 0, "%zu", size);
		cr_expect_eq(strncmp(all, text, strlen(text)), 0, "%zu: %s",
		    size, text);
		cr_expect(r.cut || size % TPROF_RECORD == 0);
		cr_expect_not(r.ended);
	}
	/* Too short to be told. */
	for (size_t size = 0; size < TPROF_RECORD; size++) {
		f.what = NULL;
		cr_expect_eq(read_all(s.bytes, size, &r), -EINVAL);
		cr_expect_not_null(f.what);
	}
}

Test(tprof, survives_every_changed_byte)
{
	static const unsigned char changes[] = { 1, 0x80, 0xff };
	struct tprof_reader r;

	for (size_t i = 0; i < s.size * sizeof(changes); i++) {
		char *at = &s.bytes[i / sizeof(changes)];
		const char before = *at;

		*at = (char)((unsigned char)before ^
		    changes[i % sizeof(changes)]);
		f.what = NULL;
		cr_expect_eq(read_all(s.bytes, s.size, &r) == 0,
		    f.what == NULL, "%zu", i);
		*at = before;
	}
}

static void
note(unsigned char *to, enum tprof_kind kind, uint32_t a, uint32_t b,
    uint32_t c)
{
	const struct tprof_record own = {
		.pid = a, .lwp = b, .cpu = c, .flags = TPROF_F_NOTE |
		    (uint32_t)kind << TPROF_KIND_SHIFT,
	};

	tprof_put_record(to, &own);
}

static void
refuses(enum tprof_kind kind, uint32_t a, uint32_t b, uint32_t c,
    const char *what)
{
	unsigned char bytes[3 * TPROF_RECORD];
	struct tprof_reader r;

	note(bytes, TPROF_N_HEAD, TPROF_MAGIC, TPROF_VERSION, 0);
	note(bytes + TPROF_RECORD, kind, a, b, c);
	note(bytes + 2 * TPROF_RECORD, TPROF_N_END, 0, 0, 0);
	cr_expect_eq(read_all(bytes, sizeof(bytes), &r), -EINVAL, "%s", what);
	cr_assert_not_null(f.what, "%s", what);
	cr_expect_str_eq(f.what, what);
	cr_expect(f.offset == TPROF_RECORD || f.offset == 2 * TPROF_RECORD);
}

Test(tprof, refuses_what_speaks_of_nothing)
{
	refuses(TPROF_N_EVENT, TPROF_EVENTS, 0, 0,
	    "an event has a number that is too large");
	refuses(TPROF_N_COUNT, UINT32_MAX, 0, 0,
	    "an event has a number that is too large");
	refuses(TPROF_N_MODULE, 2, 0, 0, "modules are out of order");
	refuses(TPROF_N_NODE, 1, 0, 0,
	    "a node names a caller or a module that does not exist");
	refuses(TPROF_N_NODE, 0, 1, 0,
	    "a node names a caller or a module that does not exist");
	refuses(TPROF_N_PLACE, 1, 0, 0, "a place names a node that does not "
	    "exist");
	refuses(TPROF_N_NAME, 0, 0, TPROF_TEXT_MAX + 1, "a text is too long");
	refuses(TPROF_N_LOSS, 0, 0, 1, "a text ends too early");
}

Test(tprof, refuses_another_version)
{
	struct tprof_reader r;

	s.bytes[4]++;
	cr_expect_eq(read_all(s.bytes, s.size, &r), -EINVAL);
	cr_expect_str_eq(f.what, "is a tprof.out of another version");
	cr_expect_eq(f.offset, 4);
}

/* A note that is new in a later file of this version is passed over. */
Test(tprof, passes_over_notes_that_it_does_not_know)
{
	unsigned char bytes[2 * TPROF_RECORD];
	struct tprof_reader r;

	note(bytes, TPROF_N_HEAD, TPROF_MAGIC, TPROF_VERSION, 0);
	note(bytes + TPROF_RECORD, (enum tprof_kind)200, 1, 2, 3);
	cr_expect_eq(read_all(bytes, sizeof(bytes), &r), 0);
	cr_expect_not_null(strstr(text, "200: 1 2 3 0 0\n"), "%s", text);
}

/* A text of each length around those of a note. */
Test(tprof, keeps_texts)
{
	char name[64], line[96];
	struct tprof_reader r;

	memset(name, 'x', sizeof(name));
	for (size_t bytes = 0; bytes < sizeof(name); bytes++) {
		name[bytes] = '\0';
		sampled_free(&s);
		sampled_begin(&s, "");
		tprof_writer_thread(&s.put, 1, 2, name);
		sampled_end(&s);
		cr_expect_eq(read_all(s.bytes, s.size, &r), 0);
		snprintf(line, sizeof(line), "\n5: 1 2 \"%s\" 0\n", name);
		cr_expect_not_null(strstr(text, line), "%s", text);
		name[bytes] = 'x';
	}
}

static bool
module_of(const char *own, struct tprof_module *m)
{
	const size_t bytes = strlen(own);
	unsigned char *copy = tail_copy(own, bytes);
	const bool ret = tprof_module_get(m, (const char *)copy, bytes);
	char again[256];

	if (ret) {
		cr_expect_eq(tprof_module_put(m, again, sizeof(again)), bytes,
		    "%s", own);
		cr_expect_eq(memcmp(again, own, bytes), 0, "%s", own);
	}
	tail_free(copy, bytes);
	return ret;
}

Test(tprof, reads_modules_to_the_letter)
{
	/* One byte more than there is room for. */
	static const char longer[] = "0000000000000000000000000000000000000000"
	    "00000000000000000000000000 1 2 3 p";
	static const char *const wrong[] = {
		longer,
		"", "-", "- ", "- 1", "- 1 2", "- 1 2 3", "- 1 2 3 ",
		"a 1 2 3 p", "abc 1 2 3 p", "AB 1 2 3 p", "- x 2 3 p",
		"-  2 3 p", "- 1 2  p", "- 18446744073709551616 2 3 p",
		"ab1 2 3 p", " 1 2 3 p",
	};
	struct tprof_module m;

	cr_assert(module_of("- 18446744073709551615 0 3 /a b\n", &m));
	cr_expect_eq(m.build_id_bytes, 0);
	cr_expect_eq(m.device, UINT64_MAX);
	cr_expect_eq(m.inode, 0);
	cr_expect_eq(m.seen, 3);
	cr_expect_eq(m.path_bytes, 5);
	cr_assert(module_of("00ff10 1 2 3 p", &m));
	cr_expect_eq(m.build_id_bytes, 3);
	cr_expect_eq(m.build_id[1], 0xff);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		cr_expect_not(module_of(wrong[i], &m), "%s", wrong[i]);
}

Test(tprof, reads_the_records_of_netbsd)
{
	const struct tprof_record first = { 1, 2, 3, TPROF_F_KERNEL, 4 },
	    second = { 5, 6, 7, 2u << TPROF_KIND_SHIFT, 8 };
	unsigned char bytes[2 * TPROF_RECORD];
	struct tprof_reader r;

	tprof_put_record(bytes, &first);
	tprof_put_record(bytes + TPROF_RECORD, &second);
	cr_expect_eq(read_all(bytes, sizeof(bytes), &r), 0);
	cr_expect_eq(r.layout, TPROF_NETBSD);
	cr_expect_str_eq(text, "1/2 3 1 4\n5/6 7 2000000 8\n");
	cr_expect_eq(read_all(bytes, sizeof(bytes) - 1, &r), 0);
	cr_expect(r.cut);
	cr_expect_str_eq(text, "1/2 3 1 4\n");
}

Test(tprof, reads_the_counters_of_netbsd)
{
	static const uint64_t counters[] = {
		0xffffffff80001234, 0xffffffff80005678,
	};
	static const char other[] = "root:x:0:0:root:/root:/bin/bash\n";
	struct tprof_reader r;

	cr_expect_eq(read_all(counters, sizeof(counters), &r), 0);
	cr_expect_eq(r.layout, TPROF_COUNTERS);
	cr_expect_str_eq(text, "0/0 -1 1 ffffffff80001234\n"
	    "0/0 -1 1 ffffffff80005678\n");
	cr_expect_eq(read_all(counters, sizeof(counters) - 1, &r), 0);
	cr_expect(r.cut);
	cr_expect_eq(read_all(other, sizeof(other), &r), -EINVAL);
	cr_expect_str_eq(f.what, "is not a file of tprof");
}
