/* The table of analyses, and the JSON helpers that they share. */
#include "analyze/analyze_internal.h"

#include <inttypes.h>
#include <string.h>

const struct analysis analyses[] = {
	{"summary", "summary", "what is in it: devices, modules, links, injection, aggregate", "", "aggregate_both_Bps", 0,
	 summary_run, summary_put, summary_explain},
	{"bisection", "bisection bandwidth", "the smallest capacity between two halves of the endpoints", "", "Bps", 'b',
	 bisection_run, bisection_put, bisection_explain},
	{"mincut", "minimum cut", "max flow = min cut between two selections, and the trunks that are full", "A B", "Bps", 'm',
	 mincut_run, mincut_put, mincut_explain},
	{"blocking", "blocking", "tiers, oversubscription, and whether every matching can be carried", "", "class", 'B',
	 blocking_run, blocking_put, blocking_explain},
	{"throughput", "throughput", "what part of injection fits at once: all-to-all, worst permutation found", "",
	 "uniform.lower", 't', throughput_run, throughput_put, throughput_explain},
	{"paths", "paths", "hops, number of shortest and of edge-disjoint paths, latency", "A B", "hops", 0, paths_run,
	 paths_put, paths_explain},
	{"connectivity", "connectivity", "components, bridges, articulation points, edge connectivity, diameter", "",
	 "edge_connectivity_links", 0, connectivity_run, connectivity_put, connectivity_explain},
	{"lint", "lint", "what looks wrong: ports, unlike siblings, isolated parts", "", "errors", 0, lint_json, lint_put,
	 NULL},
	{"bom", "bill of materials", "cables by kind, medium and length; optics, switches, free ports, watts", "", "watts.links", 0,
	 bom_run, bom_put, bom_explain},
	{"diff", "design against built", "cables miswired, missing, extra, slower, swapped against a design", "DESIGN", "differences", 0,
	 diff_run, diff_put, diff_put},
};
const size_t analysis_count = ARRAY_LEN(analyses);

const struct analysis *analysis_find(const char *name)
{
	for (size_t i = 0; i < analysis_count; i++)
		if (strcmp(analyses[i].name, name) == 0)
			return &analyses[i];
	return NULL;
}

json_t *json_rate(uint64_t bits_per_second)
{
	return bits_per_second == UNKNOWN ? json_null() : json_real((double)bits_per_second / 8);
}

json_t *json_capacity(const struct network *n, uint64_t capacity)
{
	if (n->in_links && capacity != UNKNOWN)
		return json_integer((json_int_t)capacity);
	return json_rate(capacity);
}

void json_put(json_t *object, const char *key, json_t *value)
{
	json_object_set_new_nocheck(object, key, value);
}

json_t *json_device(const struct fabric *f, uint32_t device)
{
	struct strbuf b = STRBUF_INIT;
	json_t *text;

	device_path(f, device, &b);
	text = json_string(strbuf_str(&b));
	strbuf_free(&b);
	return text;
}

uint64_t result_rate(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? (uint64_t)(json_number_value(value) * 8 + 0.5) : UNKNOWN;
}

uint64_t result_count(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_integer(value) ? (uint64_t)json_integer_value(value) : UNKNOWN;
}

const char *result_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

void put_capacity(struct strbuf *b, const json_t *result, const char *key)
{
	char name[64];

	if (strcmp(result_text(result, "unit"), "links") != 0) {
		snprintf(name, sizeof name, "%s_Bps", key);
		put_rate(b, result_rate(result, name));
		return;
	}
	snprintf(name, sizeof name, "%s_links", key);
	put_counted(b, result_count(result, name), "link");
}

void put_counted(struct strbuf *b, uint64_t n, const char *thing)
{
	put_count(b, n);
	strbuf_printf(b, " %s%s", thing, n == 1 ? "" : "s");
}

void put_result_count(struct strbuf *b, const json_t *result, const char *key)
{
	if (result_count(result, key) == UNKNOWN)
		strbuf_puts(b, "–");
	else
		put_count(b, result_count(result, key));
}
