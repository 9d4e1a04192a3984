/*
 * Context: S.  Unlocks the library's memory, for the hook of mlockall(2),
 * behind private_fds_run(); see mmap_unlock.h.
 */
#include "base/mmap_unlock.h"

#include "base/mmap_area.h"
#include "module/proc_maps.h"

#define PAGE_MOST	65536u

/* Bounds of the library's own segments; the linker defines both. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static bool
is_line_of_segments(const struct proc_maps_line *line)
{
	return line->start >= (uintptr_t)__ehdr_start && line->end <=
	    (((uintptr_t)_end + PAGE_MOST - 1) & ~(uintptr_t)(PAGE_MOST - 1));
}

static void
unlock_line(const struct proc_maps_line *line, void *unused)
{
	(void)unused;
	if (mmap_area_has_placed(line->start, line->end) ||
	    is_line_of_segments(line))
		SYS(munlock, line->start, line->end - line->start, 0, 0, 0, 0);
}

void
mmap_unlock_library(bool future, char *scratch, size_t room)
{
	mmap_area_set_locked(future);
	proc_maps_read(0, scratch, room, unlock_line, NULL);
}
