/* mincut A B: the largest flow between two selections, the smallest cut that limits it, and the trunks that are full.
 */
#include "analyze/analyze_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/flow.h"

static json_t *head_json(const struct request *r, const struct network *n)
{
	json_t *o = json_object();

	json_put(o, "a", json_string(r->operand_text[0] ? r->operand_text[0] : ""));
	json_put(o, "b", json_string(r->operand_text[1] ? r->operand_text[1] : ""));
	json_put(o, "unit", json_string(n->in_links ? "links" : "Bps"));
	return o;
}

static json_t *unknown_json(const struct request *r, const struct network *n, const char *reason)
{
	json_t *o = head_json(r, n);

	json_put(o, "lower_Bps", json_null());
	json_put(o, "upper_Bps", json_null());
	json_put(o, "status", json_string("unknown"));
	json_put(o, "reason", json_string(reason));
	return o;
}

static void put_value(json_t *o, const struct network *n, uint64_t value)
{
	if (n->in_links) {
		json_put(o, "lower_Bps", json_null());
		json_put(o, "upper_Bps", json_null());
	}
	json_put(o, n->in_links ? "lower_links" : "lower_Bps", json_capacity(n, value));
	json_put(o, n->in_links ? "upper_links" : "upper_Bps", json_capacity(n, value));
}

static uint32_t count_role(const struct network *n, const uint8_t *role, uint8_t which)
{
	uint32_t count = 0;

	for (uint32_t v = 0; v < n->vertex_count; v++)
		count += role[v] == which;
	return count;
}

static uint32_t mark_saturated(const struct request *r, const struct network *n, const struct flow *f, struct progress *p)
{
	struct idset full = idset_new(r->fabric->trunk_count);
	uint32_t count;

	for (uint32_t t = 0; t < r->fabric->trunk_count; t++) {
		uint32_t e = n->edge_of[t];

		if (e != NONE && n->capacity[e] && f->along[e] >= n->capacity[e])
			idset_add(&full, t);
	}
	count = idset_count(&full);
	progress_mark(p, "saturated", true, &full, NULL);
	idset_free(&full);
	return count;
}

static json_t *answer(const struct request *r, const struct network *n, const uint8_t *role, struct progress *p)
{
	struct flow f = flow_between(n, role, n->capacity, false, false);
	struct idset cut = idset_new(r->fabric->trunk_count), side = idset_new(r->fabric->device_count);
	json_t *o = head_json(r, n), *list = cut_list(r, n, f.side, &cut), *sides = json_array();

	put_value(o, n, f.value);
	json_put(o, "status", json_string("exact"));
	if (cut_capacity(r, n, &cut) != f.value) {
		json_put(o, "status", json_string("unknown"));
		json_put(o, "reason", json_string("flow and cut differ on the model (a defect of this program)"));
	}
	json_array_append_new(sides, json_integer(count_role(n, role, SIDE_A)));
	json_array_append_new(sides, json_integer(count_role(n, role, SIDE_B)));
	json_put(o, "sides", sides);
	json_put(o, "saturated", json_integer(mark_saturated(r, n, &f, p)));
	json_put(o, "cut", list);
	for (uint32_t d = 0; d < r->fabric->device_count; d++)
		if (n->vertex_of[d] != NONE && f.side[n->vertex_of[d]] == SIDE_A)
			idset_add(&side, d);
	progress_mark(p, "side", false, &side, NULL);
	progress_mark(p, "cut", true, &cut, NULL);
	idset_free(&cut);
	idset_free(&side);
	flow_free(&f);
	return o;
}

json_t *mincut_run(const struct request *r, struct progress *p)
{
	struct projection_options all = r->project;
	struct network n;
	uint8_t *role;
	const char *why;
	json_t *o;

	progress_step(p, "max flow", 0, 1);
	all.selection = all.transit_selected ? all.selection : NULL;
	n = network_build(r->fabric, r->overlay, &all);
	role = mem_array(n.vertex_count, 1);
	why = flow_roles(r, &n, role);
	o = why ? unknown_json(r, &n, why) : answer(r, &n, role, p);
	free(role);
	network_free(&n);
	return o;
}

static uint64_t links_in(const json_t *list)
{
	json_t *entry;
	uint64_t sum = 0;
	size_t i;

	json_array_foreach((json_t *)list, i, entry)
		sum += result_count(entry, "links") == UNKNOWN ? 0 : result_count(entry, "links");
	return sum;
}

void mincut_put(const json_t *result, struct strbuf *b)
{
	const json_t *cut = json_object_get(result, "cut");

	strbuf_puts(b, "mincut     ");
	if (strcmp(result_text(result, "status"), "unknown") == 0) {
		strbuf_printf(b, "unknown: %s\n", result_text(result, "reason"));
		return;
	}
	put_capacity(b, result, "upper");
	strbuf_printf(b, "%s, exact   %s | %s\n  cut        ",
		      strcmp(result_text(result, "unit"), "links") ? ", one direction" : "", result_text(result, "a"),
		      result_text(result, "b"));
	put_counted(b, json_array_size(cut), "trunk");
	strbuf_puts(b, ", ");
	put_counted(b, links_in(cut), "link");
	strbuf_puts(b, "; ");
	put_counted(b, result_count(result, "saturated"), "trunk");
	strbuf_puts(b, " full\n");
}

void mincut_explain(const json_t *result, struct strbuf *b)
{
	if (strcmp(result_text(result, "status"), "unknown") == 0) {
		strbuf_printf(b, "mincut: unknown, because %s\n", result_text(result, "reason"));
		return;
	}
	strbuf_printf(b, "mincut of %s and %s: ", result_text(result, "a"), result_text(result, "b"));
	put_capacity(b, result, "upper");
	strbuf_puts(b, "\n  upper  the cut: ");
	put_counted(b, links_in(json_object_get(result, "cut")), "link");
	strbuf_puts(b, " between the two, counted on the model\n  lower  a flow of the same size was found, with ");
	put_counted(b, result_count(result, "saturated"), "trunk");
	strbuf_puts(b, " full\n"
		       "  no flow is larger than any cut, so both are the answer (max flow = min cut)\n");
}
