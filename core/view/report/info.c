/*
 * Context: O.  Implements prof --info for cmd/prof/per_file.c: prints the
 * header, threads, heap and modules of a profile as keys and values; a
 * tprof.out is left to tprof_info.c.
 */
#include "report/info.h"

#include "decode/header.h"
#include "heap/heap_info.h"
#include "load.h"
#include "process_state.h"
#include "report/info_print.h"
#include "report/tprof_info.h"

#include <inttypes.h>
#include <string.h>

struct info {
	struct info_print to;
	struct decode *file;
	struct fault *fault;
};

/*
 * Prints a text of the file, at most 4095 bytes.  Arguments, which are
 * separated by NUL in the file, are separated by blanks.  Returns 0, or -1 with
 * *x->fault set.
 */
static int
put_info_text(const struct info *x, const char *key, uint32_t index)
{
	char value[4096];
	uint32_t length;
	const char *text = decode_text(x->file, index, &length, x->fault);

	if (text == NULL)
		return -1;
	if (length > 0 && text[length - 1] == '\0')
		length--;
	if (length >= sizeof(value))
		length = sizeof(value) - 1;
	memcpy(value, text, length);
	value[length] = '\0';
	for (uint32_t i = 0; i < length; i++)
		if (value[i] == '\0')
			value[i] = ' ';
	info_print(&x->to, key, value);
	return 0;
}

/* Prints the word for a value from an array of words. */
#define PUT_WORD(to, key, words, value) \
	info_print_word(to, key, words, sizeof(words) / sizeof(words[0]), value)

static const char *const clock_words[] = { "cpu", "wall" };
static const char *const state_words[] = { "born", "live", "sealed" };
static const char *const end_words[] = {
	"none", "exit", "_exit", "exec", "stop", "dump",
};
static const char *const sums_words[] = { "final", "refused", "quota" };
static const char *const coarse_words[] = {
	"none", "thread-cpu", "thread-user", "process",
};
static const char *const fine_words[] = {
	"never", "on", "done", "refused", "switching", "seccomp"
};

/* Words for single bits of a set. */
static const char *const thread_words[] = { "main", "pool", "raw" };
static const char *const module_words[] = {
	"main", "vdso", "deleted", "kernel", "no-elf",
};

/*
 * Prints what tells the process image from others.  Returns 0, or -1 if a text
 * is damaged.
 */
static int
info_identity(const struct info *x, const struct format_header *h)
{
	const struct info_print *to = &x->to;

	info_print_number(to, "version", h->version);
	info_print_signed(to, "pid", h->pid);
	info_print_signed(to, "ppid", h->ppid);
	info_print_number(to, "image", h->image);
	info_print_number(to, "uid", h->uid);
	info_print_number(to, "euid", h->euid);
	info_print_number(to, "pid_namespace", h->pid_namespace);
	info_print_number(to, "start_ticks", h->start_ticks);
	info_print_bytes(to, "boot_id", h->boot_id, sizeof(h->boot_id));
	info_print_signed(to, "run_pid", h->run_pid);
	info_print_number(to, "run_start", h->run_start);
	info_print_format(to, "libmon", "%u.%u.%u",
	    (unsigned)(h->library >> 32), (unsigned)(h->library >> 16 & 0xffff),
	    (unsigned)(h->library & 0xffff));
	info_print_number(to, "machine", h->machine);
	if (put_info_text(x, "exe", h->exe) != 0 ||
	    put_info_text(x, "cmdline", h->cmdline) != 0 ||
	    put_info_text(x, "host", h->host) != 0)
		return -1;
	return put_info_text(x, "options", h->options);
}

/* Prints how the process runs or has ended, its times, and the file's size. */
static void
info_state(const struct info *x, const struct format_header *h)
{
	const struct info_print *to = &x->to;
	int alive = h->state == FORMAT_SEALED ? 0 : process_state_check(h);

	info_print_time(to, "birth", h->birth_real);
	info_print_time(to, "end_time", h->end_real);
	PUT_WORD(to, "state", state_words, h->state);
	PUT_WORD(to, "end", end_words, h->end);
	info_print(to, "process", h->state == FORMAT_SEALED ? "ended" :
	    alive < 0 ? "unknown" : alive != 0 ? "running" : "gone");
	info_print_signed(to, "exit_status", h->exit_status);
	info_print_number(to, "cpu_ns", h->cpu_ns);
	info_print_number(to, "cpu_birth_ns", h->cpu_birth_ns);
	info_print_number(to, "children_ns", h->children_ns);
	info_print_number(to, "children_birth_ns", h->children_birth_ns);
	info_print_number(to, "children", h->children);
	info_print_signed(to, "session", h->session);
	info_print_signed(to, "end_ppid", h->end_ppid);
	info_print_number(to, "lives", h->lives);
	info_print_number(to, "living", h->living);
	info_print_number(to, "begin_mono", h->begin_mono);
	info_print_number(to, "lived_ns", h->lived_ns);
	info_print_number(to, "delay_ns", h->delay_ns);
	info_print_number(to, "unasked_ns", h->unasked_ns);
	info_print_number(to, "unseen", h->unseen);
	info_print_flags(to, "sums", sums_words, 3, h->sums);
	info_print_number(to, "throttle_ns", h->throttle_ns -
	    h->throttle_birth_ns);
	info_print_number(to, "throttles", h->throttles - h->throttles_birth);
	info_print_number(to, "user_ns", h->user_ns);
	info_print_number(to, "system_ns", h->system_ns);
	info_print_number(to, "used", h->used);
	info_print_number(to, "cap", h->cap);
	info_print_number(to, "cut", x->file->cut);
}

/* Prints clocks, orders, costs and losses. */
static void
info_clocks(const struct info_print *to, const struct format_header *h)
{
	PUT_WORD(to, "clock", clock_words, h->clock);
	info_print_number(to, "asked_hz", h->asked_hz);
	info_print_number(to, "tick_ns", h->tick_ns);
	info_print_number(to, "period_ns", h->period_ns);
	info_print_number(to, "budget_ns", h->budget_ns);
	info_print_number(to, "later_ns", h->later_ns);
	info_print_number(to, "signal", h->signal);
	info_print_flags(to, "coarse", coarse_words, 4, h->coarse_seen);
	info_print_flags(to, "fine", fine_words, 6, h->fine_seen);
	info_print_signed(to, "coarse_errno", h->coarse_errno);
	info_print_signed(to, "fine_errno", h->fine_errno);
	info_print_number(to, "kernel_seen", h->kernel_seen);
	info_print_signed(to, "kernel_errno", h->kernel_errno);
	info_print_number(to, "asked", h->asked);
	info_print_number(to, "answered", h->answered);
	info_print_signed(to, "answer", h->answer);
	info_print_number(to, "stopped", (h->stopped_ns & FORMAT_STOPPED) != 0);
	info_print_number(to, "stopped_ns", header_stopped_ns(h, h->cpu_ns));
	info_print_number(to, "interval_ns", h->interval_ns);
	info_print_number(to, "modes", h->modes);
	info_print(to, "watch", h->watch);
	info_print_number(to, "ticks", h->ticks);
	info_print_number(to, "cost_ticks", h->cost_ticks);
	info_print_number(to, "cost_ns", h->cost_ns);
	info_print_number(to, "first_ticks", h->first_ticks);
	info_print_number(to, "first_ns", h->first_ns);
	info_print_number(to, "sample_ns", h->sample_ns);
	info_print_number(to, "sample_squares", h->sample_squares);
	info_print_number(to, "kernel_ns", h->kernel_ns);
	info_print_number(to, "coarse_ns", h->coarse_ns);
	for (unsigned i = 0; i < LOSS_MAX; i++) {
		char key[48];

		if (h->loss[i] == 0)
			continue;
		if (loss_name(i) != NULL)
			snprintf(key, sizeof(key), "loss.%s", loss_name(i));
		else
			snprintf(key, sizeof(key), "loss.%u", i);
		info_print_number(to, key, h->loss[i]);
	}
}

struct info_sum {
	uint64_t nodes, count, ns;
};

static int
info_node(void *arg, uint32_t index, const struct format_node *n)
{
	struct info_sum *s = arg;

	(void)index;
	s->nodes++;
	s->count += n->count;
	s->ns += n->ns;
	return 0;
}

/* Prints a thread and the sums over its tree.  Returns 0 or -errno. */
static int
info_thread(struct info *x, const struct format_thread *t)
{
	const struct info_print *to = &x->to;
	struct info_sum s = { 0 };
	int ret = decode_tree(x->file, t->root, info_node, &s, x->fault);

	if (ret != 0)
		return ret;
	info_print_signed(to, "tid", t->tid);
	info_print_format(to, "name", "%.*s", (int)sizeof(t->name), t->name);
	info_print_flags(to, "flags", thread_words, 3, t->flags);
	info_print_number(to, "members", t->members);
	info_print_number(to, "cpu_ns", t->cpu_ns);
	info_print_number(to, "cpu_start_ns", t->cpu_start_ns);
	info_print_number(to, "sample_ns", s.ns);
	info_print_number(to, "samples", s.count);
	info_print_number(to, "nodes", s.nodes);
	info_print_number(to, "ticks", t->ticks);
	info_print_number(to, "start_mono", t->start_mono);
	info_print_number(to, "end_mono", t->end_mono);
	PUT_WORD(to, "coarse", coarse_words, t->coarse);
	PUT_WORD(to, "fine", fine_words, t->fine);
	info_print_number(to, "period_ns", t->period_ns);
	info_print_number(to, "fine_ns", t->fine_ns);
	info_print_signed(to, "coarse_errno", t->coarse_errno);
	info_print_signed(to, "fine_errno", t->fine_errno);
	return 0;
}

static int
info_threads(struct info *x)
{
	struct format_thread t;
	uint32_t cursor = 0;
	unsigned number = 0;
	int got;

	while ((got = decode_thread(x->file, &cursor, &t, x->fault)) == 1) {
		snprintf(x->to.prefix, sizeof(x->to.prefix), "thread.%u.",
		    number++);
		got = info_thread(x, &t);
		if (got != 0)
			return got;
	}
	x->to.prefix[0] = '\0';
	info_print_number(&x->to, "threads", number);
	return got;
}

/* Prints a module.  Returns 0, or -1 if its path is damaged. */
static int
info_module(struct info *x, const struct format_module *m)
{
	const struct info_print *to = &x->to;

	if (put_info_text(x, "path", m->path) != 0)
		return -1;
	info_print_bytes(to, "build_id", m->build_id, m->build_id_bytes);
	info_print_format(to, "device", "%u:%u", (unsigned)(m->device >> 32),
	    (unsigned)m->device);
	info_print_number(to, "inode", m->inode);
	info_print_format(to, "start", "%#" PRIx64, m->start);
	info_print_format(to, "end", "%#" PRIx64, m->end);
	info_print_format(to, "bias", "%#" PRIx64, m->bias);
	info_print_number(to, "load_mono", m->load_mono);
	info_print_number(to, "unload_mono", m->unload_mono);
	info_print_flags(to, "flags", module_words, 5, m->flags);
	return 0;
}

static int
info_modules(struct info *x)
{
	struct format_module m;
	uint32_t cursor = 0;
	unsigned number = 0;
	int got;

	while ((got = decode_module(x->file, &cursor, &m, x->fault)) == 1) {
		snprintf(x->to.prefix, sizeof(x->to.prefix), "module.%u.",
		    number++);
		if (info_module(x, &m) != 0)
			return -1;
	}
	x->to.prefix[0] = '\0';
	info_print_number(&x->to, "modules", number);
	return got;
}

int
info_file(FILE *out, struct data_table *sheet, const char *path,
    struct fault *f)
{
	struct load l;
	struct info x = {
		.to = { .out = out, .path = path, .sheet = sheet },
		.file = &l.decode, .fault = f,
	};
	int ret = load_open(&l, path, f);

	if (ret == LOAD_OTHER)
		return tprof_info_print(&x.to, f);
	if (ret != 0)
		return ret;
	info_print(&x.to, "file", path);
	ret = info_identity(&x, &l.decode.header);
	info_state(&x, &l.decode.header);
	info_clocks(&x.to, &l.decode.header);
	if (ret == 0)
		ret = info_threads(&x);
	if (ret == 0)
		ret = heap_info_print(&x.to, &l.decode, f);
	if (ret == 0)
		ret = info_modules(&x);
	if (ret != 0)
		f->file = path;
	load_close(&l);
	return ret;
}
