/*
 * Context: O.  The kinds of findings, each in its file *_finding.c.
 * collect_findings() of findings.c calls each once, for a model whose samples
 * count time.
 */
#ifndef FINDING_KINDS_H
#define FINDING_KINDS_H

#include "findings/finding.h"

/*
 * Each adds what it finds to the list if finding_is_sure(), and nothing else.
 * finding_add_locks() adds time asleep, which has no error, from FINDING_LEAST
 * percent of the CPU time on.  The model must have names and keep stacks.
 * Returns 0 or -ENOMEM.
 */
int finding_add_program(struct finding_list *l);
int finding_add_allocations(struct finding_list *l);
int finding_add_kernel(struct finding_list *l);
int finding_add_locks(struct finding_list *l);
int finding_add_generated(struct finding_list *l);
int finding_add_python(struct finding_list *l);
int finding_add_symbols(struct finding_list *l);
int finding_add_cuts(struct finding_list *l);
int finding_add_profiler(struct finding_list *l);

#endif
