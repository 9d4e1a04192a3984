/*
 * Context: S.  Lists every object that the loader has now, with its bounds,
 * without taking the loader's lock, for mapped_object.c and header_fill.c; see
 * link_map_list.h.  The list may change at any time.  Not in a frozen process;
 * only the thread that reads the memory map may call link_map_list_read().
 */
#include "module/link_map_list.h"

#include "base/state.h"
#include "base/str.h"
#include "module/elf_headers.h"
#include "module/elf_source.h"
#include "module/link_map.h"

#define MOST	4096u	/* objects or namespaces: ends circular lists */

/* Inserts *l into the `count` entries of `to`, by ascending address. */
static void
insert_by_address(struct link_map_list_object *to, unsigned count,
    const struct link_map_list_object *l)
{
	unsigned i;

	for (i = count; i > 0 && to[i - 1].low > l->low; i--)
		to[i] = to[i - 1];
	to[i] = *l;
}

/*
 * Reads an object's ELF header, which lies at the object's first address: the
 * load address of a library; for the program, sizeof(Elf64_Ehdr) bytes below
 * the program headers that the kernel has passed.
 */
static bool
read_loader_object(const struct link_map_object *l,
    struct link_map_list_object *o)
{
	const bool program = l == link_map_first;
	struct elf_headers e;

	o->head = program ? link_map_program_head() : l->address;
	if (o->head == 0 || elf_headers_read(&e, o->head, "", o->head,
	    ELF_HEADERS_NO_OFFSET) != 0 || e.high == 0)
		return false;
	o->low = e.low;
	o->high = e.high;
	o->name = (uintptr_t)l->name;
	return e.dynamic == (uintptr_t)l->dynamic;
}

/* Reads the list of one namespace, from `at` on. */
static unsigned
read_namespace(uintptr_t at, struct link_map_list_object *to, unsigned count,
    unsigned room)
{
	struct link_map_list_object o;
	struct link_map_object l;

	for (unsigned i = 0; at != 0 && i < MOST && count < room; i++) {
		if (elf_source_copy_memory(&l, at,
		    sizeof(l)) != (long)sizeof(l))
			break;
		if (read_loader_object(at == (uintptr_t)link_map_first ?
		    link_map_first : &l, &o))
			insert_by_address(to, count++, &o);
		at = (uintptr_t)l.next;
	}
	return count;
}

unsigned
link_map_list_read(struct link_map_list_object *to, unsigned room)
{
	uintptr_t at = (uintptr_t)link_map_debug;
	struct link_map_debug d;
	unsigned count = 0;

	for (unsigned spaces = 0; at != 0 && spaces < MOST; spaces++) {
		if (elf_source_copy_memory(&d, at,
		    sizeof(d)) != (long)sizeof(d))
			break;
		count = read_namespace((uintptr_t)d.first, to, count, room);
		/* From version 2 on the structure links to other namespaces. */
		at = d.version >= 2 ? (uintptr_t)d.next : 0;
	}
	return count;
}

/*
 * Copies a text from memory that may vanish.  Returns its length, or 0, with ""
 * in `to`, if it cannot be read or does not fit.
 */
static size_t
copy_loader_text(char *to, size_t room, uint64_t from)
{
	size_t n = 0;
	long some;

	/* Copies in pieces: the page after the name's end may not be mapped. */
	while (n + 1 < room) {
		size_t piece = config.page - ((from + n) & (config.page - 1));

		if (piece > room - 1 - n)
			piece = room - 1 - n;
		some = elf_source_copy_memory(to + n, from + n, piece);
		if (some <= 0)
			break;
		for (piece = n + (size_t)some; n < piece; n++)
			if (to[n] == '\0')
				return n;
	}
	to[0] = '\0';
	return 0;
}

/*
 * Puts the current directory before the path of n bytes in `to`, if it is
 * relative; leaves a path as it is that needs more than half of `room`.
 * Returns the length of the result; 0 if the directory is not known.
 */
static size_t
make_absolute(char *to, size_t n, size_t room)
{
	char *rest;
	long base;

	if (n == 0 || to[0] == '/' || n + 2 > room / 2)
		return n;
	/*
	 * The second half of `to` holds the name until the directory stands
	 * before it.
	 */
	rest = to + room / 2;
	mem_copy(rest, to, n + 1);
	base = SYS(getcwd, to, room / 2 - n - 1, 0, 0, 0, 0);
	if (base <= 1 || to[0] != '/') {
		to[0] = '\0';
		return 0;
	}
	to[base - 1] = '/';
	if (str_begins(rest, "./")) {
		rest += 2;
		n -= 2;
	}
	mem_copy(to + base, rest, n + 1);
	return (size_t)base + n;
}

size_t
link_map_list_path(const struct link_map_list_object *l, char *to, size_t room)
{
	size_t n = copy_loader_text(to, room, l->name);

	if (n == 0 && l->head == link_map_program_head())
		n = copy_loader_text(to, room, link_map_program);
	/* The kernel's own object has no file; /proc/PID/maps calls it this. */
	if (str_begins(to, "linux-vdso")) {
		str_copy(to, "[vdso]", room);
		return str_length(to);
	}
	return make_absolute(to, n, room);
}
