/* Context: O.  Tests of core/instruction. */
#include "instruction.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tail.h"

/* A copy of the code whose last byte is the last that can be read. */
static const uint8_t *
tail_of(const char *code, size_t bytes)
{
	return tail_copy(code, bytes);
}

/* An instruction, and what is expected of it; what is left out is 0. */
struct known {
	const char *code;
	struct instruction in;
};

#define CODE(text)	text, .in.bytes = sizeof(text) - 1

static const struct known known[] = {
	{ CODE("\x90") },
	{ CODE("\x55") },
	{ CODE("\x48\x89\xe5"), .in.opcode_at = 1 },
	{ CODE("\xc3"), .in.kind = INSTRUCTION_RETURN },
	{ CODE("\x0f\xaa"), .in.kind = INSTRUCTION_RETURN },
	{ CODE("\xf3\xc3"), .in.kind = INSTRUCTION_RETURN, .in.opcode_at = 1 },
	{ CODE("\xe8\0\0\0\0"), .in.kind = INSTRUCTION_CALL,
	    .in.target_at = 1, .in.target_bytes = 4 },
	/* data16 data16 rex.W call, as to __tls_get_addr() */
	{ CODE("\x66\x66\x48\xe8\0\0\0\0"), .in.kind = INSTRUCTION_CALL,
	    .in.opcode_at = 3, .in.target_at = 4, .in.target_bytes = 4 },
	{ CODE("\x67\xe8\0\0\0\0"), .in.kind = INSTRUCTION_CALL,
	    .in.opcode_at = 1, .in.target_at = 2, .in.target_bytes = 4,
	    .in.address32 = true },
	{ CODE("\x74\x10"), .in.kind = INSTRUCTION_BRANCH, .in.target_at = 1,
	    .in.target_bytes = 1, .in.flags = INSTRUCTION_FLAGS_READ },
	{ CODE("\x0f\x84\0\0\0\0"), .in.kind = INSTRUCTION_BRANCH,
	    .in.target_at = 2, .in.target_bytes = 4,
	    .in.flags = INSTRUCTION_FLAGS_READ },
	{ CODE("\xe2\xfe"), .in.kind = INSTRUCTION_LOOP, .in.target_at = 1,
	    .in.target_bytes = 1 },
	{ CODE("\xe3\xfe"), .in.kind = INSTRUCTION_LOOP, .in.target_at = 1,
	    .in.target_bytes = 1 },
	{ CODE("\xc7\xf8\0\0\0\0"), .in.kind = INSTRUCTION_XBEGIN,
	    .in.target_at = 2, .in.target_bytes = 4 },
	{ CODE("\xeb\x00"), .in.kind = INSTRUCTION_JUMP, .in.target_at = 1,
	    .in.target_bytes = 1 },
	{ CODE("\xff\x25\0\0\0\0"), .in.kind = INSTRUCTION_JUMP_INDIRECT,
	    .in.memory_at = 2 },
	{ CODE("\x41\xff\xd3"), .in.kind = INSTRUCTION_CALL_INDIRECT,
	    .in.opcode_at = 1 },
	{ CODE("\x0f\x05"), .in.kind = INSTRUCTION_SYSTEM,
	    .in.flags = INSTRUCTION_FLAGS_READ },
	{ CODE("\xcd\x80"), .in.kind = INSTRUCTION_SYSTEM,
	    .in.flags = INSTRUCTION_FLAGS_READ },
	{ CODE("\xcd\x03"), .in.kind = INSTRUCTION_TRAP,
	    .in.flags = INSTRUCTION_FLAGS_READ },
	{ CODE("\xcc"), .in.kind = INSTRUCTION_TRAP,
	    .in.flags = INSTRUCTION_FLAGS_READ },
	{ CODE("\x0f\x0b"), .in.kind = INSTRUCTION_TRAP,
	    .in.flags = INSTRUCTION_FLAGS_READ },
	{ CODE("\xf4"), .in.kind = INSTRUCTION_TRAP },
	/* lea and mov of a place relative to the instruction */
	{ CODE("\x48\x8d\x05\0\0\0\0"), .in.opcode_at = 1, .in.memory_at = 3 },
	{ CODE("\xc7\x05\0\0\0\0\1\0\0\0"), .in.memory_at = 2 },
	/* the operand is absolute with a SIB byte, relative without one */
	{ CODE("\x8b\x04\x25\0\0\0\0") },
	{ CODE("\x64\x48\x8b\x04\x25\0\0\0\0"), .in.opcode_at = 2 },
	{ CODE("\x48\xb8\0\0\0\0\0\0\0\0"), .in.opcode_at = 1 },
	{ CODE("\x66\xb8\0\0"), .in.opcode_at = 1 },
	{ CODE("\xa1\0\0\0\0\0\0\0\0") },
	{ CODE("\x67\xa1\0\0\0\0"), .in.opcode_at = 1, .in.address32 = true },
	/* a REX that is not last has no effect */
	{ CODE("\x48\x66\xb8\0\0"), .in.opcode_at = 2 },
	{ CODE("\x01\xd8"), .in.flags = INSTRUCTION_FLAGS_KILLED },
	{ CODE("\x11\xd8"), .in.flags = INSTRUCTION_FLAGS_READ },
	{ CODE("\x83\xf8\0"), .in.flags = INSTRUCTION_FLAGS_KILLED },
	{ CODE("\xf6\xc1\1"), .in.flags = INSTRUCTION_FLAGS_KILLED },
	{ CODE("\xff\xc0"), .in.flags = INSTRUCTION_FLAGS_KEPT },
	{ CODE("\x0f\x44\xc1"), .in.flags = INSTRUCTION_FLAGS_READ },
	{ CODE("\xf3\x48\x0f\xb8\xc1"), .in.opcode_at = 2,
	    .in.flags = INSTRUCTION_FLAGS_KILLED },
	{ CODE("\xf3\xa6"), .in.opcode_at = 1,
	    .in.flags = INSTRUCTION_FLAGS_READ },
	{ CODE("\xf3\x0f\x1e\xfa"), .in.opcode_at = 1 },	/* endbr64 */
	/* VEX and EVEX, the last with a relative operand and an immediate */
	{ CODE("\xc5\xf8\x77") },
	{ CODE("\xc4\xe2\x7d\x58\x05\0\0\0\0"), .in.memory_at = 5 },
	{ CODE("\x62\xf3\x7d\x48\x25\x05\0\0\0\0\xff"), .in.memory_at = 6 },
};

Test(instruction, knows_these)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct instruction want = known[i].in, in;
		const uint8_t *code = tail_of(known[i].code, want.bytes);

		cr_assert(instruction_decode(code, want.bytes, &in), "%zu", i);
		cr_expect_arr_eq(&in, &want, sizeof(in), "%zu", i);
		for (size_t room = 0; room < want.bytes; room++)
			cr_expect_not(instruction_decode(tail_of(known[i].code,
			    room), room, &in), "%zu of %zu bytes", room, i);
	}
}

/* Opcodes that 64-bit mode lacks, and some that processors do differently. */
Test(instruction, does_not_guess)
{
	static const struct {
		const char *code;
		size_t bytes;
	} others[] = {
		{ "\x06", 1 }, { "\x9a\0\0\0\0\0\0", 7 }, { "\xd6", 1 },
		{ "\x82\xc0\0", 3 }, { "\x0f\x04", 2 },
		{ "\x66\xe8\0\0\0\0", 6 }, { "\x66\x74\x00", 3 },
		{ "\x66\xc7\xf8\0\0\0\0", 7 },
		{ "\x8f\xe8\x78\xc0\xc0\0", 6 },	/* XOP */
		{ "\x0f\x0f\xc0\x9e", 4 },		/* 3DNow! */
		{ "\xd5\x00\x90", 3 },			/* APX */
		{ "\x62\xfc\x7d\x48\x58\xc0", 6 },
		{ "\x62\xf1\x79\x48\x58\xc0", 6 },
		{ "\x66\xc5\xf8\x77", 4 }, { "\x48\xc5\xf8\x77", 4 },
		{ "\x62\xf1\x7c\x48\x77", 5 },
		{ "\xc4\xe0\x7d\x58\xc0", 5 }, { "\x0f\x20\x00", 3 },
		{ "\x66\x0f\x78\xc0\1\1", 6 }, { "\x0f\xb8\xc0", 3 },
		{ "\xff\xf8", 2 }, { "\xff\xd8", 2 }, { "\x8d\xc0", 2 },
		{ "\xc6\xc8\0", 3 }, { "\xfe\xd0", 2 },
		{ "\x0f\xba\xc0\0", 4 }, { "\x0f\xc7\xc0", 3 },
		{ "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66"
		    "\x66\x90", 16 },
	};
	struct instruction in;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		cr_expect_not(instruction_decode((const uint8_t *)
		    others[i].code, others[i].bytes, &in), "%zu", i);
}

Test(instruction, finds_targets)
{
	static const uint8_t near[] = { 0xeb, 0xfe };
	static const uint8_t far[] = { 0xe8, 0, 0, 0, 0x80 };
	struct instruction in;

	cr_assert(instruction_decode(near, sizeof(near), &in));
	cr_expect_eq(instruction_target(&in, near, 0x1000), 0x1000);
	cr_assert(instruction_decode(far, sizeof(far), &in));
	cr_expect_eq(instruction_target(&in, far, 0x80001000), 0x1005);
}
