/* Context: O.  The symbols in .gnu_debugdata (LZMA), as Fedora strips. */
#define _GNU_SOURCE		/* memfd_create */
#include "minidebug.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

/* elfutils unpacks what stands alone in a file, so it gets one. */
static Elf *
minidebug_unpack(const unsigned char *packed, size_t bytes)
{
	int fd = memfd_create("gnu_debugdata", MFD_CLOEXEC);
	size_t done = 0;
	ssize_t n = 1;
	Elf *elf = NULL;

	if (fd < 0)
		return NULL;
	for (; done < bytes && n > 0; done += n > 0 ? (size_t)n : 0)
		n = write(fd, packed + done, bytes - done);
	if (done == bytes)
		elf = dwelf_elf_begin(fd);
	close(fd);
	return elf;
}

int
minidebug_open(struct elf_file *mini, const struct elf_file *f)
{
	size_t bytes;
	const unsigned char *packed = elf_file_bytes(f,
	    elf_file_section(f, ".gnu_debugdata"), &bytes);
	Elf *elf = packed == NULL ? NULL : minidebug_unpack(packed, bytes);

	return elf != NULL && elf_file_adopt(mini, elf) == 0 ? 0 : -ENOENT;
}
