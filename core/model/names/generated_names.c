/*
 * Context: O.  Names generated code, for symbolize_all(); see
 * generated_names.h.
 */
#include "names/generated_names.h"

#include "base/clock_ns.h"
#include "base/regular_file.h"
#include "code/jitdump.h"
#include "symbol/symbol_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Returns whether a map or dump at that path belongs to the process.  A pid is
 * reused, and with it the name of the map; only a file that was last written
 * while the process ran is its own.  The slack is for a process that starts
 * before its first count and runs on after its seal.
 */
static bool
jitmap_is_of(const char *path, const struct model_process *p)
{
	const uint64_t slack = 2000000000u;
	struct stat st;
	uint64_t written;

	if (regular_file_stat(path, &st) != 0)
		return false;
	written = clock_ns_of(&st.st_mtim);
	return written + slack >= p->birth_real &&
	    (p->end_real == 0 || written <= p->end_real + slack);
}

/*
 * Names generated code by a jitdump.  A compiler maps the jitdump that it
 * writes, so it is a module of the process, with the pid in its name; a perf
 * map has only its name by which it is found.  Returns 0 or -ENOMEM.
 */
static int
name_by_jitdump(struct model *m, struct symbol_batch *b, uint32_t process)
{
	const struct model_process *p = &m->processes[process];
	char name[sizeof("jit-.dump") + 3 * sizeof(p->pid)];
	int ret = 0;

	snprintf(name, sizeof(name), "jit-%" PRId32 ".dump", p->pid);
	for (size_t i = MODEL_MODULES; i < m->module_count && ret == 0; i++)
		if (m->modules[i].process == process &&
		    strcmp(m->modules[i].name, name) == 0 &&
		    jitmap_is_of(m->modules[i].path, p))
			ret = jitdump_name(m->modules[i].path, p->euid, p->pid,
			    b->asked, b->asked_count, &m->arena,
			    (m->keep & MODEL_KEEP_LINES) != 0 ? &b->lines :
			    NULL);
	return ret;
}

int
generated_names_find(struct model *m, struct symbol_batch *b)
{
	const uint32_t process = b->rows[0].process;
	const struct model_process *p;
	char path[64];
	int ret;

	if (process == MODEL_NONE || !m->processes[process].here)
		return 0;
	p = &m->processes[process];
	ret = name_by_jitdump(m, b, process);
	for (size_t i = 0; i < b->asked_count; i++)
		if (ret != 0 || b->asked[i].name != NULL)
			return ret;
	if (p->life == MODEL_RUNNING) {
		snprintf(path, sizeof(path),
		    "/proc/%" PRId32 "/root/tmp/perf-%" PRId32 ".map",
		    p->pid, p->pid);
		ret = jitmap_name(path, p->euid, b->asked, b->asked_count,
		    &m->arena);
	}
	snprintf(path, sizeof(path), "/tmp/perf-%" PRId32 ".map", p->pid);
	if (ret == 0 && b->asked[0].name == NULL && jitmap_is_of(path, p))
		ret = jitmap_name(path, p->euid, b->asked, b->asked_count,
		    &m->arena);
	return ret;
}
