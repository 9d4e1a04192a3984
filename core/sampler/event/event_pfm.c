/*
 * Context: O.  Finds processor events by the names of the vendors' manuals, for
 * events_add() and tprof list; libpfm4 has the names; see event.h.  Linked with
 * libpfm4, tprof would spend most of its load time on the library's 41,000
 * relocations.  So dlopen(3) loads it, only when the kernel does not list an
 * event, or for tprof list.  One thread only: the state has no lock.
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
	pfm_err_t (*pmu)(pfm_pmu_t pmu, pfm_pmu_info_t *info);
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
	*(void **)&pfm.pmu = dlsym(library, "pfm_get_pmu_info");
	return initialize != NULL && pfm.encode != NULL && pfm.next != NULL &&
	    pfm.event != NULL && pfm.pmu != NULL &&
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

/*
 * Visits the events of a performance monitoring unit that libpfm4 can encode by
 * their names alone.  Leaves out those that need a unit mask.
 */
static void
list_pmu(event_visit *each, void *arg, const pfm_pmu_info_t *pmu)
{
	for (int i = pmu->first_event; i != -1; i = pfm.next(i)) {
		pfm_event_info_t info = { .size = sizeof(info) };
		struct event e = { .attr = { .size = sizeof(e.attr) } };
		char name[256];

		if (pfm.event(i, PFM_OS_PERF_EVENT, &info) !=
		    PFM_SUCCESS)
			continue;
		snprintf(name, sizeof(name), "%s::%s", pmu->name, info.name);
		if (event_find_pfm(&e, name))
			each(arg, pmu->name, name, &e);
	}
}

/* Leaves out the units "perf", which event_list() has, and "perf_raw". */
void
event_list_pfm(event_visit *each, void *arg)
{
	for (int i = 0; is_ready() && i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		if (pfm.pmu((pfm_pmu_t)i, &pmu) == PFM_SUCCESS &&
		    pmu.is_present && strncmp(pmu.name, "perf", 4) != 0)
			list_pmu(each, arg, &pmu);
	}
}
