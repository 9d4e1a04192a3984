/* Context: T.  Files of other profilers, of this process: format= of mon(7). */
#include "writers.h"

#include "clock.h"
#include "note.h"
#include "options.h"
#include "store.h"
#include "str.h"

#include <errno.h>
#include <limits.h>

#define PREFIX	"GMON_OUT_PREFIX="

static struct {
	uintptr_t low, high;
	bool expected;		/* by a program that is built with -pg */
	_Atomic bool begun;	/* only linked: it is all there is */
} gmon;

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
writers_expect_gmon(uintptr_t low, uintptr_t high)
{
	gmon.expected = true;
	gmon.low = low;
	gmon.high = high;
}

void
writers_clip_gmon(uint64_t bias, uint64_t *low, uint64_t *high)
{
	uint64_t from = gmon.low - bias, to = gmon.high - bias;

	from = from < *low ? *low : from;
	to = to > *high ? *high : to;
	if (!gmon.expected || gmon.low >= gmon.high || from >= to)
		return;
	*low = from & ~(uint64_t)3;
	*high = to;
}

void
writers_begin_gmon(void)
{
	atomic_store(&gmon.begun, true);
	clock_use();
}

bool
writers_have_gmon(void)
{
	return atomic_load(&gmon.begun);
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
	} else if (gmon.expected) {
		str_add(s, "gmon.out");
	} else {
		return false;
	}
	return true;
}

static void
make_path(char *path, size_t room, enum config_format format)
{
	struct str s;

	str_init(&s, path, room);
	if (format == CONFIG_FORMAT_GMON && name_as_libc(&s))
		return;
	str_add(&s, mon->store.local ? mon->store.final : mon->store.path);
	str_add(&s, writers[format].suffix);
}

static enum config_format
wanted(void)
{
	if (config.place != CONFIG_PLACE_MEMORY)
		return config.format;
	return writers_have_gmon() ? CONFIG_FORMAT_GMON :
	    CONFIG_FORMAT_NATIVE;
}

static void
run(enum config_format format)
{
	char path[PATH_MAX];
	int ret;

	if (format == CONFIG_FORMAT_NATIVE || store_header() == NULL)
		return;
	make_path(path, sizeof path, format);
	ret = writers[format].write(path);
	/* Of a program that is only linked it is all there is, as libc's. */
	if (ret == 0 || ret == -ENODATA ||
	    (!config.message && config.place != CONFIG_PLACE_MEMORY))
		return;
	note_write(path, ": it could not be written", ret == -ERANGE ? ": " :
	    "", ret == -ERANGE ? writers[format].remedy : "", NULL);
}

void
writers_run(void)
{
	run(wanted());
}

/* The clocks first: what they hold is in the file then. */
void
writers_end_gmon(void)
{
	if (!atomic_exchange(&gmon.begun, false))
		return;
	clock_use();
	run(CONFIG_FORMAT_GMON);
}
