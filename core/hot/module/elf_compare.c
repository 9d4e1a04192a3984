/*
 * Context: S.  Compares a mapped object with a file, for mapped_object.c, in
 * the thread that reads the memory map, whose mon->module_bytes it overwrites;
 * see elf_compare.h.
 */
#include "module/elf_compare.h"

#include "base/state.h"
#include "base/str.h"
#include "module/elf_source.h"
#include "thread/private_fds.h"

#include <elf.h>

#define HALF	(sizeof(mon->module_bytes) / 2)

/*
 * Returns the size of the ELF header and of the program headers right behind
 * it, in bytes, at most HALF.
 */
static size_t
compared_header_bytes(const unsigned char *there)
{
	Elf64_Ehdr eh;
	size_t n = sizeof(eh);

	mem_copy(&eh, there, sizeof(eh));
	if (eh.e_phoff == sizeof(eh))
		n += (size_t)eh.e_phnum * sizeof(Elf64_Phdr);
	return n < HALF ? n : HALF;
}

int
elf_compare_is_file(uint64_t head, const char *path)
{
	unsigned char *there = mon->module_bytes, *file = there + HALF;
	long n;
	int fd;

	if (elf_source_copy_memory(there, head, HALF) != (long)HALF ||
	    elf_source_is_regular_file(path) <= 0)
		return 0;
	if (private_fds_is_shared())
		return PRIVATE_FDS_RETRY;
	fd = sys_open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK, 0);
	if (fd < 0)
		return 0;
	n = sys_pread(fd, file, HALF, 0);
	sys_close(fd);
	return n >= (long)compared_header_bytes(there) &&
	    mem_equal(there, file, compared_header_bytes(there));
}
