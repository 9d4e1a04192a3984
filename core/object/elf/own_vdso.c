/*
 * Context: O.  Opens the vdso of the tool itself, for object_files.c and the
 * sampler; see own_vdso.h.
 */
#include "elf/own_vdso.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>

int
own_vdso_open(struct elf_file *f)
{
	const Elf64_Ehdr *image = (const Elf64_Ehdr *)getauxval(
	    AT_SYSINFO_EHDR);
	size_t size;

	if (image == NULL)
		return -ENOENT;
	size = image->e_shoff + (size_t)image->e_shnum * image->e_shentsize;
	return elf_file_open_memory(f, image, size) == 0 ? 0 : -ENOEXEC;
}

size_t
own_vdso_build_id(unsigned char *id)
{
	const unsigned char *own;
	struct elf_file f;
	size_t bytes;

	if (own_vdso_open(&f) != 0)
		return 0;
	bytes = elf_file_build_id(&f, &own);
	if (bytes > OWN_VDSO_BUILD_ID_MAX)
		bytes = 0;
	if (bytes != 0)
		memcpy(id, own, bytes);
	elf_file_close(&f);
	return bytes;
}
