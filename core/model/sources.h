/* Context: O.  The source files that addresses are in. */
#ifndef SOURCES_H
#define SOURCES_H

#include "strings.h"

struct sources {
	struct strings paths;	/* as the compiler said */
	const char **shown;	/* its last part, where no other has that */
};

/* What is shown of each; once all are there.  0 or -ENOMEM. */
int sources_finish(struct sources *s);
void sources_free(struct sources *s);

#endif
