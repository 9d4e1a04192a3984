/* Context: O.  prof(1): where the time of profiled programs went. */
#include "check.h"
#include "complain.h"
#include "distinct.h"
#include "flat.h"
#include "flatsheet.h"
#include "footer.h"
#include "gather.h"
#include "graph.h"
#include "info.h"
#include "input.h"
#include "load.h"
#include "oldprof.h"
#include "output.h"
#include "settings.h"
#include "symbolise.h"
#include "treeview.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_GOOD = 0, EXIT_DATA = 1, EXIT_WRONG_USE = 2 };

struct prof {
	struct settings set;
	int status;
	bool terminal;		/* standard error is one: */
	bool shown;		/* a line of progress is on it */
	struct timespec started;
	struct timespec last;
};

static void
fault_print(struct prof *p, const struct fault *f)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
	p->status = EXIT_DATA;
	complain(f);
}

static void
on_fault(void *arg, const struct fault *f)
{
	fault_print(arg, f);
}

static double
seconds_since(const struct timespec *then, const struct timespec *now)
{
	return (double)(now->tv_sec - then->tv_sec) +
	    (double)(now->tv_nsec - then->tv_nsec) / 1e9;
}

/* Only a terminal wants it, and only when it takes over a second. */
static void
on_progress(void *arg, size_t done, size_t all, const char *what)
{
	const struct term on_stderr = { .out = stderr };
	struct prof *p = arg;
	struct timespec now;

	if (!p->terminal)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seconds_since(&p->started, &now) < 1 ||
	    seconds_since(&p->last, &now) < 0.1)
		return;
	fprintf(stderr, "\r\033[Kprof: %zu of %zu: ", done, all);
	term_text(&on_stderr, what, 40);
	p->last = now;
	p->shown = true;
}

static void
find_input(struct prof *p, struct input *in, const char **names, size_t count)
{
	struct fault f = { 0 };

	for (size_t i = 0; i < count; i++)
		if (input_add(in, names[i], &f) != 0)
			fault_print(p, &f);
	/* A program alone says nothing of where its profile is. */
	if (in->program_count == count && input_add_default(in, &f) != 0)
		fault_print(p, &f);
}

/* A file that could not be read has said so. */
static void
nothing_found(struct prof *p, const char **names, size_t count)
{
	const char *directory = input_directory();
	struct fault f;

	if (p->status != EXIT_GOOD)
		return;
	if (count == 0 && directory != NULL) {
		names = &directory;
		count = 1;
	}
	if (count == 0) {
		fault_set(&f, "no profile found", FAULT_NO_OFFSET, 0);
		f.remedy = "run the program with LD_PRELOAD=libmon.so, or "
		    "name a file";
		fault_print(p, &f);
	}
	for (size_t i = 0; i < count; i++) {
		fault_set(&f, "no profile in it", FAULT_NO_OFFSET, 0);
		f.file = names[i];
		f.remedy = "a process that counted nothing leaves none";
		fault_print(p, &f);
	}
}

/* --check and --info: each file for itself.  How many were profiles. */
static size_t
show_each(struct prof *p, const struct input *in, FILE *out)
{
	struct sheet s;
	size_t good = 0;

	sheet_init(&s, out, p->set.form);
	sheet_column(&s, "file");
	sheet_column(&s, "key");
	sheet_column(&s, "value");
	for (size_t i = 0; i < in->count; i++) {
		const struct input_file *file = &in->files[i];
		struct fault f = { 0 };
		int ret = p->set.check ? check_file(out, file->path, &f) :
		    info_file(out, s.form == SHEET_NONE ? NULL : &s,
		    file->path, &f);

		good += ret == 0;
		if (ret < 0 || (ret == LOAD_OTHER && file->named))
			fault_print(p, &f);
	}
	if (s.form != SHEET_NONE)
		sheet_end(&s);
	return good;
}

/* "--pid=98 --pid=99", malloced; NULL = no memory. */
static char *
filter_given(const struct filter *f, enum filter_what what, const char *option)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	for (size_t i = 0; i < f->count[what] && out != NULL; i++)
		fprintf(out, "%s--%s=%s", i != 0 ? " " : "", option,
		    f->pattern[what][i]);
	if (out != NULL && fclose(out) != 0) {
		free(text);
		text = NULL;
	}
	return text;
}

static const struct {
	const char *option, *what, *remedy;
} filter_unmet_says[FILTER_WHATS] = {
	[FILTER_PID] = { "pid", "no such process in the profiles",
	    "prof --by=process lists them" },
	[FILTER_PROGRAM] = { "program", "no such program in the profiles",
	    "prof --by=program lists them" },
	[FILTER_THREAD] = { "thread", "no such thread in the profiles",
	    "prof --by=thread lists them" },
	[FILTER_MODULE] = { "module", "no time was counted in such a module",
	    "prof --by=module lists those that took some" },
	[FILTER_FOCUS] = { "focus", "no stack has such a function",
	    "prof --by=function lists those that took some time" },
	[FILTER_IGNORE] = { "ignore", "no stack has such a function",
	    "prof --by=function lists those that took some time" },
	[FILTER_FUNCTION] = { "function", "no time was counted in such a "
	    "function", "prof --by=function lists those that took some" },
};

/* A name that nothing has is most often misspelt. */
static void
filter_say_unmet(struct prof *p, const struct model *m)
{
	const struct filter *asked = &p->set.filter;
	enum filter_what unmet = filter_unmet(asked, m->met);
	struct fault f;
	char *given;

	if (unmet == FILTER_WHATS)
		return;
	fault_set(&f, filter_unmet_says[unmet].what, FAULT_NO_OFFSET, 0);
	for (unsigned i = 0; i < unmet; i++)
		if (filter_is_on(asked, i))
			f.what = "nothing that the other filters leave has "
			    "that name";
	f.remedy = filter_unmet_says[unmet].remedy;
	given = filter_given(asked, unmet, filter_unmet_says[unmet].option);
	f.file = given;
	fault_print(p, &f);
	free(given);
}

/* 0, -ENODATA: no calls are there; -ENOMEM. */
static int
show_graph(struct model *m, const struct term *t, const struct group *lines,
    enum sheet_form form)
{
	struct graph g;
	int ret = m->arc_count == 0 ? -ENODATA : graph_make(&g, m);

	if (ret == -ENODATA)
		return ret;
	if (ret == 0 && form != SHEET_NONE)
		graph_sheet(t->out, form, m, &g, lines);
	else if (ret == 0)
		graph_print(t, m, &g, lines);
	graph_free(&g);
	return ret;
}

#define TREE_LEAST	0.5	/* percent; asked is what --min says */

/* 0, -ENOENT: no stacks are there; -ENOMEM. */
static int
show_tree(struct prof *p, struct model *m, const struct term *t)
{
	struct treeview_options o = {
		.way = p->set.show == VIEW_TREE ? CALLTREE_DOWN : CALLTREE_UP,
		.least = p->set.least_given ? p->set.group.least : TREE_LEAST,
		.top = p->set.group.top,
	};
	struct calltree tree;
	int ret = m->stacks.count == 0 ? -ENOENT : calltree_make(&tree, m,
	    o.way);

	if (ret == -ENOENT)
		return ret;
	if (ret == 0 && p->set.form != SHEET_NONE)
		treeview_sheet(t->out, p->set.form, m, &tree);
	else if (ret == 0)
		ret = treeview_print(t, m, &tree, &o);
	calltree_free(&tree);
	return ret;
}

static int
show_table(struct prof *p, struct model *m, const struct term *t,
    const struct group *g)
{
	if (p->set.show == VIEW_GRAPH)
		return show_graph(m, t, g, p->set.form);
	if (p->set.show != VIEW_TABLE)
		return show_tree(p, m, t);
	if (p->set.form != SHEET_NONE)
		flatsheet_print(t->out, p->set.form, m, g, p->set.group.by);
	else
		flat_print(t, m, g, p->set.group.by);
	return 0;
}

static void
say_no_calls(struct prof *p, const struct model *m)
{
	struct fault f;

	fault_set(&f, m->files_classic != 0 ? "no callers are in the files" :
	    "no calls were counted", FAULT_NO_OFFSET, 0);
	f.remedy = "compile the program with -pg or -finstrument-functions";
	fault_print(p, &f);
}

static void
say_no_stacks(struct prof *p)
{
	struct fault f;

	fault_set(&f, "no call stacks are in the files", FAULT_NO_OFFSET, 0);
	f.remedy = "they are taken unless PROFOPTS has stack=off";
	fault_print(p, &f);
}

static int
show_report(struct prof *p, struct model *m, FILE *out)
{
	struct term term;
	struct group g;

	const struct group_options all = { .by = p->set.group.by };
	int ret = group_make(&g, m, p->set.show >= VIEW_TREE ? &all :
	    &p->set.group);

	if (ret == 0)
		ret = distinct_names(m, &g);
	if (ret != 0) {
		group_free(&g);
		return ret;
	}
	term_init(&term, out);
	ret = show_table(p, m, &term, &g);
	if (ret == 0 && p->set.form == SHEET_NONE && p->set.footer)
		footer_print(&term, m, &g);
	filter_say_unmet(p, m);
	group_free(&g);
	if (ret != -ENODATA && ret != -ENOENT)
		return ret;
	if (ret == -ENOENT)
		say_no_stacks(p);
	else
		say_no_calls(p, m);
	return -ESRCH;
}

/* 0, or -ESRCH: why not is said. */
static int
write_files(struct prof *p, struct model *m)
{
	struct fault f = { 0 };

	if (export_write(m, p->set.write, p->set.output, &f) == 0) {
		if (p->set.write == EXPORT_FOLDED)
			filter_say_unmet(p, m);
		return 0;
	}
	fault_print(p, &f);
	return -ESRCH;
}

/* Reading debug information takes time: only where it is shown. */
static unsigned
keep_lines(const struct settings *s)
{
	return !s->no_inline && (s->show >= VIEW_TREE ||
	    s->write == EXPORT_FOLDED) ? MODEL_KEEP_LINES : 0;
}

/* 0, -ENODATA: nothing to show; -ESRCH: the same, why is said; -ENOMEM. */
static int
make_report(struct prof *p, const struct input *in, FILE *out)
{
	struct model m;
	unsigned keep = group_keep(p->set.group.by) |
	    export_keep(p->set.write) |
	    (p->set.show == VIEW_GRAPH ? MODEL_KEEP_ARCS : 0) |
	    (p->set.show >= VIEW_TREE ? MODEL_KEEP_STACKS : 0) |
	    keep_lines(&p->set);
	int ret = model_init(&m, &p->set.filter, keep, p->set.demangle);

	p->terminal = isatty(STDERR_FILENO);
	clock_gettime(CLOCK_MONOTONIC, &p->started);
	if (ret == 0)
		ret = gather_all(&m, in, on_fault, on_progress, p);
	if (ret == 0)
		ret = symbolise_all(&m, on_progress, p);
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
	if (ret == 0 && m.files == 0 && m.files_other != 0) {
		filter_say_unmet(p, &m);
		ret = -ESRCH;
	} else if (ret == 0) {
		ret = m.files == 0 ? -ENODATA : p->set.write ?
		    write_files(p, &m) : show_report(p, &m, out);
	}
	model_free(&m);
	return ret;
}

static void
run(struct prof *p, const char **names, size_t count)
{
	struct input in = { 0 };
	struct output o;
	struct fault f = { 0 };
	int ret = 0;

	find_input(p, &in, names, count);
	if (output_open(&o, p->set.write ? NULL : p->set.output, &f) != 0) {
		fault_print(p, &f);
		input_free(&in);
		return;
	}
	if (p->set.check || p->set.info)
		ret = show_each(p, &in, o.out) == 0 ? -ENODATA : 0;
	else
		ret = make_report(p, &in, o.out);
	if (ret == -ENODATA)
		nothing_found(p, names, count);
	if (ret == -ENOMEM && p->status == EXIT_GOOD) {
		fault_set(&f, "out of memory", FAULT_NO_OFFSET, 0);
		fault_print(p, &f);
	}
	if (ret != 0) {
		output_abandon(&o);
	} else if (output_close(&o, &f) != 0) {
		fault_print(p, &f);
	}
	input_free(&in);
}

/*
 * A file must not be opened where messages go.  For reading alone: that writing
 * to what was closed fails is still said.
 */
static void
hold_standard(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static int
not_classic(const char *file)
{
	struct fault f;

	if (access(file, R_OK) != 0) {
		fault_set(&f, "cannot be opened", FAULT_NO_OFFSET, errno);
		f.remedy = "prof --help tells more";
	} else {
		fault_set(&f, "no profile of the classic prof, whose options "
		    "these are", FAULT_NO_OFFSET, 0);
		f.remedy = "use prof --classic to list any as that did, or "
		    "see prof --help";
	}
	f.file = file;
	complain(&f);
	return f.errnum != 0 ? EXIT_DATA : EXIT_WRONG_USE;
}

int
main(int argc, char **argv)
{
	const char **given = (const char **)argv + 1;
	struct prof p = { .status = EXIT_GOOD };
	struct output shown = { .out = stdout };
	enum oldprof_meant meant;
	const char *file;
	struct fault f;
	size_t count;
	int ret;

	hold_standard();
	meant = oldprof_meant(argc, argv, &file);
	if (meant == OLDPROF_YES)
		return oldprof(argc, argv);
	if (meant == OLDPROF_OTHER_FILE)
		return not_classic(file);
	ret = settings_parse(&p.set, given, &count);
	if (ret == 0)
		run(&p, given, count);
	settings_free(&p.set);
	if (ret == SETTINGS_SHOWN && output_close(&shown, &f) != 0)
		fault_print(&p, &f);
	return ret < 0 ? EXIT_WRONG_USE : p.status;
}
