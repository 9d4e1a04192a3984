/* Context: T.  mon.out, System V's: a header, cells, a histogram. */
#include "monfile.h"

#include "loaded.h"
#include "state.h"
#include "str.h"
#include "usermem.h"
#include "whole.h"

#include <sys/auxv.h>

#define AT_ONCE	64u	/* cells: 1 KiB of stack */

/* The program headers of an object, and its load bias. */
struct headers {
	uintptr_t bias;
	const Elf64_Phdr *header;
	unsigned long count;
};

/* The range can end right after the last mapped byte. */
static bool
holds(const struct monfile_object *o, const char *address)
{
	return o->low < o->high && (uintptr_t)address >= o->low &&
	    (uintptr_t)address <= o->high;
}

/* Fills *o with the extent of the segments.  Returns whether it has address. */
static bool
take_segments(struct monfile_object *o, const struct headers *h,
    const char *address)
{
	unsigned long i;

	*o = (struct monfile_object){h->bias, UINTPTR_MAX, 0};
	for (i = 0; h->header != NULL && i < h->count; i++) {
		const Elf64_Phdr *p = &h->header[i];
		const uintptr_t low = h->bias + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		if (low < o->low)
			o->low = low;
		if (low + p->p_memsz > o->high)
			o->high = low + p->p_memsz;
	}
	return holds(o, address);
}

/*
 * Fills *h from a library in memory.  Returns false if its headers are not in
 * its first page.
 */
static bool
take_library(struct headers *h, const struct loaded *l)
{
	Elf64_Ehdr e;

	if (l->address % config.page != 0 ||
	    !usermem_read(&e, (const void *)l->address, sizeof e) ||
	    !mem_equal(e.e_ident, ELFMAG, SELFMAG) ||
	    e.e_phoff > config.page ||
	    e.e_phnum * sizeof *h->header > config.page - e.e_phoff)
		return false;
	h->bias = l->address;
	h->header = (const void *)(l->address + e.e_phoff);
	h->count = e.e_phnum;
	return true;
}

void
monfile_find_object(struct monfile *f)
{
	const struct headers program = {loaded_first->address,
	    (const void *)getauxval(AT_PHDR), getauxval(AT_PHNUM)};
	const struct loaded *l;
	struct headers h;

	if (take_segments(&f->object, &program, f->head.lpc))
		return;
	for (l = loaded_first->next; l != NULL; l = l->next)
		if (l->address != 0 && take_library(&h, l) &&
		    take_segments(&f->object, &h, f->head.lpc))
			return;
	take_segments(&f->object, &program, f->head.lpc);
}

static struct hdr
range_in_file(const struct monfile *f)
{
	const struct hdr *h = &f->head;
	const uintptr_t bias = holds(&f->object, h->lpc) ? f->object.bias : 0;

	return (struct hdr){h->lpc - bias, h->hpc - bias, 0};
}

static char *
in_file(const struct monfile_object *o, char *address)
{
	return holds(o, address) ? address - o->bias : address;
}

static int
put_cells(int fd, const struct monfile_object *o, const struct monfile_block *b)
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
	struct hdr h = range_in_file(f);
	int ret;

	for (b = f->first; b != NULL; b = b->next)
		h.nfns += b->cells;
	ret = whole_put(fd, &h, sizeof h);
	for (b = f->first; ret == 0 && b != NULL; b = b->next)
		ret = put_cells(fd, &f->object, b);
	return ret != 0 ? ret :
	    whole_put(fd, f->bars, f->words * sizeof *f->bars);
}

int
monfile_write(const struct monfile *f, const char *path)
{
	return whole_write(path, put_all, (void *)(uintptr_t)f);
}
