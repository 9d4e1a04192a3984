/*
 * Context: P.  Decodes one instruction of x86-64: how long it is, where it
 * goes, which of its bytes depend on where it lies, and what it does with the
 * status flags.  For code that is to be moved.
 *
 * It never guesses a length.  It does not know APX, XOP, 3DNow!, moves of
 * control and debug registers, and opcodes that 64-bit mode does not have.
 */
#ifndef INSTRUCTION_H
#define INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSTRUCTION_MOST	15	/* bytes of the longest instruction */

/* Where an instruction goes on. */
enum instruction_kind {
	INSTRUCTION_PLAIN,	/* behind itself */
	INSTRUCTION_BRANCH,	/* there, or at its target: jcc */
	INSTRUCTION_LOOP,	/* likewise, with 8 bits alone: loop, jrcxz */
	INSTRUCTION_XBEGIN,	/* likewise, if the transaction is aborted */
	INSTRUCTION_JUMP,	/* at its target */
	INSTRUCTION_CALL,	/* at its target, and then behind itself */
	INSTRUCTION_JUMP_INDIRECT,
	INSTRUCTION_CALL_INDIRECT,
	INSTRUCTION_RETURN,	/* ret, iret, sysret, rsm */
	INSTRUCTION_SYSTEM,	/* in the kernel: syscall, sysenter, int 0x80 */
	INSTRUCTION_TRAP,	/* in a handler: int3, int1, ud2, hlt, int n */
};

/* Use of the status flags: CF, PF, AF, ZF, SF and OF. */
enum instruction_flags {
	INSTRUCTION_FLAGS_KEPT,		/* not read; some may be changed */
	INSTRUCTION_FLAGS_READ,		/* some may be read */
	INSTRUCTION_FLAGS_KILLED,	/* all are overwritten, none is read */
};

struct instruction {
	uint8_t bytes;		/* its length */
	uint8_t kind;		/* INSTRUCTION_* */
	uint8_t flags;		/* INSTRUCTION_FLAGS_* */
	uint8_t opcode_at;	/* offset of the opcode, behind prefixes */
	/*
	 * Offset and length, 1 or 4, of the signed distance from its end to its
	 * target; 0: it has none.
	 */
	uint8_t target_at, target_bytes;
	/*
	 * Offset of the 32-bit signed distance from its end to its operand in
	 * memory; 0: it has none.
	 */
	uint8_t memory_at;
	bool address32;		/* addresses are cut to 32 bits (prefix 67) */
};

/*
 * Decodes the instruction at `code`, of which `room` bytes can be read, into
 * *in.  Returns whether it is known; if not, *in holds nothing of use.  Reads
 * no byte beyond `room`.  Any thread and any signal handler may call it.
 */
bool instruction_decode(const uint8_t *code, size_t room,
    struct instruction *in);

/*
 * Returns the target of an instruction with target_at != 0, which is at `code`,
 * if it lies at `address`.
 */
uint64_t instruction_target(const struct instruction *in, const uint8_t *code,
    uint64_t address);

/*
 * Returns the address of the operand in memory of an instruction with
 * memory_at != 0, which is at `code`, if it lies at `address`.
 */
uint64_t instruction_memory(const struct instruction *in, const uint8_t *code,
    uint64_t address);

#endif
