/*
 * Context: S.  Lists every object that the loader has now, with its bounds,
 * without taking the loader's lock.  mapped_object.c uses it, in the thread
 * that reads the memory map; header_fill.c asks for the program's path.  Not in
 * a frozen process.
 */
#ifndef LINK_MAP_LIST_H
#define LINK_MAP_LIST_H

#include <stddef.h>
#include <stdint.h>

/* An object of the loader's list. */
struct link_map_list_object {
	uint64_t head;		/* where its ELF header is mapped */
	uint64_t low, high;	/* bounds of all its segments */
	uint64_t name;		/* address of the loader's name for it */
};

/*
 * Fills `to` with the objects of all namespaces, by ascending address, at most
 * `room`, and returns how many there are.  Other threads may load and unload
 * objects meanwhile: the function reads memory that may vanish, and takes an
 * object only if the ELF header in memory agrees with the list.  Only the
 * thread that reads the memory map may call this: it uses mon->module_bytes.
 */
unsigned link_map_list_read(struct link_map_list_object *to, unsigned room);

/*
 * Writes the object's absolute path to `to`, NUL-terminated, or "" if the path
 * is not known, and returns its length in bytes; "[vdso]" for the kernel's own
 * object.  Completes a relative path by the current directory.  Only l->head
 * and l->name are read.
 */
size_t link_map_list_path(const struct link_map_list_object *l, char *to,
    size_t room);

#endif
