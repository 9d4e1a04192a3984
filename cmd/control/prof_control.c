/*
 * Context: O.  Runs prof --control for main() of prof: parses the words, has
 * core/control run the session, and prints the answers; see prof_control.h.
 */
#include "control/prof_control.h"

#include "control/control_parse.h"
#include "control/control_print.h"
#include "control_session.h"
#include "output.h"

#include <errno.h>
#include <sys/resource.h>

/*
 * Raises the limit of descriptors: there may be many processes, each needs one,
 * and so does each of their threads.
 */
static void
raise_control_fd_limit(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
}

int
prof_control_run(const char **names, size_t count, const char *output,
    enum data_table_format form, prof_control_on_fault *fault, void *arg)
{
	struct control_session c = { .fault = fault, .arg = arg };
	struct fault f = { 0 };
	struct output o;
	struct control_command command;

	if (control_parse_words(&command, names, count) != 0)
		return -EINVAL;
	if (output_open(&o, output, &f) != 0) {
		control_session_report(&c, &f, output);
		return c.result;
	}
	raise_control_fd_limit();
	if (control_session_run(&c, names[0], &command) != 0) {
		output_abandon(&o);
		control_session_close(&c);
		return -ENOMEM;
	}
	control_print_answers(&c, &command, o.out, form);
	if (c.count == 0 && c.result != 0)
		output_abandon(&o);
	else if (output_close(&o, &f) != 0)
		control_session_report(&c, &f, output);
	control_session_close(&c);
	return c.result;
}
