/*
 * Context: O.  Tests of core/entry/displaced_code.c: entries that run at
 * another place give what they give at theirs, and those of real files are
 * decoded again where they were written.
 */
#define _GNU_SOURCE
#include "displaced_code.h"
#include "entry_place.h"
#include "instruction.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FROM	0x401000u

/* Writes `code`, of `bytes` bytes, for the place that lies `away` bytes off. */
static bool
write_away(struct displaced_code *d, const char *code, size_t bytes,
    int64_t away)
{
	return displaced_code_write(d, (const uint8_t *)code, bytes, FROM,
	    FROM + (uint64_t)away);
}

#define WRITE(d, code, away)	write_away(d, code, sizeof(code) - 1, away)

static void
check_code(const struct displaced_code *d, const char *wanted, size_t bytes)
{
	cr_assert_eq(d->bytes, bytes, "%u bytes of %zu", d->bytes, bytes);
	cr_assert_eq(memcmp(d->code, wanted, bytes), 0);
}

#define CHECK(d, wanted)	check_code(d, wanted, sizeof(wanted) - 1)

Test(displaced_code, is_led_anew)
{
	struct displaced_code d;

	/* push %rbx; mov %rdi, %rbx; sub $16, %rsp: nothing is relative */
	cr_assert(WRITE(&d, "\x53\x48\x89\xfb\x48\x83\xec\x10", 0x1000));
	CHECK(&d, "\x53\x48\x89\xfb\x48\x83\xec\x10\xe9\xfb\xef\xff\xff");
	cr_expect_eq(d.count, 3);
	cr_expect_eq(d.from[2], 4);
	cr_expect_eq(d.to[2], 4);
	/* mov 0x100(%rip), %eax; the field of cmpl $5 is not its last one */
	cr_assert(WRITE(&d, "\x8b\x05\0\1\0\0", 0x10));
	CHECK(&d, "\x8b\x05\xf0\0\0\0\xe9\xeb\xff\xff\xff");
	cr_assert(WRITE(&d, "\x83\x3d\0\1\0\0\5", -0x100));
	CHECK(&d, "\x83\x3d\0\2\0\0\5\xe9\xfb\0\0\0");
	/* test %edi, %edi; je +0x10; a branch of 2 bytes takes 6 */
	cr_assert(WRITE(&d, "\x85\xff\x74\x10\x90", 0x100));
	CHECK(&d, "\x85\xff\x0f\x84\x0c\xff\xff\xff\x90"
	    "\xe9\xf7\xfe\xff\xff");
	cr_expect_eq(d.from[2], 4);
	cr_expect_eq(d.to[2], 8);
	/* a branch of 6 bytes, with a hint, stays one of 6 */
	cr_assert(WRITE(&d, "\x3e\x0f\x85\0\0\0\0", 0x100));
	CHECK(&d, "\x0f\x85\1\xff\xff\xff\xe9\xfc\xfe\xff\xff");
}

Test(displaced_code, ends_where_the_code_ends)
{
	struct displaced_code d;

	cr_assert(WRITE(&d, "\x31\xc0\xc3", 0x100));	/* xor; ret */
	CHECK(&d, "\x31\xc0\xc3");
	cr_assert(WRITE(&d, "\xeb\x10", 0x100));	/* jmp +0x10 */
	CHECK(&d, "\xe9\x0d\xff\xff\xff");
	cr_assert(WRITE(&d, "\xff\x25\0\1\0\0", 0x10));	/* jmp *0x100(%rip) */
	CHECK(&d, "\xff\x25\xf0\0\0\0");
}

Test(displaced_code, refuses_what_must_stay)
{
	static const struct {
		const char *code;
		size_t bytes;
	} stay[] = {
		{ "\xe8\0\0\0\0", 5 },		/* call */
		{ "\xff\xd0\x90\x90\x90", 5 },	/* call *%rax */
		{ "\x0f\x05\x90\x90\x90", 5 },	/* syscall */
		{ "\xe2\x10\x90\x90\x90", 5 },	/* loop */
		{ "\xe3\x10\x90\x90\x90", 5 },	/* jrcxz */
		{ "\xc7\xf8\0\0\0\0", 6 },	/* xbegin */
		{ "\xcc\x90\x90\x90\x90", 5 },	/* int3 */
		{ "\x0f\x0b\x90\x90\x90", 5 },	/* ud2 */
		{ "\x67\x8b\x05\0\0\0\0", 7 },	/* mov 0(%eip), %eax */
		{ "\x06\x90\x90\x90\x90", 5 },	/* not of 64-bit mode */
		{ "\x48\x89", 2 },		/* cut off */
		{ "\x90\x90\x90\x90\x90\x90", 6 },	/* 6 instructions */
		{ "", 0 },
	};
	struct displaced_code d;

	for (size_t i = 0; i < sizeof(stay) / sizeof(stay[0]); i++)
		cr_expect(!write_away(&d, stay[i].code, stay[i].bytes, 0x100),
		    "%zu", i);
}

Test(displaced_code, refuses_what_is_too_far)
{
	struct displaced_code d;

	/* jmp back is all that is relative: 8 bytes from the one, 13 to it */
	cr_expect(WRITE(&d, "\x53\x48\x89\xfb\x48\x83\xec\x10",
	    -(int64_t)INT32_MAX - 5));
	cr_expect(!WRITE(&d, "\x53\x48\x89\xfb\x48\x83\xec\x10",
	    -(int64_t)INT32_MAX - 6));
	cr_expect(WRITE(&d, "\x53\x48\x89\xfb\x48\x83\xec\x10",
	    (int64_t)INT32_MAX - 4));
	cr_expect(!WRITE(&d, "\x53\x48\x89\xfb\x48\x83\xec\x10",
	    (int64_t)INT32_MAX - 3));
	/* lea -2 GiB(%rip), %rax */
	cr_expect(WRITE(&d, "\x48\x8d\x05\0\0\0\x80", 0));
	cr_expect(WRITE(&d, "\x48\x8d\x05\0\0\0\x80", -1));
	cr_expect(!WRITE(&d, "\x48\x8d\x05\0\0\0\x80", 1));
}

#ifdef __x86_64__

/* Entries of every shape, and what they are relative to. */
__asm__(
"	.data\n"
"	.balign	8\n"
"shape_value: .long 77, 5\n"
"shape_pointer: .quad shape_far\n"
"	.text\n"
"shape_far: lea 1000(%rdi), %eax; ret\n"
"shape_load: mov shape_value(%rip), %eax; add %edi, %eax; ret\n"
"shape_compare: cmpl $5, shape_value+4(%rip); sete %al; movzbl %al, %eax\n"
"	add %edi, %eax; ret\n"
"shape_branch: test %edi, %edi; js 1f; lea 1(%rdi), %eax; ret\n"
"1:	mov $7, %eax; ret\n"
"shape_condition: cmp $3, %edi; jg 1f; nop; mov %edi, %eax; ret\n"
"	.fill 200, 1, 0x90\n"
"1:	lea (%rdi, %rdi), %eax; ret\n"
"shape_jump: push %rdi; jmp 1f; .fill 40, 1, 0xcc\n"
"1:	pop %rax; inc %eax; ret\n"
"shape_long_jump: xor $5, %edi; jmp shape_far\n"
"shape_indirect: jmp *shape_pointer(%rip)\n"
"shape_frame: push %rbp; mov %rsp, %rbp; mov %edi, -20(%rbp)\n"
"	mov -20(%rbp), %eax; sub $9, %eax; pop %rbp; ret\n"
"shape_flags: cmp $2, %edi; sbb %eax, %eax; setc %al; adc %edi, %eax; ret\n"
"shape_return: lea 3(%rdi), %eax; rep; ret\n"
"shape_address: lea shape_value(%rip), %rax; mov 4(%rax), %eax\n"
"	add %edi, %eax; ret\n"
"shape_end:\n"
);

typedef int shape(int);

#define SHAPES(X)							\
	X(shape_load) X(shape_compare) X(shape_branch)			\
	X(shape_condition) X(shape_jump) X(shape_long_jump)		\
	X(shape_indirect) X(shape_frame) X(shape_flags)			\
	X(shape_return) X(shape_address) X(shape_far)

#define DECLARE(name)	extern shape name;
SHAPES(DECLARE)
#define ENTRY(name)	{ #name, name },

static const struct {
	const char *name;
	shape *run;
} shapes[] = { SHAPES(ENTRY) };

/* Maps a page at `hint` or, step by step, further on.  The page can run. */
static void *
map_near(uintptr_t hint, intptr_t step)
{
	void *p = MAP_FAILED;

	for (unsigned i = 0; i < 64 && p == MAP_FAILED; i++)
		p = mmap((void *)(hint + (uintptr_t)(step * i)), 4096,
		    PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE |
		    MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	cr_assert_neq(p, MAP_FAILED);
	return p;
}

/* Returns how many bytes whole instructions take that have `least` or more. */
static size_t
whole_bytes(const uint8_t *code, size_t least)
{
	struct instruction in;
	size_t at = 0;

	while (at < least) {
		cr_assert(instruction_decode(code + at, 16, &in));
		at += in.bytes;
		if (in.kind == INSTRUCTION_RETURN ||
		    in.kind == INSTRUCTION_JUMP)
			break;
	}
	return at;
}

static void
check_shape(size_t i, uint8_t *page, size_t least)
{
	static const int inputs[] = { 0, 1, 2, 3, 4, 5, -1, -3, 1000 };
	const uint8_t *code = (const uint8_t *)(uintptr_t)shapes[i].run;
	struct displaced_code d;
	shape *away = (shape *)(uintptr_t)page;

	cr_assert(displaced_code_write(&d, code, whole_bytes(code, least),
	    (uintptr_t)code, (uintptr_t)page), "%s", shapes[i].name);
	memcpy(page, d.code, d.bytes);
	for (size_t k = 0; k < sizeof(inputs) / sizeof(inputs[0]); k++)
		cr_expect_eq(away(inputs[k]), shapes[i].run(inputs[k]),
		    "%s(%d), %zu bytes", shapes[i].name, inputs[k], least);
}

Test(displaced_code, runs_below_and_above)
{
	const uintptr_t here = (uintptr_t)shape_load & ~(uintptr_t)0xfff;
	uint8_t *const pages[] = {
		map_near(here - (256u << 20), -(intptr_t)(1 << 20)),
		map_near(here + (256u << 20), 1 << 20),
	};

	for (size_t p = 0; p < 2; p++)
		for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
			for (size_t least = 1; least <= 5; least++)
				check_shape(i, pages[p], least);
}

#endif

/* A file of the process, and all that is known of it. */
struct object {
	uint8_t *map;
	size_t bytes;
	struct code_image image;
	struct unwind_functions table;
	struct jump_targets targets;
	void *memory;		/* of targets */
	size_t written, entries;
};

/* Returns whether the file has a table of functions. */
static bool
open_object(struct object *o, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	size_t bits;

	memset(o, 0, sizeof(*o));
	cr_assert(fd >= 0 && fstat(fd, &st) == 0);
	o->bytes = (size_t)st.st_size;
	o->map = mmap(NULL, o->bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	cr_assert_neq(o->map, MAP_FAILED);
	close(fd);
	if (code_image_open(&o->image, o->map, o->bytes) != CODE_IMAGE_OPEN ||
	    !unwind_functions_open(&o->table, &o->image))
		return false;
	bits = jump_targets_size(&o->targets, &o->image);
	o->memory = calloc(1, bits);
	cr_assert(bits != 0 && o->memory != NULL);
	jump_targets_find(&o->targets, &o->table, o->memory);
	return true;
}

static void
close_object(struct object *o)
{
	munmap(o->map, o->bytes);
	free(o->memory);
}

/* One instruction where it was, and where it was written. */
struct pair {
	struct instruction in, out;
	const uint8_t *code, *moved;
	uint64_t from, to;
};

/* Checks that both have the same bytes but for the distance to the operand. */
static void
check_copy(const struct pair *p)
{
	for (unsigned i = 0; i < p->in.bytes; i++)
		if (p->in.memory_at == 0 || i < p->in.memory_at ||
		    i >= p->in.memory_at + 4u)
			cr_assert_eq(p->code[i], p->moved[i], "at %#lx",
			    (unsigned long)p->from);
	cr_assert_eq(p->in.memory_at, p->out.memory_at);
	if (p->in.memory_at != 0)
		cr_assert_eq(instruction_memory(&p->in, p->code, p->from),
		    instruction_memory(&p->out, p->moved, p->to));
}

static void
check_pair(const struct pair *p)
{
	cr_assert_eq(p->in.kind, p->out.kind, "at %#lx",
	    (unsigned long)p->from);
	cr_assert_eq(p->in.flags, p->out.flags);
	if (p->in.target_bytes != 0)
		cr_assert_eq(instruction_target(&p->in, p->code, p->from),
		    instruction_target(&p->out, p->moved, p->to));
	else
		check_copy(p);
}

/* Checks all that was written of an entry at `from`. */
static void
check_written(const struct displaced_code *d, const uint8_t *code,
    size_t bytes, uint64_t from, uint64_t to)
{
	struct pair p = { 0 };
	size_t at = 0, end = 0;

	for (unsigned i = 0; i < d->count; i++) {
		cr_assert_eq(d->from[i], at);
		cr_assert_eq(d->to[i], end);
		p.code = code + at;
		p.moved = d->code + end;
		p.from = from + at;
		p.to = to + end;
		cr_assert(instruction_decode(p.code, bytes - at, &p.in));
		cr_assert(instruction_decode(p.moved, d->bytes - end, &p.out));
		check_pair(&p);
		at += p.in.bytes;
		end += p.out.bytes;
	}
	cr_assert_eq(at, bytes);
	if (end == d->bytes)
		return;
	cr_assert(instruction_decode(d->code + end, d->bytes - end, &p.out));
	cr_assert_eq(p.out.kind, INSTRUCTION_JUMP);
	cr_assert_eq(end + p.out.bytes, d->bytes);
	cr_assert_eq(instruction_target(&p.out, d->code + end, to + end),
	    from + bytes);
}

/* Writes one function for a place below, or above, the whole file. */
static void
check_function(struct object *o, const struct unwind_function *f, bool below)
{
	const struct entry_place p = entry_place_choose(&o->image, &o->targets,
	    f);
	const uint64_t base = (uint64_t)1 << 40, from = base + f->start;
	const uint64_t to = below ? base - (64u << 20) :
	    base + (uint64_t)o->bytes + (64u << 20);
	struct displaced_code d;
	const uint8_t *code;
	size_t room;

	if (p.way != ENTRY_JUMP && p.way != ENTRY_SHORT &&
	    p.way != ENTRY_TRAPPED)
		return;
	code = code_image_find(&o->image, f->start, &room);
	o->entries++;
	if (!displaced_code_write(&d, code, p.displaced, from, to))
		return;
	o->written++;
	check_written(&d, code, p.displaced, from, to);
}

static int
check_object(struct dl_phdr_info *info, size_t size, void *unused)
{
	const char *path = info->dlpi_name[0] == '\0' ? "/proc/self/exe" :
	    info->dlpi_name;
	struct unwind_function f;
	struct object o;

	(void)size;
	(void)unused;
	if (path[0] != '/' || !open_object(&o, path))
		return 0;
	for (uint64_t i = 0; i < o.table.count; i++)
		if (unwind_functions_read(&o.table, i, &f) && !f.part)
			check_function(&o, &f, i % 2 == 0);
	cr_expect_eq(o.written, o.entries, "%s", path);
	cr_log_info("%s: %zu entries", path, o.entries);
	close_object(&o);
	return 0;
}

Test(displaced_code, of_each_entry_of_the_process)
{
	cr_expect_eq(dl_iterate_phdr(check_object, NULL), 0);
}
