/* Context: T.  mon.out, System V's: a header, cells, a histogram. */
#include "monfile.h"

#include "loaded.h"
#include "state.h"
#include "str.h"
#include "usermem.h"
#include "whole.h"

#include <sys/auxv.h>

#define AT_ONCE	64u	/* cells: 1 KiB of stack */

/* The object that contains the range: its program headers and its load bias. */
struct object {
	uintptr_t bias;
	const Elf64_Phdr *headers;
	unsigned long count;
};

static bool
holds(const struct object *o, const char *address)
{
	const uintptr_t a = (uintptr_t)address - o->bias;
	unsigned long i;

	for (i = 0; o->headers != NULL && i < o->count; i++) {
		const Elf64_Phdr *p = &o->headers[i];

		if (p->p_type == PT_LOAD && a >= p->p_vaddr &&
		    a <= p->p_vaddr + p->p_memsz)
			return true;
	}
	return false;
}

/*
 * Fills *o from a library in memory.  Returns false if its headers are not in
 * its first page.
 */
static bool
take_library(struct object *o, const struct loaded *l)
{
	Elf64_Ehdr e;

	if (l->address % config.page != 0 ||
	    !usermem_read(&e, (const void *)l->address, sizeof e) ||
	    !mem_equal(e.e_ident, ELFMAG, SELFMAG) ||
	    e.e_phoff > config.page ||
	    e.e_phnum * sizeof *o->headers > config.page - e.e_phoff)
		return false;
	o->bias = l->address;
	o->headers = (const void *)(l->address + e.e_phoff);
	o->count = e.e_phnum;
	return true;
}

static void
find_object(struct object *o, const char *address)
{
	const struct object program = {loaded_first->address,
	    (const void *)getauxval(AT_PHDR), getauxval(AT_PHNUM)};
	const struct loaded *l;

	if (!holds(&program, address))
		for (l = loaded_first->next; l != NULL; l = l->next)
			if (l->address != 0 && take_library(o, l) &&
			    holds(o, address))
				return;
	*o = program;
}

/* The range can end right after the last mapped byte. */
static struct hdr
range_in_file(const struct object *o, const struct hdr *from)
{
	const uintptr_t bias = holds(o, from->lpc) ? o->bias : 0;

	return (struct hdr){from->lpc - bias, from->hpc - bias, 0};
}

static char *
in_file(const struct object *o, char *address)
{
	return holds(o, address) ? address - o->bias : address;
}

static int
put_cells(int fd, const struct object *o, const struct monfile_block *b)
{
	struct cnt some[AT_ONCE];
	size_t i, n = 0;
	int ret = 0;

	for (i = 0; ret == 0 && i < b->cells; i++) {
		some[n] = b->cell[i];
		if (some[n].fnpc != NULL)
			some[n].fnpc = in_file(o, some[n].fnpc);
		if (++n == AT_ONCE || i + 1 == b->cells) {
			ret = whole_put(fd, some, n * sizeof some[0]);
			n = 0;
		}
	}
	return ret;
}

static int
put_all(int fd, void *monfile)
{
	const struct monfile *f = monfile;
	const struct monfile_block *b;
	struct object o;
	struct hdr h;
	int ret;

	find_object(&o, f->head.lpc);
	h = range_in_file(&o, &f->head);
	for (b = f->first; b != NULL; b = b->next)
		h.nfns += b->cells;
	ret = whole_put(fd, &h, sizeof h);
	for (b = f->first; ret == 0 && b != NULL; b = b->next)
		ret = put_cells(fd, &o, b);
	return ret != 0 ? ret :
	    whole_put(fd, f->bars, f->words * sizeof *f->bars);
}

int
monfile_write(const struct monfile *f, const char *path)
{
	return whole_write(path, put_all, (void *)(uintptr_t)f);
}
