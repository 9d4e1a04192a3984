/* Context: S.  How to find the caller at a place of the code, remembered. */
#ifndef ROWS_H
#define ROWS_H

#include "cfi.h"
#include "state.h"

enum row_kind {
	ROW_NONE = 0,		/* nothing is remembered */
	ROW_PLAIN,
	ROW_ALIGNED,		/* frame is what lies at fp + offset: gcc's
				   functions that align their stack */
	ROW_SIGNAL,		/* a signal's handler returns here */
	ROW_OUTERMOST,		/* there is no caller */
	ROW_OTHER,		/* only the tables themselves tell */
};

/* Offsets in bytes, multiples of 8. */
struct row {
	enum row_kind kind;
	bool by_fp;		/* frame = fp + frame_offset, else sp + */
	bool fp_saved;		/* at frame + fp_offset; ALIGNED: fp + */
	bool base_saved;	/* the same */
	bool linked;		/* the return address is still in a register */
	uint32_t frame_offset;
	int32_t fp_offset, base_offset;
	int32_t ra_offset;	/* from frame; ALIGNED: of frame from fp */
};

/* ROW_NONE: it is not there. */
struct row rows_find(uintptr_t pc);

/* What a table says, in few bits: ROW_OTHER where it does not fit. */
struct row rows_make(const struct cfi_row *from);
void rows_enter(uintptr_t pc, const struct row *row);

#endif
