/*
 * Context: O.  Copies the profile of a running process, for the command `dump`
 * of a control session.
 */
#include "profile_dump.h"

#include "base/clock_ns.h"
#include "load.h"
#include "output.h"
#include "process_state.h"

#include <errno.h>
#include <time.h>

/*
 * Marks the copy as ended at this moment.  It is not marked as sealed: threads
 * may have been in the middle of a record.
 */
static void
mark_dump_end(struct format_header *h, size_t size)
{
	const uint64_t cpu = process_state_cpu_ns(h->pid);

	h->end = FORMAT_END_DUMP;
	h->end_real = clock_ns_now(CLOCK_REALTIME);
	h->end_mono = clock_ns_now(CLOCK_MONOTONIC);
	if (cpu > h->cpu_ns)
		h->cpu_ns = cpu;
	h->cpu_mono = h->end_mono;
	h->system_ns = process_state_system_ns(h->pid);
	h->user_ns = h->cpu_ns > h->system_ns ? h->cpu_ns - h->system_ns : 0;
	h->used = size | FORMAT_CLOSED;
	h->asked = h->answered = 0;
}

int
profile_dump(const char *path, const char *to, struct fault *f)
{
	struct output o;
	struct load l;
	int ret = load_open_raw(&l, path, f);

	if (ret != 0)
		return ret < 0 ? ret : -EINVAL;
	ret = output_open_private(&o, to, f);
	if (ret == 0) {
		mark_dump_end((struct format_header *)l.copy.bytes,
		    l.decode.size);
		fwrite(l.copy.bytes, 1, l.decode.size, o.out);
		ret = output_close(&o, f);
	}
	load_close(&l);
	return ret;
}
