/*
 * Context: O.  Makes the texts of the lines of a table, for flat.c and diff.c;
 * see flat_label.h.
 */
#include "table/flat_label.h"

#include <inttypes.h>
#include <stdio.h>

static const char *
label_process(const struct model *m, uint32_t process, char *room, size_t bytes)
{
	const struct model_process *p;

	if (process == MODEL_NONE)
		return "-";
	p = &m->processes[process];
	if (p->image > 1)
		snprintf(room, bytes, "%" PRId32 ":%" PRIu32 " %s", p->pid,
		    p->image, p->program);
	else
		snprintf(room, bytes, "%" PRId32 " %s", p->pid, p->program);
	return room;
}

static const char *
label_thread(const struct model *m, uint32_t thread, char *room, size_t bytes)
{
	const struct format_thread *t;

	if (thread == MODEL_NONE)
		return "[not sampled]";
	t = &m->threads[thread].thread;
	if ((t->flags & FORMAT_T_POOL) != 0)
		snprintf(room, bytes, "%" PRIu64 " threads", t->members);
	else
		snprintf(room, bytes, "%" PRId32 " %.*s", t->tid,
		    (int)sizeof(t->name), t->name);
	return room;
}

static const char *
label_line(const struct model *m, const struct group_line *l, char *room,
    size_t bytes)
{
	if (l->file == MODEL_NONE)
		return "-";
	if (l->line == 0)	/* no line in particular */
		snprintf(room, bytes, "%s:?", m->sources.shown[l->file]);
	else
		snprintf(room, bytes, "%s:%" PRIu32,
		    m->sources.shown[l->file], l->line);
	return room;
}

const char *
flat_label(struct model *m, const struct group_line *l, enum group_by column,
    char *room, size_t bytes)
{
	const char *name;

	switch (column) {
	case GROUP_PROCESS:
		return label_process(m, l->process, room, bytes);
	case GROUP_PROGRAM:
		return l->program != NULL ? l->program : "-";
	case GROUP_THREAD:
		return label_thread(m, l->thread, room, bytes);
	case GROUP_MODE:
		return group_mode_name(l->mode);
	case GROUP_MODULE:
		return model_module_name(m, l->module);
	case GROUP_FILE:
		return l->file != MODEL_NONE ? m->sources.paths.all[l->file] :
		    "-";
	case GROUP_LINE:
		return label_line(m, l, room, bytes);
	case GROUP_FUNCTION:
		name = model_function_name(m, l->function);
		return name != NULL ? name : "?";
	default:
		if (l->address == 0)
			return "-";
		snprintf(room, bytes, "%#" PRIx64, l->address);
		return room;
	}
}

const char *
flat_label_title(enum group_by column)
{
	static const char *const titles[GROUP_COUNT] = {
		[GROUP_PROCESS] = "Process",
		[GROUP_PROGRAM] = "Program",
		[GROUP_THREAD] = "Thread",
		[GROUP_MODE] = "Mode",
		[GROUP_MODULE] = "Module",
		[GROUP_FILE] = "File",
		[GROUP_FUNCTION] = "Name",
		[GROUP_LINE] = "Line",
		[GROUP_ADDRESS] = "Address",
	};

	return titles[column];
}
