/* Context: T.  Files of other profilers, of this process: format= of mon(7). */
#include "writers.h"

#include "note.h"
#include "options.h"
#include "store.h"
#include "str.h"

#include <errno.h>
#include <limits.h>

#define PREFIX	"GMON_OUT_PREFIX="

static bool gmon_expected;

static const struct {
	writer *write;
	const char *suffix;	/* behind the name of the profile */
	const char *remedy;	/* where the format cannot hold it */
} writers[CONFIG_FORMATS] = {
	[CONFIG_FORMAT_GMON] = {write_gmon, ".gmon", "use another format="},
	[CONFIG_FORMAT_MONOUT] = {write_mon, ".mon",
	    "655 s are too much at one place, use prof --write=gmon"},
	[CONFIG_FORMAT_PROF] = {write_prof, ".prof",
	    "31 days are too much, use prof --write=gmon"},
};

void
writers_expect_gmon(void)
{
	gmon_expected = true;
}

/* As the C library has it, for what it would write. */
static bool
name_as_libc(struct str *s)
{
	const char *prefix = options_value(environ, PREFIX);

	if (prefix != NULL) {
		str_add(s, prefix);
		str_add(s, ".");
		str_add_number(s, (uint64_t)mon->pid);
	} else if (gmon_expected) {
		str_add(s, "gmon.out");
	} else {
		return false;
	}
	return true;
}

static void
make_path(char *path, size_t room)
{
	struct str s;

	str_init(&s, path, room);
	if (config.format == CONFIG_FORMAT_GMON && name_as_libc(&s))
		return;
	str_add(&s, mon->store.local ? mon->store.final : mon->store.path);
	str_add(&s, writers[config.format].suffix);
}

void
writers_run(void)
{
	char path[PATH_MAX];
	int ret;

	if (config.format == CONFIG_FORMAT_NATIVE || store_header() == NULL ||
	    config.place == CONFIG_PLACE_MEMORY)
		return;
	make_path(path, sizeof path);
	ret = writers[config.format].write(path);
	if (ret == 0 || ret == -ENODATA || !config.message)
		return;
	note_write(path, ": it could not be written", ret == -ERANGE ? ": " :
	    "", ret == -ERANGE ? writers[config.format].remedy : "", NULL);
}
