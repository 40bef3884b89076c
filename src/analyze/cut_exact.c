/* The exact bisection by dynamic programming over separators, with twins counted instead of enumerated.
 *
 *   F(C)[j] = smallest cost of component C with exactly j endpoints on side 1, where every vertex pays a bias
 *             for each side: what its links to vertices already placed cost there
 *
 * A separator vertex is placed on each side in turn (a class of twin endpoints: each count in turn); what is left
 * falls into components, whose F combine by (min,+) convolution. Components that are alike (same structure, same
 * biases) are computed once. Polynomial on trees and on everything that reduces to one; exponential in the
 * separators elsewhere, so it works within a budget of steps.
 */
#include "analyze/cut.h"

#include <stdlib.h>
#include <string.h>

#define INFINITE (INT64_MAX / 4)
enum { NEAR_TREE = 24, PROGRESS_STEPS = 1000000 }; /* cycles that still make a tree, nearly */

/* A vertex, or a class of endpoints with the same links. */
struct item {
	uint32_t count; /* members */
	uint32_t first; /* index into solver.member */
	bool endpoint;
};

struct memo_entry {
	uint64_t hash;
	const void *key;
	size_t size;
	int64_t *cost; /* F */
	struct memo_entry *next;
};

struct solver {
	const struct cutgraph *g;
	struct progress *progress;
	struct item *item;
	uint32_t *member, *item_of;
	uint32_t items;
	uint32_t *at, *to; /* links between items */
	int64_t *cap;      /* between one member and one member */
	uint32_t *place;   /* item -> position in the component at work, or NONE */
	struct arena arena;
	struct memo_entry **memo;
	size_t memo_size;
	uint64_t steps, budget;
	bool spent;
};

struct component {
	uint32_t n, endpoints;
	uint32_t *item;
	int64_t *b0, *b1; /* bias of one member for each side */
};

static bool spend(struct solver *s, uint64_t steps)
{
	s->steps += steps;
	if (s->steps / PROGRESS_STEPS != (s->steps - steps) / PROGRESS_STEPS)
		progress_step(s->progress, "solving exactly", (unsigned)(s->steps / PROGRESS_STEPS),
			      (unsigned)(s->budget / PROGRESS_STEPS));
	if (s->steps > s->budget || progress_expired(s->progress))
		s->spent = true;
	return !s->spent;
}

/* ---- items ------------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15u;
	return h ^ (h >> 29);
}

static void find_items(struct solver *s)
{
	const struct cutgraph *g = s->g;
	uint32_t *leader = mem_array(g->n, sizeof *leader);

	cut_twins(g, leader);
	for (uint32_t v = 0; v < g->n; v++) {
		if (leader[v] == v)
			s->item_of[v] = s->items++;
		s->item_of[v] = s->item_of[leader[v]];
		s->item[s->item_of[v]].count++;
		s->item[s->item_of[v]].endpoint = g->weight[v];
	}
	for (uint32_t i = 1; i < s->items; i++)
		s->item[i].first = s->item[i - 1].first + s->item[i - 1].count;
	for (uint32_t i = 0; i < s->items; i++)
		s->item[i].count = 0;
	for (uint32_t v = 0; v < g->n; v++) {
		struct item *it = &s->item[s->item_of[v]];

		s->member[it->first + it->count++] = v;
	}
	free(leader);
}

static void link_items(struct solver *s)
{
	const struct cutgraph *g = s->g;
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->items; i++) {
		uint32_t v = s->member[s->item[i].first];

		s->at[i] = n;
		for (uint32_t k = g->at[v]; k < g->at[v + 1]; k++) {
			uint32_t to = s->item_of[g->to[k]];

			/* Of a class only its first member: all have the same links. */
			if (s->member[s->item[to].first] != g->to[k])
				continue;
			s->to[n] = to;
			s->cap[n++] = g->cap_to[k];
		}
	}
	s->at[s->items] = n;
}

/* ---- memo -------------------------------------------------------------------------------------------------- */

static uint64_t hash_key(const uint64_t *key, size_t n)
{
	uint64_t h = n;

	for (size_t i = 0; i < n; i++)
		h = mix(h, key[i]);
	return h;
}

static int64_t *memo_find(const struct solver *s, const uint64_t *key, size_t n, uint64_t hash)
{
	if (!s->memo_size)
		return NULL;
	for (struct memo_entry *e = s->memo[hash & (s->memo_size - 1)]; e; e = e->next)
		if (e->hash == hash && e->size == n && !memcmp(e->key, key, n * sizeof *key))
			return e->cost;
	return NULL;
}

static void memo_add(struct solver *s, const uint64_t *key, size_t n, uint64_t hash, int64_t *cost)
{
	struct memo_entry *e = arena_alloc(&s->arena, sizeof *e);
	uint64_t *copy = arena_alloc(&s->arena, n * sizeof *copy);

	if (!s->memo_size) {
		s->memo_size = 1 << 16;
		s->memo = mem_array(s->memo_size, sizeof(struct memo_entry *));
	}
	memcpy(copy, key, n * sizeof *copy);
	*e = (struct memo_entry){hash, copy, n, cost, s->memo[hash & (s->memo_size - 1)]};
	s->memo[hash & (s->memo_size - 1)] = e;
}

struct colored {
	uint64_t color;
	uint32_t item, place;
};

static int compare_colored(const void *x, const void *y)
{
	const struct colored *a = x, *b = y;

	if (a->color != b->color)
		return a->color < b->color ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

static void color_component(const struct solver *s, const struct component *c, struct colored *list)
{
	uint64_t *color = mem_array(c->n, sizeof *color);

	for (uint32_t i = 0; i < c->n; i++)
		color[i] = mix(mix(mix(s->item[c->item[i]].count, s->item[c->item[i]].endpoint), (uint64_t)c->b0[i]),
			       (uint64_t)c->b1[i]);
	for (int round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < c->n; i++) {
			uint64_t around = 0;

			for (uint32_t k = s->at[c->item[i]]; k < s->at[c->item[i] + 1]; k++)
				if (s->place[s->to[k]] != NONE)
					around += mix(color[s->place[s->to[k]]], (uint64_t)s->cap[k]);
			list[i] = (struct colored){mix(color[i], around), c->item[i], i};
		}
		for (uint32_t i = 0; i < c->n; i++)
			color[i] = list[i].color;
	}
	free(color);
	qsort(list, c->n, sizeof *list, compare_colored);
}

/* The component written out in an order that alike components share (mostly): equal keys are isomorphic
 * components, so a hit is exact; a miss only costs time. */
static size_t component_key(const struct solver *s, const struct component *c, uint64_t **key)
{
	struct colored *list = mem_array(c->n, sizeof *list);
	uint32_t *rank = mem_array(c->n, sizeof *rank);
	size_t n = 0, links = 0;

	for (uint32_t i = 0; i < c->n; i++)
		links += s->at[c->item[i] + 1] - s->at[c->item[i]];
	*key = mem_array(4 * (size_t)c->n + 2 * links, sizeof **key);
	color_component(s, c, list);
	for (uint32_t i = 0; i < c->n; i++)
		rank[list[i].place] = i;
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t item = list[i].item, place = list[i].place;
		size_t first = n;

		(*key)[n++] = (uint64_t)s->item[item].count << 1 | s->item[item].endpoint;
		(*key)[n++] = (uint64_t)c->b0[place];
		(*key)[n++] = (uint64_t)c->b1[place];
		(*key)[n++] = 0;
		for (uint32_t k = s->at[item]; k < s->at[item + 1]; k++) {
			if (s->place[s->to[k]] == NONE || rank[s->place[s->to[k]]] > i)
				continue;
			(*key)[n++] = rank[s->place[s->to[k]]];
			(*key)[n++] = (uint64_t)s->cap[k];
		}
		(*key)[first + 3] = n - first;
	}
	free(list);
	free(rank);
	return n;
}

/* ---- components ---------------------------------------------------------------------------------------------- */

static struct component component_new(uint32_t n)
{
	return (struct component){0, 0, mem_array(n, sizeof(uint32_t)), mem_array(n, sizeof(int64_t)),
				  mem_array(n, sizeof(int64_t))};
}

static void component_free(struct component *c)
{
	free(c->item);
	free(c->b0);
	free(c->b1);
}

static void component_push(const struct solver *s, struct component *c, uint32_t item, int64_t b0, int64_t b1)
{
	c->item[c->n] = item;
	c->b0[c->n] = b0;
	c->b1[c->n++] = b1;
	if (s->item[item].endpoint)
		c->endpoints += s->item[item].count;
}

static void set_places(struct solver *s, const struct component *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		s->place[c->item[i]] = i;
}

static void clear_places(struct solver *s, const struct component *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		s->place[c->item[i]] = NONE;
}

/* Where switches are, the one with most neighbours splits best (the top of a tree). Without, the vertex that
 * hangs most on what is placed already keeps the frontier short (a sweep). */
static uint32_t choose_separator(const struct solver *s, const struct component *c)
{
	uint64_t best_score = 0;
	uint32_t best = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		const struct item *it = &s->item[c->item[i]];
		uint64_t degree = 0, placed, score;

		for (uint32_t k = s->at[c->item[i]]; k < s->at[c->item[i] + 1]; k++)
			degree += s->place[s->to[k]] != NONE;
		placed = s->at[c->item[i] + 1] - s->at[c->item[i]] - degree;
		score = it->endpoint ? placed << 20 | degree : UINT64_C(1) << 60 | degree;
		if (score >= best_score + (i > 0)) {
			best_score = score;
			best = i;
		}
	}
	return best;
}

/* What is left when members of the separator stand with x on side 1: biases grow by the links to it. Returns the
 * cost that is certain by now. */
static int64_t place_separator(struct solver *s, const struct component *c, uint32_t sep, uint32_t x,
			       struct component *rest)
{
	uint32_t item = c->item[sep], others = s->item[item].count - x;
	int64_t certain = x * c->b1[sep] + others * c->b0[sep];

	rest->n = rest->endpoints = 0;
	for (uint32_t i = 0; i < c->n; i++)
		if (i != sep)
			component_push(s, rest, c->item[i], c->b0[i], c->b1[i]);
	for (uint32_t k = s->at[item]; k < s->at[item + 1]; k++) {
		uint32_t i = s->place[s->to[k]];

		if (i == NONE)
			continue;
		i -= i > sep;
		rest->b0[i] += x * s->cap[k];
		rest->b1[i] += others * s->cap[k];
	}
	for (uint32_t i = 0; i < rest->n; i++) {
		int64_t least = rest->b0[i] < rest->b1[i] ? rest->b0[i] : rest->b1[i];

		rest->b0[i] -= least;
		rest->b1[i] -= least;
		certain += least * s->item[rest->item[i]].count;
	}
	return certain;
}

/* The connected components of a set, each with its biases. Returns how many; parts has room for set->n. */
static uint32_t split(struct solver *s, const struct component *set, struct component *parts)
{
	uint32_t *stack = mem_array(set->n, sizeof *stack), count = 0;
	uint32_t *found = mem_array(set->n, sizeof *found);
	bool *seen = mem_array(set->n, sizeof *seen);

	set_places(s, set);
	for (uint32_t start = 0; start < set->n; start++) {
		struct component *part = &parts[count];
		uint32_t depth = 0, size = 0;

		if (seen[start])
			continue;
		seen[start] = true;
		stack[depth++] = start;
		while (depth) {
			uint32_t i = stack[--depth];

			found[size++] = i;
			for (uint32_t k = s->at[set->item[i]]; k < s->at[set->item[i] + 1]; k++) {
				uint32_t to = s->place[s->to[k]];

				if (to != NONE && !seen[to]) {
					seen[to] = true;
					stack[depth++] = to;
				}
			}
		}
		*part = component_new(size);
		for (uint32_t i = 0; i < size; i++)
			component_push(s, part, set->item[found[i]], set->b0[found[i]], set->b1[found[i]]);
		count++;
	}
	clear_places(s, set);
	free(found);
	free(stack);
	free(seen);
	return count;
}

/* ---- the recursion --------------------------------------------------------------------------------------------- */

static int64_t *solve_component(struct solver *s, const struct component *c);

/* out[i+j] = min a[i] + b[j]; out has a_n + b_n - 1 entries. */
static int64_t *convolve(struct solver *s, const int64_t *a, size_t a_n, const int64_t *b, size_t b_n)
{
	int64_t *out = mem_array(a_n + b_n - 1, sizeof *out);

	for (size_t i = 0; i < a_n + b_n - 1; i++)
		out[i] = INFINITE;
	if (!spend(s, a_n * b_n / 8)) /* these steps are short */
		return out;
	for (size_t i = 0; i < a_n; i++) {
		int64_t base = a[i], *row = out + i;

		for (size_t j = 0; base < INFINITE && j < b_n; j++)
			row[j] = base + b[j] < row[j] ? base + b[j] : row[j];
	}
	return out;
}

/* F of one component, as it stands in the memo. */
struct profile {
	const int64_t *cost;
	uint32_t endpoints;
};

static uint32_t sum_endpoints(const struct profile *f, uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += f[i].endpoints;
	return sum;
}

static bool same_profiles(const struct profile *a, const struct profile *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i].cost != b[i].cost)
			return false;
	return true;
}

static bool is_concave(const struct profile *f)
{
	for (uint32_t j = 2; j <= f->endpoints; j++)
		if (f->cost[j] - f->cost[j - 1] > f->cost[j - 1] - f->cost[j - 2])
			return false;
	return true;
}

/* F of n components that are alike and concave (a rack behind its uplinks is): of two that are both split one can give to the other
 * at no cost, so all but one are whole. O(endpoints) instead of its square. */
static int64_t *combine_alike(const struct profile *f, uint32_t n)
{
	uint32_t each = f->endpoints;
	size_t size = (size_t)n * each + 1;
	int64_t *both = mem_array(size, sizeof *both);

	for (size_t j = 0; j < size; j++) {
		int64_t whole = each ? (int64_t)(j / each) : 0;
		uint32_t part = each ? (uint32_t)(j % each) : 0;

		both[j] = whole * f->cost[each] + (n - whole - (part > 0)) * f->cost[0] + (part ? f->cost[part] : 0);
	}
	return both;
}

/* F of several components together; owned. Halving keeps the work balanced, and lets halves that are alike (the
 * leaves of a tree mostly are) be computed once. */
static int64_t *combine(struct solver *s, const struct profile *f, uint32_t n)
{
	size_t left_n = sum_endpoints(f, n / 2) + (size_t)1, right_n = sum_endpoints(f + n / 2, n - n / 2) + (size_t)1;
	int64_t *left, *right, *both;

	if (n == 1) {
		both = mem_array(right_n, sizeof *both);
		memcpy(both, f[0].cost, right_n * sizeof *both);
		return both;
	}
	if (same_profiles(f, f + 1, n - 1) && is_concave(f))
		return combine_alike(f, n);
	left = combine(s, f, n / 2);
	right = n % 2 == 0 && same_profiles(f, f + n / 2, n / 2) ? left : combine(s, f + n / 2, n - n / 2);
	both = convolve(s, left, left_n, right, right_n);
	if (right != left)
		free(right);
	free(left);
	return both;
}

static void parts_free(struct component *parts, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		component_free(&parts[i]);
	free(parts);
}

/* The profiles of all parts, owned; NULL when the budget is spent. */
static struct profile *solve_parts(struct solver *s, const struct component *parts, uint32_t n)
{
	struct profile *f = mem_array(n, sizeof *f);

	for (uint32_t i = 0; i < n; i++) {
		f[i] = (struct profile){solve_component(s, &parts[i]), parts[i].endpoints};
		if (!f[i].cost) {
			free(f);
			return NULL;
		}
	}
	return f;
}

/* F of a set of vertices; owned. Zeros when the budget is spent. */
static int64_t *solve_set(struct solver *s, const struct component *set)
{
	struct component *parts;
	struct profile *f;
	int64_t *cost = NULL;
	uint32_t n;

	if (!set->n)
		return mem_array(1, sizeof *cost);
	parts = mem_array(set->n, sizeof *parts);
	n = split(s, set, parts);
	f = solve_parts(s, parts, n);
	cost = f ? combine(s, f, n) : mem_array(set->endpoints + (size_t)1, sizeof *cost);
	free(f);
	parts_free(parts, n);
	return cost;
}

static void solve_single(const struct solver *s, const struct component *c, int64_t *cost)
{
	int64_t count = s->item[c->item[0]].count;

	if (!s->item[c->item[0]].endpoint) {
		cost[0] = c->b0[0] < c->b1[0] ? c->b0[0] : c->b1[0];
		return;
	}
	for (int64_t j = 0; j <= count; j++)
		cost[j] = j * c->b1[0] + (count - j) * c->b0[0];
}

static bool is_unbiased(const struct component *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (c->b0[i] || c->b1[i])
			return false;
	return true;
}

/* Without biases the sides can be exchanged: half of the placements, and F is its own mirror image. */
static void mirror(int64_t *cost, uint32_t n)
{
	for (uint32_t j = 0; j <= n / 2; j++)
		cost[j] = cost[n - j] = cost[j] < cost[n - j] ? cost[j] : cost[n - j];
}

static void solve_split(struct solver *s, const struct component *c, int64_t *cost)
{
	struct component rest = component_new(c->n);
	bool mirrored = is_unbiased(c);
	const struct item *it;
	uint32_t sep;

	set_places(s, c);
	sep = choose_separator(s, c);
	clear_places(s, c);
	it = &s->item[c->item[sep]];
	for (uint32_t j = 0; j <= c->endpoints; j++)
		cost[j] = INFINITE;
	for (uint32_t x = 0; x <= (mirrored ? it->count / 2 : it->count) && !s->spent; x++) {
		int64_t certain, *f;

		set_places(s, c);
		certain = place_separator(s, c, sep, x, &rest);
		clear_places(s, c);
		f = solve_set(s, &rest);
		for (uint32_t j = 0; j <= rest.endpoints; j++) {
			int64_t *to = &cost[j + (it->endpoint ? x : 0)];

			*to = f[j] + certain < *to ? f[j] + certain : *to;
		}
		free(f);
	}
	if (mirrored)
		mirror(cost, c->endpoints);
	component_free(&rest);
}

/* F of a component, kept in the memo; NULL when the budget is spent. */
static int64_t *solve_component(struct solver *s, const struct component *c)
{
	uint64_t *key, hash;
	int64_t *cost;
	size_t n;

	if (s->spent)
		return NULL;
	set_places(s, c);
	n = component_key(s, c, &key);
	clear_places(s, c);
	if (!spend(s, 64 + 16 * (uint64_t)n)) {
		free(key);
		return NULL;
	}
	hash = hash_key(key, n);
	cost = memo_find(s, key, n, hash);
	if (!cost) {
		cost = arena_alloc(&s->arena, (c->endpoints + (size_t)1) * sizeof *cost);
		if (c->n == 1)
			solve_single(s, c, cost);
		else
			solve_split(s, c, cost);
		if (!s->spent)
			memo_add(s, key, n, hash, cost);
	}
	free(key);
	return s->spent ? NULL : cost;
}

/* ---- the witness: the same walk again, now along what was best ------------------------------------------------- */

static void trace_component(struct solver *s, const struct component *c, uint32_t j, uint8_t *side);

static void set_members(const struct solver *s, uint32_t item, uint32_t on_one, uint8_t *side)
{
	for (uint32_t i = 0; i < s->item[item].count; i++)
		side[s->member[s->item[item].first + i]] = i < on_one;
}

static void trace_parts(struct solver *s, const struct component *parts, const struct profile *f, uint32_t n,
			uint32_t j, uint8_t *side)
{
	uint32_t left_n = sum_endpoints(f, n / 2), right_n = sum_endpoints(f + n / 2, n - n / 2), take = 0;
	int64_t *left, *right, best = INFINITE;

	if (n == 1) {
		trace_component(s, &parts[0], j, side);
		return;
	}
	left = combine(s, f, n / 2);
	right = combine(s, f + n / 2, n - n / 2);
	for (uint32_t i = 0; i <= left_n && i <= j; i++) {
		if (j - i <= right_n && left[i] + right[j - i] < best) {
			best = left[i] + right[j - i];
			take = i;
		}
	}
	free(left);
	free(right);
	trace_parts(s, parts, f, n / 2, take, side);
	trace_parts(s, parts + n / 2, f + n / 2, n - n / 2, j - take, side);
}

static void trace_set(struct solver *s, const struct component *set, uint32_t j, uint8_t *side)
{
	struct component *parts;
	struct profile *f;
	uint32_t n;

	if (!set->n)
		return;
	parts = mem_array(set->n, sizeof *parts);
	n = split(s, set, parts);
	f = solve_parts(s, parts, n);
	if (f)
		trace_parts(s, parts, f, n, j, side);
	free(f);
	parts_free(parts, n);
}

static void trace_split(struct solver *s, const struct component *c, uint32_t j, uint8_t *side)
{
	struct component rest = component_new(c->n);
	const int64_t *cost = solve_component(s, c); /* from the memo */
	int64_t best = INFINITE;
	uint32_t sep, choice = 0;
	bool counts;

	set_places(s, c);
	sep = choose_separator(s, c);
	clear_places(s, c);
	counts = s->item[c->item[sep]].endpoint;
	for (uint32_t x = 0; x <= s->item[c->item[sep]].count && cost && best > cost[j]; x++) {
		uint32_t inside = counts ? x : 0;
		int64_t certain, *f;

		set_places(s, c);
		certain = place_separator(s, c, sep, x, &rest);
		clear_places(s, c);
		f = solve_set(s, &rest);
		if (inside <= j && j - inside <= rest.endpoints && f[j - inside] + certain < best) {
			best = f[j - inside] + certain;
			choice = x;
		}
		free(f);
	}
	set_places(s, c);
	place_separator(s, c, sep, choice, &rest);
	clear_places(s, c);
	set_members(s, c->item[sep], choice, side);
	trace_set(s, &rest, j - (counts ? choice : 0), side);
	component_free(&rest);
}

static void trace_component(struct solver *s, const struct component *c, uint32_t j, uint8_t *side)
{
	if (s->spent)
		return;
	if (c->n > 1)
		trace_split(s, c, j, side);
	else if (s->item[c->item[0]].endpoint)
		set_members(s, c->item[0], j, side);
	else
		set_members(s, c->item[0], c->b1[0] < c->b0[0], side);
}

bool cut_exact(const struct cutgraph *g, uint32_t k, uint64_t budget, struct progress *p, int64_t *value,
	       uint8_t *side)
{
	struct solver s = {.g = g, .progress = p, .budget = budget};
	struct component all;
	int64_t *cost;

	s.item = mem_array(g->n, sizeof *s.item);
	s.member = mem_array(g->n, sizeof *s.member);
	s.item_of = mem_array(g->n, sizeof *s.item_of);
	s.place = mem_array(g->n, sizeof *s.place);
	s.at = mem_array(g->n + (size_t)1, sizeof *s.at);
	s.to = mem_array(2 * (size_t)g->m, sizeof *s.to);
	s.cap = mem_array(2 * (size_t)g->m, sizeof *s.cap);
	memset(s.place, 0xff, g->n * sizeof *s.place);
	find_items(&s);
	link_items(&s);
	if (s.at[s.items] / 2 < s.items + NEAR_TREE)
		s.budget *= NEAR_TREE; /* nearly a tree: it will end, and nothing else is as good */
	all = component_new(s.items);
	for (uint32_t i = 0; i < s.items; i++)
		component_push(&s, &all, i, 0, 0);
	cost = solve_set(&s, &all);
	*value = cost[k];
	if (!s.spent)
		trace_set(&s, &all, k, side);
	component_free(&all);
	free(cost);
	free(s.item);
	free(s.member);
	free(s.item_of);
	free(s.place);
	free(s.at);
	free(s.to);
	free(s.cap);
	free(s.memo);
	arena_free(&s.arena);
	return !s.spent;
}
