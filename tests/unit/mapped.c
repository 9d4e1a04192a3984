/* Context: O.  Mappings made and records read, for tests of modules.c. */
#include "mapped.h"

#include "store/store.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

struct format_module *
mapped_record(uint32_t index)
{
	cr_assert_neq(index, 0);
	return store_at(index);
}

const char *
mapped_path(uint32_t index)
{
	static char path[PATH_MAX];
	const struct format_text *t = store_at(mapped_record(index)->path);

	memcpy(path, t->text, t->bytes);
	path[t->bytes] = '\0';
	return path;
}

char *
mapped_page(int fd, int flags)
{
	char *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, flags, fd, 0);

	cr_assert_neq(p, MAP_FAILED);
	return p;
}

int
mapped_file(const char *name, size_t bytes)
{
	int fd = open(target_path(name), O_RDWR | O_CREAT | O_EXCL, 0600);

	cr_assert_geq(fd, 0);
	cr_assert_eq(ftruncate(fd, (off_t)bytes), 0);
	return fd;
}
