/*
 * Context: O.  Tests of core/entry/entry_place.c: a way for each shape of the
 * beginning of a function.
 */
#include "code_object.h"
#include "entry_place.h"

#include <criterion/criterion.h>
#include <string.h>

#define START	0x1020u

static struct code_object o;
static uint8_t memory[0x500];

/*
 * Chooses the way for a function of that code, behind `before` bytes of padding
 * and before another function, which ends with `last`, of `last_bytes` bytes.
 */
static struct entry_place
choose(const char *code, unsigned bytes, unsigned before, const char *last,
    unsigned last_bytes)
{
	struct jump_targets t;
	struct unwind_function f;
	static char nops[0x20];

	code_object_init(&o);
	memset(memory, 0, sizeof(memory));
	memset(nops, 0x90, sizeof(nops));
	code_object_function(&o, 0x1000, nops, 0x20 - before, 0);
	code_object_function(&o, START, code, bytes, 0);
	code_object_function(&o, START + bytes, last, last_bytes, 0);
	cr_assert(code_object_open(&o));
	cr_assert_leq(jump_targets_size(&t, &o.image), sizeof(memory));
	jump_targets_find(&t, &o.table, memory);
	cr_assert(unwind_functions_read(&o.table, 1, &f));
	return entry_place_choose(&o.image, &t, &f);
}

#define CHOOSE(code, before)	\
	choose(code, sizeof(code) - 1, before, "\x90\xc3", 2)

Test(entry_place, whole_instructions)
{
	/* push %rbx; mov %rdi, %rbx; mov $1, %eax; ret */
	struct entry_place p = CHOOSE("\x53\x48\x89\xfb\xb8\1\0\0\0\xc3", 0);

	cr_expect_eq(p.way, ENTRY_JUMP);
	cr_expect_eq(p.displaced, 9);
	cr_expect_eq(p.starts, 1u << 1 | 1u << 4);
	/* one instruction of 5 bytes has no start inside */
	p = CHOOSE("\xb8\1\0\0\0\xc3", 0);
	cr_expect_eq(p.way, ENTRY_JUMP);
	cr_expect_eq(p.displaced, 5);
	cr_expect_eq(p.starts, 0);
}

Test(entry_place, a_branch_moves)
{
	/* test %edi, %edi; je +1; nop; ret */
	struct entry_place p = CHOOSE("\x85\xff\x74\x04\x90\x90\x90\x90\xc3",
	    0);

	cr_expect_eq(p.way, ENTRY_JUMP);
	cr_expect_eq(p.displaced, 5);
	/* into the jump: a loop */
	p = CHOOSE("\x85\xff\x74\xfd\x90\x90\xc3", 0);
	cr_expect_eq(p.way, ENTRY_LOOP);
	p = CHOOSE("\x85\xff\xe2\x10\x90\x90\xc3", 0);
	cr_expect_eq(p.way, ENTRY_LOOP, "loop");
}

Test(entry_place, a_call_stays)
{
	/* sub $8, %rsp; call; ret */
	struct entry_place p = CHOOSE("\x48\x83\xec\x08\xe8\0\0\0\0\xc3", 0);

	cr_expect_eq(p.way, ENTRY_CALL);
	cr_expect_eq(p.call_at, 4);
	cr_expect_eq(p.call_depth, 8);
	p = CHOOSE("\xe8\0\0\0\0\xc3", 0);
	cr_expect_eq(p.way, ENTRY_CALL);
	cr_expect_eq(p.call_at, 0);
	cr_expect_eq(p.call_depth, 0);
	/* push $1; call: it is not known where the return address is */
	p = CHOOSE("\x6a\x01\xe8\0\0\0\0\xc3", 0);
	cr_expect_eq(p.way, ENTRY_BOUND_CALL);
}

/* The call would count only those entries that come to it. */
Test(entry_place, a_call_that_a_branch_leads_around)
{
	/* nop; nop; je behind the call; call; nop; ret */
	struct entry_place p =
	    CHOOSE("\x90\x90\x74\x05\xe8\0\0\0\0\x90\xc3", 0);

	cr_expect_eq(p.way, ENTRY_BOUND_CALL);
	p = CHOOSE("\x90\x90\x74\x05\xe8\0\0\0\0\x90\xc3", 5);
	cr_expect_eq(p.way, ENTRY_BOUND_CALL, "a short jump does not trap");
	p = CHOOSE("\x66\x90\x74\x05\xe8\0\0\0\0\x90\xc3", 5);
	cr_expect_eq(p.way, ENTRY_SHORT);
	/* a return before it, too */
	p = CHOOSE("\x31\xc0\xc3\x90\xe8\0\0\0\0\xc3", 0);
	cr_expect_eq(p.way, ENTRY_BOUND_CALL);
}

/* A jump to the call does not enter the function. */
Test(entry_place, a_call_that_is_jumped_to)
{
	/* sub $8, %rsp; call; jmp to the call */
	struct entry_place p = CHOOSE("\x48\x83\xec\x08\xe8\0\0\0\0\xeb\xf9",
	    0);

	cr_expect_eq(p.way, ENTRY_BOUND_CALL);
	p = CHOOSE("\x48\x83\xec\x08\xe8\0\0\0\0\xeb\xf9", 5);
	cr_expect_eq(p.way, ENTRY_SHORT);
	p = CHOOSE("\xff\xd0\x90\x90\x90\x90\xc3", 0);
	cr_expect_eq(p.way, ENTRY_BOUND_CALL, "an indirect call");
}

Test(entry_place, a_target_inside)
{
	/* xor %eax, %eax; inc %eax; cmp; jne to inc; ret */
	const char code[] = "\x31\xc0\xff\xc0\x39\xf8\x90\x90\x75\xf8\xc3";
	struct entry_place p = CHOOSE(code, 0);

	cr_expect_eq(p.way, ENTRY_TRAPPED);
	cr_expect_eq(p.displaced, 6);
	cr_expect_eq(p.starts, 1u << 2 | 1u << 4);
	p = CHOOSE(code, 4);
	cr_expect_eq(p.way, ENTRY_TRAPPED, "4 bytes of padding");
	p = CHOOSE(code, 5);
	cr_expect_eq(p.way, ENTRY_SHORT);
	cr_expect_eq(p.displaced, 2);
}

/* Flags are live where code reads them before it sets all. */
Test(entry_place, flags)
{
	/* push %rbx; mov %rdi, %rbx; test %edi, %edi; jne; ret */
	struct entry_place p =
	    CHOOSE("\x53\x48\x89\xfb\x85\xff\x75\x00\xc3", 0);

	cr_expect_not(p.flags_live);
	/* mov %rdi, %rax; jc; ret */
	p = CHOOSE("\x48\x89\xf8\x72\x01\x90\xc3", 0);
	cr_expect(p.flags_live);
	/* adc; a call and a return take no flags along */
	p = CHOOSE("\x48\x11\xf8\x90\x90\xc3", 0);
	cr_expect(p.flags_live);
	p = CHOOSE("\x48\x89\xf8\x90\x90\xc3", 0);
	cr_expect_not(p.flags_live);
	/* inc sets all but CF, which adc reads; a jump is followed */
	p = CHOOSE("\xff\xc0\xeb\x04\xcc\xcc\xcc\xcc\x11\xf8\xc3", 0);
	cr_expect(p.flags_live);
	p = CHOOSE("\xff\xc0\xeb\x04\xcc\xcc\xcc\xcc\x01\xf8\xc3", 0);
	cr_expect_not(p.flags_live);
	/* it goes on and on */
	p = CHOOSE("\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90"
	    "\x90\x90\x90\x90\x90\x90\xc3", 0);
	cr_expect(p.flags_live);
	p = CHOOSE("\x90\x90\x90\x90\x90\xff\xe0", 0);
	cr_expect_not(p.flags_live, "jmp *%%rax");
}

/* A turn of a loop is no call; a call of itself is one. */
Test(entry_place, a_loop_to_the_first_byte)
{
	/* add %rsi, %rax; dec %rdi; nop; jne to add; ret */
	struct entry_place p = CHOOSE("\x48\x01\xf0\x48\xff\xcf\x90\x75\xf7\xc3",
	    0);

	cr_expect_eq(p.way, ENTRY_LOOP);
	p = CHOOSE("\x48\x01\xf0\x48\xff\xcf\x90\xe8\xf4\xff\xff\xff\xc3",
	    0);
	cr_expect_eq(p.way, ENTRY_JUMP);
}

Test(entry_place, system_calls_and_traps_stay)
{
	struct entry_place p = CHOOSE("\x89\xf8\x0f\x05\x90\x90\xc3", 0);

	cr_expect_eq(p.way, ENTRY_SYSTEM);
	p = CHOOSE("\x0f\x0b\x90\x90\x90\x90", 0);
	cr_expect_eq(p.way, ENTRY_SYSTEM);
	p = CHOOSE("\x06\x90\x90\x90\x90\xc3", 0);
	cr_expect_eq(p.way, ENTRY_UNKNOWN);
}

/* A short function has the padding behind it, if it is padding. */
Test(entry_place, short_functions)
{
	struct jump_targets t = { 0 };
	struct unwind_function f;
	struct entry_place p;

	p = CHOOSE("\x31\xc0\xc3", 0);
	cr_expect_eq(p.way, ENTRY_NO_ROOM, "a function follows");
	p = CHOOSE("\x31\xc0\xc3", 8);
	cr_expect_eq(p.way, ENTRY_SHORT);
	code_object_init(&o);
	memset(memory, 0, sizeof(memory));
	code_object_function(&o, START, "\x31\xc0\xc3", 3, 0);
	cr_assert(code_object_open(&o));
	jump_targets_size(&t, &o.image);
	jump_targets_find(&t, &o.table, memory);
	cr_assert(unwind_functions_read(&o.table, 0, &f));
	p = entry_place_choose(&o.image, &t, &f);
	cr_expect_eq(p.way, ENTRY_JUMP);
	cr_expect_eq(p.displaced, 3);
	cr_expect_eq(p.starts, 1u << 2);
	o.file[START + 2] = 0x90;
	p = entry_place_choose(&o.image, &t, &f);
	cr_expect_neq(p.way, ENTRY_JUMP, "it goes on behind its end");
	o.file[START + 2] = 0xc3;
	memcpy(o.file + START + 3, "\x31\xc0", 2);
	p = entry_place_choose(&o.image, &t, &f);
	cr_expect_neq(p.way, ENTRY_JUMP, "that is code");
	memset(o.file + START + 3, 0, 8);
	p = entry_place_choose(&o.image, &t, &f);
	cr_expect_neq(p.way, ENTRY_JUMP, "that may be constants");
}

/*
 * Two functions may want the same padding, the one behind itself and the other
 * one before itself.  The first function, of `bytes` bytes, has it.
 */
static enum entry_way
second_way(unsigned bytes, unsigned gap)
{
	static const char code[] = "\x90\x90\x90\x90\x90\xc3";
	const char *first = &code[6 - bytes];
	struct jump_targets t;
	struct unwind_function f;

	code_object_init(&o);
	memset(memory, 0, sizeof(memory));
	code_object_function(&o, START - gap - bytes, first, bytes, 0);
	code_object_function(&o, START, "\x66\x90\xc3", 3, 0);
	code_object_function(&o, START + 3, "\xc3", 1, 0);
	cr_assert(code_object_open(&o));
	jump_targets_size(&t, &o.image);
	jump_targets_find(&t, &o.table, memory);
	cr_assert(unwind_functions_read(&o.table, 0, &f));
	cr_expect_eq(entry_place_choose(&o.image, &t, &f).way, ENTRY_JUMP);
	cr_assert(unwind_functions_read(&o.table, 1, &f));
	return entry_place_choose(&o.image, &t, &f).way;
}

Test(entry_place, padding_that_two_want)
{
	cr_expect_eq(second_way(6, 5), ENTRY_SHORT);
	cr_expect_eq(second_way(5, 5), ENTRY_SHORT);
	cr_expect_eq(second_way(4, 5), ENTRY_NO_ROOM);
	cr_expect_eq(second_way(4, 6), ENTRY_SHORT);
	cr_expect_eq(second_way(1, 8), ENTRY_NO_ROOM);
	cr_expect_eq(second_way(1, 9), ENTRY_SHORT);
}
