/*
 * Context: O.  Stores the names of a run in its profiles, for prof_record.c;
 * see record_names.h.
 */
#include "record/record_names.h"

#include "common/print_fault.h"
#include "embed.h"
#include "load.h"
#include "output.h"
#include "process_state.h"

#include <stdio.h>
#include <string.h>

/* Most profiles that get names: the user waits for the end of the command. */
#define RECORD_NAMES_MOST	64

/* Returns whether a file belongs to the system, not to who builds programs. */
static bool
is_system_path(const char *path, size_t bytes)
{
	static const char *const own = "/usr/local/";
	static const char *const places[] = {
		"/usr/", "/lib/", "/lib32/", "/lib64/", "/libx32/", "/bin/",
		"/sbin/", "[",
	};

	if (bytes >= strlen(own) && memcmp(path, own, strlen(own)) == 0)
		return false;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (bytes >= strlen(places[i]) &&
		    memcmp(path, places[i], strlen(places[i])) == 0)
			return true;
	return false;
}

/* Returns whether the process had code outside of the system's directories. */
static bool
has_own_module(const struct decode *d)
{
	struct format_module own;
	struct fault f;
	uint32_t at = 0, bytes;

	while (decode_module(d, &at, &own, &f) == 1) {
		const char *path = decode_text(d, own.path, &bytes, &f);

		if (path != NULL && (own.flags & (FORMAT_M_VDSO |
		    FORMAT_M_OURS)) == 0 && !is_system_path(path, bytes))
			return true;
	}
	return false;
}

/* Returns whether names are to be stored in a file. */
static bool
wants_names(const char *path)
{
	struct load l;
	struct fault f;
	bool wanted;

	if (load_open_raw(&l, path, &f) != 0)
		return false;
	wanted = (l.decode.sealed ||
	    process_state_check(&l.decode.header) == 0) &&
	    has_own_module(&l.decode);
	load_close(&l);
	return wanted;
}

/*
 * Stores names in a file.  Reports an error of the system; a profile that is
 * cut short has no room for names, and prof says so of it.
 */
static void
store_names(const char *path)
{
	struct embed_sum sum;
	struct fault f = { 0 };

	if (embed(path, NULL, &sum, &f) >= 0 || f.errnum == 0)
		return;
	if (f.file == NULL)
		f.file = path;
	print_fault(&f);
}

void
record_names_store(const struct record_output *o)
{
	struct input in = { 0 };
	struct fault f;
	size_t stored = 0, more = 0;

	output_unlink_on_signal();
	if (record_output_list(o, &in, &f) != 0) {
		input_free(&in);
		return;
	}
	for (size_t i = 0; i < in.count; i++) {
		if (!wants_names(in.files[i].path))
			continue;
		if (stored == RECORD_NAMES_MOST) {
			more++;
			continue;
		}
		store_names(in.files[i].path);
		stored++;
	}
	if (more != 0)
		fprintf(stderr, "prof: names are stored in %zu of %zu "
		    "profiles: prof --embed %s stores the others\n", stored,
		    stored + more, o->name);
	input_free(&in);
}
