/* Context: S.  A call against the last one, frame by frame. */
#ifndef RECALLLOOK_H
#define RECALLLOOK_H

#include "recallframe.h"
#include "rows.h"

struct recall_look {
	struct recall *r;
	struct rows rows;
	struct recall_stack stack;
	unsigned kept;		/* outer frames that hold still */
	unsigned fresh;		/* inner ones that do not */
};

/*
 * Outward from the innermost frame, fresh[0], until one is met from which all
 * is as it was, or the outermost.  False: it takes a search, or is deeper than
 * depth=.
 */
bool recall_look(struct recall_look *k);

/* The call that was looked at is the last now, of no path yet. */
void recall_take_on(struct recall_look *k);

#endif
