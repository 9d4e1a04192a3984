/*
 * Context: S.  Reads the loader's list of objects, and finds symbols in them,
 * for the start, hooks, arc.c, dispatch tables and got_patch.c; see link_map.h.
 * Loads from the objects directly, without a lock and without a system call.
 */
#include "module/link_map.h"

#include "base/str.h"

#include <stddef.h>

/* Stands for the list where there is none: one object that defines nothing. */
static struct link_map_object empty_link_map;

const struct link_map_object *link_map_first, *link_map_last;
const struct link_map_debug *link_map_debug;
uint64_t link_map_program;

static const Elf64_Phdr *own_headers;

extern Elf64_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));

/* Returns the program's dynamic section by its program headers, or NULL. */
static const Elf64_Dyn *
program_dynamic(const Elf64_Phdr *p, unsigned long n)
{
	const Elf64_Phdr *own = NULL, *dynamic = NULL;

	for (unsigned long i = 0; p != NULL && i < n; i++) {
		if (p[i].p_type == PT_PHDR)
			own = &p[i];
		if (p[i].p_type == PT_DYNAMIC)
			dynamic = &p[i];
	}
	if (dynamic == NULL)
		return NULL;
	return (const void *)(dynamic->p_vaddr +
	    (own == NULL ? 0 : (uintptr_t)p - own->p_vaddr));
}

/* Every linker puts the program headers right behind the ELF header. */
uint64_t
link_map_program_head(void)
{
	return own_headers == NULL ? 0 :
	    (uintptr_t)own_headers - sizeof(Elf64_Ehdr);
}

void
link_map_init(const Elf64_Phdr *headers, unsigned long count, uint64_t program)
{
	const Elf64_Dyn *d = program_dynamic(headers, count);

	own_headers = headers;
	link_map_program = program;
	link_map_first = &empty_link_map;
	for (; d != NULL && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_DEBUG && d->d_un.d_ptr != 0)
			link_map_debug = (const void *)d->d_un.d_ptr;
	if (link_map_debug != NULL && link_map_debug->first != NULL)
		link_map_first = link_map_debug->first;
	link_map_last = link_map_first;
	while (link_map_last->next != NULL)
		link_map_last = link_map_last->next;
}

bool
link_map_is_own(const struct link_map_object *l)
{
	return l->dynamic == _DYNAMIC;
}

uint64_t
link_map_dynamic_value(const struct link_map_object *l, int64_t tag)
{
	const Elf64_Dyn *d;

	for (d = l->dynamic; d != NULL && d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return d->d_un.d_val;
	return 0;
}

/*
 * The loader has replaced the offset in the entry by an address, but not in the
 * vdso.
 */
const void *
link_map_dynamic_table(const struct link_map_object *l, int64_t tag)
{
	const uint64_t at = link_map_dynamic_value(l, tag);

	return at == 0 ? NULL :
	    (const void *)(at < l->address ? at + l->address : at);
}

static const char *
soname_base(const char *path)
{
	const char *base = path;

	for (; *path != '\0'; path++)
		if (*path == '/')
			base = path + 1;
	return base;
}

bool
link_map_needs(const struct link_map_object *l, const char *file)
{
	const char *texts = link_map_dynamic_table(l, DT_STRTAB);
	const Elf64_Dyn *d;

	for (d = l->dynamic; texts != NULL && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_NEEDED &&
		    str_begins(soname_base(texts + d->d_un.d_val), file))
			return true;
	return false;
}

#define VERSION_HIDDEN	0x8000	/* in DT_VERSYM: not the default version */

struct symbols {
	const Elf64_Sym *symbol;
	const char *texts;
	const Elf64_Half *version;	/* of each symbol, or NULL */
	const char *name;
	/* the first one that is not the default */
	const Elf64_Sym *hidden;
	unsigned type;		/* STT_* */
};

static bool
is_symbol_named(const struct symbols *s, const Elf64_Sym *y)
{
	return y->st_shndx != SHN_UNDEF && y->st_value != 0 &&
	    ELF64_ST_TYPE(y->st_info) == s->type &&
	    str_equal(s->texts + y->st_name, s->name);
}

/*
 * Returns symbol i if it is the wanted one.  Another version than the default
 * is for programs that were linked long ago, and may take other arguments
 * (pthread_cond_wait), so it is only kept for the case that there is no other.
 */
static const Elf64_Sym *
match_symbol(struct symbols *s, uint32_t i)
{
	const Elf64_Sym *y = &s->symbol[i];

	if (!is_symbol_named(s, y))
		return NULL;
	if (s->version == NULL || (s->version[i] & VERSION_HIDDEN) == 0)
		return y;
	if (s->hidden == NULL)
		s->hidden = y;
	return NULL;
}

/*
 * Searches the hash table.  A word of a chain is the hash of a name without its
 * bit 0; bit 0 marks the last word of the chain.
 */
static const Elf64_Sym *
find_by_gnu_hash(struct symbols *s, const uint32_t *h)
{
	uint32_t hash = 5381, buckets = h[0], first = h[1], i;
	const uint32_t *bucket = h + 4 + 2 * h[2], *chain = bucket + buckets;
	const Elf64_Sym *found = NULL;
	const char *p;

	for (p = s->name; *p != '\0'; p++)
		hash = hash * 33 + (unsigned char)*p;
	i = buckets == 0 ? 0 : bucket[hash % buckets];
	if (i < first)
		return NULL;
	for (; found == NULL; i++) {
		if ((chain[i - first] | 1) == (hash | 1))
			found = match_symbol(s, i);
		if ((chain[i - first] & 1) != 0)
			break;
	}
	return found;
}

/*
 * Searches all symbols, where there is only the old table (DT_HASH): its second
 * word is the number of symbols.
 */
static const Elf64_Sym *
find_by_symbol_scan(struct symbols *s, const uint32_t *h)
{
	const Elf64_Sym *found = NULL;

	for (uint32_t i = 0; found == NULL && i < h[1]; i++)
		found = match_symbol(s, i);
	return found;
}

/* Returns the symbol of that type (STT_*) and name that l defines, or NULL. */
static const Elf64_Sym *
find_dynamic_symbol(const struct link_map_object *l, const char *name,
    unsigned type)
{
	struct symbols s = {link_map_dynamic_table(l, DT_SYMTAB),
	    link_map_dynamic_table(l, DT_STRTAB), link_map_dynamic_table(l,
	    DT_VERSYM), name, NULL, type};
	const uint32_t *gnu = link_map_dynamic_table(l, DT_GNU_HASH);
	const uint32_t *old = link_map_dynamic_table(l, DT_HASH);
	const Elf64_Sym *found = NULL;

	if (s.symbol == NULL || s.texts == NULL)
		return NULL;
	if (gnu != NULL)
		found = find_by_gnu_hash(&s, gnu);
	else if (old != NULL)
		found = find_by_symbol_scan(&s, old);
	return found != NULL ? found : s.hidden;
}

const Elf64_Sym *
link_map_symbol(const struct link_map_object *l, const char *name)
{
	return find_dynamic_symbol(l, name, STT_FUNC);
}

void *
link_map_variable(const struct link_map_object *l, const char *name)
{
	const Elf64_Sym *y = find_dynamic_symbol(l, name, STT_OBJECT);

	return y == NULL ? NULL : (void *)(l->address + y->st_value);
}

void *
link_map_function(const struct link_map_object *l, const char *name)
{
	const Elf64_Sym *y = link_map_symbol(l, name);

	return y == NULL ? NULL : (void *)(l->address + y->st_value);
}

const struct link_map_object *
link_map_find_definer(const char *function)
{
	const struct link_map_object *l = link_map_first;

	while (l != NULL && link_map_function(l, function) == NULL)
		l = l != link_map_last ? l->next : NULL;
	return l;
}

void *
link_map_next_function(const char *name)
{
	const struct link_map_object *l = link_map_first;
	void *p = NULL;

	while (l != NULL && !link_map_is_own(l))
		l = l->next;
	while (p == NULL && l != NULL && (l = l->next) != NULL)
		p = link_map_function(l, name);
	return p;
}
