/* Context: O.  Processes and threads that a file of another profiler tells. */
#ifndef WHOSE_H
#define WHOSE_H

#include "import.h"
#include "model.h"

/* Of one file. */
struct whose {
	struct model *model;
	bool images;		/* another program is another process */
	struct finder by_pid, by_tid;
};

/* Processes, and their programs.  0 or -ENOMEM. */
int whose_note(struct whose *w, const struct import_sample *s);

/* MODEL_NONE: not told. */
uint32_t whose_process(const struct whose *w, const struct import_sample *s);

/* Made when it is not there; MODEL_NONE: not told.  0 or -ENOMEM. */
int whose_thread(struct whose *w, const struct import_sample *s,
    uint32_t *thread);

/* Was it asked for? */
bool whose_wants(const struct whose *w, const struct import_sample *s);

void whose_free(struct whose *w);

#endif
