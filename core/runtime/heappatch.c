/* Context: T.  Callers of another allocator led to us; see heappatch.h. */
#include "heappatch.h"

#include "heapway.h"
#include "loaded.h"
#include "memory.h"
#include "str.h"

#include <sys/auxv.h>
#include <sys/mman.h>

#ifdef __x86_64__
#define BOUND_CALL	R_X86_64_JUMP_SLOT
#define BOUND_DATA	R_X86_64_GLOB_DAT
#define BOUND_WORD	R_X86_64_64
#else
#define BOUND_CALL	R_AARCH64_JUMP_SLOT
#define BOUND_DATA	R_AARCH64_GLOB_DAT
#define BOUND_WORD	R_AARCH64_ABS64
#endif

/* Whose function is to be led to us; NULL it is not. */
struct patch {
	const struct loaded *owner[HEAP_ALL];
};

struct object {
	const struct loaded *l;
	const Elf64_Phdr *headers;
	unsigned count;
};

/* False: its headers are not where they ought to be. */
static bool
look_at(struct object *o, const struct loaded *l)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)l->address;

	o->l = l;
	if (l == loaded_first) {
		o->headers = (const Elf64_Phdr *)getauxval(AT_PHDR);
		o->count = (unsigned)getauxval(AT_PHNUM);
		return o->headers != NULL;
	}
	if (!memory_is_there(l->address) ||
	    !mem_equal(e->e_ident, ELFMAG, SELFMAG))
		return false;
	o->headers = (const Elf64_Phdr *)(l->address + e->e_phoff);
	o->count = e->e_phnum;
	return true;
}

static int
protection_of(uint32_t flags)
{
	return ((flags & PF_R) != 0 ? PROT_READ : 0) |
	    ((flags & PF_W) != 0 ? PROT_WRITE : 0) |
	    ((flags & PF_X) != 0 ? PROT_EXEC : 0);
}

/* Of what the loader has made read-only behind itself whole pages are. */
static bool
is_sealed(const Elf64_Phdr *h, uint64_t at)
{
	return h->p_type == PT_GNU_RELRO &&
	    at >= (h->p_vaddr & ~(uint64_t)(config.page - 1)) &&
	    at < ((h->p_vaddr + h->p_memsz) & ~(uint64_t)(config.page - 1));
}

/* How it is mapped; -1 it is not. */
static int
protection(const struct object *o, uintptr_t address)
{
	const uint64_t at = address - o->l->address;
	int found = -1;
	unsigned i;

	for (i = 0; i < o->count; i++) {
		const Elf64_Phdr *h = &o->headers[i];

		if (h->p_type == PT_LOAD && at - h->p_vaddr < h->p_memsz &&
		    found < 0)
			found = protection_of(h->p_flags);
		else if (is_sealed(h, at))
			return PROT_READ;
	}
	return found;
}

/* One store: others may look at the word meanwhile. */
static bool
poke(const struct object *o, const void *word, uint64_t value)
{
	const uintptr_t page = (uintptr_t)word & ~(config.page - 1);
	const int now = protection(o, (uintptr_t)word);
	const bool locked = (now & PROT_WRITE) == 0;

	if (now < 0 || (uintptr_t)word % 8 != 0 || (locked &&
	    SYS(mprotect, page, config.page, now | PROT_WRITE, 0, 0, 0) != 0))
		return false;
	__atomic_store_n((uint64_t *)word, value, __ATOMIC_RELEASE);
	if (locked)
		SYS(mprotect, page, config.page, now, 0, 0, 0);
	return true;
}

/* Names of ours begin with these; HEAP_ALL: it is none. */
static unsigned
number_of(const char *name)
{
	unsigned i = HEAP_ALL;

	if (name[0] == '_' ? name[1] == 'Z' : name[0] >= 'a' && name[0] <= 'v')
		for (i = 0; i < HEAP_ALL && !str_equal(name, heap_names[i]);)
			i++;
	return i;
}

/* A call that was not bound yet comes back to the object's own code. */
static bool
is_ours_to_change(const struct object *o, uint32_t type, uint64_t value,
    unsigned i)
{
	return value == (uintptr_t)heap_real[i] || (type == BOUND_CALL &&
	    (protection(o, value) & PROT_EXEC) > 0);
}

static bool
owns(const struct patch *p, const struct loaded *l)
{
	unsigned i;

	for (i = 0; i < HEAP_ALL; i++)
		if (p->owner[i] == l)
			return true;
	return false;
}

/* What an allocator calls of its own is no call of the program's. */
static bool
keep_within(const struct object *o, uint32_t type, const uint64_t *word,
    const char *name)
{
	void *own = loaded_function(o->l, name);

	return type != BOUND_CALL || own == NULL ||
	    poke(o, word, (uintptr_t)own);
}

static bool
change_bound(const struct patch *p, const struct object *o,
    const Elf64_Rela *r)
{
	const Elf64_Sym *symbols = loaded_table(o->l, DT_SYMTAB);
	const char *texts = loaded_table(o->l, DT_STRTAB);
	const uint32_t type = (uint32_t)ELF64_R_TYPE(r->r_info);
	const uint64_t *word = (const uint64_t *)(o->l->address + r->r_offset);
	unsigned i;

	if (type != BOUND_CALL && type != BOUND_DATA &&
	    (type != BOUND_WORD || r->r_addend != 0))
		return true;
	i = number_of(texts + symbols[ELF64_R_SYM(r->r_info)].st_name);
	if (i == HEAP_ALL)
		return true;
	if (owns(p, o->l))
		return keep_within(o, type, word, heap_names[i]);
	return p->owner[i] == NULL ||
	    !is_ours_to_change(o, type, *word, i) ||
	    poke(o, word, (uintptr_t)heap_entry[i]);
}

static bool
change_table(const struct patch *p, const struct object *o, int64_t tag,
    int64_t tag_of_size)
{
	const Elf64_Rela *r = loaded_table(o->l, tag);
	const uint64_t n = r == NULL ? 0 :
	    loaded_value(o->l, tag_of_size) / sizeof *r;
	uint64_t i;

	for (i = 0; i < n; i++)
		if (!change_bound(p, o, &r[i]))
			return false;
	return true;
}

static bool
change_callers(const struct patch *p)
{
	const struct loaded *l;
	struct object o;

	for (l = loaded_first; l != NULL; l = l->next) {
		if (loaded_is_own(l) || !look_at(&o, l) ||
		    loaded_table(l, DT_SYMTAB) == NULL ||
		    loaded_table(l, DT_STRTAB) == NULL)
			continue;
		if (!change_table(p, &o, DT_JMPREL, DT_PLTRELSZ) ||
		    !change_table(p, &o, DT_RELA, DT_RELASZ))
			return false;
	}
	return true;
}

/* Who binds from now on finds ours. */
static bool
change_definitions(const struct patch *p)
{
	struct object o;
	unsigned i;

	for (i = 0; i < HEAP_ALL; i++) {
		const struct loaded *l = p->owner[i];

		if (l != NULL && (!look_at(&o, l) || !poke(&o,
		    &loaded_symbol(l, heap_names[i])->st_value,
		    (uintptr_t)heap_entry[i] - l->address)))
			return false;
	}
	return true;
}

/* Operators that call malloc are of nobody who has one. */
static bool
find_owners(struct patch *p)
{
	unsigned i;

	for (i = 0; i < HEAP_ALL; i++) {
		const struct loaded *l = loaded_first_with(heap_names[i]);

		p->owner[i] = NULL;
		if (l == NULL || loaded_is_own(l) || (i >= HEAP_COUNT &&
		    loaded_function(l, "malloc") == NULL))
			continue;
		if (l == loaded_first)
			return false;
		p->owner[i] = l;
	}
	return true;
}

/* Calls of these names come from there only, if at all. */
static void
lead_behind(const struct patch *p)
{
	unsigned i;

	for (i = 0; i < HEAP_ALL; i++) {
		if (p->owner[i] == NULL)
			continue;
		if (i < HEAP_COUNT)
			heap_behind[i] = heap_real[i];
		heap_real[i] = loaded_function(p->owner[i], heap_names[i]);
	}
	heap_lead();
}

bool
heappatch(void)
{
	struct patch p;

	if (!heap_look_behind() || !find_owners(&p))
		return false;
	lead_behind(&p);
	if (!change_callers(&p) || !change_definitions(&p))
		return false;
	heap_patched = true;
	return true;
}
