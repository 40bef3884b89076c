/* blocking: can every matching of the endpoints be carried, and what decides it?
 *
 * Networks are what is left when endpoints are taken away: components of switches. Components over the same endpoints are
 * planes of one network. Each is classified by structure (clos.c); the fabric is as good as the worst network among those that
 * join endpoints no other joins.
 */
#include "analyze/blocking.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding the networks ------------------------------------------------------------------------------------------ */

/* Endpoints, and NICs that stand for one: where traffic starts and ends. */
static bool is_terminal(const struct request *r, const struct network *n, uint32_t v)
{
	return n->weight[v] || device_class(r->fabric, n->device[v]) == CLASS_NIC;
}

static int compare_ids(const void *p, const void *q)
{
	uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;

	return a < b ? -1 : a > b;
}

/* Collects one component from a start vertex. Switch components take their terminals in without passing them; a component of
 * direct links passes terminals over terminal-to-terminal edges only. */
static void collect(const struct request *r, const struct network *n, struct part *part, uint32_t start, bool *seen,
		    struct keymap *taken, uint32_t part_id)
{
	VEC(uint32_t) stack = {0};

	vec_push(&stack, start);
	seen[start] = true;
	while (stack.n) {
		uint32_t v = stack.at[--stack.n];

		if (part->direct)
			vec_push(&part->terminals, v);
		else
			vec_push(&part->switches, v);
		for (uint32_t i = n->at[v]; i < n->at[v + 1]; i++) {
			uint32_t to = network_other(n, n->edge[i], v);
			bool terminal = is_terminal(r, n, to);

			if (!part->direct && terminal) {
				uint64_t key = (uint64_t)part_id << 32 | to;

				if (keymap_get(taken, key) == NONE) {
					keymap_put(taken, key, 1);
					vec_push(&part->terminals, to);
				}
			} else if (terminal == part->direct && !seen[to]) {
				seen[to] = true;
				vec_push(&stack, to);
			}
		}
	}
	if (part->terminals.n)
		qsort(part->terminals.at, part->terminals.n, sizeof *part->terminals.at, compare_ids);
	vec_free(&stack);
}

static bool has_direct_edge(const struct request *r, const struct network *n, uint32_t v)
{
	for (uint32_t i = n->at[v]; i < n->at[v + 1]; i++)
		if (is_terminal(r, n, network_other(n, n->edge[i], v)))
			return true;
	return false;
}

static void find_parts(const struct request *r, const struct network *n, struct parts *parts)
{
	bool *seen = mem_array(n->vertex_count, sizeof *seen);
	struct keymap taken = {0};

	for (uint32_t v = 0; v < n->vertex_count; v++) {
		struct part part = {.direct = is_terminal(r, n, v)};

		if (seen[v] || (part.direct && !has_direct_edge(r, n, v)))
			continue;
		collect(r, n, &part, v, seen, &taken, (uint32_t)parts->n);
		if (part.terminals.n)
			vec_push(parts, part);
		else
			vec_free(&part.switches);
	}
	keymap_free(&taken);
	free(seen);
}

static bool same_terminals(const struct part *a, const struct part *b)
{
	return a->terminals.n == b->terminals.n &&
	       !memcmp(a->terminals.at, b->terminals.at, a->terminals.n * sizeof *a->terminals.at);
}

static uint64_t terminals_hash(const struct part *p)
{
	uint64_t h = p->terminals.n;

	for (size_t i = 0; i < p->terminals.n; i++)
		h = (h ^ p->terminals.at[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ (h >> 31);
	return h >> 1;
}

/* Parts over the same endpoints are planes of the first of them. */
static void find_planes(struct parts *parts)
{
	struct keymap first = {0};

	for (uint32_t i = 0; i < parts->n; i++) {
		uint64_t h = terminals_hash(&parts->at[i]);
		uint32_t of = keymap_get(&first, h);

		parts->at[i].plane_of = parts->at[i].last_plane = i;
		parts->at[i].next_plane = NONE;
		if (of == NONE) {
			keymap_put(&first, h, i);
		} else if (same_terminals(&parts->at[of], &parts->at[i])) {
			parts->at[i].plane_of = of;
			parts->at[parts->at[of].last_plane].next_plane = i;
			parts->at[of].last_plane = i;
		}
		parts->at[parts->at[i].plane_of].planes++;
	}
	keymap_free(&first);
}

/* A network joins nothing new when all its endpoints lie in another, larger one. */
static void find_essential(const struct network *n, struct parts *parts)
{
	uint32_t *largest = mem_array(n->vertex_count, sizeof *largest); /* network of most endpoints at each */

	memset(largest, 0xff, n->vertex_count * sizeof *largest);
	for (uint32_t i = 0; i < parts->n; i++) {
		const struct part *p = &parts->at[i];

		for (size_t k = 0; k < p->terminals.n && p->plane_of == i; k++) {
			uint32_t *slot = &largest[p->terminals.at[k]];

			if (*slot == NONE || parts->at[*slot].terminals.n < p->terminals.n)
				*slot = i;
		}
	}
	for (uint32_t i = 0; i < parts->n; i++) {
		struct part *p = &parts->at[i];
		uint32_t other = largest[p->terminals.at[0]];

		p->essential = other == p->plane_of;
		for (size_t k = 1; k < p->terminals.n && !p->essential; k++)
			p->essential = largest[p->terminals.at[k]] != other;
	}
	free(largest);
}

static void parts_free(struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++) {
		vec_free(&parts->at[i].terminals);
		vec_free(&parts->at[i].switches);
	}
	vec_free(parts);
}

/* ---- the result ----------------------------------------------------------------------------------------------------- */

static int rank(const char *class)
{
	static const char *const order[] = {"strict-sense", "rearrangeable", "direct", "unknown", "blocking"};

	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		if (strcmp(order[i], class) == 0)
			return (int)i;
	return -1;
}

/* The worst plane speaks for its network. */
static json_t *network_json(struct clos *clos, const struct parts *parts, uint32_t id, struct progress *p)
{
	json_t *worst = NULL;

	for (uint32_t i = id; i != NONE; i = parts->at[i].next_plane) {
		json_t *o;

		progress_step(p, "classifying", i, (unsigned)parts->n);
		o = clos_classify(clos, &parts->at[i]);
		if (!worst || rank(result_text(o, "class")) > rank(result_text(worst, "class"))) {
			json_decref(worst);
			worst = o;
		} else {
			json_decref(o);
		}
	}
	json_put(worst, "planes", json_integer(parts->at[id].planes));
	return worst;
}

/* Alike networks (the racks of a hall) are listed once, with their number. */
static void add_network(json_t *list, json_t *o)
{
	static const char *const keys[] = {"over", "endpoints", "planes", "tiers", "class", "oversubscription", "switches"};
	json_t *other;
	size_t i;

	json_array_foreach(list, i, other) {
		bool alike = true;

		for (size_t k = 0; k < ARRAY_LEN(keys); k++)
			alike = alike && json_equal(json_object_get(o, keys[k]), json_object_get(other, keys[k]));
		if (alike) {
			json_put(other, "count", json_integer((json_int_t)result_count(other, "count") + 1));
			json_decref(o);
			return;
		}
	}
	json_put(o, "count", json_integer(1));
	json_array_append_new(list, o);
}

static void put_worst(json_t *o, const json_t *worst)
{
	json_put(o, "class", worst ? json_string(result_text(worst, "class")) : json_string("unknown"));
	json_put(o, "tiers", worst ? json_integer((json_int_t)result_count(worst, "tiers")) : json_null());
	json_put(o, "oversubscription", worst ? json_incref(json_object_get(worst, "oversubscription")) : json_null());
	json_put(o, "condition", worst ? json_incref(json_object_get(worst, "condition")) : json_null());
	json_put(o, "claim", worst ? json_incref(json_object_get(worst, "claim")) : json_null());
}

/* Worse in class, then in oversubscription. */
static bool is_worse(const json_t *a, const json_t *b)
{
	int by_class = rank(result_text(a, "class")) - rank(result_text(b, "class"));

	return by_class ? by_class > 0
			: json_number_value(json_object_get(a, "oversubscription")) >
				  json_number_value(json_object_get(b, "oversubscription"));
}

json_t *blocking_run(const struct request *r, struct progress *p)
{
	struct network n = network_build(r->fabric, r->overlay, &r->project);
	json_t *o = json_object(), *list = json_array(), *worst = NULL;
	struct clos *clos = clos_new(r, &n);
	struct parts parts = {0};

	progress_step(p, "finding networks", 0, 1);
	if (!n.unknown) {
		find_parts(r, &n, &parts);
		find_planes(&parts);
		find_essential(&n, &parts);
	}
	for (uint32_t i = 0; i < parts.n; i++) {
		json_t *x;

		if (parts.at[i].plane_of != i)
			continue;
		x = network_json(clos, &parts, i, p);
		json_put(x, "essential", json_boolean(parts.at[i].essential));
		if (parts.at[i].essential && (!worst || is_worse(x, worst))) {
			json_decref(worst);
			worst = json_deep_copy(x);
		}
		add_network(list, x);
	}
	put_worst(o, worst);
	if (!worst)
		json_put(o, "reason", json_string(n.unknown ? n.unknown : "there is no network between endpoints"));
	json_put(o, "networks", list);
	mark_tiers(r, &n, p);
	clos_free(clos);
	json_decref(worst);
	parts_free(&parts);
	network_free(&n);
	return o;
}

/* ---- in words ---------------------------------------------------------------------------------------------------------- */

static void put_over(struct strbuf *b, const json_t *network)
{
	json_t *kind;
	size_t i;

	json_array_foreach(json_object_get(network, "over"), i, kind)
		strbuf_printf(b, "%s%s", i ? ", " : "", json_string_value(kind));
}

static void put_ratio(struct strbuf *b, const json_t *value)
{
	if (json_is_number(value))
		strbuf_printf(b, "%.4g : 1", json_number_value(value));
	else
		strbuf_puts(b, "–");
}

static void put_network(struct strbuf *b, const json_t *x)
{
	uint64_t count = result_count(x, "count"), planes = result_count(x, "planes");

	strbuf_puts(b, "  ");
	put_over(b, x);
	strbuf_puts(b, ": ");
	if (count > 1) {
		put_count(b, count);
		strbuf_puts(b, " networks, each ");
	}
	put_count(b, result_count(x, "endpoints"));
	strbuf_puts(b, " endpoints");
	if (planes > 1)
		strbuf_printf(b, ", %" PRIu64 " planes", planes);
	if (strcmp(result_text(x, "class"), "direct") != 0)
		strbuf_printf(b, ", %" PRIu64 " tier%s", result_count(x, "tiers"), result_count(x, "tiers") == 1 ? "" : "s");
	strbuf_printf(b, ", %s", result_text(x, "class"));
	if (json_is_number(json_object_get(x, "oversubscription"))) {
		strbuf_puts(b, ", ");
		put_ratio(b, json_object_get(x, "oversubscription"));
	}
	strbuf_printf(b, "\n      %s\n", result_text(x, "condition"));
}

void blocking_put(const json_t *result, struct strbuf *b)
{
	json_t *x;
	size_t i;

	strbuf_printf(b, "blocking   %s", result_text(result, "class"));
	if (*result_text(result, "reason"))
		strbuf_printf(b, ": %s", result_text(result, "reason"));
	if (json_is_number(json_object_get(result, "oversubscription"))) {
		strbuf_puts(b, ", oversubscription ");
		put_ratio(b, json_object_get(result, "oversubscription"));
	}
	if (*result_text(result, "claim"))
		strbuf_printf(b, ", for %s", result_text(result, "claim"));
	strbuf_putc(b, '\n');
	json_array_foreach(json_object_get(result, "networks"), i, x)
		put_network(b, x);
}

static void put_tier(struct strbuf *b, const json_t *t)
{
	const json_t *ratio = json_object_get(t, "ratio");

	strbuf_printf(b, "    tier %" PRIu64 ": ", result_count(t, "tier"));
	put_count(b, result_count(t, "switches"));
	strbuf_puts(b, result_count(t, "switches") == 1 ? " switch" : " switches");
	strbuf_printf(b, ", each %" PRIu64, result_count(json_object_get(t, "down_ports"), "max"));
	strbuf_printf(b, " links down and %" PRIu64 " up", result_count(json_object_get(t, "up_ports"), "max"));
	if (json_is_object(ratio)) {
		strbuf_puts(b, ", ");
		put_ratio(b, json_object_get(ratio, "max"));
		strbuf_printf(b, " in bandwidth at worst (%s)", result_text(t, "worst"));
	}
	strbuf_putc(b, '\n');
}

void blocking_explain(const json_t *result, struct strbuf *b)
{
	json_t *x, *tier;
	size_t i, k;

	blocking_put(result, b);
	json_array_foreach(json_object_get(result, "networks"), i, x) {
		const json_t *flow = json_object_get(x, "flow");

		strbuf_puts(b, "  ");
		put_over(b, x);
		strbuf_puts(b, ":\n");
		json_array_foreach(json_object_get(x, "tier_list"), k, tier)
			put_tier(b, tier);
		if (json_is_number(json_object_get(flow, "rate_Bps"))) {
			strbuf_puts(b, "    one flow that is not striped gets ");
			put_rate(b, result_rate(flow, "rate_Bps"));
			strbuf_printf(b, ", %.4g %% of what its endpoint injects\n",
				      100 * json_number_value(json_object_get(flow, "of_injection")));
		}
	}
	strbuf_puts(b, "  circuits: any set of connections of one link each; sprayed packets: traffic that is split evenly over all\n"
		       "  ways; with static single paths even a non-blocking network has collisions\n");
}
