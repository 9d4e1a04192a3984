/* Context: O.  prof --info: what a file says of its process. */
#include "info.h"

#include "alive.h"
#include "header.h"
#include "heapinfo.h"
#include "infoput.h"
#include "load.h"
#include "samplinginfo.h"

#include <inttypes.h>
#include <string.h>

struct info {
	struct infoput to;
	struct decode *file;
	struct fault *fault;
};

/* Arguments are parted by NUL in the file, by blanks here. */
static int
put_text(const struct info *x, const char *key, uint32_t index)
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
	infoput(&x->to, key, value);
	return 0;
}

#define PUT_WORD(to, key, words, value) \
	infoput_word(to, key, words, sizeof(words) / sizeof(*words), value)

static const char *const clock_words[] = { "cpu", "wall" };
static const char *const state_words[] = { "born", "live", "sealed" };
static const char *const end_words[] = {
	"none", "exit", "_exit", "exec", "stop", "dump",
};
static const char *const coarse_words[] = {
	"none", "thread-cpu", "thread-user", "process",
};
static const char *const fine_words[] = {
	"never", "on", "done", "refused", "switching", "seccomp"
};
/* Bit by bit. */
static const char *const thread_words[] = { "main", "pool", "raw" };
static const char *const module_words[] = {
	"main", "vdso", "deleted", "kernel", "no-elf",
};

static int
info_who(const struct info *x, const struct format_header *h)
{
	const struct infoput *to = &x->to;

	infoput_number(to, "version", h->version);
	infoput_signed(to, "pid", h->pid);
	infoput_signed(to, "ppid", h->ppid);
	infoput_number(to, "image", h->image);
	infoput_number(to, "uid", h->uid);
	infoput_number(to, "euid", h->euid);
	infoput_number(to, "pid_namespace", h->pid_namespace);
	infoput_number(to, "start_ticks", h->start_ticks);
	infoput_bytes(to, "boot_id", h->boot_id, sizeof(h->boot_id));
	infoput_signed(to, "run_pid", h->run_pid);
	infoput_number(to, "run_start", h->run_start);
	infoput_f(to, "libmon", "%u.%u.%u", (unsigned)(h->library >> 32),
	    (unsigned)(h->library >> 16 & 0xffff),
	    (unsigned)(h->library & 0xffff));
	infoput_number(to, "machine", h->machine);
	if (put_text(x, "exe", h->exe) != 0 ||
	    put_text(x, "cmdline", h->cmdline) != 0 ||
	    put_text(x, "host", h->host) != 0)
		return -1;
	return put_text(x, "options", h->options);
}

static void
info_life(const struct info *x, const struct format_header *h)
{
	const struct infoput *to = &x->to;
	int alive = h->state == FORMAT_SEALED ? 0 : alive_check(h);

	infoput_time(to, "birth", h->birth_real);
	infoput_time(to, "end_time", h->end_real);
	PUT_WORD(to, "state", state_words, h->state);
	PUT_WORD(to, "end", end_words, h->end);
	infoput(to, "process", h->state == FORMAT_SEALED ? "ended" : alive < 0 ?
	    "unknown" : alive != 0 ? "running" : "killed");
	infoput_signed(to, "exit_status", h->exit_status);
	infoput_number(to, "cpu_ns", h->cpu_ns);
	infoput_number(to, "cpu_birth_ns", h->cpu_birth_ns);
	infoput_number(to, "children_ns", h->children_ns);
	infoput_number(to, "children_birth_ns", h->children_birth_ns);
	infoput_number(to, "children", h->children);
	infoput_signed(to, "session", h->session);
	infoput_signed(to, "end_ppid", h->end_ppid);
	infoput_number(to, "user_ns", h->user_ns);
	infoput_number(to, "system_ns", h->system_ns);
	infoput_number(to, "used", h->used);
	infoput_number(to, "cap", h->cap);
	infoput_number(to, "cut", x->file->cut);
}

static void
info_how(const struct infoput *to, const struct format_header *h)
{
	PUT_WORD(to, "clock", clock_words, h->clock);
	infoput_number(to, "asked_hz", h->asked_hz);
	infoput_number(to, "tick_ns", h->tick_ns);
	infoput_number(to, "period_ns", h->period_ns);
	infoput_number(to, "budget_ns", h->budget_ns);
	infoput_number(to, "later_ns", h->later_ns);
	infoput_number(to, "signal", h->signal);
	infoput_seen(to, "coarse", coarse_words, 4, h->coarse_seen);
	infoput_seen(to, "fine", fine_words, 6, h->fine_seen);
	infoput_signed(to, "coarse_errno", h->coarse_errno);
	infoput_signed(to, "fine_errno", h->fine_errno);
	infoput_number(to, "kernel_seen", h->kernel_seen);
	infoput_signed(to, "kernel_errno", h->kernel_errno);
	infoput_number(to, "asked", h->asked);
	infoput_number(to, "answered", h->answered);
	infoput_signed(to, "answer", h->answer);
	infoput_number(to, "stopped", (h->stopped_ns & FORMAT_STOPPED) != 0);
	infoput_number(to, "stopped_ns", header_stopped_ns(h, h->cpu_ns));
	infoput_number(to, "interval_ns", h->interval_ns);
	infoput_number(to, "modes", h->modes);
	infoput(to, "watch", h->watch);
	infoput_number(to, "ticks", h->ticks);
	infoput_number(to, "cost_ticks", h->cost_ticks);
	infoput_number(to, "cost_ns", h->cost_ns);
	infoput_number(to, "first_ticks", h->first_ticks);
	infoput_number(to, "first_ns", h->first_ns);
	infoput_number(to, "sample_ns", h->sample_ns);
	infoput_number(to, "sample_squares", h->sample_squares);
	infoput_number(to, "kernel_ns", h->kernel_ns);
	infoput_number(to, "coarse_ns", h->coarse_ns);
	for (unsigned i = 0; i < LOSS_MAX; i++) {
		char key[48];

		if (h->loss[i] == 0)
			continue;
		if (loss_name(i) != NULL)
			snprintf(key, sizeof(key), "loss.%s", loss_name(i));
		else
			snprintf(key, sizeof(key), "loss.%u", i);
		infoput_number(to, key, h->loss[i]);
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

static int
info_thread(struct info *x, const struct format_thread *t)
{
	const struct infoput *to = &x->to;
	struct info_sum s = { 0 };
	int ret = decode_tree(x->file, t->root, info_node, &s, x->fault);

	if (ret != 0)
		return ret;
	infoput_signed(to, "tid", t->tid);
	infoput_f(to, "name", "%.*s", (int)sizeof(t->name), t->name);
	infoput_seen(to, "flags", thread_words, 3, t->flags);
	infoput_number(to, "members", t->members);
	infoput_number(to, "cpu_ns", t->cpu_ns);
	infoput_number(to, "cpu_start_ns", t->cpu_start_ns);
	infoput_number(to, "sample_ns", s.ns);
	infoput_number(to, "samples", s.count);
	infoput_number(to, "nodes", s.nodes);
	infoput_number(to, "ticks", t->ticks);
	infoput_number(to, "start_mono", t->start_mono);
	infoput_number(to, "end_mono", t->end_mono);
	PUT_WORD(to, "coarse", coarse_words, t->coarse);
	PUT_WORD(to, "fine", fine_words, t->fine);
	infoput_number(to, "period_ns", t->period_ns);
	infoput_number(to, "fine_ns", t->fine_ns);
	infoput_signed(to, "coarse_errno", t->coarse_errno);
	infoput_signed(to, "fine_errno", t->fine_errno);
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
	infoput_number(&x->to, "threads", number);
	return got;
}

static int
info_module(struct info *x, const struct format_module *m)
{
	const struct infoput *to = &x->to;

	if (put_text(x, "path", m->path) != 0)
		return -1;
	infoput_bytes(to, "build_id", m->build_id, m->build_id_bytes);
	infoput_f(to, "device", "%u:%u", (unsigned)(m->device >> 32),
	    (unsigned)m->device);
	infoput_number(to, "inode", m->inode);
	infoput_f(to, "start", "%#" PRIx64, m->start);
	infoput_f(to, "end", "%#" PRIx64, m->end);
	infoput_f(to, "bias", "%#" PRIx64, m->bias);
	infoput_number(to, "load_mono", m->load_mono);
	infoput_number(to, "unload_mono", m->unload_mono);
	infoput_seen(to, "flags", module_words, 5, m->flags);
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
	infoput_number(&x->to, "modules", number);
	return got;
}

int
info_file(FILE *out, struct sheet *sheet, const char *path, struct fault *f)
{
	struct load l;
	struct info x = {
		.to = { .out = out, .path = path, .sheet = sheet },
		.file = &l.decode, .fault = f,
	};
	int ret = load_open(&l, path, f);

	if (ret == LOAD_OTHER)
		return samplinginfo(&x.to, f);
	if (ret != 0)
		return ret;
	infoput(&x.to, "file", path);
	ret = info_who(&x, &l.decode.header);
	info_life(&x, &l.decode.header);
	info_how(&x.to, &l.decode.header);
	if (ret == 0)
		ret = info_threads(&x);
	if (ret == 0)
		ret = heapinfo(&x.to, &l.decode, f);
	if (ret == 0)
		ret = info_modules(&x);
	if (ret != 0)
		f->file = path;
	load_close(&l);
	return ret;
}
