/*
 * Context: T.  Makes paths of directories absolute, for options.c and
 * profdir.c; see absolute_path.h.
 */
#include "options/absolute_path.h"

#include "base/str.h"
#include "base/sys.h"

#include <linux/limits.h>
#include <sys/syscall.h>

bool
absolute_path_make(char *to, const char *path)
{
	struct str s;
	long n = 0;

	if (path[0] != '/') {
		n = SYS(getcwd, to, PATH_MAX, 0, 0, 0, 0);
		if (n <= 0 || to[0] != '/') {
			str_copy(to, path, PATH_MAX);
			return false;	/* the directory was removed */
		}
		n--;
	}
	str_init(&s, to + n, PATH_MAX - (size_t)n);
	if (path[0] != '/' && path[0] != '\0' && n > 1)
		str_add(&s, "/");
	str_add(&s, path);
	while (s.at > to + 1 && s.at[-1] == '/')
		*--s.at = '\0';
	if (to[0] == '/' && to[1] == '\0')
		to[0] = '\0';	/* the file's name adds the slash */
	return !s.full;
}
