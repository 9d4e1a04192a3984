/* Context: S.  The objects that were loaded at the start; see loaded.h. */
#include "loaded.h"

#include "str.h"

#include <stddef.h>

/* Where there is no list: one of an object that has nothing. */
static struct loaded none;

const struct loaded *loaded_first, *loaded_last;
const struct loaded_debug *loaded_debug;
uint64_t loaded_program;

static const Elf64_Phdr *own_headers;

extern Elf64_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));

static const Elf64_Dyn *
dynamic_of_program(const Elf64_Phdr *p, unsigned long n)
{
	const Elf64_Phdr *own = NULL, *dynamic = NULL;
	unsigned long i;

	for (i = 0; p != NULL && i < n; i++) {
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

/* Every linker puts the program headers right after the ELF header. */
uint64_t
loaded_head(void)
{
	return own_headers == NULL ? 0 :
	    (uintptr_t)own_headers - sizeof(Elf64_Ehdr);
}

void
loaded_begin(const Elf64_Phdr *headers, unsigned long count, uint64_t program)
{
	const Elf64_Dyn *d = dynamic_of_program(headers, count);

	own_headers = headers;
	loaded_program = program;
	loaded_first = &none;
	for (; d != NULL && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_DEBUG && d->d_un.d_ptr != 0)
			loaded_debug = (const void *)d->d_un.d_ptr;
	if (loaded_debug != NULL && loaded_debug->first != NULL)
		loaded_first = loaded_debug->first;
	loaded_last = loaded_first;
	while (loaded_last->next != NULL)
		loaded_last = loaded_last->next;
}

bool
loaded_is_own(const struct loaded *l)
{
	return l->dynamic == _DYNAMIC;
}

uint64_t
loaded_value(const struct loaded *l, int64_t tag)
{
	const Elf64_Dyn *d;

	for (d = l->dynamic; d != NULL && d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return d->d_un.d_val;
	return 0;
}

/* The loader has made an address of what is an offset; not in the vdso. */
const void *
loaded_table(const struct loaded *l, int64_t tag)
{
	const uint64_t at = loaded_value(l, tag);

	return at == 0 ? NULL :
	    (const void *)(at < l->address ? at + l->address : at);
}

static const char *
base_of(const char *path)
{
	const char *base = path;

	for (; *path != '\0'; path++)
		if (*path == '/')
			base = path + 1;
	return base;
}

bool
loaded_needs(const struct loaded *l, const char *file)
{
	const char *texts = loaded_table(l, DT_STRTAB);
	const Elf64_Dyn *d;

	for (d = l->dynamic; texts != NULL && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_NEEDED &&
		    str_begins(base_of(texts + d->d_un.d_val), file))
			return true;
	return false;
}

#define VERSION_HIDDEN	0x8000	/* in DT_VERSYM: not the default version */

struct symbols {
	const Elf64_Sym *symbol;
	const char *texts;
	const Elf64_Half *version;	/* of each symbol, or NULL */
	const char *name;
	const Elf64_Sym *hidden;	/* the first that is not the default */
	unsigned type;		/* STT_* */
};

static bool
is_named(const struct symbols *s, const Elf64_Sym *y)
{
	return y->st_shndx != SHN_UNDEF && y->st_value != 0 &&
	    ELF64_ST_TYPE(y->st_info) == s->type &&
	    str_equal(s->texts + y->st_name, s->name);
}

/*
 * Returns symbol i if it is the function.  Another version than the default is
 * for programs that were linked long ago, and may take other arguments
 * (pthread_cond_wait), so it is only kept for the case that there is no other.
 */
static const Elf64_Sym *
is_it(struct symbols *s, uint32_t i)
{
	const Elf64_Sym *y = &s->symbol[i];

	if (!is_named(s, y))
		return NULL;
	if (s->version == NULL || (s->version[i] & VERSION_HIDDEN) == 0)
		return y;
	if (s->hidden == NULL)
		s->hidden = y;
	return NULL;
}

/* Each ends a chain with bit 0, and has all but that of a name's hash. */
static const Elf64_Sym *
find_gnu(struct symbols *s, const uint32_t *h)
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
			found = is_it(s, i);
		if ((chain[i - first] & 1) != 0)
			break;
	}
	return found;
}

/* Where there is the old table only, its second word is the symbols' number. */
static const Elf64_Sym *
find_all(struct symbols *s, const uint32_t *h)
{
	const Elf64_Sym *found = NULL;
	uint32_t i;

	for (i = 0; found == NULL && i < h[1]; i++)
		found = is_it(s, i);
	return found;
}

static const Elf64_Sym *
find_symbol(const struct loaded *l, const char *name, unsigned type)
{
	struct symbols s = {loaded_table(l, DT_SYMTAB),
	    loaded_table(l, DT_STRTAB), loaded_table(l, DT_VERSYM), name,
	    NULL, type};
	const uint32_t *gnu = loaded_table(l, DT_GNU_HASH);
	const uint32_t *old = loaded_table(l, DT_HASH);
	const Elf64_Sym *found = NULL;

	if (s.symbol == NULL || s.texts == NULL)
		return NULL;
	if (gnu != NULL)
		found = find_gnu(&s, gnu);
	else if (old != NULL)
		found = find_all(&s, old);
	return found != NULL ? found : s.hidden;
}

const Elf64_Sym *
loaded_symbol(const struct loaded *l, const char *name)
{
	return find_symbol(l, name, STT_FUNC);
}

void *
loaded_object(const struct loaded *l, const char *name)
{
	const Elf64_Sym *y = find_symbol(l, name, STT_OBJECT);

	return y == NULL ? NULL : (void *)(l->address + y->st_value);
}

void *
loaded_function(const struct loaded *l, const char *name)
{
	const Elf64_Sym *y = loaded_symbol(l, name);

	return y == NULL ? NULL : (void *)(l->address + y->st_value);
}

const struct loaded *
loaded_first_with(const char *function)
{
	const struct loaded *l = loaded_first;

	while (l != NULL && loaded_function(l, function) == NULL)
		l = l != loaded_last ? l->next : NULL;
	return l;
}

void *
loaded_function_behind(const char *name)
{
	const struct loaded *l = loaded_first;
	void *p = NULL;

	while (l != NULL && !loaded_is_own(l))
		l = l->next;
	while (p == NULL && l != NULL && (l = l->next) != NULL)
		p = loaded_function(l, name);
	return p;
}
