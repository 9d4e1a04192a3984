/* Context: O.  Where functions start and end, from the unwind table. */
#ifndef EHFRAME_H
#define EHFRAME_H

#include "elf_file.h"

struct ehframe_range {
	uint64_t start;
	uint64_t end;
};

/* .eh_frame_hdr is searched in place; without it .eh_frame is read once. */
struct ehframe {
	const struct elf_file *file;
	const unsigned char *table;	/* of the sorted header, or NULL */
	uint64_t table_base;
	size_t count;
	struct ehframe_range *ranges;	/* the other way, sorted */
	size_t room;
};

/* 0, also when the file has no unwind table (count is 0), or -ENOMEM. */
int ehframe_open(struct ehframe *e, const struct elf_file *f);
void ehframe_close(struct ehframe *e);

/* The last function that starts at or before pc; false = none does. */
bool ehframe_before(const struct ehframe *e, uint64_t pc,
    struct ehframe_range *range);

#endif
