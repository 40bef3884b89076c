/* summary: what is in it, what an endpoint can send, and the aggregate with the arithmetic that makes it. */
#include "analyze/analyze_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* By class; with only, those of them alone. */
static json_t *count_devices(const struct fabric *f, const struct idset *selection, const struct idset *only)
{
	json_int_t counts[CLASS_COUNT] = {0};
	json_t *o = json_object();

	for (uint32_t d = 0; d < f->device_count; d++)
		if ((!selection || idset_has(selection, d)) && (!only || idset_has(only, d)))
			counts[device_class(f, d)]++;
	for (int c = 0; c < CLASS_COUNT; c++)
		if (counts[c])
			json_put(o, class_names[c], json_integer(counts[c]));
	return o;
}

static bool module_selected(const struct fabric *f, uint32_t m, const struct idset *selection)
{
	const struct module *x = &f->modules.at[m];

	if (!selection)
		return true;
	for (uint32_t d = x->first_device; d < x->end_device; d++)
		if (!idset_has(selection, d))
			return false;
	return x->first_device < x->end_device;
}

/* The root counts when it is something (a rack), not when it is just what holds the rest. */
static json_t *count_modules(const struct fabric *f, const struct idset *selection)
{
	json_int_t counts[MODULE_KIND_COUNT] = {0};
	json_t *o = json_object();

	for (uint32_t m = 0; m < f->modules.n; m++)
		if ((m || f->modules.at[m].kind != MODULE_GROUP) && module_selected(f, m, selection))
			counts[f->modules.at[m].kind]++;
	for (int k = 0; k < MODULE_KIND_COUNT; k++)
		if (counts[k])
			json_put(o, module_kind_names[k], json_integer(counts[k]));
	return o;
}

struct link_counts {
	json_int_t trunks, links, leaving;
	bool unknown;
};

static json_t *kind_json(const struct fabric *f, uint32_t k, json_int_t links, bool unknown)
{
	const struct link_kind *kind = &f->kinds.at[k];
	json_t *o = json_object();

	json_put(o, "links", unknown ? json_null() : json_integer(links));
	json_put(o, "rate_Bps", json_rate(kind->rate));
	json_put(o, "use", json_string(use_names[kind->use]));
	if (kind->medium != NONE)
		json_put(o, "medium", json_string(fabric_str(f, f->media.at[kind->medium].name)));
	if (kind->length_um != UNKNOWN)
		json_put(o, "length_m", json_real((double)kind->length_um / 1e6));
	if (kind->rate_assumed)
		json_put(o, "assumed", json_true());
	return o;
}

static json_t *count_links(const struct fabric *f, const struct idset *selection, struct link_counts *all)
{
	json_int_t *links = mem_array(f->kinds.n, sizeof *links);
	bool *seen = mem_array(f->kinds.n, sizeof *seen), *unknown = mem_array(f->kinds.n, sizeof *unknown);
	json_t *o = json_object();

	for (uint32_t t = 0; t < f->trunk_count; t++) {
		const struct trunk *x = &f->trunks[t];
		int inside = selection ? idset_has(selection, x->a) + idset_has(selection, x->b) : 2;

		if (inside == 1)
			all->leaving += x->count == NONE ? 0 : x->count;
		if (inside < 2)
			continue;
		all->trunks++;
		seen[x->kind] = true;
		if (x->count == NONE)
			unknown[x->kind] = all->unknown = true;
		else
			links[x->kind] += x->count;
	}
	for (uint32_t k = 0; k < f->kinds.n; k++) {
		all->links += links[k];
		if (seen[k])
			json_put(o, fabric_str(f, f->kinds.at[k].name), kind_json(f, k, links[k], unknown[k]));
	}
	free(links);
	free(seen);
	free(unknown);
	return o;
}

/* Injection of the endpoints and their sum, in the unit of the projection. */
static void put_injection(json_t *o, const struct network *n)
{
	uint64_t least = UNKNOWN, most = 0, sum = 0;
	json_t *range = json_object();
	const char *suffix = n->in_links ? "links" : "Bps";
	char key[32];

	for (uint32_t v = 0; v < n->vertex_count; v++) {
		if (!n->weight[v])
			continue;
		least = n->injection[v] < least ? n->injection[v] : least;
		most = n->injection[v] > most ? n->injection[v] : most;
		sum += n->injection[v];
	}
	if (!n->endpoint_count || n->unknown)
		least = most = sum = UNKNOWN;
	json_put(range, "min", json_capacity(n, least));
	json_put(range, "max", json_capacity(n, most));
	snprintf(key, sizeof key, "aggregate_both_%s", suffix);
	json_put(o, key, json_capacity(n, sum == UNKNOWN ? UNKNOWN : 2 * sum));
	snprintf(key, sizeof key, "injection_%s", suffix);
	json_put(o, key, range);
	if (n->unknown)
		json_put(o, "reason", json_string(n->unknown));
}

static void put_text(json_t *o, const char *key, const char *text)
{
	if (text && *text)
		json_put(o, key, json_string(text));
}

json_t *summary_run(const struct request *r, struct progress *p)
{
	const struct fabric *f = r->fabric;
	const struct idset *selection = r->project.selection;
	struct network n = network_build(f, r->overlay, &r->project);
	struct link_counts all = {0};
	int unit = n.endpoint_class == CLASS_NIC && r->project.unit < 0 ? MODULE_HOST : r->project.unit;
	json_t *o = json_object(), *by_kind;

	progress_step(p, "counting", 0, 1);
	put_text(o, "title", f->title);
	put_text(o, "description", f->description);
	put_text(o, "status", f->status);
	json_put(o, "devices", count_devices(f, selection, NULL));
	if (r->overlay && !idset_is_empty(&r->overlay->failed))
		json_put(o, "failed", count_devices(f, selection, &r->overlay->failed));
	json_put(o, "modules", count_modules(f, selection));
	by_kind = count_links(f, selection, &all);
	json_put(o, "trunks", json_integer(all.trunks));
	json_put(o, "links", all.unknown ? json_null() : json_integer(all.links));
	if (all.leaving)
		json_put(o, "links_leaving", json_integer(all.leaving));
	json_put(o, "self_loops", json_integer((json_int_t)f->loops.n));
	json_put(o, "by_kind", by_kind);
	json_put(o, "endpoints", json_integer(n.endpoint_count));
	json_put(o, "endpoint_class", n.endpoint_class == CLASS_NONE ? json_null() : json_string(class_names[n.endpoint_class]));
	if (unit >= 0 && n.endpoint_class != CLASS_NONE)
		json_put(o, "endpoint_unit", json_string(module_kind_names[unit]));
	put_injection(o, &n);
	network_free(&n);
	return o;
}

static void put_counts(struct strbuf *b, const json_t *counts, const char *between)
{
	const char *key;
	json_t *value;
	bool first = true;

	json_object_foreach((json_t *)counts, key, value) {
		strbuf_puts(b, first ? "" : between);
		put_count(b, (uint64_t)json_integer_value(value));
		strbuf_printf(b, " %s", key);
		first = false;
	}
}

static void put_kind(struct strbuf *b, const char *name, const json_t *kind)
{
	strbuf_printf(b, "  links      %s: ", name);
	if (json_is_null(json_object_get(kind, "links")))
		strbuf_puts(b, "–");
	else
		put_count(b, result_count(kind, "links"));
	strbuf_puts(b, " × ");
	put_rate(b, result_rate(kind, "rate_Bps"));
	strbuf_printf(b, "%s, %s", json_object_get(kind, "assumed") ? " (assumed)" : "", result_text(kind, "use"));
	if (*result_text(kind, "medium"))
		strbuf_printf(b, ", %s", result_text(kind, "medium"));
	if (json_object_get(kind, "length_m"))
		strbuf_printf(b, ", %g m", json_real_value(json_object_get(kind, "length_m")));
	strbuf_putc(b, '\n');
}

static void put_amount(struct strbuf *b, const json_t *value, bool links)
{
	if (links && json_is_integer(value))
		strbuf_printf(b, "%" PRIu64 " links", (uint64_t)json_integer_value(value));
	else
		put_rate(b, json_is_number(value) ? (uint64_t)(json_number_value(value) * 8 + 0.5) : UNKNOWN);
}

static void put_totals(struct strbuf *b, const json_t *result)
{
	bool links = json_object_get(result, "injection_links") != NULL;
	const json_t *range = json_object_get(result, links ? "injection_links" : "injection_Bps");
	const json_t *min = json_object_get(range, "min"), *max = json_object_get(range, "max");
	const char *unit = result_text(result, "endpoint_unit"), *one = *unit ? unit : result_text(result, "endpoint_class");

	if (!*one) {
		strbuf_puts(b, "  injection  –  (no endpoints: no device has a link that counts)\n");
		return;
	}
	strbuf_puts(b, "  injection  ");
	put_amount(b, min, links);
	if (!json_equal((json_t *)min, (json_t *)max)) {
		strbuf_puts(b, " … ");
		put_amount(b, max, links);
	}
	strbuf_printf(b, " per %s, one direction\n  aggregate  ", one);
	put_amount(b, json_object_get(result, links ? "aggregate_both_links" : "aggregate_both_Bps"), links);
	strbuf_puts(b, " both directions");
	if (json_is_number(min) && json_equal((json_t *)min, (json_t *)max)) {
		strbuf_puts(b, " = ");
		put_count(b, result_count(result, "endpoints"));
		strbuf_printf(b, " %s × ", one);
		put_amount(b, min, links);
		strbuf_puts(b, " × 2");
	}
	strbuf_putc(b, '\n');
	if (*result_text(result, "reason"))
		strbuf_printf(b, "             unknown: %s\n", result_text(result, "reason"));
}

void summary_put(const json_t *result, struct strbuf *b)
{
	const char *key;
	json_t *value;

	if (*result_text(result, "title"))
		strbuf_printf(b, "%s%s%s\n", result_text(result, "title"), *result_text(result, "status") ? " · " : "",
			      result_text(result, "status"));
	if (!json_object_get(result, "devices")) {
		strbuf_printf(b, "summary    unknown: %s\n", result_text(result, "reason"));
		return;
	}
	strbuf_puts(b, "  devices    ");
	put_counts(b, json_object_get(result, "devices"), " · ");
	strbuf_putc(b, '\n');
	if (json_object_size(json_object_get(result, "failed"))) {
		strbuf_puts(b, "  failed     ");
		put_counts(b, json_object_get(result, "failed"), " · ");
		strbuf_putc(b, '\n');
	}
	if (json_object_size(json_object_get(result, "modules"))) {
		strbuf_puts(b, "  modules    ");
		put_counts(b, json_object_get(result, "modules"), " · ");
		strbuf_putc(b, '\n');
	}
	json_object_foreach(json_object_get(result, "by_kind"), key, value)
		put_kind(b, key, value);
	if (result_count(result, "self_loops"))
		strbuf_printf(b, "  self-loops %" PRIu64 "\n", result_count(result, "self_loops"));
	put_totals(b, result);
}

void summary_explain(const json_t *result, struct strbuf *b)
{
	strbuf_puts(b, "summary:\n");
	put_totals(b, result);
	strbuf_puts(b, "  the aggregate adds what every endpoint can send and what it can receive; a bisection is the\n"
		       "  capacity between two halves, of one direction: at most a quarter of the aggregate\n");
}
