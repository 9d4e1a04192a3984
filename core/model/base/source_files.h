/* Context: O.  The source files that addresses are in. */
#ifndef SOURCE_FILES_H
#define SOURCE_FILES_H

#include "base/string_pool.h"

struct source_files {
	struct string_pool paths;	/* as the compiler said */
	const char **shown;	/* its last part, where no other has that */
};

/* What is shown of each; once all are there.  0 or -ENOMEM. */
int source_files_finish(struct source_files *s);
void source_files_free(struct source_files *s);

#endif
