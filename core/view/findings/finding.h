/*
 * Context: O.  A finding: a share of the time that has one cause, with its
 * error, and what to do about it.  Each file *_finding.c looks for one kind and
 * adds what it finds to the list; findings.c owns the list, prints and frees
 * it.
 */
#ifndef FINDING_H
#define FINDING_H

#include "base/model.h"

#include <stdio.h>

/* Least share of the CPU time that is a finding, in percent, less its error. */
#define FINDING_LEAST	5.0
/*
 * Least number of samples of a finding: a few samples may all be of one cause
 * by chance, or all be of the start of a short program.
 */
#define FINDING_SAMPLES	20
/* columns of a name in a text */
#define FINDING_NAME	60
/* most things of which a finding names the shares */
#define FINDING_LARGEST	3
/* most findings of a report: each kind adds a few at most */
#define FINDING_MOST	16

/*
 * Time and samples of something.  A part of the time can have no samples: the
 * kernel alone knows it, and it has no error.
 */
struct finding_sum {
	uint64_t ns, count;
	uint64_t without;	/* time without samples, part of ns */
};

/* A finding. */
struct finding {
	struct finding_sum sum;
	double percent;		/* share of the CPU time */
	double error;		/* in points of that share; 0 = it has none */
	bool asleep;		/* it is time asleep, which has no share */
	char *what;		/* allocated */
	const char *remedy;	/* constant */
};

/*
 * The text of a finding, while it is written; finding_add() closes `out` and
 * takes `what`.
 */
struct finding_text {
	FILE *out;
	char *what;
	size_t bytes;
};

/* The list, and what the kinds need to find. */
struct finding_list {
	struct model *model;
	uint64_t total_ns;	/* CPU time of the report */
	struct finding all[FINDING_MOST];
	size_t count;
};

/*
 * Returns whether so much CPU time is a finding: its share, less its error, is
 * at least FINDING_LEAST, and it has FINDING_SAMPLES samples or as large a
 * share without samples.
 */
bool finding_is_sure(const struct finding_list *l, struct finding_sum sum);

/*
 * Returns the share that `ns` has of the CPU time, in percent; 0 if the report
 * has no CPU time.
 */
double finding_percent(const struct finding_list *l, uint64_t ns);

/*
 * Begins a text, which the caller writes to t->out.  Returns 0, and then the
 * caller must call finding_add(); or -ENOMEM.
 */
int finding_text_open(struct finding_text *t);

/*
 * Closes t->out and takes the text, also where it fails, and adds it as a
 * finding of CPU time, or of time asleep.  remedy: what to do about it, a
 * constant.  A finding beyond FINDING_MOST is dropped.  Returns 0, also for a
 * dropped one, or -ENOMEM.
 */
int finding_add(struct finding_list *l, struct finding_sum sum, bool asleep,
    struct finding_text *t, const char *remedy);

/* Adds the row to the sum. */
static inline void
finding_sum_row(struct finding_sum *s, const struct model_row *r)
{
	s->ns += r->ns;
	s->count += r->count;
	s->without += r->count == 0 ? r->ns : 0;
}

/*
 * finding_put_name() prints a name, finding_put_function() that of a function,
 * shortened to FINDING_NAME columns.
 */
void finding_put_name(FILE *out, const char *name);
void finding_put_function(FILE *out, struct model *m, uint32_t function);

/* Prints the name of thing number i of a model. */
typedef void finding_put(FILE *out, struct model *m, uint32_t i);

/*
 * Prints `before` and the largest of the sums of `count` things, in the form
 * "NAME (12.3 %), NAME (8.1 %)": at most FINDING_LARGEST, of which each is sure
 * or is half of all_ns.  Prints nothing if there is none.
 */
void finding_put_largest(FILE *out, const struct finding_list *l,
    const char *before, uint64_t all_ns, const struct finding_sum *sums,
    size_t count, finding_put *put);

/*
 * Returns the innermost frame from `frame` outwards that is not in the kernel;
 * 0: there is none.
 */
uint32_t finding_user_frame(const struct model *m, uint32_t frame);

/* Frees the texts of all findings and empties the list. */
void finding_list_free(struct finding_list *l);

#endif
