/*
 * Context: O.  Writes samples of the kernel into a tprof.out, for
 * recording_kernel.c of cmd/tprof, in the thread that calls sampler_next(); see
 * recorder.h.
 */
#include "recorder.h"

#include "event_order.h"
#include "symbol/kallsyms.h"
#include "base/vector.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Writes the words of the command; '?' for newlines, as a line of the head must
 * not be broken.
 */
static void
put_words(FILE *out, char **argv)
{
	for (size_t i = 0; argv[i] != NULL; i++) {
		if (i != 0)
			putc(' ', out);
		for (const char *at = argv[i]; *at != '\0'; at++)
			putc(*at == '\n' ? '?' : *at, out);
	}
	putc('\n', out);
}

/* Writes KEY=LINE with the first line of a file; nothing if it has none. */
static void
put_file(FILE *out, const char *key, const char *path)
{
	char line[128];
	FILE *in = fopen(path, "re");

	if (in != NULL && fgets(line, sizeof(line), in) != NULL)
		fprintf(out, "%s=%s", key, line);
	if (in != NULL)
		fclose(in);
}

char *
recorder_head(const char *backend, char **argv, const char *more)
{
	char *text = NULL, host[256] = "";
	struct stat st;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return NULL;
	fprintf(out, "backend=%s\n", backend);
	put_file(out, "boot_id", "/proc/sys/kernel/random/boot_id");
	if (stat("/proc/self/ns/pid", &st) == 0)
		fprintf(out, "pid_namespace=%ju\n", (uintmax_t)st.st_ino);
	if (gethostname(host, sizeof(host) - 1) == 0)
		fprintf(out, "host=%s\n", host);
	fputs(more, out);
	if (argv != NULL) {
		fputs("command=", out);
		put_words(out, argv);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

int
recorder_begin(struct recorder *r, FILE *out, const struct events *e,
    const char *head)
{
	*r = (struct recorder) { 0 };
	r->weights = calloc(e->count, sizeof(*r->weights));
	r->samples = calloc(e->count, sizeof(*r->samples));
	if (r->weights == NULL || r->samples == NULL)
		return -ENOMEM;
	tprof_writer_begin(&r->put, out, head, event_order_real_offset());
	for (size_t i = 0; i < e->count; i++)
		tprof_writer_event(&r->put, (uint32_t)i, e->all[i].name,
		    e->all[i].ns, e->all[i].paced ? 0 : e->all[i].period);
	return 0;
}

/*
 * Writes the process and the thread of a sample if they are new or have another
 * name.
 */
static void
write_process(struct recorder *r, const struct sampler_seen *seen)
{
	struct address_space *own = seen->space;
	struct address_space_thread *t = address_space_get_thread(own,
	    seen->tid);

	if (own->reported == 0) {
		tprof_writer_process(&r->put, (uint32_t)seen->pid, own->uid,
		    own->birth, address_space_program(own));
		own->reported = 1;
	}
	if (t != NULL && t->reported == 0) {
		tprof_writer_thread(&r->put, (uint32_t)seen->pid,
		    (uint32_t)seen->tid, t->name);
		t->reported = 1;
	}
}

/*
 * Returns the number of a library and writes it when it is first met; numbers
 * begin at 1.
 */
static uint32_t
module_of(struct recorder *r, struct code_file *own)
{
	const struct tprof_module id = code_file_id(own);

	if (own->number == 0)
		own->number = tprof_writer_module(&r->put, &id, own->flags,
		    own->bias);
	return own->number;
}

/*
 * Writes the jitdump of the sample's process, if it has one, so that readers
 * find the names of generated code.
 */
static void
write_jitdump_module(struct recorder *r, const struct sampler_seen *seen)
{
	if (seen->space->dump != 0)
		module_of(r, &seen->libraries->all[seen->space->dump - 1]);
}

int
recorder_take(void *recorder, const struct sampler_seen *seen)
{
	struct recorder *r = recorder;
	struct tprof_writer_sample s = {
		.event = seen->event, .cpu = seen->cpu,
		.pid = (uint32_t)seen->pid, .tid = (uint32_t)seen->tid,
		.kernel = seen->kernel, .pc = seen->pc,
		.weight = seen->weight, .time = seen->time,
		.depth = seen->depth,
	};

	write_process(r, seen);
	write_jitdump_module(r, seen);
	for (size_t i = 0; i < seen->depth; i++) {
		const struct sampler_place *p = &seen->places[i];

		if (vector_grow(&r->frames, i, &r->frame_room,
		    sizeof(*r->frames)) != 0)
			return -ENOMEM;
		r->frames[i] = (struct tprof_writer_frame) {
			.flags = p->flags, .address = p->address,
			.module = p->library == NULL ? 0 :
			    module_of(r, p->library),
		};
	}
	s.frames = r->frames;
	r->samples[seen->event]++;
	r->weights[seen->event] += seen->weight;
	tprof_writer_sample(&r->put, &s);
	return 0;
}

/*
 * Marks the functions that a node is in.  The caller frees *used in any case.
 * Returns 0 or -ENOMEM.
 */
static int
find_used(const struct tprof_writer *p, const struct kallsyms *k, bool **used)
{
	*used = calloc(k->count + 1, sizeof(**used));
	if (*used == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < p->kernel_count; i++) {
		const struct kallsym *s = kallsyms_find(k, p->kernel[i]);

		if (s != NULL)
			(*used)[s - k->all] = true;
	}
	return 0;
}

/*
 * Writes the names.  A function ends where the next one begins; the size of the
 * last one is not known.
 */
static void
put_names(struct tprof_writer *p, const struct kallsyms *k, const bool *used)
{
	for (size_t i = 0; i + 1 < k->count; i++) {
		const uint64_t bytes = k->all[i + 1].start - k->all[i].start;

		if (used[i])
			tprof_writer_name(p, k->all[i].start,
			    bytes < KALLSYMS_FARTHEST ? (uint32_t)bytes :
			    KALLSYMS_FARTHEST, k->all[i].name);
	}
}

int
recorder_name_kernel(struct recorder *r)
{
	struct kallsyms k = { 0 };
	bool *used = NULL;
	int ret = kallsyms_read(&k, "/proc/kallsyms");

	if (ret == 0)
		ret = find_used(&r->put, &k, &used);
	if (ret == 0)
		put_names(&r->put, &k, used);
	free(used);
	kallsyms_free(&k);
	return ret == -ENOENT ? 0 : ret;
}

void
recorder_free(struct recorder *r)
{
	tprof_writer_free(&r->put);
	free(r->frames);
	free(r->weights);
	free(r->samples);
	*r = (struct recorder) { 0 };
}
