/* Context: O.  prof --control: telling running processes what to do. */
#include "control.h"

#include "answer.h"
#include "crowd.h"
#include "output.h"
#include "tell.h"

#include <errno.h>
#include <sys/resource.h>

/* Many processes, each with a descriptor and as many as it has threads. */
static void
allow_descriptors(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
}

int
control_run(const char **names, size_t count, const char *output,
    enum sheet_form form, control_fault *fault, void *arg)
{
	struct crowd c = { .fault = fault, .arg = arg };
	struct fault f = { 0 };
	struct output o;
	struct order order;

	if (tell_parse(&order, names, count) != 0)
		return -EINVAL;
	if (output_open(&o, output, &f) != 0) {
		crowd_complain(&c, &f, output);
		return c.result;
	}
	allow_descriptors();
	if (crowd_tell(&c, names[0], &order) != 0) {
		output_abandon(&o);
		return -ENOMEM;
	}
	answer_show(&c, &order, o.out, form);
	if (c.count == 0 && c.result != 0)
		output_abandon(&o);
	else if (output_close(&o, &f) != 0)
		crowd_complain(&c, &f, output);
	crowd_close(&c);
	return c.result;
}
