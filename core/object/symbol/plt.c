/*
 * Context: O.  Names the stubs of the procedure linkage table, for
 * object_resolve(); see plt.h.
 */
#include "symbol/plt.h"

#include "base/vector.h"

#include <endian.h>
#include <string.h>

/*
 * A stub is recognized by what it does: it jumps through a slot of the GOT,
 * which a relocation names.  Its place or order say nothing, as linkers differ
 * (.plt.sec, lazy binding or not).
 */
#define PLT_READ 12		/* bytes of a stub that are examined */

/* Returns PLT_READ bytes of code at an address; NULL if there are fewer. */
static const unsigned char *
plt_code(const struct elf_file *f, uint64_t at)
{
	size_t left = 0;
	const unsigned char *code = elf_file_at(f, at, PLT_READ, &left);

	return left >= PLT_READ ? code : NULL;
}

/*
 * Returns the slot of a stub "endbr64; bnd jmp *slot(%rip)", in which the
 * prefixes are optional.
 */
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

/*
 * Returns the slot of a stub "adrp x16, page; ldr x17, [x16, #offset]" (ARM ARM
 * C6.2).
 */
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

/*
 * Returns the slot of the GOT through which the code at `at` jumps; 0: it is no
 * stub.
 */
static uint64_t
plt_slot(const struct elf_file *f, uint64_t at)
{
	const unsigned char *code = plt_code(f, at);

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

/* The table .dynsym and its names. */
struct plt_symbols {
	const unsigned char *table;
	size_t size;
	const char *names;
	size_t bytes;
};

/*
 * Returns the name of symbol number `index`, and copies it to *sym; NULL if
 * there is none or it has no name.
 */
static const char *
plt_symbol(const struct plt_symbols *y, size_t index, Elf64_Sym *sym)
{
	if (index >= y->size / sizeof(*sym))
		return NULL;
	memcpy(sym, y->table + index * sizeof(*sym), sizeof(*sym));
	if (sym->st_name == 0 || sym->st_name >= y->bytes)
		return NULL;
	return y->names + sym->st_name;
}

/* Finds .dynsym and its names.  Returns false if the file has none. */
static bool
plt_symbols_read(struct plt_symbols *y, const struct elf_file *f)
{
	Elf_Scn *section = elf_file_section(f, ".dynsym");
	Elf64_Shdr header;

	y->table = elf_file_bytes(f, section, &y->size);
	if (y->table == NULL || !elf_file_header(section, &header))
		return false;
	y->names = (const char *)elf_file_bytes(f,
	    elf_getscn(f->elf, header.sh_link), &y->bytes);
	if (y->names == NULL)
		return false;
	while (y->bytes > 0 && y->names[y->bytes - 1] != '\0')
		y->bytes--;	/* each name then ends inside */
	return true;
}

/*
 * A stub that was asked for.  Both relocation tables are read once for all
 * stubs.
 */
struct plt_stub {
	uint64_t start;
	uint64_t key;		/* its slot, or its resolver, or its start */
	const char *callee;	/* borrowed from the file; NULL: not known */
};

struct plt_stubs {
	struct plt_stub *stub;	/* sorted by key */
	size_t count;
	size_t room;
};

static int
plt_stub_compare(const void *left, const void *right)
{
	const struct plt_stub *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

static void
plt_sort(struct plt_stubs *x)
{
	if (x->count > 1)
		qsort(x->stub, x->count, sizeof(*x->stub), plt_stub_compare);
}

/* Returns the first stub with that key, or NULL. */
static struct plt_stub *
plt_find(const struct plt_stubs *x, uint64_t key)
{
	size_t low = 0, high = x->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (x->stub[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < x->count && x->stub[low].key == key ? &x->stub[low] :
	    NULL;
}

static bool
plt_is_irelative(const struct elf_file *f, uint64_t info)
{
	return ELF64_R_TYPE(info) == (f->machine == EM_AARCH64 ?
	    R_AARCH64_IRELATIVE : R_X86_64_IRELATIVE);
}

/*
 * Gives slots the names of their relocations; `resolvers` receives those of
 * ifuncs, which have no name here.
 */
static int
plt_relocations(const struct elf_file *f, const struct plt_symbols *y,
    Elf_Scn *section, struct plt_stubs *slots, struct plt_stubs *resolvers)
{
	size_t size = 0;
	const unsigned char *table = elf_file_bytes(f, section, &size);

	for (size_t at = 0; table != NULL && size - at >= sizeof(Elf64_Rela);
	    at += sizeof(Elf64_Rela)) {
		struct plt_stub *stub;
		Elf64_Rela r;
		Elf64_Sym sym;

		memcpy(&r, table + at, sizeof(r));
		stub = plt_find(slots, r.r_offset);
		if (stub == NULL || stub->callee != NULL)
			continue;
		if (!plt_is_irelative(f, r.r_info)) {
			stub->callee = plt_symbol(y, ELF64_R_SYM(r.r_info),
			    &sym);
			continue;
		}
		if (vector_grow(&resolvers->stub, resolvers->count,
		    &resolvers->room, sizeof(*stub)) != 0)
			return -ENOMEM;
		resolvers->stub[resolvers->count] = *stub;
		resolvers->stub[resolvers->count++].key =
		    (uint64_t)r.r_addend;
	}
	return 0;
}

/*
 * Names the stubs of ifuncs: an IRELATIVE relocation names no symbol, its
 * addend is the address of the ifunc.
 */
static void
plt_ifuncs(const struct plt_symbols *y, struct plt_stubs *resolvers)
{
	Elf64_Sym sym;

	for (size_t i = 1; resolvers->count != 0 &&
	    i < y->size / sizeof(sym); i++) {
		const char *own = plt_symbol(y, i, &sym);
		struct plt_stub *s;

		if (own == NULL ||
		    ELF64_ST_TYPE(sym.st_info) != STT_GNU_IFUNC)
			continue;
		s = plt_find(resolvers, sym.st_value);
		for (; s != NULL && s < resolvers->stub + resolvers->count &&
		    s->key == sym.st_value && (s->callee == NULL ||
		    strspn(own, "_") < strspn(s->callee, "_")); s++)
			s->callee = own;
	}
}

/*
 * Returns the start of the stub that holds the address, or 0 if it is no stub.
 */
static uint64_t
plt_start(const struct elf_file *f, const Elf64_Shdr *in, uint64_t address,
    uint64_t *slot)
{
	/* Usually 16; in .plt.got 8, unless branches are protected. */
	uint64_t size = in->sh_entsize == 8 ? 8 : 16;
	uint64_t start = in->sh_addr + (address - in->sh_addr) / size * size;

	*slot = plt_slot(f, start);
	return *slot != 0 ? start : 0;
}

/*
 * Adds the stubs of section `in` that hold an asked address.  Returns 0 or
 * -ENOMEM.
 */
static int
plt_collect(const struct elf_file *f, const Elf64_Shdr *in,
    const struct symbol *asked, size_t count, struct plt_stubs *slots)
{
	size_t i = symbol_lookup_lower_bound(asked, count, in->sh_addr);
	uint64_t last = 0;

	for (; i < count && asked[i].address - in->sh_addr < in->sh_size;
	    i++) {
		struct plt_stub stub = { 0 };

		stub.start = plt_start(f, in, asked[i].address, &stub.key);
		if (stub.start == last)
			continue;
		last = stub.start;
		if (vector_grow(&slots->stub, slots->count, &slots->room,
		    sizeof(stub)) != 0)
			return -ENOMEM;
		slots->stub[slots->count++] = stub;
	}
	return 0;
}

/*
 * Names the addresses in stubs of section `in` whose callee is known.  Returns
 * 0 or -ENOMEM.
 */
static int
plt_store(const struct elf_file *f, const Elf64_Shdr *in,
    const struct plt_stubs *starts, struct symbol *asked, size_t count,
    struct arena *arena)
{
	size_t i = symbol_lookup_lower_bound(asked, count, in->sh_addr);
	const struct plt_stub *stub;
	uint64_t slot, start;

	for (; i < count && asked[i].address - in->sh_addr < in->sh_size;
	    i++) {
		start = plt_start(f, in, asked[i].address, &slot);
		stub = start == 0 ? NULL : plt_find(starts, start);
		if (stub == NULL || stub->callee == NULL)
			continue;
		asked[i].start = start;
		asked[i].start_known = true;
		asked[i].name = arena_join(arena, stub->callee,
		    strcspn(stub->callee, "@"), "@plt");
		if (asked[i].name == NULL)
			return -ENOMEM;
	}
	return 0;
}

/* Gives every stub its callee; afterwards stubs are keyed by their start. */
static int
plt_resolve(const struct elf_file *f, struct plt_stubs *slots)
{
	struct plt_stubs resolvers = { 0 };
	struct plt_symbols y;
	int ret = 0;

	if (slots->count == 0 || !plt_symbols_read(&y, f))
		return 0;
	plt_sort(slots);
	ret = plt_relocations(f, &y, elf_file_section(f, ".rela.plt"), slots,
	    &resolvers);
	if (ret == 0)
		ret = plt_relocations(f, &y, elf_file_section(f, ".rela.dyn"),
		    slots, &resolvers);
	plt_sort(&resolvers);
	plt_ifuncs(&y, &resolvers);
	for (size_t i = 0; i < slots->count; i++)
		slots->stub[i].key = slots->stub[i].start;
	plt_sort(slots);
	for (size_t i = 0; i < resolvers.count; i++)
		plt_find(slots, resolvers.stub[i].start)->callee =
		    resolvers.stub[i].callee;
	free(resolvers.stub);
	return ret;
}

int
plt_name(const struct elf_file *f, struct symbol *asked, size_t count,
    struct arena *arena)
{
	static const char *const names[] = { ".plt", ".plt.sec", ".plt.got" };
	struct plt_stubs slots = { 0 };
	Elf64_Shdr in[3];
	bool there[3];
	int ret = 0;

	for (size_t i = 0; i < 3 && ret == 0; i++) {
		there[i] = elf_file_header(elf_file_section(f, names[i]),
		    &in[i]);
		if (there[i])
			ret = plt_collect(f, &in[i], asked, count, &slots);
	}
	if (ret == 0)
		ret = plt_resolve(f, &slots);
	for (size_t i = 0; i < 3 && ret == 0; i++)
		if (there[i])
			ret = plt_store(f, &in[i], &slots, asked, count,
			    arena);
	free(slots.stub);
	return ret;
}
