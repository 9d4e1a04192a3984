/* Context: load.  A shared library whose constructor burns CPU time, as one
 * that fills its tables there does. */
#include "load.h"

__attribute__((constructor)) static void
early(void)
{
	load_burn(0.3);
}
