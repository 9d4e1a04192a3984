/*
 * Context: O.  Fuzzes core/instruction: each byte of the input begins an
 * instruction, which is held against what its contract promises, and against
 * Zydis where there is one.
 */
#include "fuzz.h"
#include "instruction.h"

#include <string.h>

#ifdef FUZZ_ZYDIS
#include <Zydis/Zydis.h>

/*
 * Compares the length, where Zydis decodes the instruction.  It refuses those
 * that no processor runs, as an add to a register with a lock prefix.
 */
static void
compare_with_zydis(const uint8_t *code, size_t room,
    const struct instruction *in)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction seen;
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
	    ZYDIS_STACK_WIDTH_64);
	if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, room, &seen,
	    operands)))
		FUZZ_MUST(seen.length == in->bytes);
}
#else
#define compare_with_zydis(code, room, in)	((void)0)
#endif

static void
check_offsets(const struct instruction *in)
{
	FUZZ_MUST(in->kind <= INSTRUCTION_TRAP);
	FUZZ_MUST(in->flags <= INSTRUCTION_FLAGS_KILLED);
	FUZZ_MUST(in->opcode_at < in->bytes);
	FUZZ_MUST(in->target_at == 0 || in->memory_at == 0);
	if (in->target_at != 0) {
		FUZZ_MUST(in->target_bytes == 1 || in->target_bytes == 4);
		FUZZ_MUST(in->target_at > in->opcode_at);
		FUZZ_MUST(in->target_at + in->target_bytes == in->bytes);
	}
	if (in->memory_at != 0) {
		FUZZ_MUST(in->memory_at > in->opcode_at);
		FUZZ_MUST(in->memory_at + 4 <= in->bytes);
	}
}

static void
decode_at(const uint8_t *code, size_t room)
{
	struct instruction in, again;

	if (!instruction_decode(code, room, &in))
		return;
	FUZZ_MUST(in.bytes > 0 && in.bytes <= INSTRUCTION_MOST);
	FUZZ_MUST(in.bytes <= room);
	check_offsets(&in);
	/* no byte behind the instruction matters; each of its own does */
	FUZZ_MUST(instruction_decode(code, in.bytes, &again));
	FUZZ_MUST(memcmp(&in, &again, sizeof(in)) == 0);
	FUZZ_MUST(!instruction_decode(code, in.bytes - 1u, &again));
	if (in.target_at != 0)
		(void)instruction_target(&in, code, (uint64_t)(size_t)code);
	compare_with_zydis(code, room, &in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		decode_at(data + i, size - i);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
    unsigned int seed)
{
	return fuzz_mutate(data, size, room, seed, 2, fuzz_mutate_bytes);
}
