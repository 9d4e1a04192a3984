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
			cr_expect(strstr(text, "%rsp") != NULL &&
			    strstr(text, "%rbp") > strstr(text, "%rsp"), "%s",
			    text);
		if (i == 2)
			cr_expect(strstr(text, "1014") != NULL, "%s", text);
		at += bytes[i];
	}
	disasm_close(d);
}

/* Names are those of objdump, which perf shows. */
Test(disasm, names_of_objdump)
{
	static const struct {
		unsigned char code[8];
		const char *name;
	} all[] = {
		{ { 0x74, 0x10 }, "je" }, { { 0x75, 0x10 }, "jne" },
		{ { 0x73, 0x10 }, "jae" }, { { 0x77, 0x10 }, "ja" },
		{ { 0x7f, 0x10 }, "jg" }, { { 0x76, 0x10 }, "jbe" },
		{ { 0x0f, 0xb6, 0x50, 0xff }, "movzbl" },
		{ { 0x48, 0x0f, 0xb7, 0x00 }, "movzwq" },
		{ { 0x0f, 0xbe, 0xc0 }, "movsbl" },
		{ { 0x48, 0x63, 0xd0 }, "movslq" },
		{ { 0x48, 0x98 }, "cltq" }, { { 0x48, 0x99 }, "cqto" },
		{ { 0x0f, 0x1f, 0x00 }, "nopl" },
		{ { 0x66, 0x0f, 0x1f, 0x44, 0, 0 }, "nopw" },
		{ { 0x0f, 0x94, 0xc0 }, "sete" },
		{ { 0x48, 0x0f, 0x47, 0xc8 }, "cmova" },
		{ { 0x48, 0xc7, 0x03, 0, 0, 0, 0 }, "movq" },
		{ { 0xf0, 0x83, 0x00, 0x01 }, "lock addl" },
	};
	struct disasm *d = opened(EM_X86_64);
	char text[DISASM_TEXT];

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const size_t bytes = strlen(all[i].name);

		cr_assert_neq(disasm_next(d, all[i].code, 8, 0x1000, text), 0);
		cr_expect(strncmp(text, all[i].name, bytes) == 0 &&
		    (text[bytes] == ' ' || text[bytes] == '\0'),
		    "%s is %s", text, all[i].name);
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
