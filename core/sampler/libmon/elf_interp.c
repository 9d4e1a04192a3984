/*
 * Context: O.  Reads the headers of an ELF file, for libmon_find.c and
 * preload_check.c; see elf_interp.h.
 */
#include "libmon/elf_interp.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/*
 * Reads an ELF header of 64 bits, as libmon has them.  In a file of another
 * byte order all words compare unequal; that is intended.
 */
static bool
read_header(Elf64_Ehdr *e, int fd)
{
	return pread(fd, e, sizeof(*e), 0) == sizeof(*e) &&
	    memcmp(e->e_ident, ELFMAG, SELFMAG) == 0;
}

/* Returns whether a file is for the kind of processor of this program. */
static bool
same_as_ours(const Elf64_Ehdr *e)
{
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr own;
	const bool is = fd >= 0 && read_header(&own, fd) &&
	    e->e_ident[EI_CLASS] == own.e_ident[EI_CLASS] &&
	    e->e_ident[EI_DATA] == own.e_ident[EI_DATA] &&
	    e->e_machine == own.e_machine;

	if (fd >= 0)
		close(fd);
	return is;
}

/* Finds the interpreter as the kernel does: the first one in the file. */
static void
find_interpreter(struct elf_interp *h, const Elf64_Ehdr *e, int fd)
{
	Elf64_Phdr p;

	if (e->e_phentsize != sizeof(p))
		return;
	for (unsigned i = 0; i < e->e_phnum; i++) {
		const off_t at = (off_t)(e->e_phoff + i * sizeof(p));

		if (pread(fd, &p, sizeof(p), at) != sizeof(p))
			return;
		if (p.p_type != PT_INTERP)
			continue;
		if (p.p_filesz >= sizeof(h->interpreter) ||
		    pread(fd, h->interpreter, p.p_filesz,
		    (off_t)p.p_offset) != (ssize_t)p.p_filesz)
			strcpy(h->interpreter, "?");
		return;
	}
}

void
elf_interp_read(struct elf_interp *h, int fd)
{
	Elf64_Ehdr e;

	*h = (struct elf_interp) { .is_elf = read_header(&e, fd) };
	h->same_cpu = h->is_elf && same_as_ours(&e);
	if (h->same_cpu)
		find_interpreter(h, &e, fd);
}

bool
elf_interp_read_path(struct elf_interp *h, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*h = (struct elf_interp) { 0 };
	if (fd < 0)
		return false;
	elf_interp_read(h, fd);
	close(fd);
	return true;
}
