/*
 * Context: O.  Tests of core/entry/jump_targets.c: each way in which code names
 * a place that something may jump to.
 */
#include "code_object.h"
#include "jump_targets.h"

#include <criterion/criterion.h>
#include <string.h>

/* Where the function lies whose places are asked for: 16 nops and a return. */
#define ASKED	0x1800u

static struct code_object o;
static uint8_t memory[0x500];
static struct jump_targets t;

static void
make_object(void)
{
	code_object_init(&o);
	memset(memory, 0, sizeof(memory));
}

TestSuite(jump_targets, .init = make_object);

/* Adds that function, and finds the targets of all. */
static void
find_targets(void)
{
	code_object_function(&o, ASKED, "\x90\x90\x90\x90\x90\x90\x90\x90"
	    "\x90\x90\x90\x90\x90\x90\x90\x90\xc3", 17, 0);
	cr_assert(code_object_open(&o));
	cr_assert_leq(jump_targets_size(&t, &o.image), sizeof(memory));
	jump_targets_find(&t, &o.table, memory);
}

/* Expects one target in the function beside its start; 0: none. */
static void
expect_target(unsigned offset)
{
	for (unsigned i = 1; i < 17; i++)
		cr_expect_eq(jump_targets_has(&t, ASKED + i), i == offset,
		    "offset %u", i);
	cr_expect(jump_targets_has(&t, ASKED));
}

Test(jump_targets, starts_alone)
{
	find_targets();
	expect_target(0);
	cr_expect_eq(t.text_bytes, 17);
	cr_expect(jump_targets_is_text(&t, ASKED + 16));
	cr_expect_not(jump_targets_is_text(&t, ASKED + 17));
	cr_expect_not(jump_targets_has(&t, OBJECT_DATA), "out of the span");
}

Test(jump_targets, a_jump)
{
	/* jmp 0x1803 */
	code_object_function(&o, 0x1000, "\xe9\xfe\x07\0\0", 5, 0);
	find_targets();
	expect_target(3);
}

Test(jump_targets, a_label)
{
	/* lea 0x1805(%rip), %rax; ret */
	code_object_function(&o, 0x1000, "\x48\x8d\x05\xfe\x07\0\0\xc3", 8, 0);
	find_targets();
	expect_target(5);
}

/* A table of distances ends where one leads out of the functions. */
Test(jump_targets, a_switch)
{
	/* lea 0x3000(%rip), %rax; ret */
	code_object_function(&o, 0x1000, "\x48\x8d\x05\xf9\x1f\0\0\xc3", 8, 0);
	code_object_put(&o, OBJECT_DATA, ASKED + 7 - OBJECT_DATA, 4);
	code_object_put(&o, OBJECT_DATA + 4, 0x100, 4);
	code_object_put(&o, OBJECT_DATA + 8, ASKED + 9 - OBJECT_DATA, 4);
	find_targets();
	expect_target(7);
}

/* As linkers lay it that put constants beside code. */
Test(jump_targets, a_switch_beside_code)
{
	/* lea 0x1f00(%rip), %rax; ret */
	code_object_function(&o, 0x1000, "\x48\x8d\x05\xf9\x0e\0\0\xc3", 8, 0);
	code_object_put(&o, 0x1f00, (uint32_t)(ASKED + 6 - 0x1f00), 4);
	find_targets();
	expect_target(6);
}

Test(jump_targets, a_word_of_data)
{
	code_object_put(&o, OBJECT_DATA + 0x100, ASKED + 11, 8);
	code_object_put(&o, OBJECT_DATA + 0x204, ASKED + 12, 8);
	find_targets();
	expect_target(11);
}

Test(jump_targets, a_landing_pad)
{
	static const uint8_t pads[] = { 0xff, 0xff, 0x01, 5,
		0, 1, 0x82, 0x10, 0 };

	memcpy(o.file + OBJECT_PADS, pads, sizeof(pads));
	code_object_function(&o, 0x1000, "\x90\xc3", 2, OBJECT_PADS);
	find_targets();
	expect_target(2);
}

/* Code that no table has is decoded at each byte. */
Test(jump_targets, a_jump_of_code_without_a_table)
{
	memcpy(o.file + 0x1101, "\xe9\xfe\x06\0\0", 5);
	find_targets();
	expect_target(4);
}

/* Behind an instruction that is not known, too. */
Test(jump_targets, a_jump_behind_an_unknown_instruction)
{
	code_object_function(&o, 0x1000, "\x06\x90\xe9\xfe\x07\0\0", 7, 0);
	find_targets();
	expect_target(5);
	cr_expect_eq(t.undecoded, 7);
}

/* The abort of a transaction goes on there. */
Test(jump_targets, a_transaction)
{
	code_object_function(&o, 0x1000, "\xc7\xf8\xfb\x07\0\0\xc3", 7, 0);
	find_targets();
	expect_target(1);
}

/* The second function is a part of the first: its bytes count once. */
Test(jump_targets, functions_that_overlap)
{
	code_object_function(&o, 0x1000, "\x90\x90\xe9\xfe\x07\0\0", 7, 0);
	code_object_function(&o, 0x1002, "\xe9\xfe\x07\0\0", 5, 0);
	find_targets();
	expect_target(5);
	cr_expect_eq(t.text_bytes, 7 + 17);
	cr_expect(jump_targets_has(&t, 0x1002));
}

/* A function that jumps to its own first byte; a call of itself is none. */
Test(jump_targets, turns)
{
	code_object_function(&o, 0x1000, "\x90\x90\x75\xfc\xc3", 5, 0);
	code_object_function(&o, 0x1010, "\x90\xe8\xfa\xff\xff\xff\xc3", 7,
	    0);
	code_object_function(&o, 0x1020, "\x90\x90\x75\xfd\xc3", 5, 0);
	code_object_function(&o, 0x1030, "\xe9\xdb\xff\xff\xff", 5, 0);
	code_object_function(&o, 0x1040, "\x31\xc0\xe9\xf9\xff\xff\xff", 7,
	    0);
	find_targets();
	cr_expect(jump_targets_turns(&t, 0x1000));
	cr_expect_not(jump_targets_turns(&t, 0x1010), "a call");
	cr_expect_not(jump_targets_turns(&t, 0x1020), "to its second byte");
	cr_expect_not(jump_targets_turns(&t, 0x1030), "to another function");
	cr_expect(jump_targets_turns(&t, 0x1040), "by 32 bits");
	cr_expect_not(jump_targets_turns(&t, ASKED));
	cr_expect_not(jump_targets_turns(&t, OBJECT_DATA), "out of the span");
}

/* Makes a record begin with a frame, as that of a part does. */
static void
begin_with_frame(void)
{
	code_object_rules(&o, "\x0e\x20", 2);
}

/* A part leads back to its own function; to another one, it is a tail call. */
Test(jump_targets, turns_by_a_part)
{
	/* je 0x1100; ret */
	code_object_function(&o, 0x1000, "\x0f\x84\xfa\0\0\0\xc3", 7, 0);
	code_object_function(&o, 0x1020, "\x90\x90\xc3", 3, 0);
	/* jmp 0x1000; jmp 0x1020 */
	code_object_function(&o, 0x1100, "\xe9\xfb\xfe\xff\xff"
	    "\xe9\x16\xff\xff\xff", 10, 0);
	begin_with_frame();
	find_targets();
	cr_expect(jump_targets_turns(&t, 0x1000));
	cr_expect_not(jump_targets_turns(&t, 0x1020), "a tail call");
}

/* A function leads to a part by another one, a table, or an exception. */
Test(jump_targets, turns_by_a_part_that_is_far)
{
	static const uint8_t pads[] = { 0xff, 0xff, 0x01, 6,
		0, 1, 0x90, 0x01, 0 };	/* from 0x1070: 0x1100 */

	memcpy(o.file + OBJECT_PADS, pads, sizeof(pads));
	/* jmp 0x1080 */
	code_object_function(&o, 0x1000, "\xeb\x7e", 2, 0);
	/* lea 0x3000(%rip), %rax; ret */
	code_object_function(&o, 0x1020, "\x48\x8d\x05\xd9\x1f\0\0\xc3", 8, 0);
	code_object_put(&o, OBJECT_DATA, 0x1081u - OBJECT_DATA, 4);
	/* an instruction that is not known: it may lead anywhere */
	code_object_function(&o, 0x1040, "\x06\xc3", 2, 0);
	code_object_function(&o, 0x1070, "\x90\xc3", 2, OBJECT_PADS);
	/* nop; jmp 0x1100 */
	code_object_function(&o, 0x1080, "\x90\xe9\x7a\0\0\0", 6, 0);
	begin_with_frame();
	/* jmp 0x1000; jmp 0x1020; jmp 0x1040; jmp 0x1070 */
	code_object_function(&o, 0x1100, "\xe9\xfb\xfe\xff\xff"
	    "\xe9\x16\xff\xff\xff\xe9\x31\xff\xff\xff"
	    "\xe9\x5c\xff\xff\xff", 20, 0);
	begin_with_frame();
	find_targets();
	cr_expect(jump_targets_turns(&t, 0x1000), "by another part");
	cr_expect(jump_targets_turns(&t, 0x1020), "by a table");
	cr_expect(jump_targets_turns(&t, 0x1040), "not known");
	cr_expect(jump_targets_turns(&t, 0x1070), "by an exception");
	cr_expect_not(jump_targets_turns(&t, ASKED));
}

/*
 * A jump to an address that is computed leads anywhere that has one: such
 * functions get a stub that keeps what a loop may have in use.
 */
Test(jump_targets, may_turn)
{
	/* jmp *%rax; lea 0x1000(%rip), %rax; ret; jmp *%rax */
	code_object_function(&o, 0x1000, "\xff\xe0", 2, 0);
	code_object_function(&o, 0x1020, "\x48\x8d\x05\xd9\xff\xff\xff\xc3", 8,
	    0);
	code_object_function(&o, 0x1040, "\xff\xe0", 2, 0);
	code_object_function(&o, 0x1060, "\xff\xe0", 2, 0);
	code_object_put(&o, OBJECT_DATA, 0x1060, 8);
	find_targets();
	cr_expect(jump_targets_may_turn(&t, 0x1000), "code has its address");
	cr_expect_not(jump_targets_may_turn(&t, 0x1020), "it jumps nowhere");
	cr_expect_not(jump_targets_may_turn(&t, 0x1040), "nobody has it");
	cr_expect(jump_targets_may_turn(&t, 0x1060), "data have its address");
	cr_expect_not(jump_targets_turns(&t, 0x1060));
}

/* Programs that are linked to one place have tables of addresses. */
Test(jump_targets, turns_by_a_part_that_a_table_of_words_has)
{
	/* jmp *0x3000(,%rax,8); mov 0x3000(,%rcx,8), %rax; jmp *0x3000 */
	code_object_function(&o, 0x1000, "\xff\x24\xc5\0\x30\0\0", 7, 0);
	code_object_function(&o, 0x1020, "\x48\x8b\x04\xcd\0\x30\0\0\xc3", 9,
	    0);
	code_object_function(&o, 0x1040, "\xff\x24\x25\0\x30\0\0", 7, 0);
	code_object_put(&o, OBJECT_DATA, ASKED, 8);
	code_object_put(&o, OBJECT_DATA + 8, 0x1101, 8);
	/* nop; jmp 0x1000; jmp 0x1020; jmp 0x1040 */
	code_object_function(&o, 0x1100, "\x90\xe9\xfa\xfe\xff\xff"
	    "\xe9\x15\xff\xff\xff\xe9\x30\xff\xff\xff", 16, 0);
	begin_with_frame();
	find_targets();
	cr_expect(jump_targets_turns(&t, 0x1000), "jmp");
	cr_expect(jump_targets_turns(&t, 0x1020), "mov");
	cr_expect_not(jump_targets_turns(&t, 0x1040), "no index");
}

/* A case of a switch is the first byte; a jump to it is not decoded. */
Test(jump_targets, turns_by_a_table)
{
	/* lea 0x3000(%rip), %rax; ret */
	code_object_function(&o, 0x1000, "\x48\x8d\x05\xf9\x1f\0\0\xc3", 8, 0);
	code_object_put(&o, OBJECT_DATA, 0x1000u - OBJECT_DATA, 4);
	code_object_put(&o, OBJECT_DATA + 4, ASKED - OBJECT_DATA, 4);
	code_object_function(&o, 0x1040, "\x90\x06\xeb\xfc", 4, 0);
	find_targets();
	cr_expect(jump_targets_turns(&t, 0x1000));
	cr_expect(jump_targets_turns(&t, 0x1040));
	cr_expect_not(jump_targets_turns(&t, ASKED));
}

/* A function lies in another one, which jumps to it. */
Test(jump_targets, turns_of_functions_that_overlap)
{
	/* nops, jmp to the last of them; the second function begins there */
	code_object_function(&o, 0x1000, "\x90\x90\x90\x90\x90\x90\x90\x90"
	    "\x90\x90\x90\x90\x90\x90\x90\x90\x90\xeb\xfd", 19, 0);
	code_object_function(&o, 0x1010, "\x90\xeb\xfd", 3, 0);
	find_targets();
	cr_expect_not(jump_targets_turns(&t, 0x1000));
	cr_expect(jump_targets_turns(&t, 0x1010));
}

Test(jump_targets, segments_too_far_apart)
{
	code_object_open(&o);
	o.image.segments[1] = o.image.segments[0];
	o.image.segments[1].address += JUMP_TARGETS_SPAN;
	cr_expect_eq(jump_targets_size(&t, &o.image), 0);
	o.image.segment_count = 0;
	cr_expect_eq(jump_targets_size(&t, &o.image), 0, "no code");
}
