/* Context: O.  doc/format.md gives each field of format.h its place. */
#include "format.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char doc[1 << 16];

static void
read_doc(void)
{
	const char *source = getenv("MON_SRC");
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/doc/format.md",
	    source != NULL ? source : ".");
	f = fopen(path, "r");
	cr_assert_not_null(f, "%s", path);
	doc[fread(doc, 1, sizeof doc - 1, f)] = '\0';
	cr_assert(feof(f));
	fclose(f);
}

/* A row of the tables from one heading of the second level to the next. */
static void
has_row(const char *heading, size_t offset, size_t size, const char *field)
{
	const char *from, *to, *at;
	char row[128];

	snprintf(row, sizeof row, "\n## %s\n", heading);
	from = strstr(doc, row);
	cr_assert_not_null(from, "%s", heading);
	to = strstr(from + 1, "\n## ");
	snprintf(row, sizeof row, "\n| %zu | %zu | `%s` |", offset, size,
	    field);
	at = strstr(from, row);
	cr_expect(at != NULL && at < to, "%s: no row%s", heading, row);
}

#define ROW(heading, type, field)				\
	has_row(heading, offsetof(struct type, field),		\
	    sizeof ((struct type *)NULL)->field, #field)

#define HEADER(f)	ROW("Header", format_header, f)
#define THREAD(f)	ROW("Thread", format_thread, f)
#define NODE(f)		ROW("Node", format_node, f)
#define ARCS(f)		ROW("Arcs", format_arcs, f)
#define ARC(f)		ROW("Arcs", format_arc, f)
#define MOMENTS(f)	ROW("Moments", format_tick_log, f)
#define MOMENT(f)	ROW("Moments", format_logged_tick, f)
#define NAMES(f)	ROW("Names", format_names, f)
#define PLACE(f)	ROW("Names", format_place, f)
#define SCOPE(f)	ROW("Names", format_scope, f)
#define BASE(f)		ROW("Base", format_baseline, f)
#define WORD(f)		ROW("Base", format_baseline_word, f)
#define MODULE(f)	ROW("Module", format_module, f)

Test(format_layout, header, .init = read_doc)
{
	HEADER(magic); HEADER(version); HEADER(header_bytes); HEADER(machine);
	HEADER(address_bits); HEADER(cap); HEADER(birth_real);
	HEADER(birth_mono); HEADER(pid); HEADER(ppid); HEADER(uid);
	HEADER(euid); HEADER(pid_namespace); HEADER(start_ticks);
	HEADER(boot_id); HEADER(run_pid); HEADER(image); HEADER(run_start);
	HEADER(exe); HEADER(cmdline); HEADER(host); HEADER(options);
	HEADER(clock); HEADER(asked_hz); HEADER(tick_ns); HEADER(period_ns);
	HEADER(budget_ns); HEADER(signal); HEADER(cost_shift);
	HEADER(library); HEADER(later_ns);
}

Test(format_layout, life_space_lists_cost_losses, .init = read_doc)
{
	HEADER(state); HEADER(end); HEADER(exit_status);
	HEADER(end_real); HEADER(end_mono); HEADER(cpu_ns); HEADER(cpu_mono);
	HEADER(user_ns); HEADER(system_ns); HEADER(cpu_birth_ns);
	HEADER(children_ns); HEADER(children_birth_ns); HEADER(children);
	HEADER(session); HEADER(end_ppid); HEADER(lives); HEADER(begin_mono);
	HEADER(lived_ns); HEADER(delay_ns); HEADER(unasked_ns);
	HEADER(throttle_birth_ns); HEADER(throttle_ns);
	HEADER(throttles_birth); HEADER(throttles); HEADER(unseen);
	HEADER(sums); HEADER(living);
	HEADER(coarse_seen); HEADER(fine_seen); HEADER(fine_errno);
	HEADER(coarse_errno); HEADER(used); HEADER(ready); HEADER(modules);
	HEADER(threads); HEADER(arcs); HEADER(names); HEADER(names_at);
	HEADER(moments); HEADER(cost_ticks); HEADER(cost_ns);
	HEADER(ticks); HEADER(first_ticks); HEADER(first_ns); HEADER(sample_ns);
	HEADER(sample_squares); HEADER(kernel_ns); HEADER(coarse_ns);
	HEADER(loss);
	HEADER(asked); HEADER(ask_stop); HEADER(kicks); HEADER(answered);
	HEADER(answer); HEADER(answer_mono); HEADER(stopped_ns);
	HEADER(kick_signal);
	HEADER(ask_modes); HEADER(ask_interval_ns); HEADER(modes);
	HEADER(interval_ns); HEADER(base); HEADER(first_interval_ns);
	HEADER(ask_forget); HEADER(first_modes); HEADER(no_modes);
	HEADER(frozen);
	HEADER(ask_watch); HEADER(watch);
}

Test(format_layout, thread, .init = read_doc)
{
	THREAD(next); THREAD(root); THREAD(tid); THREAD(flags); THREAD(name);
	THREAD(start_mono); THREAD(end_mono); THREAD(cpu_ns);
	THREAD(cpu_start_ns); THREAD(period_ns); THREAD(fine_ns);
	THREAD(coarse); THREAD(fine); THREAD(fine_errno);
	THREAD(coarse_errno); THREAD(ticks); THREAD(members);
}

Test(format_layout, node, .init = read_doc)
{
	NODE(parent); NODE(child); NODE(sibling); NODE(module); NODE(address);
	NODE(kind); NODE(how); NODE(count); NODE(ns);
}

Test(format_layout, arcs, .init = read_doc)
{
	ARCS(next); ARCS(room); ARCS(pad);
	ARC(self); ARC(from); ARC(count); ARC(self_module); ARC(from_module);
}

Test(format_layout, moments, .init = read_doc)
{
	MOMENTS(next); MOMENTS(thread); MOMENTS(room); MOMENTS(pad);
	MOMENT(mono); MOMENT(node); MOMENT(ns);
}

Test(format_layout, base, .init = read_doc)
{
	BASE(mono); BASE(cpu_ns); BASE(stopped_ns); BASE(words);
	WORD(at); WORD(less);
}

Test(format_layout, names, .init = read_doc)
{
	NAMES(next); NAMES(module); NAMES(places); NAMES(scopes);
	PLACE(address); PLACE(start); PLACE(name); PLACE(first);
	PLACE(scopes); PLACE(pad);
	SCOPE(function); SCOPE(file); SCOPE(line); SCOPE(pad);
}

Test(format_layout, module, .init = read_doc)
{
	MODULE(next); MODULE(path); MODULE(start); MODULE(end); MODULE(bias);
	MODULE(device); MODULE(inode); MODULE(load_mono); MODULE(unload_mono);
	MODULE(flags); MODULE(build_id_bytes); MODULE(build_id);
}
