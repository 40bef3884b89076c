/* The JSON document around results (DESIGN 9). */
#include "analyze/analyze_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const level_names[] = {"error", "warning", "note"};

json_t *finding_json(const struct finding *x)
{
	json_t *o = json_object();
	const struct source *s = x->mark.source;

	json_put(o, "code", json_string(x->code));
	json_put(o, "level", json_string(level_names[x->level]));
	json_put(o, "message", json_string(x->text));
	if (x->hint)
		json_put(o, "hint", json_string(x->hint));
	json_put(o, "file", s && s->name && *s->name ? json_string(s->name) : json_null());
	json_put(o, "line", x->mark.line ? json_integer(x->mark.line) : json_null());
	return o;
}

/* The kinds that counted: those asked for, else those of the fabric; attach hops only where they lead on. */
static json_t *over_json(const struct request *r)
{
	const struct fabric *f = r->fabric;
	bool *used = mem_array(f->kinds.n, sizeof *used);
	json_t *list = json_array();

	for (uint32_t t = 0; t < f->trunk_count; t++)
		used[f->trunks[t].kind] = true;
	for (uint32_t k = 0; k < f->kinds.n; k++)
		if (used[k] && (r->project.over ? idset_has(r->project.over, k) : f->kinds.at[k].use == USE_FABRIC))
			json_array_append_new(list, json_string(fabric_str(f, f->kinds.at[k].name)));
	free(used);
	return list;
}

/* The default selection is named by the class of its endpoints. */
static json_t *selection_json(const struct request *r)
{
	struct network n = network_build(r->fabric, r->overlay, &r->project);
	json_t *text = n.endpoint_class == CLASS_NONE ? json_string("**")
						      : json_sprintf("@%s", class_names[n.endpoint_class]);

	network_free(&n);
	return text;
}

static void add_result(json_t *document, const struct result *x)
{
	json_t *before = json_object_get(document, x->analysis->name), *list;

	if (!before) {
		json_object_set(document, x->analysis->name, x->json);
		return;
	}
	if (!json_is_array(before)) {
		list = json_array();
		json_array_append(list, before);
		json_put(document, x->analysis->name, list);
		before = list;
	}
	json_array_append(before, x->json);
}

json_t *results_document(const struct request *r, const char *selection, const struct result *results, size_t n,
			 const struct findings *warnings)
{
	json_t *o = json_object(), *list = json_array();

	json_put(o, "toponaut", json_integer(1));
	json_put(o, "source", json_string(r->fabric->source_name));
	json_put(o, "selection", selection ? json_string(selection) : selection_json(r));
	json_put(o, "transit", json_string(r->project.transit_selected ? "selected" : "all"));
	json_put(o, "over", over_json(r));
	json_put(o, "seed", json_integer((json_int_t)r->seed));
	for (size_t i = 0; i < n; i++)
		add_result(o, &results[i]);
	for (size_t i = 0; warnings && i < warnings->list.n; i++)
		json_array_append_new(list, finding_json(&warnings->list.at[i]));
	json_put(o, "warnings", list);
	return o;
}
