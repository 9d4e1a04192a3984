/*
 * Context: O.  Tests of core/entry: the ELF image, and the functions and
 * landing pads of its tables.
 */
#include "code_object.h"
#include "landing_pads.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stddef.h>
#include <string.h>

static struct code_object o;

static void
make_object(void)
{
	code_object_init(&o);
	code_object_function(&o, 0x1000, "\x90\xc3", 2, 0);
	code_object_function(&o, 0x1010, "\x90\x90\xc3", 3, OBJECT_PADS);
}

TestSuite(entry_functions, .init = make_object);

Test(entry_functions, what_is_no_image)
{
	struct code_image m;

	cr_expect_eq(code_image_open(&m, "#!/bin/sh\n", 10),
	    CODE_IMAGE_NOT_ELF);
	cr_expect_eq(code_image_open(&m, o.file, sizeof(Elf64_Ehdr) - 1),
	    CODE_IMAGE_NOT_ELF);
	cr_expect_eq(code_image_open(&m, o.file, sizeof(Elf64_Ehdr)),
	    CODE_IMAGE_CUT);
	cr_expect_eq(code_image_open(&m, o.file, OBJECT_BYTES - 1),
	    CODE_IMAGE_CUT);
	o.file[offsetof(Elf64_Ehdr, e_machine)] = EM_386;
	cr_expect_eq(code_image_open(&m, o.file, OBJECT_BYTES),
	    CODE_IMAGE_NOT_ELF);
}

Test(entry_functions, too_many_segments)
{
	const Elf64_Phdr p = { .p_type = PT_LOAD };
	struct code_image m;

	o.file[offsetof(Elf64_Ehdr, e_phnum)] = CODE_IMAGE_SEGMENTS + 1;
	for (unsigned i = 0; i <= CODE_IMAGE_SEGMENTS; i++)
		memcpy(o.file + sizeof(Elf64_Ehdr) + i * sizeof(p), &p,
		    sizeof(p));
	cr_expect_eq(code_image_open(&m, o.file, OBJECT_BYTES),
	    CODE_IMAGE_SEGMENTED);
}

Test(entry_functions, bytes_by_address)
{
	size_t room;

	code_object_open(&o);
	cr_expect_eq(code_image_find(&o.image, 0x1010, &room),
	    o.file + 0x1010);
	cr_expect_eq(room, 0xff0);
	cr_expect_null(code_image_find(&o.image, 0xfff, &room));
	cr_expect_eq(room, 0);
	cr_expect_null(code_image_find(&o.image, OBJECT_BYTES, &room));
}

Test(entry_functions, functions_of_the_table)
{
	struct unwind_function f;

	cr_assert(code_object_open(&o));
	cr_expect_eq(o.table.count, 2);
	cr_assert(unwind_functions_read(&o.table, 0, &f));
	cr_expect(f.start == 0x1000 && f.bytes == 2 && f.landing_pads == 0);
	cr_assert(unwind_functions_read(&o.table, 1, &f));
	cr_expect(f.start == 0x1010 && f.bytes == 3 &&
	    f.landing_pads == OBJECT_PADS);
	cr_expect_not(unwind_functions_read(&o.table, 2, &f));
}

/* A function that leaves its segment, or is in data, is none. */
Test(entry_functions, functions_elsewhere)
{
	struct unwind_function f;

	code_object_put(&o, OBJECT_FRAMES + 27 + 12, 0x1001, 4);
	code_object_put(&o, OBJECT_FRAMES + 27 + 21 + 8, OBJECT_DATA -
	    (OBJECT_FRAMES + 27 + 21 + 8), 4);
	code_object_put(&o, OBJECT_HEADER + 16, OBJECT_DATA - OBJECT_HEADER,
	    4);
	cr_assert(code_object_open(&o));
	cr_expect_not(unwind_functions_read(&o.table, 0, &f));
	cr_expect_not(unwind_functions_read(&o.table, 1, &f));
}

Test(entry_functions, tables_that_no_linker_writes)
{
	o.file[OBJECT_HEADER] = 2;
	cr_expect_not(code_object_open(&o), "a version");
	o.file[OBJECT_HEADER] = 1;
	o.file[OBJECT_HEADER + 3] = 0x1b;
	cr_expect_not(code_object_open(&o), "distances from themselves");
	o.file[OBJECT_HEADER + 3] = 0x3b;
	o.file[OBJECT_HEADER + 2] = 0xff;
	cr_expect_not(code_object_open(&o), "no count");
	o.file[OBJECT_HEADER + 2] = 0x03;
	code_object_put(&o, OBJECT_HEADER + 4, 0xffffffff, 4);
	cr_expect_not(code_object_open(&o), "it goes on in other data");
	code_object_put(&o, OBJECT_HEADER + 4, 2, 4);
	code_object_put(&o, OBJECT_HEADER + 8, 0x1011 - OBJECT_HEADER, 4);
	cr_expect_not(code_object_open(&o), "not sorted");
	cr_expect_eq(o.table.count, 0);
}

/* A function of those rules: is it a part of another one? */
static bool
is_part(const char *rules, unsigned bytes)
{
	struct unwind_function f;

	make_object();
	code_object_rules(&o, rules, bytes);
	cr_assert(code_object_open(&o));
	cr_assert(unwind_functions_read(&o.table, 1, &f));
	return f.part;
}

#define IS_PART(rules)	is_part(rules, sizeof(rules) - 1)

Test(entry_functions, parts_of_functions)
{
	cr_expect_not(IS_PART(""));
	cr_expect_not(IS_PART("\0\0\0"), "it is filled up");
	cr_expect(IS_PART("\x0e\x20"), "def_cfa_offset");
	cr_expect(IS_PART("\x0c\x06\x10"), "def_cfa");
	cr_expect(IS_PART("\x86\x02\x0e\x10"), "offset of rbp");
	cr_expect_not(IS_PART("\x41\x0e\x10\x86\x02"), "behind a push");
	cr_expect(IS_PART("\x2e\x10\x0e\x20"), "with arguments");
	cr_expect_not(IS_PART("\x0a"), "remember_state");
}

/* An entry that names another place than its record. */
Test(entry_functions, entries_of_other_functions)
{
	struct unwind_function f;

	code_object_put(&o, OBJECT_HEADER + 8, 0x1001 - OBJECT_HEADER, 4);
	cr_assert(code_object_open(&o));
	cr_expect_not(unwind_functions_read(&o.table, 0, &f));
	cr_expect(unwind_functions_read(&o.table, 1, &f));
}

/* A letter of the augmentation that is not known hides what follows it. */
Test(entry_functions, records_that_cannot_be_read)
{
	struct unwind_function f;

	o.file[OBJECT_FRAMES + 11] = 'X';
	cr_assert(code_object_open(&o));
	cr_expect_not(unwind_functions_read(&o.table, 0, &f));
	o.file[OBJECT_FRAMES + 11] = 'L';
	cr_expect(unwind_functions_read(&o.table, 0, &f));
	code_object_put(&o, OBJECT_HEADER + 12, OBJECT_BYTES, 4);
	cr_expect_not(unwind_functions_read(&o.table, 0, &f));
}

static void
sum_pad(uint64_t address, void *sum)
{
	*(uint64_t *)sum = *(uint64_t *)sum << 16 | address;
}

/* The second of three calls has no landing pad. */
Test(entry_functions, landing_pads)
{
	static const uint8_t pads[] = { 0xff, 0xff, 0x01, 12,
		0, 1, 1, 0, 1, 1, 0, 0, 2, 1, 0x82, 0x01 };
	struct unwind_function f;
	uint64_t sum = 0;

	memcpy(o.file + OBJECT_PADS, pads, sizeof(pads));
	o.file[OBJECT_PADS + 3] = 13;
	o.file[OBJECT_PADS + 16] = 1;
	code_object_open(&o);
	cr_assert(unwind_functions_read(&o.table, 0, &f));
	cr_expect(landing_pads_each(&o.image, &f, sum_pad, &sum));
	cr_expect_eq(sum, 0, "it has no table");
	cr_assert(unwind_functions_read(&o.table, 1, &f));
	cr_expect(landing_pads_each(&o.image, &f, sum_pad, &sum));
	cr_expect_eq(sum, (uint64_t)0x1011 << 16 | (0x1010 + 0x82));
}

Test(entry_functions, landing_pads_that_are_cut)
{
	struct unwind_function f;
	uint64_t sum = 0;

	o.file[OBJECT_PADS] = o.file[OBJECT_PADS + 1] = 0xff;
	o.file[OBJECT_PADS + 2] = 0x01;
	memset(o.file + OBJECT_PADS + 3, 0xff, 9);
	o.file[OBJECT_PADS + 12] = 0x01;
	code_object_open(&o);
	cr_assert(unwind_functions_read(&o.table, 1, &f));
	cr_expect_not(landing_pads_each(&o.image, &f, sum_pad, &sum));
	cr_expect_eq(sum, 0);
}
