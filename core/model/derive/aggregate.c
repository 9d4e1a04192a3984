/*
 * Context: O.  Sums samples as they come in, for tprof top: cells by key, nodes
 * by place and caller; see aggregate.h.
 */
#include "derive/aggregate.h"

#include "base/compare.h"
#include "base/vector.h"

#include <string.h>

void
aggregate_init(struct aggregate *c, size_t most)
{
	*c = (struct aggregate) { .most = most, .turn = 1 };
}

void
aggregate_free(struct aggregate *c)
{
	free(c->nodes);
	free(c->cells);
	hash_index_free(&c->by_node);
	hash_index_free(&c->by_cell);
	aggregate_init(c, c->most);
}

static uint32_t
hash_aggregate_node(const struct aggregate_node *n)
{
	return hash_index_hash((uint64_t)n->caller << 32 | n->place);
}

uint32_t
aggregate_find_node(struct aggregate *c, uint32_t caller, uint32_t place)
{
	const struct aggregate_node own = { caller, place };
	const uint32_t hash = hash_aggregate_node(&own);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&c->by_node, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (c->nodes[n].caller == caller && c->nodes[n].place == place)
			return n;
	if (c->node_count == 0)
		c->node_count = 1;
	if (c->node_count >= HASH_INDEX_NONE - 1 || vector_grow(&c->nodes,
	    c->node_count, &c->node_room, sizeof(own)) != 0 ||
	    hash_index_add(&c->by_node, hash, (uint32_t)c->node_count) != 0)
		return 0;
	c->nodes[c->node_count] = own;
	return (uint32_t)c->node_count++;
}

static uint32_t
hash_aggregate_key(const struct aggregate_key *k)
{
	uint32_t h = hash_index_hash((uint64_t)k->node << 32 | k->tid);

	h = hash_index_hash((uint64_t)h << 32 | k->process);
	return hash_index_hash((uint64_t)h << 32 | (k->cpu ^ k->event << 24));
}

/*
 * Returns the cell of a key, which is made if it is missing; NULL if memory is
 * out.
 */
static struct aggregate_cell *
find_cell(struct aggregate *c, const struct aggregate_key *key)
{
	const uint32_t hash = hash_aggregate_key(key);
	struct aggregate_cell *own = NULL;
	uint32_t n;

	for (size_t at = hash; own == NULL && (n = hash_index_next(&c->by_cell,
	    hash, &at)) != HASH_INDEX_NONE;)
		if (memcmp(&c->cells[n].key, key, sizeof(*key)) == 0)
			own = &c->cells[n];
	if (own == NULL) {
		if (c->cell_count >= HASH_INDEX_NONE - 1 ||
		    vector_grow(&c->cells, c->cell_count, &c->cell_room,
		    sizeof(*own)) != 0 || hash_index_add(&c->by_cell, hash,
		    (uint32_t)c->cell_count) != 0)
			return NULL;
		own = &c->cells[c->cell_count++];
		*own = (struct aggregate_cell) { .key = *key };
	}
	return own;
}

/* Adds to a cell's sums of the current interval and since the beginning. */
static void
add_to_cell(struct aggregate *c, struct aggregate_cell *own, uint64_t count,
    uint64_t weight)
{
	if (own->turn != c->turn)
		own->now = (struct aggregate_value) { .count = 0 };
	own->turn = c->turn;
	own->now.count += count;
	own->now.weight += weight;
	own->all.count += count;
	own->all.weight += weight;
}

int
aggregate_add(struct aggregate *c, const struct aggregate_key *key,
    const struct aggregate_value *v)
{
	struct aggregate_cell *own = find_cell(c, key);

	if (own == NULL)
		return -ENOMEM;
	add_to_cell(c, own, v->count, v->weight);
	return 0;
}

/*
 * The counts that a file has of a running program can decrease: if its profile
 * was reset, or where a weight was an estimate.  After a reset the new counts
 * become the base; a weight that is not higher than before is ignored until it
 * is.
 */
int
aggregate_set(struct aggregate *c, const struct aggregate_key *key,
    const struct aggregate_value *v)
{
	struct aggregate_cell *own = find_cell(c, key);
	uint64_t count, weight;

	if (own == NULL)
		return -ENOMEM;
	c->totals = true;
	count = own->base.count + own->all.count;
	weight = own->base.weight + own->all.weight;
	if (v->count < count) {
		own->base = *v;
		own->all = (struct aggregate_value) { .count = 0 };
	} else if (v->weight > weight) {
		add_to_cell(c, own, v->count - count, v->weight - weight);
	}
	return 0;
}

void
aggregate_clear(struct aggregate *c)
{
	for (size_t i = 0; i < c->cell_count; i++) {
		struct aggregate_cell *own = &c->cells[i];

		own->base.count += own->all.count;
		own->base.weight += own->all.weight;
		own->now = own->all = (struct aggregate_value) { .count = 0 };
	}
	c->forgotten = (struct aggregate_value) { .count = 0 };
}

static int
compare_intervals(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return compare_u64(*a, *b);
}

/*
 * Sets *middle to the interval before which about half of the cells were last
 * added to.  Returns 0 or -ENOMEM.
 */
static int
find_median_interval(const struct aggregate *c, uint32_t *middle)
{
	uint32_t *all = malloc(c->cell_count * sizeof(*all));

	if (all == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < c->cell_count; i++)
		all[i] = c->cells[i].turn;
	qsort(all, c->cell_count, sizeof(*all), compare_intervals);
	*middle = all[c->cell_count / 2];
	free(all);
	return 0;
}

/*
 * Drops cells that were last added to before `turn`, and cells beyond half of
 * c->most.  All cells may be of one age; then as many are dropped as have to
 * be.
 */
static void
drop_cells(struct aggregate *c, uint32_t turn)
{
	const size_t most = c->most / 2;
	size_t kept = 0;

	for (size_t i = 0; i < c->cell_count; i++) {
		const struct aggregate_cell *own = &c->cells[i];

		if (own->turn >= turn && kept < most) {
			c->cells[kept++] = *own;
			continue;
		}
		c->forgotten.count += own->all.count;
		c->forgotten.weight += own->all.weight;
	}
	c->cell_count = kept;
}

/*
 * Drops the nodes that neither a cell nor a caller of a cell's node needs.  The
 * others keep their order.  `now` is an array of node_count elements, all 0; it
 * is set to the new numbers.
 */
static void
drop_nodes(struct aggregate *c, uint32_t *now)
{
	size_t kept = 1;

	for (size_t i = 0; i < c->cell_count; i++)
		now[c->cells[i].key.node] = 1;
	for (size_t i = c->node_count; i-- > 1;)
		if (now[i] != 0)
			now[c->nodes[i].caller] = 1;
	now[0] = 0;
	for (size_t i = 1; i < c->node_count; i++) {
		if (now[i] == 0)
			continue;
		c->nodes[kept] = (struct aggregate_node) {
			now[c->nodes[i].caller], c->nodes[i].place,
		};
		now[i] = (uint32_t)kept++;
	}
	c->node_count = kept;
	for (size_t i = 0; i < c->cell_count; i++)
		c->cells[i].key.node = now[c->cells[i].key.node];
}

/*
 * Makes both indexes again after numbers have changed.  Returns 0 or -ENOMEM.
 */
static int
rebuild_cell_index(struct aggregate *c)
{
	int ret = 0;

	hash_index_free(&c->by_node);
	hash_index_free(&c->by_cell);
	for (size_t i = 1; i < c->node_count && ret == 0; i++)
		ret = hash_index_add(&c->by_node,
		    hash_aggregate_node(&c->nodes[i]), (uint32_t)i);
	for (size_t i = 0; i < c->cell_count && ret == 0; i++)
		ret = hash_index_add(&c->by_cell,
		    hash_aggregate_key(&c->cells[i].key), (uint32_t)i);
	return ret;
}

int
aggregate_next_interval(struct aggregate *c)
{
	uint32_t *now, turn;

	c->turn++;
	if (c->cell_count <= c->most || c->totals)
		return 0;
	now = calloc(c->node_count + 1, sizeof(*now));
	if (now == NULL || find_median_interval(c, &turn) != 0) {
		free(now);
		return -ENOMEM;
	}
	drop_cells(c, turn);
	drop_nodes(c, now);
	free(now);
	return rebuild_cell_index(c);
}
