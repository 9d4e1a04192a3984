/*
 * Context: T.  Finds the directory for the classic files that a program itself
 * asks for, when monitor(3C) or its gmon.out begins.
 */
#include "options/profdir.h"

#include "base/state.h"
#include "base/str.h"
#include "options/absolute_path.h"
#include "options/environment.h"

#define PROFDIR	"PROFDIR="

/* The last relative value of PROFDIR, and the absolute name for it. */
static char relative[PATH_MAX] STATE_SECTION("2.cold");
static char resolved[PATH_MAX] STATE_SECTION("2.cold");

bool
profdir_find(char *to)
{
	const char *value = environment_get(environ, PROFDIR);

	if (value == NULL) {
		to[0] = '\0';
		return true;
	}
	if (*value == '\0')
		return false;
	if (*value == '/') {
		str_copy(to, value, PATH_MAX);
		return true;
	}
	if (!str_equal(relative, value)) {
		str_copy(relative, value, sizeof(relative));
		absolute_path_make(resolved, value);
	}
	str_copy(to, resolved, PATH_MAX);
	return true;
}
