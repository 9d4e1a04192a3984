/*
 * Context: O.  Finds the processes and threads that a file of another profiler
 * or a tprof.out names, and adds them to the model.  For read_import.c, and for
 * read_tprof.c and its parts.
 */
#ifndef IMPORT_PROCESSES_H
#define IMPORT_PROCESSES_H

#include "base/model.h"
#include "import.h"

/*
 * Processes and threads of one file.  The reader sets `model` and `images`; all
 * else is 0 at first.
 */
struct import_processes {
	struct model *model;
	bool images;	/* a pid with another program is another process */
	struct hash_index by_pid, by_tid;
};

/*
 * Notes the process of a sample, and the name of its program, in the model;
 * does nothing if the file does not name the process.  Returns 0 or -ENOMEM.
 */
int import_processes_note(struct import_processes *w,
    const struct import_sample *s);

/*
 * Returns the process of a sample in the model; MODEL_NONE if the file does not
 * name it, or import_processes_note() was not called for it.
 */
uint32_t import_processes_find(const struct import_processes *w,
    const struct import_sample *s);

/*
 * Sets *thread to the thread of a sample in the model, which is added if it is
 * missing; MODEL_NONE if the file does not name it.  Returns 0 or -ENOMEM.
 */
int import_processes_thread(struct import_processes *w,
    const struct import_sample *s, uint32_t *thread);

/*
 * Returns whether the filters of processes and threads select the sample, after
 * the first pass has noted all processes.  Sets m->met for those that match, in
 * their order up to the first that does not.
 */
bool import_processes_selected(const struct import_processes *w,
    const struct import_sample *s);

/* Frees the indexes; processes and threads stay in the model. */
void import_processes_free(struct import_processes *w);

#endif
