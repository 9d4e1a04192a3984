/*
 * Context: O.  Tests of core/hot/unwind/cfi.c: what libdw says of the same
 * places, in the objects that this process has, and tables that are broken.
 */
#include "frame.h"
#include "module/elf_headers.h"
#include "module/proc_maps.h"
#include "random.h"
#include "target.h"
#include "unwind/cfi.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLACES	200000		/* of each object */

static void
init(void)
{
	target_init();
	config.stack = FORMAT_STACK_AUTO;
}

TestSuite(cfi, .init = init, .fini = target_fini, .timeout = 300);

struct object {
	const char *path;
	uintptr_t bias, text, text_end;
	struct cfi_tables tables;
	int fd;
	Elf *elf;
	Dwarf_CFI *cfi;
	uint64_t known, same;
};

/* The rule of libdw, in our words; false where we have none for it. */
static bool
translate(const Dwarf_Op *ops, size_t n, struct cfi_rule *rule)
{
	if (n > 0 && ops[0].atom == DW_OP_call_frame_cfa) {
		rule->how = CFI_OFFSET;
		rule->offset = n > 1 ? (int64_t)ops[1].number : 0;
		if (n > 1 && ops[n - 1].atom == DW_OP_stack_value)
			rule->how = CFI_VAL_OFFSET;
		return n <= 2 || rule->how == CFI_VAL_OFFSET;
	}
	if (n == 1 && ops[0].atom >= DW_OP_breg0 &&
	    ops[0].atom <= DW_OP_breg31) {
		rule->how = CFI_REGISTER;
		rule->reg = (uint8_t)(ops[0].atom - DW_OP_breg0);
		rule->offset = (int64_t)ops[0].number;
		return true;
	}
	if (n == 1 && ops[0].atom == DW_OP_regx) {
		rule->how = CFI_REGISTER;
		rule->reg = (uint8_t)ops[0].number;
		return true;
	}
	if (n == 1 && ops[0].atom == DW_OP_bregx) {
		rule->how = CFI_REGISTER;
		rule->reg = (uint8_t)ops[0].number;
		rule->offset = (int64_t)ops[0].number2;
		return true;
	}
	return false;
}

static bool
same_rule(const struct cfi_rule *a, const struct cfi_rule *b)
{
	return a->how == b->how && (a->how == CFI_SAME_VALUE ||
	    a->how == CFI_UNDEFINED || (a->offset == b->offset &&
	    (a->how != CFI_REGISTER || a->reg == b->reg)));
}

/* An expression has the same first operation. */
static bool
same_expression(const struct cfi_rule *rule, const Dwarf_Op *ops, size_t n)
{
	return (rule->how == CFI_EXPRESSION ||
	    rule->how == CFI_VAL_EXPRESSION) && n != 0 && rule->bytes != 0 &&
	    rule->expression[0] == ops[0].atom;
}

static bool
same_frame(const struct cfi_rule *rule, Dwarf_Frame *frame)
{
	struct cfi_rule wanted = {0};
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_frame_cfa(frame, &ops, &n) != 0)
		return false;
	if (rule->how != CFI_REGISTER)
		return same_expression(rule, ops, n);
	return translate(ops, n, &wanted) && same_rule(rule, &wanted);
}

static bool
same_register(const struct cfi_rule *rule, Dwarf_Frame *frame, int column)
{
	struct cfi_rule wanted = {0};
	Dwarf_Op room[3], *ops;
	size_t n;

	if (dwarf_frame_register(frame, column, room, &ops, &n) != 0)
		return false;
	/* The ABI's own default is that nobody said anything: unchanged. */
	if (n == 0)
		return ops == NULL ? rule->how == CFI_SAME_VALUE :
		    rule->how == CFI_UNDEFINED || rule->how == CFI_SAME_VALUE;
	if (rule->how == CFI_EXPRESSION || rule->how == CFI_VAL_EXPRESSION)
		return n > 1;
	return translate(ops, n, &wanted) && same_rule(rule, &wanted);
}

static void
compare(struct object *o, uintptr_t pc)
{
	struct cfi_row row;
	Dwarf_Frame *frame = NULL;
	int ret = cfi_find(&o->tables, pc, &row);
	bool same;

	if (dwarf_cfi_addrframe(o->cfi, pc - o->bias, &frame) != 0) {
		cr_expect_neq(ret, 0, "%s: %#zx: libdw has no row", o->path,
		    pc - o->bias);
		return;
	}
	o->known++;
	same = ret == 0 && same_frame(&row.frame, frame) &&
	    same_register(&row.fp, frame, FRAME_FP) &&
	    same_register(&row.base, frame, FRAME_BASE_REGISTER) &&
	    (row.ra.how == CFI_UNDEFINED ||
	    same_register(&row.ra, frame, FRAME_RA));
	o->same += same;
	cr_expect(same, "%s: %#zx: %d, frame %u %u %ld, fp %u %ld, ra %u %ld",
	    o->path, pc - o->bias, ret, row.frame.how, row.frame.reg,
	    (long)row.frame.offset, row.fp.how, (long)row.fp.offset,
	    row.ra.how, (long)row.ra.offset);
	free(frame);
}

static bool
find_object(struct object *o, const struct proc_maps_line *line)
{
	struct elf_headers e;

	if (!line->executable || line->path[0] != '/' ||
	    elf_headers_read(&e, line->head, line->path, line->start,
	    line->offset) != 0 || e.tables.index == 0)
		return false;
	memset(o, 0, sizeof *o);
	o->path = line->path;
	o->bias = e.bias;
	o->tables = e.tables;
	o->text = line->start;
	o->text_end = line->end;
	return true;
}

static void
compare_object(const struct proc_maps_line *line, void *counted)
{
	uint64_t seed = 0x9e3779b9, *all = counted;
	struct object o;

	if (!find_object(&o, line))
		return;
	o.fd = open(o.path, O_RDONLY);
	cr_assert_geq(o.fd, 0);
	elf_version(EV_CURRENT);
	o.elf = elf_begin(o.fd, ELF_C_READ, NULL);
	o.cfi = dwarf_getcfi_elf(o.elf);
	cr_assert_not_null(o.cfi, "%s: %s", o.path, dwarf_errmsg(-1));
	for (unsigned i = 0; i < PLACES; i++)
		compare(&o, o.text + random_below(&seed,
		    (uint32_t)(o.text_end - o.text)));
	*all += o.same;
	cr_expect_gt(o.known, 0, "%s: no place had a row", o.path);
	elf_end(o.elf);
	close(o.fd);
}

static void
visit(proc_maps_visit *fn, void *arg)
{
	char *room = malloc(4 * PATH_MAX);

	cr_assert_eq(proc_maps_read(0, room, 4 * PATH_MAX, fn, arg), 0);
	free(room);
}

/* libc's assembler has the odd ones; C++ and Rust have personalities. */
Test(cfi, rows_are_those_of_libdw)
{
	static const char *const more[] = {
		"libstdc++.so.6", "libcrypto.so.3", "libz.so.1",
		"libgcc_s.so.1", "libsqlite3.so.0",
	};
	uint64_t same = 0;

	for (unsigned i = 0; i < sizeof more / sizeof *more; i++)
		dlopen(more[i], RTLD_LAZY);
	visit(compare_object, &same);
	cr_expect_gt(same, 100000);
}

/* A byte of a copy is another: no load leads out of it, nor for ever. */
struct copy {
	unsigned char *bytes;
	size_t n;
	struct cfi_tables tables;
	uintptr_t text;
	size_t text_bytes;
};

static void
copy_object(const struct proc_maps_line *line, void *copy)
{
	const size_t page = config.page;
	struct copy *c = copy;
	struct object o;

	if (strstr(line->path, "libc.so") == NULL || !find_object(&o, line))
		return;
	c->n = o.tables.high - o.tables.low;
	/* The page behind the last byte is not mapped. */
	c->bytes = mmap(NULL, c->n / page * page + 2 * page, PROT_READ |
	    PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(c->bytes + c->n / page * page + page, page, PROT_NONE);
	c->bytes += page - c->n % page;
	memcpy(c->bytes, (void *)o.tables.low, c->n);
	c->tables.low = (uintptr_t)c->bytes;
	c->tables.high = c->tables.low + c->n;
	c->tables.from = c->tables.low;
	c->tables.to = c->tables.high;
	c->tables.sorted = true;
	c->tables.index = o.tables.index - o.tables.low + c->tables.low;
	c->text = o.text - o.tables.low + c->tables.low;
	c->text_bytes = o.text_end - o.text;
}

Test(cfi, broken_tables_lead_nowhere)
{
	struct copy c = {0};
	uint64_t seed = 4711;
	unsigned found = 0;

	visit(copy_object, &c);
	cr_assert_not_null(c.bytes);
	for (unsigned i = 0; i < 200000; i++) {
		const size_t at = random_below(&seed, (uint32_t)c.n);
		const unsigned char before = c.bytes[at];
		struct cfi_row row;

		c.bytes[at] = (unsigned char)random_next(&seed);
		for (unsigned k = 0; k < 4; k++)
			found += cfi_find(&c.tables, c.text + random_below(
			    &seed, (uint32_t)c.text_bytes), &row) == 0;
		/* Broken bytes accumulate. */
		if (i % 4 != 0)
			c.bytes[at] = before;
	}
	cr_expect_gt(found, 10000, "most places are whole still");
}

Test(cfi, no_tables_have_no_rows)
{
	const struct cfi_tables none = {0};
	struct cfi_row row;

	cr_expect_eq(cfi_find(&none, (uintptr_t)&none, &row), -ENOENT);
}

/* An index without its search table: the same rows, or a table too large. */
static void
compare_unsorted(const struct proc_maps_line *line, void *counted)
{
	uint64_t seed = 815, *all = counted;
	struct cfi_tables unsorted;
	struct object o;

	if (!find_object(&o, line))
		return;
	cr_expect(o.tables.sorted, "%s", o.path);
	unsorted = o.tables;
	unsorted.sorted = false;
	for (unsigned i = 0; i < 100; i++) {
		const uintptr_t pc = o.text + random_below(&seed,
		    (uint32_t)(o.text_end - o.text));
		struct cfi_row a, b;
		int by_index = cfi_find(&o.tables, pc, &a);
		int without = cfi_find(&unsorted, pc, &b);

		if (without == -E2BIG) {
			all[1]++;
			continue;
		}
		cr_assert_eq(by_index, without, "%s: %#zx", o.path, pc);
		if (by_index == 0) {
			cr_expect_eq(memcmp(&a, &b, sizeof a), 0, "%s: %#zx",
			    o.path, pc - o.bias);
			all[0]++;
		}
	}
}

Test(cfi, rows_without_an_index)
{
	uint64_t all[2] = {0};

	dlopen("libcrypto.so.3", RTLD_LAZY);
	visit(compare_unsorted, all);
	cr_expect_gt(all[0], 100);
	if (dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_NOLOAD) != NULL)
		cr_expect_gt(all[1], 0, "none was too large");
}
