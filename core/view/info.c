/* Context: O.  prof --info: what a file says of its process. */
#include "info.h"

#include "alive.h"
#include "header.h"
#include "load.h"
#include "term.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

struct info {
	FILE *out;
	const char *path;
	struct sheet *sheet;	/* NULL = for people */
	struct decode *file;
	struct fault *fault;
	char prefix[32];	/* "module.3." */
};

static void
put(const struct info *x, const char *key, const char *value)
{
	const struct term term = { .out = x->out };
	char full[96];

	snprintf(full, sizeof(full), "%s%s", x->prefix, key);
	if (x->sheet == NULL) {
		fprintf(x->out, "%s=", full);
		term_text(&term, value, 0);
		putc('\n', x->out);
		return;
	}
	sheet_text(x->sheet, x->path);
	sheet_text(x->sheet, full);
	sheet_text(x->sheet, value);
}

static void __attribute__((format(printf, 3, 4)))
putf(const struct info *x, const char *key, const char *format, ...)
{
	char value[128];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	put(x, key, value);
}

static void
put_number(const struct info *x, const char *key, uint64_t value)
{
	putf(x, key, "%" PRIu64, value);
}

static void
put_signed(const struct info *x, const char *key, int64_t value)
{
	putf(x, key, "%" PRId64, value);
}

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
	put(x, key, value);
	return 0;
}

static void
put_bytes(const struct info *x, const char *key, const uint8_t *bytes,
    size_t count)
{
	char value[2 * 32 + 1] = "";

	for (size_t i = 0; i < count && i < 32; i++)
		sprintf(value + 2 * i, "%02x", bytes[i]);
	put(x, key, value);
}

static void
put_time(const struct info *x, const char *key, uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000u);
	struct tm tm;
	char value[40] = "";

	if (ns != 0 && gmtime_r(&seconds, &tm) != NULL) {
		strftime(value, sizeof(value), "%Y-%m-%dT%H:%M:%S", &tm);
		sprintf(value + strlen(value), ".%09uZ",
		    (unsigned)(ns % 1000000000u));
	}
	put(x, key, value);
}

/* A newer libmon may have more of them. */
static void
put_word(const struct info *x, const char *key, const char *const *words,
    size_t count, uint32_t value)
{
	if (value < count)
		put(x, key, words[value]);
	else
		put_number(x, key, value);
}

#define PUT_WORD(x, key, words, value) \
	put_word(x, key, words, sizeof(words) / sizeof(*words), value)

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
	put_number(x, "version", h->version);
	put_signed(x, "pid", h->pid);
	put_signed(x, "ppid", h->ppid);
	put_number(x, "image", h->image);
	put_number(x, "uid", h->uid);
	put_number(x, "euid", h->euid);
	put_number(x, "pid_namespace", h->pid_namespace);
	put_number(x, "start_ticks", h->start_ticks);
	put_bytes(x, "boot_id", h->boot_id, sizeof(h->boot_id));
	put_signed(x, "run_pid", h->run_pid);
	put_number(x, "run_start", h->run_start);
	putf(x, "libmon", "%u.%u.%u", (unsigned)(h->library >> 32),
	    (unsigned)(h->library >> 16 & 0xffff),
	    (unsigned)(h->library & 0xffff));
	put_number(x, "machine", h->machine);
	if (put_text(x, "exe", h->exe) != 0 ||
	    put_text(x, "cmdline", h->cmdline) != 0 ||
	    put_text(x, "host", h->host) != 0)
		return -1;
	return put_text(x, "options", h->options);
}

static void
info_life(const struct info *x, const struct format_header *h)
{
	int alive = h->state == FORMAT_SEALED ? 0 : alive_check(h);

	put_time(x, "birth", h->birth_real);
	put_time(x, "end_time", h->end_real);
	PUT_WORD(x, "state", state_words, h->state);
	PUT_WORD(x, "end", end_words, h->end);
	put(x, "process", h->state == FORMAT_SEALED ? "ended" : alive < 0 ?
	    "unknown" : alive != 0 ? "running" : "killed");
	put_signed(x, "exit_status", h->exit_status);
	put_number(x, "cpu_ns", h->cpu_ns);
	put_number(x, "cpu_birth_ns", h->cpu_birth_ns);
	put_number(x, "user_ns", h->user_ns);
	put_number(x, "system_ns", h->system_ns);
	put_number(x, "used", h->used);
	put_number(x, "cap", h->cap);
	put_number(x, "cut", x->file->cut);
}

/* The same for the bits of a set. */
static void
put_seen(const struct info *x, const char *key, const char *const *words,
    size_t count, uint32_t seen)
{
	char value[192] = "";
	int at = 0;

	for (size_t i = 0; i < 32; i++) {
		if ((seen & 1u << i) == 0)
			continue;
		if (at != 0)
			value[at++] = ',';
		at += i < count ? sprintf(value + at, "%s", words[i]) :
		    sprintf(value + at, "%zu", i);
	}
	put(x, key, value);
}

static void
info_how(const struct info *x, const struct format_header *h)
{
	PUT_WORD(x, "clock", clock_words, h->clock);
	put_number(x, "asked_hz", h->asked_hz);
	put_number(x, "tick_ns", h->tick_ns);
	put_number(x, "period_ns", h->period_ns);
	put_number(x, "budget_ns", h->budget_ns);
	put_number(x, "later_ns", h->later_ns);
	put_number(x, "signal", h->signal);
	put_seen(x, "coarse", coarse_words, 4, h->coarse_seen);
	put_seen(x, "fine", fine_words, 6, h->fine_seen);
	put_signed(x, "coarse_errno", h->coarse_errno);
	put_signed(x, "fine_errno", h->fine_errno);
	put_number(x, "kernel_seen", h->kernel_seen);
	put_signed(x, "kernel_errno", h->kernel_errno);
	put_number(x, "asked", h->asked);
	put_number(x, "answered", h->answered);
	put_signed(x, "answer", h->answer);
	put_number(x, "stopped", (h->stopped_ns & FORMAT_STOPPED) != 0);
	put_number(x, "stopped_ns", header_stopped_ns(h, h->cpu_ns));
	put_number(x, "interval_ns", h->interval_ns);
	put_number(x, "modes", h->modes);
	put(x, "watch", h->watch);
	put_number(x, "ticks", h->ticks);
	put_number(x, "cost_ticks", h->cost_ticks);
	put_number(x, "cost_ns", h->cost_ns);
	put_number(x, "first_ticks", h->first_ticks);
	put_number(x, "first_ns", h->first_ns);
	for (unsigned i = 0; i < LOSS_MAX; i++) {
		char key[48];

		if (h->loss[i] == 0)
			continue;
		if (loss_name(i) != NULL)
			snprintf(key, sizeof(key), "loss.%s", loss_name(i));
		else
			snprintf(key, sizeof(key), "loss.%u", i);
		put_number(x, key, h->loss[i]);
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
	struct info_sum s = { 0 };
	int ret = decode_tree(x->file, t->root, info_node, &s, x->fault);

	if (ret != 0)
		return ret;
	put_signed(x, "tid", t->tid);
	putf(x, "name", "%.*s", (int)sizeof(t->name), t->name);
	put_seen(x, "flags", thread_words, 3, t->flags);
	put_number(x, "members", t->members);
	put_number(x, "cpu_ns", t->cpu_ns);
	put_number(x, "cpu_start_ns", t->cpu_start_ns);
	put_number(x, "sample_ns", s.ns);
	put_number(x, "samples", s.count);
	put_number(x, "nodes", s.nodes);
	put_number(x, "ticks", t->ticks);
	put_number(x, "start_mono", t->start_mono);
	put_number(x, "end_mono", t->end_mono);
	PUT_WORD(x, "coarse", coarse_words, t->coarse);
	PUT_WORD(x, "fine", fine_words, t->fine);
	put_number(x, "period_ns", t->period_ns);
	put_number(x, "fine_ns", t->fine_ns);
	put_signed(x, "coarse_errno", t->coarse_errno);
	put_signed(x, "fine_errno", t->fine_errno);
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
		snprintf(x->prefix, sizeof(x->prefix), "thread.%u.", number++);
		got = info_thread(x, &t);
		if (got != 0)
			return got;
	}
	x->prefix[0] = '\0';
	put_number(x, "threads", number);
	return got;
}

static int
info_module(struct info *x, const struct format_module *m)
{
	if (put_text(x, "path", m->path) != 0)
		return -1;
	put_bytes(x, "build_id", m->build_id, m->build_id_bytes);
	putf(x, "device", "%u:%u", (unsigned)(m->device >> 32),
	    (unsigned)m->device);
	put_number(x, "inode", m->inode);
	putf(x, "start", "%#" PRIx64, m->start);
	putf(x, "end", "%#" PRIx64, m->end);
	putf(x, "bias", "%#" PRIx64, m->bias);
	put_number(x, "load_mono", m->load_mono);
	put_number(x, "unload_mono", m->unload_mono);
	put_seen(x, "flags", module_words, 5, m->flags);
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
		snprintf(x->prefix, sizeof(x->prefix), "module.%u.", number++);
		if (info_module(x, &m) != 0)
			return -1;
	}
	x->prefix[0] = '\0';
	put_number(x, "modules", number);
	return got;
}

int
info_file(FILE *out, struct sheet *sheet, const char *path, struct fault *f)
{
	struct load l;
	struct info x = { out, path, sheet, &l.decode, f, "" };
	int ret = load_open(&l, path, f);

	if (ret != 0)
		return ret;
	put(&x, "file", path);
	ret = info_who(&x, &l.decode.header);
	info_life(&x, &l.decode.header);
	info_how(&x, &l.decode.header);
	if (ret == 0)
		ret = info_threads(&x);
	if (ret == 0)
		ret = info_modules(&x);
	if (ret != 0)
		f->file = path;
	load_close(&l);
	return ret;
}
