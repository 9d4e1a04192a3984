/* Context: load.  Prints what the resolver of resolves_lib.c has met. */
#include "load.h"

void resolves_print(void);

int
main(void)
{
	resolves_print();
	load_burn(0.02);
	resolves_print();
	return 0;
}
