/* Good bisections by local search (Fiduccia and Mattheyses 1982), from starts that follow structure: the order of
 * the file (modules are contiguous in it), what is nearer to one end of a link than to the other, sweeps by distance, METIS,
 * and chance. METIS does not promise balance,
 * so its answer is only a start: it is balanced here, and every count is taken again.
 */
#include "analyze/cut.h"

#include <metis.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/ig.h"

/* ---- one pass: move the best vertex, again and again, keep the best balanced prefix --------------------------- */

struct mover {
	const struct cutgraph *g;
	uint32_t k;       /* endpoints wanted on side 1 */
	uint8_t *side;
	uint32_t on_one;
	int64_t *gain;    /* what the cut loses when the vertex moves */
	bool *locked;
	uint32_t *heap[3], heap_n[3]; /* endpoints on side 0, on side 1; switches: max-heaps by gain */
	uint32_t *slot;               /* position in its heap */
	uint32_t *moved, moved_n;
};

static int heap_of(const struct mover *m, uint32_t v)
{
	return !m->g->weight[v] ? 2 : m->side[v];
}

static bool heap_less(const struct mover *m, uint32_t a, uint32_t b)
{
	return m->gain[a] != m->gain[b] ? m->gain[a] < m->gain[b] : a > b;
}

static void heap_put(struct mover *m, int h, uint32_t i, uint32_t v)
{
	m->heap[h][i] = v;
	m->slot[v] = i;
}

static void heap_up(struct mover *m, int h, uint32_t i)
{
	uint32_t v = m->heap[h][i];

	while (i && heap_less(m, m->heap[h][(i - 1) / 2], v)) {
		heap_put(m, h, i, m->heap[h][(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	heap_put(m, h, i, v);
}

static void heap_down(struct mover *m, int h, uint32_t i)
{
	uint32_t v = m->heap[h][i], n = m->heap_n[h];

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < n && heap_less(m, m->heap[h][child], m->heap[h][child + 1]))
			child++;
		if (child >= n || !heap_less(m, v, m->heap[h][child]))
			break;
		heap_put(m, h, i, m->heap[h][child]);
		i = child;
	}
	heap_put(m, h, i, v);
}

static void heap_remove(struct mover *m, uint32_t v)
{
	int h = heap_of(m, v);
	uint32_t i = m->slot[v], last = m->heap[h][--m->heap_n[h]];

	if (last == v)
		return;
	heap_put(m, h, i, last);
	heap_up(m, h, i);
	heap_down(m, h, m->slot[last]);
}

static void start_pass(struct mover *m)
{
	const struct cutgraph *g = m->g;

	m->moved_n = 0;
	m->on_one = cut_count(g, m->side);
	memset(m->heap_n, 0, sizeof m->heap_n);
	for (uint32_t v = 0; v < g->n; v++) {
		m->locked[v] = false;
		m->gain[v] = 0;
		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
			m->gain[v] += m->side[g->to[i]] != m->side[v] ? g->cap_to[i] : -g->cap_to[i];
		heap_put(m, heap_of(m, v), m->heap_n[heap_of(m, v)]++, v);
	}
	for (int h = 0; h < 3; h++)
		for (uint32_t i = m->heap_n[h] / 2; i-- > 0;)
			heap_down(m, h, i);
}

/* The best vertex whose move keeps within one endpoint of balance; NONE when all are locked. */
static uint32_t choose_move(const struct mover *m)
{
	uint32_t best = NONE;

	for (int h = 0; h < 3; h++) {
		if (!m->heap_n[h] || (h == 0 && m->on_one > m->k) || (h == 1 && m->on_one < m->k))
			continue;
		if (best == NONE || heap_less(m, best, m->heap[h][0]))
			best = m->heap[h][0];
	}
	return best;
}

static void move(struct mover *m, uint32_t v)
{
	const struct cutgraph *g = m->g;

	heap_remove(m, v);
	m->locked[v] = true;
	m->side[v] ^= 1;
	m->gain[v] = -m->gain[v];
	if (g->weight[v])
		m->on_one += m->side[v] ? 1 : UINT32_MAX;
	m->moved[m->moved_n++] = v;
	for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
		uint32_t to = g->to[i];
		int64_t before = m->gain[to];

		m->gain[to] += m->side[to] == m->side[v] ? -2 * g->cap_to[i] : 2 * g->cap_to[i];
		if (m->locked[to])
			continue;
		if (m->gain[to] > before)
			heap_up(m, heap_of(m, to), m->slot[to]);
		else
			heap_down(m, heap_of(m, to), m->slot[to]);
	}
}

/* Returns what the pass won. */
static int64_t run_pass(struct mover *m)
{
	int64_t won = 0, best = 0;
	uint32_t kept = 0, v;

	start_pass(m);
	while ((v = choose_move(m)) != NONE) {
		won += m->gain[v];
		move(m, v);
		if (m->on_one == m->k && won > best) {
			best = won;
			kept = m->moved_n;
		}
		/* Long runs of losses rarely come back on large graphs. */
		if (m->moved_n - kept > 2000 && m->moved_n - kept > m->g->n / 8)
			break;
	}
	while (m->moved_n > kept)
		m->side[m->moved[--m->moved_n]] ^= 1;
	return best;
}

static struct mover mover_new(const struct cutgraph *g, uint32_t k, uint8_t *side)
{
	struct mover m = {.g = g, .k = k, .side = side};

	m.gain = mem_array(g->n, sizeof *m.gain);
	m.locked = mem_array(g->n, sizeof *m.locked);
	m.slot = mem_array(g->n, sizeof *m.slot);
	m.moved = mem_array(g->n, sizeof *m.moved);
	for (int h = 0; h < 3; h++)
		m.heap[h] = mem_array(g->n, sizeof *m.heap[h]);
	return m;
}

static void mover_free(struct mover *m)
{
	free(m->gain);
	free(m->locked);
	free(m->slot);
	free(m->moved);
	for (int h = 0; h < 3; h++)
		free(m->heap[h]);
}

static void improve(struct mover *m, struct progress *p)
{
	for (int pass = 0; pass < 30 && run_pass(m) > 0 && !progress_expired(p); pass++)
		;
}

/* ---- starts ------------------------------------------------------------------------------------------------------ */

/* Switches go where most of what they touch is; two sweeps settle short chains. */
static void follow_majority(const struct cutgraph *g, uint8_t *side)
{
	for (int sweep = 0; sweep < 2; sweep++) {
		for (uint32_t v = 0; v < g->n; v++) {
			int64_t pull = 0;

			if (g->weight[v])
				continue;
			for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++)
				pull += side[g->to[i]] ? g->cap_to[i] : -g->cap_to[i];
			side[v] = pull > 0;
		}
	}
}

/* k endpoints of an order of vertices, from the given one on, cyclically. */
static void start_from_order(const struct cutgraph *g, uint32_t k, const uint32_t *order, uint32_t from, uint8_t *side)
{
	uint32_t left = k;

	memset(side, 0, g->n);
	for (uint32_t i = 0; i < g->n && left; i++) {
		uint32_t v = order[(from + i) % g->n];

		if (g->weight[v]) {
			side[v] = 1;
			left--;
		}
	}
	follow_majority(g, side);
}

static void order_by_distance(const struct cutgraph *g, uint32_t root, uint32_t *order)
{
	bool *seen = mem_array(g->n, sizeof *seen);
	uint32_t head = 0, tail = 0;

	for (uint32_t next = root, tried = 0; tried <= g->n; next = tried++) {
		if (next >= g->n || seen[next])
			continue;
		seen[next] = true;
		order[tail++] = next;
		while (head < tail) {
			uint32_t v = order[head++];

			for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
				if (!seen[g->to[i]]) {
					seen[g->to[i]] = true;
					order[tail++] = g->to[i];
				}
			}
		}
	}
	free(seen);
}

static void measure(const struct cutgraph *g, uint32_t root, uint32_t *distance, uint32_t *queue)
{
	uint32_t head = 0, tail = 0;

	memset(distance, 0xff, g->n * sizeof *distance);
	distance[root] = 0;
	queue[tail++] = root;
	while (head < tail) {
		uint32_t v = queue[head++];

		for (uint32_t i = g->at[v]; i < g->at[v + 1]; i++) {
			if (distance[g->to[i]] == NONE) {
				distance[g->to[i]] = distance[v] + 1;
				queue[tail++] = g->to[i];
			}
		}
	}
}

/* Side 1 is what lies nearer to one end of a link than to the other (Djoković 1973): in grids, tori and cubes such half-spaces
 * are flat. What is as near to both is left to balancing. */
static void start_from_link(const struct cutgraph *g, uint32_t from, uint32_t to, uint8_t *side)
{
	uint32_t *a = mem_array(g->n, sizeof *a), *b = mem_array(g->n, sizeof *b), *queue = mem_array(g->n, sizeof *queue);

	measure(g, from, a, queue);
	measure(g, to, b, queue);
	for (uint32_t v = 0; v < g->n; v++)
		side[v] = a[v] < b[v];
	free(a);
	free(b);
	free(queue);
}

static void shuffle(uint32_t *order, uint32_t n, struct rng *rng)
{
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = rng_below(rng, i), swap = order[i - 1];

		order[i - 1] = order[j];
		order[j] = swap;
	}
}

/* Moves the endpoints that cost least until exactly k stand on side 1. */
static void balance(struct mover *m)
{
	start_pass(m);
	while (m->on_one != m->k) {
		int h = m->on_one > m->k;

		move(m, m->heap[h][0]);
	}
}

static void start_from_metis(const struct cutgraph *g, uint32_t k, uint64_t seed, uint8_t *side)
{
	idx_t n = (idx_t)g->n, constraints = 1, parts = 2, cut, options[METIS_NOPTIONS];
	idx_t *at = mem_array(g->n + (size_t)1, sizeof *at), *to = mem_array(2 * (size_t)g->m, sizeof *to);
	idx_t *cap = mem_array(2 * (size_t)g->m, sizeof *cap), *weight = mem_array(g->n, sizeof *weight);
	idx_t *part = mem_array(g->n, sizeof *part);
	real_t target[2] = {1 - (real_t)k / (real_t)g->endpoints, (real_t)k / (real_t)g->endpoints};
	int64_t sum = 0, scale = 1;

	for (uint32_t e = 0; e < g->m; e++)
		sum += g->cap[e];
	while (sum / scale > 1 << 28)
		scale *= 2;
	for (uint32_t v = 0; v <= g->n; v++)
		at[v] = (idx_t)g->at[v];
	for (uint32_t i = 0; i < 2 * g->m; i++) {
		to[i] = (idx_t)g->to[i];
		cap[i] = (idx_t)(g->cap_to[i] / scale > 0 ? g->cap_to[i] / scale : 1);
	}
	for (uint32_t v = 0; v < g->n; v++)
		weight[v] = g->weight[v] ? 1000 : 1;
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = (idx_t)(seed & 0x7fffffff);
	METIS_PartGraphRecursive(&n, &constraints, at, to, weight, NULL, cap, &parts, target, NULL, options, &cut, part);
	for (uint32_t v = 0; v < g->n; v++)
		side[v] = part[v] == 1;
	free(at);
	free(to);
	free(cap);
	free(weight);
	free(part);
}

enum { WINDOWS = 4, LINKS = 8 };

/* The links of one vertex lead into every dimension that there is; of the vertex with most links, to see them all. */
static void start_from_nth_link(struct mover *m, unsigned n)
{
	const struct cutgraph *g = m->g;
	uint32_t v = 0, degree;

	for (uint32_t x = 1; x < g->n; x++)
		if (g->at[x + 1] - g->at[x] > g->at[v + 1] - g->at[v])
			v = x;
	degree = g->at[v + 1] - g->at[v];
	if (degree)
		start_from_link(g, v, g->to[g->at[v] + (degree <= LINKS ? n % degree : n * degree / LINKS)], m->side);
	balance(m);
}

static void make_start(struct mover *m, unsigned round, struct rng *rng, uint32_t *order)
{
	const struct cutgraph *g = m->g;

	for (uint32_t v = 0; v < g->n; v++)
		order[v] = v;
	if (round < WINDOWS) {
		start_from_order(g, m->k, order, (uint32_t)((uint64_t)g->n * round / WINDOWS), m->side);
	} else if (round < WINDOWS + LINKS) {
		start_from_nth_link(m, round - WINDOWS);
	} else if (round % 3 == 0) {
		start_from_metis(g, m->k, rng_next(rng), m->side);
		balance(m);
	} else if (round % 3 == 1) {
		order_by_distance(g, rng_below(rng, g->n), order);
		start_from_order(g, m->k, order, 0, m->side);
	} else {
		shuffle(order, g->n, rng);
		start_from_order(g, m->k, order, 0, m->side);
	}
}

int64_t cut_search(const struct cutgraph *g, uint32_t k, uint64_t seed, unsigned rounds, int64_t goal, struct progress *p,
		   uint8_t *side)
{
	struct rng rng = rng_seed(seed);
	uint8_t *now = mem_array(g->n, 1);
	uint32_t *order = mem_array(g->n, sizeof *order);
	struct mover m = mover_new(g, k, now);
	int64_t best = INT64_MAX;

	for (unsigned round = 0; round < rounds && best > goal && !(round && progress_expired(p)); round++) {
		int64_t cut;

		progress_step(p, "searching", round, rounds);
		make_start(&m, round, &rng, order);
		improve(&m, p);
		cut = cut_value(g, now);
		if (cut < best && cut_count(g, now) == k) {
			best = cut;
			memcpy(side, now, g->n);
		}
	}
	mover_free(&m);
	free(now);
	free(order);
	return best;
}

/* ---- switches ------------------------------------------------------------------------------------------------------- */

/* All endpoints of a side are one terminal; the minimum cut between the two places every switch. */
void cut_place_switches(const struct cutgraph *g, uint8_t *side)
{
	uint32_t *a = mem_array(g->m, sizeof *a), *b = mem_array(g->m, sizeof *b), m = 0;
	igraph_vector_t capacity;
	igraph_vector_int_t part0, part1;
	igraph_real_t value;
	struct ig *ig;

	ig_check(igraph_vector_init(&capacity, 0));
	for (uint32_t e = 0; e < g->m; e++) {
		uint32_t x = g->weight[g->u[e]] ? g->n + side[g->u[e]] : g->u[e];
		uint32_t y = g->weight[g->v[e]] ? g->n + side[g->v[e]] : g->v[e];

		if (x == y)
			continue;
		a[m] = x;
		b[m++] = y;
		ig_check(igraph_vector_push_back(&capacity, (igraph_real_t)g->cap[e]));
	}
	ig = ig_new(g->n + 2, a, b, m);
	ig_check(igraph_vector_int_init(&part0, 0));
	ig_check(igraph_vector_int_init(&part1, 0));
	ig_check(igraph_maxflow(&ig->graph, &value, NULL, NULL, &part0, &part1, g->n, g->n + 1, &capacity, NULL));
	/* The endpoints themselves are isolated vertices of that graph: where igraph puts them means nothing. */
	for (igraph_integer_t i = 0; i < igraph_vector_int_size(&part1); i++)
		if (VECTOR(part1)[i] < (igraph_integer_t)g->n && !g->weight[VECTOR(part1)[i]])
			side[VECTOR(part1)[i]] = 1;
	for (igraph_integer_t i = 0; i < igraph_vector_int_size(&part0); i++)
		if (VECTOR(part0)[i] < (igraph_integer_t)g->n && !g->weight[VECTOR(part0)[i]])
			side[VECTOR(part0)[i]] = 0;
	igraph_vector_destroy(&capacity);
	igraph_vector_int_destroy(&part0);
	igraph_vector_int_destroy(&part1);
	ig_free(ig);
	free(a);
	free(b);
}
