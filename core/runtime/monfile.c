/* Context: T.  mon.out, System V's: a header, cells, a histogram. */
#include "monfile.h"

#include "loaded.h"
#include "whole.h"

#include <sys/auxv.h>

#define AT_ONCE	64u	/* cells: 1 KiB of stack */

static char *
in_file(char *address)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);
	unsigned long i, n = getauxval(AT_PHNUM);
	uintptr_t a = (uintptr_t)address - loaded_first->address;

	for (i = 0; p != NULL && i < n; i++)
		if (p[i].p_type == PT_LOAD && a >= p[i].p_vaddr &&
		    a <= p[i].p_vaddr + p[i].p_memsz)
			return (char *)a;
	return address;
}

static int
put_cells(int fd, const struct monfile_block *b)
{
	struct cnt some[AT_ONCE];
	size_t i, n = 0;
	int ret = 0;

	for (i = 0; ret == 0 && i < b->cells; i++) {
		some[n] = b->cell[i];
		if (some[n].fnpc != NULL)
			some[n].fnpc = in_file(some[n].fnpc);
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
	struct hdr h = {in_file(f->head.lpc), in_file(f->head.hpc), 0};
	const struct monfile_block *b;
	int ret;

	for (b = f->first; b != NULL; b = b->next)
		h.nfns += b->cells;
	ret = whole_put(fd, &h, sizeof h);
	for (b = f->first; ret == 0 && b != NULL; b = b->next)
		ret = put_cells(fd, b);
	return ret != 0 ? ret :
	    whole_put(fd, f->bars, f->words * sizeof *f->bars);
}

int
monfile_write(const struct monfile *f, const char *path)
{
	return whole_write(path, put_all, (void *)(uintptr_t)f);
}
