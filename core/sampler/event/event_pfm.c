/*
 * Context: O.  Finds events of processors by the names in their manuals, which
 * libpfm4 has, for events_add() and tprof list; see event.h.  Its tables have
 * 41,000 relocations, which take most of the time that tprof needs to be
 * loaded.  So it is loaded only for an event that the kernel does not list, or
 * for the list.
 */
#include "event/event.h"

#include <dlfcn.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libpfm.so.4"

static struct {
	int state;		/* 0: not tried, 1: ready, -1: not available */
	pfm_err_t (*encode)(const char *name, int modes, pfm_os_t os,
	    void *arg);
	int (*next)(int event);
	pfm_err_t (*event)(int event, pfm_os_t os, pfm_event_info_t *info);
	pfm_err_t (*unit)(pfm_pmu_t unit, pfm_pmu_info_t *info);
} pfm;

/*
 * Loads the library and finds its functions.  Returns whether it can be used.
 * It stays loaded.
 */
static bool
load_library(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	pfm_err_t (*initialize)(void);

	if (library == NULL)
		return false;
	/* POSIX requires functions to be taken from dlsym(3) this way. */
	*(void **)&initialize = dlsym(library, "pfm_initialize");
	*(void **)&pfm.encode = dlsym(library, "pfm_get_os_event_encoding");
	*(void **)&pfm.next = dlsym(library, "pfm_get_event_next");
	*(void **)&pfm.event = dlsym(library, "pfm_get_event_info");
	*(void **)&pfm.unit = dlsym(library, "pfm_get_pmu_info");
	return initialize != NULL && pfm.encode != NULL && pfm.next != NULL &&
	    pfm.event != NULL && pfm.unit != NULL &&
	    initialize() == PFM_SUCCESS;
}

static bool
is_ready(void)
{
	if (pfm.state == 0)
		pfm.state = load_library() ? 1 : -1;
	return pfm.state == 1;
}

bool
event_find_pfm(struct event *e, const char *name)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };

	if (!is_ready() || pfm.encode(name,
	    PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg) != PFM_SUCCESS)
		return false;
	e->attr = attr;
	e->attr.size = sizeof(e->attr);
	e->ns = attr.type == PERF_TYPE_SOFTWARE &&
	    (attr.config == PERF_COUNT_SW_CPU_CLOCK ||
	    attr.config == PERF_COUNT_SW_TASK_CLOCK);
	e->attr.exclude_idle = e->ns;
	return true;
}

/* Visits the events of a unit of the processor. */
static void
list_unit(event_visit *each, void *arg, const pfm_pmu_info_t *unit)
{
	for (int i = unit->first_event; i != -1; i = pfm.next(i)) {
		pfm_event_info_t info = { .size = sizeof(info) };
		struct event e = { .attr = { .size = sizeof(e.attr) } };
		char name[256];

		if (pfm.event(i, PFM_OS_PERF_EVENT, &info) !=
		    PFM_SUCCESS)
			continue;
		snprintf(name, sizeof(name), "%s::%s", unit->name, info.name);
		if (event_find_pfm(&e, name))
			each(arg, unit->name, name, &e);
	}
}

/* The unit "perf" repeats what the kernel lists, and is left out. */
void
event_list_pfm(event_visit *each, void *arg)
{
	for (int i = 0; is_ready() && i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t unit = { .size = sizeof(unit) };

		if (pfm.unit((pfm_pmu_t)i, &unit) == PFM_SUCCESS &&
		    unit.is_present && strncmp(unit.name, "perf", 4) != 0)
			list_unit(each, arg, &unit);
	}
}
