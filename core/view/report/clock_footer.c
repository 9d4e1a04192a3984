/*
 * Context: O.  Prints which clocks took samples, for footer.c; see
 * clock_footer.h.
 */
#include "report/clock_footer.h"

#include <inttypes.h>
#include <string.h>

/*
 * Prints the mean weight of a sample in user mode and in system calls, as these
 * are measured by different clocks.
 */
static void
print_sample_weights(FILE *out, const struct model *m)
{
	struct { uint64_t count, ns; } user = { 0 }, kernel = { 0 };

	/* Samples of other profilers have rows of the same kind. */
	if (m->files_foreign != 0)
		return;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (r->kind == FORMAT_USER) {
			user.count += r->count;
			user.ns += r->ns;
		} else if (r->kind == FORMAT_KERNEL) {
			kernel.count += r->count;
			kernel.ns += r->ns;
		}
	}
	if (user.count != 0)
		fprintf(out, "; %.4f ms a sample in user mode",
		    (double)user.ns / (double)user.count / 1e6);
	if (kernel.count != 0)
		fprintf(out, "%s %.4f ms in a call", user.count != 0 ? "," :
		    ";", (double)kernel.ns / (double)kernel.count / 1e6);
}

void
clock_footer_rate(FILE *out, const struct model *m, const struct footer_sums *x)
{
	fprintf(out, "rate: asked %s", x->asked_auto ? "auto" : "");
	if (x->asked_auto && x->asked_high != 0)
		fprintf(out, " and ");
	if (x->asked_low < x->asked_high)
		fprintf(out, "%" PRIu64 " to ", x->asked_low);
	if (x->asked_high != 0)
		fprintf(out, "%" PRIu64 " Hz", x->asked_high);
	if (x->all_ns != 0)
		fprintf(out, ", measured %.1f samples a CPU second",
		    (double)x->samples / footer_sums_seconds(x->all_ns));
	print_sample_weights(out, m);
	putc('\n', out);
}

static void
print_later_period(FILE *out, const struct footer_sums *x)
{
	fprintf(out, "%.4f ms while it sleeps now and then or shares its "
	    "processor", (double)x->later_ns / 1e6);
}

/*
 * Prints the means of the periods of the fine clock, and for how much CPU time
 * of a thread each holds.
 */
static void
print_fine_period(FILE *out, const struct footer_sums *x)
{
	const bool all_started = x->started && x->budget_low > x->budget_high;

	fprintf(out, "; fine: perf event");
	if (x->period_high == 0)
		return;
	fprintf(out, " every ");
	if (all_started) {
		print_later_period(out, x);
		return;
	}
	if (x->period_low < x->period_high)
		fprintf(out, "%.4f to ", (double)x->period_low / 1e6);
	fprintf(out, "%.4f ms of user time", (double)x->period_high / 1e6);
	if (x->budget_high != 0)
		fprintf(out, " for %sthe first %.1f s of a thread",
		    x->budget_low < x->budget_high ? "all or " : "",
		    footer_sums_seconds(x->budget_high));
	if (x->started)
		fprintf(out, " without a profiled parent");
	if (x->later_ns != 0) {
		fprintf(out, ", then every ");
		print_later_period(out, x);
	}
}

/* Prints whether threads had the fine clock, and why some had none. */
static void
print_fine_clock(FILE *out, const struct footer_sums *x)
{
	bool on = footer_sums_fine_clock(x);
	bool refused = (x->fine_seen & 1u << FORMAT_FINE_REFUSED) != 0;
	bool boxed = (x->fine_seen & 1u << FORMAT_FINE_SECCOMP) != 0;

	if (on)
		print_fine_period(out, x);
	if ((x->fine_seen & 1u << FORMAT_FINE_SWITCHING) != 0)
		fprintf(out, ", off while it is switched often");
	if (boxed)
		fprintf(out, on ? ", off under seccomp" :
		    "; fine: off under seccomp");
	if (refused)
		fprintf(out, "; fine: refused%s (%s)", on ?
		    " to some threads" : "", strerror(x->fine_errno));
	if (!on && !refused && !boxed)
		fprintf(out, "; fine: not used");
	if (x->kernel_errno != 0)
		fprintf(out, "; kernel functions: refused (%s)",
		    strerror(x->kernel_errno));
}

static void
print_coarse_interval(FILE *out, uint64_t low, uint64_t high)
{
	fprintf(out, " every ");
	if (low < high)
		fprintf(out, "%.1f to ", (double)low / 1e6);
	fprintf(out, "%.1f ms", (double)high / 1e6);
}

void
clock_footer_print(FILE *out, const struct footer_sums *x)
{
	static const char *const coarse[] = {
		[FORMAT_COARSE_CPU] = "thread CPU time",
		[FORMAT_COARSE_USER] = "thread user time",
		[FORMAT_COARSE_PROCESS] = "process timer",
	};
	const char *between = "";

	fprintf(out, "clocks: coarse: ");
	for (unsigned i = FORMAT_COARSE_CPU; i <= FORMAT_COARSE_PROCESS; i++) {
		if ((x->coarse_seen & 1u << i) == 0)
			continue;
		fprintf(out, "%s%s", between, coarse[i]);
		between = " and ";
	}
	if (*between == '\0')
		fprintf(out, "none");
	else
		print_coarse_interval(out, x->tick_low, x->tick_high);
	if (x->coarse_errno != 0)
		fprintf(out, " (thread timer refused: %s)",
		    strerror(x->coarse_errno));
	print_fine_clock(out, x);
	putc('\n', out);
}
