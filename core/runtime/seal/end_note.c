/*
 * Context: T.  Tells the user where the profile is, for seal.c with msg=yes;
 * see end_note.h.
 */
#include "seal/end_note.h"

#include "base/state.h"
#include "base/stderr_note.h"
#include "base/str.h"

#include <errno.h>

static const char *
text_of_errno(int error)
{
	switch (error) {
	case ENOENT: return "no such directory";
	case ENOTDIR: return "not a directory";
	case EACCES: case EPERM: return "not permitted";
	case EROFS: return "a read-only file system";
	case ENOSPC: case EDQUOT: return "no space left";
	case EFBIG: return "past the limit of file sizes";
	case ENAMETOOLONG: return "the name is too long";
	default: return NULL;
	}
}

void
end_note_no_profile(void)
{
	const char *words = text_of_errno(mon->store.error);
	char number[24];
	struct str s;

	str_init(&s, number, sizeof(number));
	str_add(&s, "errno ");
	str_add_number(&s, (uint64_t)mon->store.error);
	stderr_note(config.directory, "/", config.place == CONFIG_PLACE_FILE ?
	    config.pattern : "", ": no profile could be written: ",
	    words != NULL ? words : number, NULL);
}

void
end_note_path(uint64_t ticks)
{
	char number[24];
	struct str s;

	str_init(&s, number, sizeof(number));
	str_add_number(&s, ticks);
	stderr_note(mon->store.local ? mon->store.final : mon->store.path, ": ",
	    number, ticks == 1 ? " tick" : " ticks", config.yields ?
	    "; the name before it is of the program's own monitor()" : "",
	    NULL);
}
