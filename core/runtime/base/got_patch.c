/*
 * Context: T.  Redirects callers of another allocator to libmon, with
 * mode=heap, once at the start of the process; see got_patch.h.
 */
#include "base/got_patch.h"

#include "base/str.h"
#include "heap/alloc_dispatch.h"
#include "module/link_map.h"
#include "unwind/stack_read.h"

#include <sys/auxv.h>
#include <sys/mman.h>

#ifdef __x86_64__
#define RELOC_JUMP_SLOT	R_X86_64_JUMP_SLOT
#define RELOC_GLOB_DAT	R_X86_64_GLOB_DAT
#define RELOC_ABS64	R_X86_64_64
#else
#define RELOC_JUMP_SLOT	R_AARCH64_JUMP_SLOT
#define RELOC_GLOB_DAT	R_AARCH64_GLOB_DAT
#define RELOC_ABS64	R_AARCH64_ABS64
#endif

/*
 * The objects whose functions are to be redirected; NULL: the function is not.
 */
struct patch {
	const struct link_map_object *owner[ALLOC_DISPATCH_ALL];
};

/* A loaded object and its program headers. */
struct object {
	const struct link_map_object *l;
	const Elf64_Phdr *headers;
	unsigned count;
};

/* Returns whether the object's program headers can be read. */
static bool
are_headers_mapped(const struct object *o)
{
	const uintptr_t from = (uintptr_t)o->headers;
	const uintptr_t last = from + o->count * sizeof(*o->headers) - 1;
	bool mapped = o->count != 0;

	for (uintptr_t at = from; mapped && at <= last; at += config.page)
		mapped = stack_read_is_mapped(at);
	return mapped && stack_read_is_mapped(last);
}

/*
 * Fills *o.  Returns false if no ELF header and no program headers are where
 * the object's load address says: the loader reads them from the file, of which
 * the program may map other parts.
 */
static bool
find_program_headers(struct object *o, const struct link_map_object *l)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)l->address;

	o->l = l;
	if (l == link_map_first) {
		o->headers = (const Elf64_Phdr *)getauxval(AT_PHDR);
		o->count = (unsigned)getauxval(AT_PHNUM);
		return o->headers != NULL;
	}
	if (!stack_read_is_mapped(l->address) ||
	    !stack_read_is_mapped(l->address + sizeof(*e) - 1) ||
	    !mem_equal(e->e_ident, ELFMAG, SELFMAG) ||
	    e->e_phentsize != sizeof(*o->headers))
		return false;
	o->headers = (const Elf64_Phdr *)(l->address + e->e_phoff);
	o->count = e->e_phnum;
	return are_headers_mapped(o);
}

static int
protection_of_flags(uint32_t flags)
{
	return ((flags & PF_R) != 0 ? PROT_READ : 0) |
	    ((flags & PF_W) != 0 ? PROT_WRITE : 0) |
	    ((flags & PF_X) != 0 ? PROT_EXEC : 0);
}

/*
 * Returns whether the loader has made the address read-only after relocation:
 * it protects whole pages.
 */
static bool
is_in_relro(const Elf64_Phdr *h, uint64_t at)
{
	return h->p_type == PT_GNU_RELRO &&
	    at >= (h->p_vaddr & ~(uint64_t)(config.page - 1)) &&
	    at < ((h->p_vaddr + h->p_memsz) & ~(uint64_t)(config.page - 1));
}

/* Returns the protection of the address (PROT_*), or -1 if it is not mapped. */
static int
protection_at(const struct object *o, uintptr_t address)
{
	const uint64_t at = address - o->l->address;
	int found = -1;

	for (unsigned i = 0; i < o->count; i++) {
		const Elf64_Phdr *h = &o->headers[i];

		if (h->p_type == PT_LOAD && at - h->p_vaddr < h->p_memsz &&
		    found < 0)
			found = protection_of_flags(h->p_flags);
		else if (is_in_relro(h, at))
			return PROT_READ;
	}
	return found;
}

/*
 * Stores the word by one instruction, as other threads may read it meanwhile.
 * Makes its page writable for that moment.  Returns whether it stored.
 */
static bool
store_in_page(const struct object *o, const void *word, uint64_t value)
{
	const uintptr_t page = (uintptr_t)word & ~(config.page - 1);
	const int now = protection_at(o, (uintptr_t)word);
	const bool locked = (now & PROT_WRITE) == 0;

	if (now < 0 || (uintptr_t)word % 8 != 0 || (locked &&
	    SYS(mprotect, page, config.page, now | PROT_WRITE, 0, 0, 0) != 0))
		return false;
	__atomic_store_n((uint64_t *)word, value, __ATOMIC_RELEASE);
	if (locked)
		SYS(mprotect, page, config.page, now, 0, 0, 0);
	return true;
}

/*
 * Returns the number of an allocation function by its name, or
 * ALLOC_DISPATCH_ALL if it is none.  Compares only names that begin as these
 * do.
 */
static unsigned
heap_name_number(const char *name)
{
	unsigned i = ALLOC_DISPATCH_ALL;

	if (name[0] == '_' ? name[1] == 'Z' : name[0] >= 'a' && name[0] <= 'v')
		for (i = 0; i < ALLOC_DISPATCH_ALL && !str_equal(name,
		    alloc_dispatch_names[i]);)
			i++;
	return i;
}

/*
 * Returns whether the word is bound to the real function, or not bound yet:
 * then it leads back into the object's own code.
 */
static bool
is_patchable(const struct object *o, uint32_t type, uint64_t value,
    unsigned i)
{
	return value == (uintptr_t)alloc_dispatch_real[i] ||
	    (type == RELOC_JUMP_SLOT && (protection_at(o,
	    value) & PROT_EXEC) > 0);
}

static bool
is_heap_owner(const struct patch *p, const struct link_map_object *l)
{
	for (unsigned i = 0; i < ALLOC_DISPATCH_ALL; i++)
		if (p->owner[i] == l)
			return true;
	return false;
}

/*
 * Binds an allocator's own calls to its own functions: they are not calls of
 * the program.
 */
static bool
bind_to_owner(const struct object *o, uint32_t type, const uint64_t *word,
    const char *name)
{
	void *own = link_map_function(o->l, name);

	return type != RELOC_JUMP_SLOT || own == NULL ||
	    store_in_page(o, word, (uintptr_t)own);
}

/*
 * Redirects the word of one relocation if it names an allocation function.
 * Returns false if the word could not be stored.
 */
static bool
patch_relocation(const struct patch *p, const struct object *o,
    const Elf64_Rela *r)
{
	const Elf64_Sym *symbols = link_map_dynamic_table(o->l, DT_SYMTAB);
	const char *texts = link_map_dynamic_table(o->l, DT_STRTAB);
	const uint32_t type = (uint32_t)ELF64_R_TYPE(r->r_info);
	const uint64_t *word = (const uint64_t *)(o->l->address + r->r_offset);
	unsigned i;

	if (type != RELOC_JUMP_SLOT && type != RELOC_GLOB_DAT &&
	    (type != RELOC_ABS64 || r->r_addend != 0))
		return true;
	i = heap_name_number(texts + symbols[ELF64_R_SYM(r->r_info)].st_name);
	if (i == ALLOC_DISPATCH_ALL)
		return true;
	if (is_heap_owner(p, o->l))
		return bind_to_owner(o, type, word, alloc_dispatch_names[i]);
	return p->owner[i] == NULL ||
	    !is_patchable(o, type, *word, i) ||
	    store_in_page(o, word, (uintptr_t)alloc_dispatch_entry[i]);
}

static bool
patch_relocation_table(const struct patch *p, const struct object *o,
    int64_t tag, int64_t tag_of_size)
{
	const Elf64_Rela *r = link_map_dynamic_table(o->l, tag);
	const uint64_t n = r == NULL ? 0 :
	    link_map_dynamic_value(o->l, tag_of_size) / sizeof(*r);

	for (uint64_t i = 0; i < n; i++)
		if (!patch_relocation(p, o, &r[i]))
			return false;
	return true;
}

/* Redirects the bound words of all objects but libmon. */
static bool
patch_callers(const struct patch *p)
{
	struct object o;

	for (const struct link_map_object *l = link_map_first; l != NULL;
	    l = l->next) {
		if (link_map_is_own(l) || !find_program_headers(&o, l) ||
		    link_map_dynamic_table(l, DT_SYMTAB) == NULL ||
		    link_map_dynamic_table(l, DT_STRTAB) == NULL)
			continue;
		if (!patch_relocation_table(p, &o, DT_JMPREL, DT_PLTRELSZ) ||
		    !patch_relocation_table(p, &o, DT_RELA, DT_RELASZ))
			return false;
	}
	return true;
}

/*
 * Changes the symbols of the owners, so that objects that bind from now on find
 * libmon's functions.
 */
static bool
patch_symbols(const struct patch *p)
{
	struct object o;

	for (unsigned i = 0; i < ALLOC_DISPATCH_ALL; i++) {
		const struct link_map_object *l = p->owner[i];

		if (l != NULL && (!find_program_headers(&o, l) ||
		    !store_in_page(&o, &link_map_symbol(l,
		    alloc_dispatch_names[i])->st_value,
		    (uintptr_t)alloc_dispatch_entry[i] - l->address)))
			return false;
	}
	return true;
}

/*
 * Finds the owners of the functions.  C++ operators of an object that does not
 * define malloc are left alone, because they call malloc.  Returns false if the
 * program itself is an owner.
 */
static bool
find_heap_owners(struct patch *p)
{
	for (unsigned i = 0; i < ALLOC_DISPATCH_ALL; i++) {
		const struct link_map_object *l =
		    link_map_find_definer(alloc_dispatch_names[i]);

		p->owner[i] = NULL;
		if (l == NULL || link_map_is_own(l) ||
		    (i >= ALLOC_DISPATCH_COUNT && link_map_function(l,
		    "malloc") == NULL))
			continue;
		if (l == link_map_first)
			return false;
		p->owner[i] = l;
	}
	return true;
}

/*
 * Makes libmon's functions call the owners' ones.  From then on only redirected
 * callers call libmon by these names.
 */
static void
forward_to_owners(const struct patch *p)
{
	for (unsigned i = 0; i < ALLOC_DISPATCH_ALL; i++) {
		if (p->owner[i] == NULL)
			continue;
		if (i < ALLOC_DISPATCH_COUNT)
			alloc_dispatch_next[i] = alloc_dispatch_real[i];
		alloc_dispatch_real[i] = link_map_function(p->owner[i],
		    alloc_dispatch_names[i]);
	}
	alloc_dispatch_update();
}

bool
got_patch_install(void)
{
	struct patch p;

	if (!alloc_dispatch_find_next() || !find_heap_owners(&p))
		return false;
	forward_to_owners(&p);
	if (!patch_callers(&p) || !patch_symbols(&p))
		return false;
	alloc_dispatch_patched = true;
	return true;
}
