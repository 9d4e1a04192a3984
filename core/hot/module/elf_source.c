/*
 * Context: S.  Reads bytes of an object from memory or from its file, for the
 * readers of ELF headers; see elf_source.h.
 */
#include "module/elf_source.h"

#include "base/sys.h"

#include <sys/uio.h>

bool
elf_source_is_mapped(uintptr_t at, size_t n)
{
	const uintptr_t page = at & ~(config.page - 1);

	return n != 0 && SYS(msync, page, at + n - page, MS_ASYNC, 0, 0, 0) ==
	    0;
}

long
elf_source_copy_memory(void *to, uint64_t from, size_t n)
{
	struct iovec local = {to, n};
	struct iovec remote = {(void *)(uintptr_t)from, n};

	return SYS(process_vm_readv, mon->pid, &local, 1, &remote, 1, 0);
}

int
elf_source_is_regular_file(const char *path)
{
	struct stat st;
	const int ret = (int)SYS(newfstatat, AT_FDCWD, path, &st, 0, 0, 0);

	return ret < 0 ? ret : S_ISREG(st.st_mode);
}

static bool
is_elf_buffered(const struct elf_source *s, uint64_t offset, size_t n)
{
	return offset >= s->at && offset - s->at <= s->have &&
	    n <= s->have - (offset - s->at);
}

const unsigned char *
elf_source_fetch(struct elf_source *s, uint64_t offset, size_t n)
{
	if (!is_elf_buffered(s, offset, n)) {
		long some = s->fd >= 0 ? sys_pread(s->fd, s->bytes,
		    ELF_SOURCE_BYTES, offset) : elf_source_copy_memory(s->bytes,
		    s->head + offset, ELF_SOURCE_BYTES);

		s->error = some < 0 ? (int)some : -EFAULT;
		s->at = offset;
		s->have = some < 0 ? 0 : (size_t)some;
		if (s->have < n)
			return NULL;
	}
	return s->bytes + (offset - s->at);
}
