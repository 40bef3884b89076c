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

/* What finding the networks needs; arrays are by vertex of the projection. */
struct search {
	const struct request *r;
	const struct network *n;
	bool *seen;
	uint32_t *tier;  /* of switches, where they have been counted */
	uint32_t limit;  /* switches of higher tiers are left out; NONE: none is */
};

/* Collects one component from a start vertex. Switch components take their terminals in without passing them; a component of
 * direct links passes terminals over terminal-to-terminal edges only. */
static void collect(struct search *s, struct part *part, uint32_t start)
{
	const struct network *n = s->n;
	VEC(uint32_t) stack = {0};
	struct keymap taken = {0};

	vec_push(&stack, start);
	s->seen[start] = true;
	while (stack.n) {
		uint32_t v = stack.at[--stack.n];

		if (part->direct)
			vec_push(&part->terminals, v);
		else
			vec_push(&part->switches, v);
		for (uint32_t i = n->at[v]; i < n->at[v + 1]; i++) {
			uint32_t to = network_other(n, n->edge[i], v);
			bool terminal = is_terminal(s->r, n, to);

			if (!part->direct && terminal) {
				if (keymap_get(&taken, to) == NONE) {
					keymap_put(&taken, to, 1);
					vec_push(&part->terminals, to);
				}
			} else if (terminal == part->direct && !s->seen[to] && (s->limit == NONE || s->tier[to] <= s->limit)) {
				s->seen[to] = true;
				vec_push(&stack, to);
			}
		}
	}
	if (part->terminals.n)
		qsort(part->terminals.at, part->terminals.n, sizeof *part->terminals.at, compare_ids);
	keymap_free(&taken);
	vec_free(&stack);
}

static bool has_direct_edge(const struct request *r, const struct network *n, uint32_t v)
{
	for (uint32_t i = n->at[v]; i < n->at[v + 1]; i++)
		if (is_terminal(r, n, network_other(n, n->edge[i], v)))
			return true;
	return false;
}

static void part_free(struct part *p)
{
	vec_free(&p->terminals);
	vec_free(&p->switches);
}

/* Counts the tiers of a part's switches from the endpoints up, by the fewest links. Returns how many there are, or the lowest
 * whose switches are linked to each other: what such links carry, higher tiers may carry too. */
static uint32_t count_tiers(struct search *s, const struct part *part)
{
	const struct network *n = s->n;
	uint32_t *queue = mem_array(part->switches.n, sizeof *queue), tiers = 0, lateral = NONE;
	size_t head = 0, tail = 0;

	for (size_t i = 0; i < part->switches.n; i++) {
		uint32_t v = part->switches.at[i];

		s->tier[v] = has_direct_edge(s->r, n, v) ? 1 : NONE;
		if (s->tier[v] == 1)
			queue[tail++] = v;
	}
	while (head < tail) {
		uint32_t v = queue[head++];

		tiers = s->tier[v];
		for (uint32_t i = n->at[v]; i < n->at[v + 1]; i++) {
			uint32_t to = network_other(n, n->edge[i], v);

			if (is_terminal(s->r, n, to))
				continue;
			if (s->tier[to] == s->tier[v] && lateral == NONE)
				lateral = tiers;
			if (s->tier[to] != NONE)
				continue;
			s->tier[to] = s->tier[v] + 1;
			queue[tail++] = to;
		}
	}
	free(queue);
	return lateral == NONE ? tiers : lateral;
}

/* The components of a part's lower tiers, if each of them reaches every endpoint of the part. */
static bool split_below(struct search *s, const struct part *part, struct parts *lower)
{
	bool all = true;

	for (size_t i = 0; i < part->switches.n; i++)
		s->seen[part->switches.at[i]] = false;
	for (size_t i = 0; i < part->switches.n && all; i++) {
		struct part x = {0};

		if (s->seen[part->switches.at[i]] || s->tier[part->switches.at[i]] > s->limit)
			continue;
		collect(s, &x, part->switches.at[i]);
		all = x.terminals.n == part->terminals.n;
		vec_push(lower, x);
	}
	return all;
}

/* Traffic climbs no further than it must: tiers above those that already join all endpoints are left out, as the cores are
 * for the hosts of one pod, with the other pods behind them. What is left may fall into planes. */
static void leave_out_beyond(struct search *s, struct parts *parts, uint32_t id)
{
	struct part *part = &parts->at[id];
	uint32_t tiers = part->direct || part->switches.n < 2 ? 0 : count_tiers(s, part);
	struct parts lower = {0};
	bool split = false;

	for (s->limit = 1; s->limit < tiers && !split; s->limit++) {
		split = split_below(s, part, &lower);
		for (size_t i = 0; i < lower.n && !split; i++)
			part_free(&lower.at[i]);
		lower.n = split ? lower.n : 0;
	}
	if (split) {
		size_t beyond = part->switches.n;

		for (size_t i = 0; i < lower.n; i++)
			beyond -= lower.at[i].switches.n;
		lower.at[0].beyond = (json_int_t)beyond;
		part_free(part);
		*part = lower.at[0];
		for (size_t i = 1; i < lower.n; i++)
			vec_push(parts, lower.at[i]);
	}
	vec_free(&lower);
}

static void find_parts(const struct request *r, const struct network *n, struct parts *parts)
{
	struct search s = {.r = r, .n = n, .limit = NONE};
	size_t whole;

	s.seen = mem_array(n->vertex_count, sizeof *s.seen);
	s.tier = mem_array(n->vertex_count, sizeof *s.tier);
	for (uint32_t v = 0; v < n->vertex_count; v++) {
		struct part part = {.direct = is_terminal(r, n, v)};

		if (s.seen[v] || (part.direct && !has_direct_edge(r, n, v)))
			continue;
		collect(&s, &part, v);
		if (part.terminals.n)
			vec_push(parts, part);
		else
			part_free(&part);
	}
	whole = parts->n;
	for (uint32_t i = 0; i < whole; i++)
		leave_out_beyond(&s, parts, i);
	free(s.seen);
	free(s.tier);
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
	for (size_t i = 0; i < parts->n; i++)
		part_free(&parts->at[i]);
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

/* Worse in class, then in oversubscription. */
static bool is_worse(const json_t *a, const json_t *b)
{
	int by_class = rank(result_text(a, "class")) - rank(result_text(b, "class"));

	return by_class ? by_class > 0
			: json_number_value(json_object_get(a, "oversubscription")) >
				  json_number_value(json_object_get(b, "oversubscription"));
}

/* The worst plane speaks for its network. */
static json_t *network_json(struct clos *clos, const struct parts *parts, uint32_t id, struct progress *p)
{
	json_t *worst = NULL;

	for (uint32_t i = id; i != NONE; i = parts->at[i].next_plane) {
		json_t *o;

		progress_step(p, "classifying", i, (unsigned)parts->n);
		o = clos_classify(clos, &parts->at[i]);
		if (!worst || is_worse(o, worst)) {
			json_decref(worst);
			worst = o;
		} else {
			json_decref(o);
		}
	}
	json_put(worst, "planes", json_integer(parts->at[id].planes));
	json_put(worst, "switches_beyond", json_integer(parts->at[id].beyond));
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
	clos_mark(clos, p);
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

/* Where switches of one tier differ: how, and which is worst. */
static void put_unlike_tiers(struct strbuf *b, const json_t *network)
{
	const char *before = "      ";
	const json_t *t;
	size_t i;

	json_array_foreach(json_object_get(network, "tier_list"), i, t) {
		const json_t *ratio = json_object_get(t, "ratio"), *min = json_object_get(ratio, "min"), *max = json_object_get(ratio, "max");

		if (!json_is_number(max) || json_number_value(min) == json_number_value(max))
			continue;
		strbuf_printf(b, "%stier %" PRIu64 " %.4g to ", before, result_count(t, "tier"), json_number_value(min));
		put_ratio(b, max);
		strbuf_printf(b, ", worst %s", result_text(t, "worst"));
		before = "; ";
	}
	if (*before == ';')
		strbuf_putc(b, '\n');
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
	put_unlike_tiers(b, x);
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

static void put_range(struct strbuf *b, const json_t *extent)
{
	uint64_t min = result_count(extent, "min"), max = result_count(extent, "max");

	if (min != max)
		strbuf_printf(b, "%" PRIu64 " to ", min);
	strbuf_printf(b, "%" PRIu64, max);
}

static void put_tier(struct strbuf *b, const json_t *t)
{
	const json_t *ratio = json_object_get(t, "ratio");

	strbuf_printf(b, "    tier %" PRIu64 ": ", result_count(t, "tier"));
	put_count(b, result_count(t, "switches"));
	strbuf_puts(b, result_count(t, "switches") == 1 ? " switch" : " switches");
	strbuf_puts(b, ", each ");
	put_range(b, json_object_get(t, "down_ports"));
	strbuf_puts(b, " links down and ");
	put_range(b, json_object_get(t, "up_ports"));
	strbuf_puts(b, " up");
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

		if (!json_array_size(json_object_get(x, "tier_list")))
			continue;
		strbuf_puts(b, "  ");
		put_over(b, x);
		if (result_count(x, "planes") > 1)
			strbuf_printf(b, ", the worst of %" PRIu64 " planes", result_count(x, "planes"));
		strbuf_puts(b, ":\n");
		json_array_foreach(json_object_get(x, "tier_list"), k, tier)
			put_tier(b, tier);
		if (result_count(x, "switches_beyond")) {
			strbuf_puts(b, "    switches: ");
			put_count(b, result_count(x, "switches_beyond"));
			strbuf_puts(b, " more that these endpoints need not reach, left out\n");
		}
		if (json_is_number(json_object_get(flow, "rate_Bps"))) {
			strbuf_puts(b, "    one flow that is not striped gets ");
			put_rate(b, result_rate(flow, "rate_Bps"));
			strbuf_printf(b, ", %.4g %% of the smallest injection\n",
				      100 * json_number_value(json_object_get(flow, "of_injection")));
		}
	}
	strbuf_puts(b, "  circuits: any set of connections of one link each; sprayed packets: traffic that is split evenly over all\n"
		       "  ways; with static single paths even a non-blocking network has collisions\n");
}
