/* Context: O.  Processes and threads that a file of another profiler tells. */
#ifndef IMPORT_PROCESSES_H
#define IMPORT_PROCESSES_H

#include "base/model.h"
#include "import.h"

/* Of one file. */
struct import_processes {
	struct model *model;
	bool images;		/* another program is another process */
	struct hash_index by_pid, by_tid;
};

/* Processes, and their programs.  0 or -ENOMEM. */
int import_processes_note(struct import_processes *w,
    const struct import_sample *s);

/* MODEL_NONE: not told. */
uint32_t import_processes_find(const struct import_processes *w,
    const struct import_sample *s);

/* Made when it is not there; MODEL_NONE: not told.  0 or -ENOMEM. */
int import_processes_thread(struct import_processes *w,
    const struct import_sample *s, uint32_t *thread);

/* Was it asked for? */
bool import_processes_selected(const struct import_processes *w,
    const struct import_sample *s);

void import_processes_free(struct import_processes *w);

#endif
