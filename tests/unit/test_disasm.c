/*
 * Context: O.  Tests of core/object/code/disasm.h, whichever library is behind
 * it.
 */
#include "code/disasm.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <string.h>

/* A build without a library knows none. */
static struct disasm *
opened(unsigned machine)
{
	struct disasm *d = disasm_open(machine);

	if (d == NULL)
		cr_skip("this build does not know the machine");
	return d;
}

Test(disasm, x86_64)
{
	static const unsigned char code[] = {
		0x55, 0x48, 0x89, 0xe5, 0xe8, 0x0b, 0, 0, 0, 0xc3,
	};
	static const char *const words[] = { "push", "mov", "call", "ret" };
	static const size_t bytes[] = { 1, 3, 5, 1 };
	struct disasm *d = opened(EM_X86_64);
	char text[DISASM_TEXT];
	size_t at = 0;

	for (unsigned i = 0; i < 4; i++) {
		cr_assert_eq(disasm_next(d, code + at, sizeof(code) - at,
		    0x1000 + at, text), bytes[i]);
		cr_expect_eq(strncmp(text, words[i], strlen(words[i])), 0,
		    "%s", text);
		if (i == 1)
			cr_expect(strstr(text, "%rsp, %rbp") != NULL, "%s",
			    text);
		if (i == 2)
			cr_expect(strstr(text, "0x1014") != NULL, "%s", text);
		at += bytes[i];
	}
	disasm_close(d);
}

Test(disasm, what_is_none_or_is_cut)
{
	static const unsigned char bad[] = { 0x06 }, cut[] = { 0x48, 0x8b };
	struct disasm *d = opened(EM_X86_64);
	char text[DISASM_TEXT];

	cr_expect_eq(disasm_next(d, bad, sizeof(bad), 0, text), 0);
	cr_expect_eq(disasm_next(d, cut, sizeof(cut), 0, text), 0);
	disasm_close(d);
}

Test(disasm, aarch64)
{
	static const unsigned char code[] = { 0xc0, 0x03, 0x5f, 0xd6 };
	struct disasm *d = opened(EM_AARCH64);
	char text[DISASM_TEXT];

	cr_expect_eq(disasm_next(d, code, sizeof(code), 0, text), 4);
	cr_expect_str_eq(text, "ret");
	disasm_close(d);
}

Test(disasm, a_machine_that_nobody_knows)
{
	cr_expect_null(disasm_open(EM_SPARC));
}
