/*
 * Context: T.  Writes System V's mon.out, a header, cells and a histogram, for
 * monitor.c and write_monout.c.
 */
#include "classic/monout_file.h"

#include "base/atomic_write.h"
#include "base/state.h"
#include "base/str.h"
#include "base/user_memory.h"
#include "module/link_map.h"

#include <sys/auxv.h>

#define CELLS_AT_ONCE	64u	/* cells: 1 KiB of stack */

/* The program headers of an object, and its load bias. */
struct object_headers {
	uintptr_t bias;
	const Elf64_Phdr *header;
	unsigned long count;
};

/*
 * Returns whether the object has the address.  A range can end right behind the
 * last mapped byte.
 */
static bool
object_has_address(const struct monout_file_object *o, const char *address)
{
	return o->low < o->high && (uintptr_t)address >= o->low &&
	    (uintptr_t)address <= o->high;
}

/*
 * Fills *o with the extent of the segments.  Returns whether it has `address`.
 */
static bool
find_object_extent(struct monout_file_object *o, const struct object_headers *h,
    const char *address)
{
	*o = (struct monout_file_object){h->bias, UINTPTR_MAX, 0};
	for (unsigned long i = 0; h->header != NULL && i < h->count; i++) {
		const Elf64_Phdr *p = &h->header[i];
		const uintptr_t low = h->bias + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		if (low < o->low)
			o->low = low;
		if (low + p->p_memsz > o->high)
			o->high = low + p->p_memsz;
	}
	return object_has_address(o, address);
}

/*
 * Fills *h from a library in memory.  Returns false if its headers are not in
 * its first page.
 */
static bool
read_library_headers(struct object_headers *h, const struct link_map_object *l)
{
	Elf64_Ehdr e;

	if (l->address % config.page != 0 ||
	    !user_memory_read(&e, (const void *)l->address, sizeof(e)) ||
	    !mem_equal(e.e_ident, ELFMAG, SELFMAG) ||
	    e.e_phoff > config.page ||
	    e.e_phnum * sizeof(*h->header) > config.page - e.e_phoff)
		return false;
	h->bias = l->address;
	h->header = (const void *)(l->address + e.e_phoff);
	h->count = e.e_phnum;
	return true;
}

void
monout_file_find_object(struct monout_file *f)
{
	const struct object_headers program = {link_map_first->address,
	    (const void *)getauxval(AT_PHDR), getauxval(AT_PHNUM)};
	struct object_headers h;

	if (find_object_extent(&f->object, &program, f->head.lpc))
		return;
	for (const struct link_map_object *l = link_map_first->next; l != NULL;
	    l = l->next)
		if (l->address != 0 && read_library_headers(&h, l) &&
		    find_object_extent(&f->object, &h, f->head.lpc))
			return;
	find_object_extent(&f->object, &program, f->head.lpc);
}

static struct hdr
range_in_object(const struct monout_file *f)
{
	const struct hdr *h = &f->head;
	const uintptr_t bias = object_has_address(&f->object, h->lpc) ?
	    f->object.bias : 0;

	return (struct hdr){h->lpc - bias, h->hpc - bias, 0};
}

static char *
address_in_object(const struct monout_file_object *o, char *address)
{
	return object_has_address(o, address) ? address - o->bias : address;
}

static int
write_monout_cells(int fd, const struct monout_file_object *o,
    const struct monout_file_block *b)
{
	struct cnt some[CELLS_AT_ONCE];
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < b->cells; i++) {
		some[n] = b->cell[i];
		if (some[n].fnpc != NULL)
			some[n].fnpc = address_in_object(o, some[n].fnpc);
		if (++n == CELLS_AT_ONCE || i + 1 == b->cells) {
			ret = atomic_write_bytes(fd, some, n * sizeof(some[0]));
			n = 0;
		}
	}
	return ret;
}

static int
write_monout_body(int fd, void *monfile)
{
	const struct monout_file *f = monfile;
	struct hdr h = range_in_object(f);
	int ret;

	for (const struct monout_file_block *b = f->first; b != NULL;
	    b = b->next)
		h.nfns += b->cells;
	ret = atomic_write_bytes(fd, &h, sizeof(h));
	for (const struct monout_file_block *b = f->first;
	    ret == 0 && b != NULL; b = b->next)
		ret = write_monout_cells(fd, &f->object, b);
	return ret != 0 ? ret :
	    atomic_write_bytes(fd, f->bars, f->words * sizeof(*f->bars));
}

int
monout_file_write(const struct monout_file *f, const char *path)
{
	return atomic_write_file(path, write_monout_body, (void *)(uintptr_t)f);
}
