/* Context: load.  Many threads that all live at once, work for 0.1 ms, and
 * end.  Prints how many there were. */
#include "load.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define STACK	65536

static sem_t ready, go;
static _Atomic unsigned ended;

static void *
live(void *arg)
{
	sem_post(&ready);
	sem_wait(&go);
	load_burn(0.0001);
	ended++;
	return arg;
}

/* live_threads COUNT */
int
main(int argc, char **argv)
{
	const int count = (int)load_number(argc, argv, 1, 1000);
	pthread_t *id = calloc((size_t)count, sizeof(*id));
	pthread_attr_t attr;

	sem_init(&ready, 0, 0);
	sem_init(&go, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (int i = 0; i < count; i++)
		if (pthread_create(&id[i], &attr, live, NULL) != 0)
			load_die("pthread_create");
	for (int i = 0; i < count; i++)
		sem_wait(&ready);
	for (int i = 0; i < count; i++)
		sem_post(&go);
	for (int i = 0; i < count; i++)
		pthread_join(id[i], NULL);
	printf("ended %u\n", ended);
	return 0;
}
