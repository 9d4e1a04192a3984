/* Context: O.  See code_object.h. */
#include "code_object.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <string.h>

void
code_object_put(struct code_object *o, uint64_t address, uint64_t value,
    unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		o->file[address + i] = (uint8_t)(value >> 8 * i);
}

static void
put_bytes(struct code_object *o, uint64_t address, const void *bytes, size_t n)
{
	memcpy(o->file + address, bytes, n);
}

/* A common record with forms for starts and landing pads, as gcc writes it. */
static void
put_common(struct code_object *o)
{
	static const uint8_t record[] = {
		1, 'z', 'P', 'L', 'R', 0, 1, 0x78, 16, 7,
		0x03, 0, 0, 0, 0,	/* a personality routine */
		0x1b, 0x1b, 0, 0,
	};

	code_object_put(o, OBJECT_FRAMES, 4 + sizeof(record), 4);
	code_object_put(o, OBJECT_FRAMES + 4, 0, 4);
	put_bytes(o, OBJECT_FRAMES + 8, record, sizeof(record));
	o->frames_end = OBJECT_FRAMES + 8 + sizeof(record);
}

void
code_object_init(struct code_object *o)
{
	Elf64_Ehdr e = { .e_type = ET_DYN, .e_machine = EM_X86_64,
	    .e_phoff = sizeof(e), .e_phentsize = sizeof(Elf64_Phdr),
	    .e_phnum = 3 };
	const Elf64_Phdr p[] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X,
		    .p_offset = OBJECT_CODE, .p_vaddr = OBJECT_CODE,
		    .p_filesz = 0x1000 },
		{ .p_type = PT_LOAD, .p_flags = PF_R,
		    .p_offset = OBJECT_HEADER, .p_vaddr = OBJECT_HEADER,
		    .p_filesz = OBJECT_BYTES - OBJECT_HEADER },
		{ .p_type = PT_GNU_EH_FRAME, .p_vaddr = OBJECT_HEADER },
	};
	static const uint8_t header[] = { 1, 0xff, 0x03, 0x3b };

	memset(o, 0, sizeof(*o));
	memcpy(e.e_ident, ELFMAG, SELFMAG);
	e.e_ident[EI_CLASS] = ELFCLASS64;
	e.e_ident[EI_DATA] = ELFDATA2LSB;
	put_bytes(o, 0, &e, sizeof(e));
	put_bytes(o, sizeof(e), p, sizeof(p));
	memset(o->file + OBJECT_CODE, 0xcc, 0x1000);
	put_bytes(o, OBJECT_HEADER, header, sizeof(header));
	put_common(o);
}

void
code_object_function(struct code_object *o, uint64_t address, const char *code,
    unsigned bytes, uint64_t pads)
{
	const unsigned at = o->frames_end;
	const unsigned entry = OBJECT_HEADER + 8 + 8 * o->functions;

	put_bytes(o, address, code, bytes);
	code_object_put(o, entry, address - OBJECT_HEADER, 4);
	code_object_put(o, entry + 4, at - OBJECT_HEADER, 4);
	code_object_put(o, OBJECT_HEADER + 4, ++o->functions, 4);
	code_object_put(o, at, 17, 4);
	code_object_put(o, at + 4, at + 4 - OBJECT_FRAMES, 4);
	code_object_put(o, at + 8, address - (at + 8), 4);
	code_object_put(o, at + 12, bytes, 4);
	o->file[at + 16] = 4;
	code_object_put(o, at + 17, pads == 0 ? 0 : pads - (at + 17), 4);
	o->record = at;
	o->frames_end = at + 21;
}

void
code_object_rules(struct code_object *o, const char *rules, unsigned bytes)
{
	put_bytes(o, o->frames_end, rules, bytes);
	code_object_put(o, o->record, o->frames_end + bytes - (o->record + 4),
	    4);
	o->frames_end += bytes;
}

bool
code_object_open(struct code_object *o)
{
	cr_assert_eq(code_image_open(&o->image, o->file, sizeof(o->file)),
	    CODE_IMAGE_OPEN);
	return unwind_functions_open(&o->table, &o->image);
}
