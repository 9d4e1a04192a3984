/* Context: O.  prof --control: telling running processes what to do. */
#include "control.h"

#include "answer.h"
#include "crowd.h"
#include "tell.h"

#include <errno.h>

int
control_run(const char **names, size_t count, FILE *out,
    enum sheet_form form, control_fault *fault, void *arg)
{
	struct crowd c = { .fault = fault, .arg = arg };
	struct order o;

	if (tell_parse(&o, names, count) != 0)
		return -EINVAL;
	if (crowd_open(&c, names[0]) != 0)
		return -ENOMEM;
	if (!o.status_only)
		crowd_tell(&c, &o);
	answer_show(&c, &o, out, form);
	crowd_close(&c);
	return c.result;
}
