/* Context: O.  Which function a stub of the procedure linkage table calls. */
#include "plt.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

/*
 * A stub is known by what it does: jump through a slot of the GOT, which a
 * relocation names.  Its place or order say nothing (.plt.sec, lazy or not,
 * linkers differ).
 */
#define PLT_STUB 16		/* bytes of a stub on both machines */

static const unsigned char *
plt_stub(const struct elf_file *f, uint64_t at)
{
	size_t left = 0;
	const unsigned char *code = elf_file_at(f, at, &left);

	return left >= PLT_STUB ? code : NULL;
}

/* endbr64; bnd jmp *slot(%rip), the prefixes being optional. */
static uint64_t
plt_slot_x86_64(const unsigned char *code, uint64_t at)
{
	size_t i = 0;
	int32_t skip;

	if (memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0)
		i = 4;
	if (code[i] == 0xf2)
		i++;
	if (code[i] != 0xff || code[i + 1] != 0x25)
		return 0;
	memcpy(&skip, code + i + 2, sizeof(skip));
	return at + i + 6 + (uint64_t)(int64_t)(int32_t)le32toh((uint32_t)skip);
}

/* adrp x16, page; ldr x17, [x16, #offset] (ARM ARM C6.2). */
static uint64_t
plt_slot_aarch64(const unsigned char *code, uint64_t at)
{
	uint32_t adrp, ldr;
	uint64_t pages;

	memcpy(&adrp, code, 4);
	memcpy(&ldr, code + 4, 4);
	adrp = le32toh(adrp);
	ldr = le32toh(ldr);
	if ((adrp & 0x9f00001f) != 0x90000010 ||
	    (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	pages = (uint64_t)(adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
	if ((pages & 0x100000) != 0)
		pages |= ~(uint64_t)0x1fffff;
	return (at & ~(uint64_t)0xfff) + (pages << 12) +
	    ((ldr >> 10 & 0xfff) << 3);
}

static uint64_t
plt_slot(const struct elf_file *f, uint64_t at)
{
	const unsigned char *code = plt_stub(f, at);

	if (code == NULL)
		return 0;
	switch (f->machine) {
	case EM_X86_64:
		return plt_slot_x86_64(code, at);
	case EM_AARCH64:
		return plt_slot_aarch64(code, at);
	default:
		return 0;
	}
}

/* The .dynsym entry whose address or index is asked; NULL = none. */
struct plt_symbols {
	const unsigned char *table;
	size_t size;
	const char *names;
	size_t bytes;
};

static const char *
plt_symbol(const struct plt_symbols *y, size_t index, Elf64_Sym *sym)
{
	if (index >= y->size / sizeof(*sym))
		return NULL;
	memcpy(sym, y->table + index * sizeof(*sym), sizeof(*sym));
	if (sym->st_name == 0 || sym->st_name >= y->bytes ||
	    memchr(y->names + sym->st_name, '\0', y->bytes - sym->st_name) ==
	    NULL)
		return NULL;
	return y->names + sym->st_name;
}

/* IRELATIVE names no symbol, its addend is the ifunc's address. */
static const char *
plt_ifunc(const struct plt_symbols *y, uint64_t address)
{
	const char *name = NULL;
	Elf64_Sym sym;

	for (size_t i = 1; i < y->size / sizeof(sym); i++) {
		const char *own = plt_symbol(y, i, &sym);

		if (own != NULL && sym.st_value == address &&
		    ELF64_ST_TYPE(sym.st_info) == STT_GNU_IFUNC &&
		    (name == NULL || strspn(own, "_") < strspn(name, "_")))
			name = own;
	}
	return name;
}

static const char *
plt_relocation(const struct elf_file *f, const struct plt_symbols *y,
    const Elf64_Rela *r)
{
	uint32_t type = ELF64_R_TYPE(r->r_info);
	Elf64_Sym sym;

	if ((f->machine == EM_X86_64 && type == R_X86_64_IRELATIVE) ||
	    (f->machine == EM_AARCH64 && type == R_AARCH64_IRELATIVE))
		return plt_ifunc(y, (uint64_t)r->r_addend);
	return plt_symbol(y, ELF64_R_SYM(r->r_info), &sym);
}

static const char *
plt_callee(const struct elf_file *f, const struct plt_symbols *y,
    uint64_t slot)
{
	static const char *const where[] = { ".rela.plt", ".rela.dyn" };

	for (size_t i = 0; i < 2; i++) {
		size_t size = 0;
		const unsigned char *table = elf_file_bytes(
		    elf_file_section(f, where[i]), &size);

		for (size_t at = 0; table != NULL &&
		    size - at >= sizeof(Elf64_Rela);
		    at += sizeof(Elf64_Rela)) {
			Elf64_Rela r;

			memcpy(&r, table + at, sizeof(r));
			if (r.r_offset == slot)
				return plt_relocation(f, y, &r);
		}
	}
	return NULL;
}

static bool
plt_symbols_read(struct plt_symbols *y, const struct elf_file *f)
{
	Elf_Scn *section = elf_file_section(f, ".dynsym");
	const Elf64_Shdr *header;

	y->table = elf_file_bytes(section, &y->size);
	if (y->table == NULL)
		return false;
	header = elf64_getshdr(section);
	y->names = (const char *)elf_file_bytes(
	    elf_getscn(f->elf, header->sh_link), &y->bytes);
	return y->names != NULL;
}

static int
plt_name_one(const struct elf_file *f, const struct plt_symbols *y,
    uint64_t base, struct symbol *asked, struct arena *arena)
{
	uint64_t stub = base + (asked->address - base) / PLT_STUB * PLT_STUB;
	uint64_t slot = plt_slot(f, stub);
	const char *callee;

	if (slot == 0) {	/* .plt.got has stubs of 8 bytes */
		stub = base + (asked->address - base) / 8 * 8;
		slot = plt_slot(f, stub);
	}
	callee = slot == 0 ? NULL : plt_callee(f, y, slot);
	if (callee == NULL)
		return 0;
	asked->name = arena_join(arena, callee, strcspn(callee, "@"), "@plt");
	if (asked->name == NULL)
		return -ENOMEM;
	asked->start = stub;
	asked->bounded = true;
	return 0;
}

static int
plt_name_section(const struct elf_file *f, const struct plt_symbols *y,
    const Elf64_Shdr *header, struct symbol *asked, size_t count,
    struct arena *arena)
{
	size_t i = symbol_first(asked, count, header->sh_addr);
	int ret = 0;

	for (; i < count && ret == 0 &&
	    asked[i].address - header->sh_addr < header->sh_size; i++)
		if (asked[i].name == NULL)
			ret = plt_name_one(f, y, header->sh_addr, &asked[i],
			    arena);
	return ret;
}

int
plt_name(const struct elf_file *f, struct symbol *asked, size_t count,
    struct arena *arena)
{
	static const char *const sections[] = { ".plt", ".plt.sec", ".plt.got" };
	struct plt_symbols y = { 0 };
	int ret = 0;

	if (!plt_symbols_read(&y, f))
		return 0;
	for (size_t i = 0; i < 3 && ret == 0; i++) {
		Elf_Scn *section = elf_file_section(f, sections[i]);
		const Elf64_Shdr *header = section == NULL ? NULL :
		    elf64_getshdr(section);

		if (header != NULL)
			ret = plt_name_section(f, &y, header, asked, count,
			    arena);
	}
	return ret;
}
