/*
 * Context: O.  Converts modules and stacks of a tprof.out to those of the
 * model, for read_tprof.c; frames are made when a sample first needs them.
 */
#include "foreign/tprof_stacks.h"

#include "process_state.h"
#include "read/module_add.h"
#include "base/vector.h"

#include <inttypes.h>
#include <stdio.h>

/*
 * A kernel before a reboot has names only where the file has brought them.
 * Without such names it is MODEL_MODULE_REBOOTED; with them it gets a module
 * for its boot.  Kernels of files that do not name their boot share a module.
 */
int
tprof_stacks_begin(struct tprof_stacks *x)
{
	struct model *m = x->model;
	const struct format_header *boot = &x->owners->boot;
	const char *path = m->modules[MODEL_MODULE_KERNEL].path;
	struct elf_layout p = { .build_id_bytes = sizeof(boot->boot_id) };

	kernel_symbols_sort(&x->ksyms);
	x->kernel = x->owners->booted &&
	    process_state_same_boot(boot->boot_id) ? MODEL_MODULE_KERNEL :
	    MODEL_MODULE_REBOOTED;
	if (x->kernel == MODEL_MODULE_KERNEL ||
	    (x->owners->booted && x->ksyms.count == 0))
		return 0;
	memcpy(p.build_id, boot->boot_id, sizeof(boot->boot_id));
	if (module_add(m, path, &p, FORMAT_M_KERNEL, &x->kernel) != 0)
		return -ENOMEM;
	/* The boot_id has told kernels apart; it is no build-id. */
	m->modules[x->kernel].build_id_bytes = 0;
	return 0;
}

/*
 * Sets the process of a jitdump, which has the pid in its name: the file names
 * generated code of that process.
 */
static void
set_jitdump_process(struct tprof_stacks *x, struct model_module *own)
{
	struct import_sample s;
	int32_t pid;
	int end = 0;

	if (own->process != MODEL_NONE || sscanf(own->name,
	    "jit-%" SCNd32 ".dump%n", &pid, &end) != 1 ||
	    end == 0 || own->name[end] != '\0' || pid <= 0)
		return;
	s = tprof_processes_find(x->owners, (uint32_t)pid, 0);
	own->process = import_processes_find(&x->owners->processes, &s);
}

/* Updates a module of the model, new or not, from the file's record of it. */
static void
update_tprof_module(struct tprof_stacks *x, struct model_module *own,
    const struct tprof_module *module)
{
	if (own->seen > module->seen)
		own->seen = module->seen;
	set_jitdump_process(x, own);
	if (tprof_processes_has(x->owners, own->name))
		own->flags |= FORMAT_M_MAIN;
}

int
tprof_stacks_add_module(struct tprof_stacks *x, const struct tprof_note *n,
    const struct tprof_module *module)
{
	struct model *m = x->model;
	struct elf_layout p = {
		.device = module->device, .inode = module->inode,
		.changed = module->seen,
		.build_id_bytes = module->build_id_bytes,
	};
	const char *path = model_intern(m, module->path, strnlen(module->path,
	    module->path_bytes));
	struct tprof_stacks_module own = { .bias = n->d };
	uint32_t flags = (n->b & TPROF_M_VDSO) != 0 ? FORMAT_M_VDSO : 0;

	if (path == NULL || vector_grow(&x->modules, x->module_count,
	    &x->module_room, sizeof(own)) != 0)
		return -ENOMEM;
	memcpy(p.build_id, module->build_id, module->build_id_bytes);
	if ((n->b & TPROF_M_BIASED) == 0)
		own.bias = 0;
	if ((n->b & TPROF_M_BIASED) == 0 || (n->b & TPROF_M_NO_FILE) != 0)
		flags |= FORMAT_M_NO_ELF;
	if (module->build_id_bytes == 0 && (n->b & TPROF_M_NO_FILE) == 0)
		flags |= module_add_changed(path, module->seen);
	if (module_add(m, path, &p, flags, &own.module) != 0)
		return -ENOMEM;
	x->modules[x->module_count++] = own;
	update_tprof_module(x, &m->modules[own.module], module);
	return 0;
}

int
tprof_stacks_add_node(struct tprof_stacks *x, const struct tprof_note *n)
{
	if (vector_grow(&x->all, x->count, &x->room, sizeof(*x->all)) != 0)
		return -ENOMEM;
	x->all[x->count++] = (struct tprof_stacks_node) {
		.caller = n->a, .module = n->b, .flags = n->flags,
		.address = n->d,
	};
	return 0;
}

/*
 * Returns the process of a row in that module: MODEL_NONE where processes share
 * rows.
 */
static uint32_t
tprof_row_process(const struct tprof_stacks *x, uint32_t module,
    uint32_t process)
{
	return model_is_absolute(module) ||
	    (x->model->keep & MODEL_KEEP_PROCESS) != 0 ? process : MODEL_NONE;
}

/*
 * Returns the module in the model of a node, and sets *address to the node's
 * address in it.
 */
static uint32_t
tprof_node_module(const struct tprof_stacks *x,
    const struct tprof_stacks_node *n, uint64_t *address)
{
	*address = n->address;
	if ((n->flags & TPROF_F_KERNEL) != 0)
		return x->kernel;
	if (n->module == 0)
		return MODEL_MODULE_GENERATED;
	*address += x->modules[n->module - 1].bias;
	return x->modules[n->module - 1].module;
}

/*
 * Adds the kernel's name for a place; does nothing for other modules.  Names
 * are stored under the address at which they are looked up: see
 * model_lookup_address().  Returns 0 or -ENOMEM.
 */
static int
add_kernel_name(const struct tprof_stacks *x, uint32_t module, uint64_t place)
{
	return module == x->kernel ? kernel_symbols_name(&x->ksyms, x->model,
	    module, place) : 0;
}

/*
 * Returns the frame of the model for a node below the frame `caller`; 0 if
 * memory is out.
 */
static uint32_t
add_tprof_frame(struct tprof_stacks *x, const struct tprof_stacks_node *n,
    uint32_t caller, uint32_t process)
{
	struct stack_frame key = {
		.caller = caller, .kind = FORMAT_FRAME, .process = MODEL_NONE,
	};

	if ((n->flags & TPROF_F_CUT) != 0) {
		key.module = MODEL_MODULE_CUT + (n->address < FORMAT_CUTS ?
		    (uint32_t)n->address : 0);
		return model_add_frame(x->model, &key);
	}
	key.module = tprof_node_module(x, n, &key.address);
	key.process = tprof_row_process(x, key.module, process);
	/*
	 * An interrupted function is at its address; a caller is before its
	 * return address.
	 */
	if ((n->flags & TPROF_F_CALLER) == 0)
		key.kind = FORMAT_INTERRUPTED;
	return add_kernel_name(x, key.module, key.address -
	    (key.kind == FORMAT_FRAME)) != 0 ? 0 :
	    model_add_frame(x->model, &key);
}

/*
 * Sets *frame to the frame of a node, after making frames for the node and
 * those of its callers that have none yet.  Returns 0 or -ENOMEM.
 */
static int
make_stack_frame(struct tprof_stacks *x, uint32_t node, uint32_t process,
    uint32_t *frame)
{
	const uint32_t own = tprof_row_process(x, MODEL_MODULES, process);
	size_t count = 0;

	*frame = 0;
	for (; node != 0; node = x->all[node - 1].caller) {
		const struct tprof_stacks_node *n = &x->all[node - 1];

		if (n->frame != 0 && n->process == own) {
			*frame = n->frame;
			break;
		}
		if (vector_grow(&x->path, count, &x->path_room,
		    sizeof(*x->path)) != 0)
			return -ENOMEM;
		x->path[count++] = node;
	}
	while (count > 0) {
		struct tprof_stacks_node *n = &x->all[x->path[--count] - 1];

		n->frame = add_tprof_frame(x, n, *frame, process);
		n->process = own;
		*frame = n->frame;
		if (n->frame == 0)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Sets module, kind and address of a row.  Time in a system call is put at the
 * call where the address in the kernel is not known.
 */
static void
locate_node(struct tprof_stacks *x, const struct tprof_record *r,
    const struct tprof_stacks_node *n, struct model_row *row)
{
	row->module = tprof_node_module(x, n, &row->address);
	row->kind = FORMAT_USER;
	if ((n->flags & TPROF_F_KERNEL) != 0) {
		row->kind = FORMAT_KFUNC;
	} else if ((r->flags & TPROF_F_KERNEL) != 0 ||
	    (n->flags & TPROF_F_CALLER) != 0) {
		/*
		 * libmon.so records the call, and no address in the kernel.
		 * See model_lookup_address() for the 1.
		 */
		row->kind = FORMAT_KERNEL;
		row->address += (n->flags & TPROF_F_CALLER) == 0;
	}
}

/*
 * Sets module, kind and address of a row for a sample without a node, by its
 * program counter.
 */
static void
locate_unknown(const struct tprof_stacks *x, const struct tprof_record *r,
    struct model_row *row)
{
	const bool kernel = (r->flags & TPROF_F_KERNEL) != 0;

	row->module = kernel ? x->kernel : MODEL_MODULE_NONE;
	row->kind = kernel ? FORMAT_KFUNC : FORMAT_USER;
	row->address = r->pc;
}

int
tprof_stacks_locate(struct tprof_stacks *x, const struct tprof_record *r,
    uint32_t node, uint32_t process, struct model_row *row)
{
	const struct tprof_stacks_node *n = node == 0 ? NULL :
	    &x->all[node - 1];
	const bool known = n != NULL && (n->flags & TPROF_F_CUT) == 0;

	if (known)
		locate_node(x, r, n, row);
	else
		locate_unknown(x, r, row);
	row->process = tprof_row_process(x, row->module, process);
	if (row->kind == FORMAT_KFUNC &&
	    add_kernel_name(x, row->module, row->address) != 0)
		return -ENOMEM;
	return (x->model->keep & MODEL_KEEP_STACKS) == 0 ? 0 :
	    make_stack_frame(x, known ? n->caller : node, process,
	    &row->stack);
}

void
tprof_stacks_free(struct tprof_stacks *x)
{
	kernel_symbols_free(&x->ksyms);
	free(x->all);
	free(x->modules);
	free(x->path);
}
