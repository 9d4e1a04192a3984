/*
 * Context: O.  Tells functions that allocate or free memory for their callers
 * by their names.  Heap reports (stack/skip_allocators.c) skip them, findings
 * (library_code.c) add up their time.
 */
#ifndef ALLOCATOR_NAME_H
#define ALLOCATOR_NAME_H

/* How a function serves its caller with memory. */
enum allocator_name {
	ALLOCATOR_NAME_NONE = 0,	/* not at all: it is not in the list */
	ALLOCATOR_NAME_REQUEST,	/* allocates or resizes: malloc, operator new */
	ALLOCATOR_NAME_COPY,	/* allocates for a copy of a text: strdup */
	ALLOCATOR_NAME_RELEASE,	/* frees: free, operator delete */
	ALLOCATOR_NAME_PART,	/* a part of glibc's malloc() and free() */
};

/*
 * Returns what a function does by its name, as symbol tables store it or as it
 * is in the source.  Knows C, C++, Rust and Go's runtime.
 */
enum allocator_name allocator_name_find(const char *name);

#endif
