/*
 * Context: T.  Is this library here only because a program is linked with it?
 *
 * Then it does nothing by itself.  As a rule LD_PRELOAD answers; where that does
 * not name us (a link of another name, ld.so.preload, dlopen), the loader's list
 * does: an object that needs us says so.
 */
#include "linked.h"

#include "str.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>

#define NAME	"libmon"
#define FILE	"libmon.so"

/* The loader's list as debuggers read it, <link.h>; a header of ours hides that. */
struct object {
	uintptr_t address;	/* run-time address - address in the file */
	char *name;
	Elf64_Dyn *dynamic;
	struct object *next, *previous;
};

struct debugged {
	int version;
	struct object *first;
};

static bool
names_us(const char *p)
{
	for (; p != NULL && *p != '\0'; p++)
		if (str_begins(p, NAME))
			return true;
	return false;
}

static const Elf64_Dyn *
dynamic_of_program(void)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);
	unsigned long n = getauxval(AT_PHNUM);
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

/* For debuggers, and whole while a constructor runs. */
static const struct object *
objects(void)
{
	const Elf64_Dyn *d = dynamic_of_program();

	for (; d != NULL && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_DEBUG && d->d_un.d_ptr != 0)
			return ((const struct debugged *)d->d_un.d_ptr)->first;
	return NULL;
}

static bool
is_us(const char *name)
{
	const char *base = name;

	for (; *name != '\0'; name++)
		if (*name == '/')
			base = name + 1;
	return str_begins(base, FILE);
}

/* The loader has made addresses of what are offsets in the file; not always. */
static bool
needs_us(const struct object *m)
{
	const Elf64_Dyn *d;
	uintptr_t texts = 0;

	for (d = m->dynamic; d != NULL && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_STRTAB)
			texts = d->d_un.d_ptr < m->address ?
			    d->d_un.d_ptr + m->address : d->d_un.d_ptr;
	if (texts == 0)
		return false;
	for (d = m->dynamic; d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_NEEDED &&
		    is_us((const char *)texts + d->d_un.d_val))
			return true;
	return false;
}

bool
linked_only(const char *preload)
{
	const struct object *m;

	if (names_us(preload))
		return false;
	for (m = objects(); m != NULL; m = m->next)
		if (needs_us(m))
			return true;
	return false;
}
