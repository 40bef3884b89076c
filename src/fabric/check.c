/* Every invariant of a frozen fabric, re-checked from scratch. */
#include "fabric/ig.h"

#include <stdlib.h>

static const char *broken_modules(const struct fabric *f)
{
	const struct module *m = f->modules.at;

	if (!f->modules.n || m[0].parent != NONE || m[0].end != f->modules.n || m[0].first_device != 0 ||
	    m[0].end_device != f->device_count)
		return "the root module does not hold everything";
	for (uint32_t i = 1; i < f->modules.n; i++) {
		const struct module *up = &m[m[i].parent];

		if (m[i].parent >= i || m[i].end <= i || m[i].end > up->end)
			return "modules are not in pre-order";
		if (m[i].first_device > m[i].end_device || m[i].first_device < up->first_device ||
		    m[i].end_device > up->end_device)
			return "a module's devices are not inside its parent's";
		if (m[i].name >= f->names.texts.n)
			return "a module has no name";
	}
	return NULL;
}

static const char *broken_devices(const struct fabric *f)
{
	for (uint32_t d = 0; d < f->device_count; d++) {
		uint32_t id = NONE;
		bool is_device = false;

		if (f->type[d] >= f->types.n || f->name[d] >= f->names.texts.n || f->module[d] >= f->modules.n)
			return "a device has no type, name or module";
		if (!module_contains(f, f->module[d], d))
			return "a device lies outside of its module's range";
		if (!module_child(f, f->module[d], f->name[d], &id, &is_device) || !is_device || id != d)
			return "a device is not found by its name";
		if (f->incident_at[d] > f->incident_at[d + 1])
			return "the index of trunks is out of order";
	}
	return NULL;
}

static const char *broken_trunks(const struct fabric *f)
{
	uint64_t incidences = 0;

	for (uint32_t t = 0; t < f->trunk_count; t++) {
		const struct trunk *x = &f->trunks[t];

		if (x->a >= x->b || x->b >= f->device_count)
			return "a trunk's ends are out of order or range";
		if (x->kind >= f->kinds.n || (x->via != NONE && x->via >= f->device_count))
			return "a trunk has no kind, or runs through nothing";
		if (IGRAPH_FROM(&f->graph->graph, t) != x->b && IGRAPH_TO(&f->graph->graph, t) != x->b)
			return "the graph and the trunks disagree";
		if (!x->count || (t && f->trunks[t - 1].a > x->a))
			return "a trunk without links, or trunks out of order";
	}
	for (uint32_t d = 0; d < f->device_count; d++)
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++, incidences++)
			if (f->trunks[f->incident[i]].a != d && f->trunks[f->incident[i]].b != d)
				return "a trunk is indexed at a device it does not touch";
	return incidences == 2 * (uint64_t)f->trunk_count ? NULL : "a trunk is missing from the index";
}

static const char *broken_kinds(const struct fabric *f)
{
	uint64_t *links = mem_array(f->kinds.n + 1, sizeof *links);
	bool same = true;

	for (uint32_t t = 0; t < f->trunk_count; t++) {
		uint64_t *sum = &links[f->trunks[t].kind];

		*sum = *sum == UNKNOWN || f->trunks[t].count == NONE ? UNKNOWN : *sum + f->trunks[t].count;
	}
	for (uint32_t k = 0; k < f->kinds.n; k++)
		same = same && links[k] == f->kinds.at[k].links;
	free(links);
	return same ? NULL : "the links of a kind were counted otherwise";
}

const char *fabric_broken(const struct fabric *f)
{
	const char *why;

	if (f->builder || !f->graph)
		return "not frozen";
	if ((uint64_t)igraph_vcount(&f->graph->graph) != f->device_count ||
	    (uint64_t)igraph_ecount(&f->graph->graph) != f->trunk_count)
		return "the graph has other vertices or edges than the model";
	why = broken_modules(f);
	if (!why)
		why = broken_devices(f);
	if (!why)
		why = broken_trunks(f);
	return why ? why : broken_kinds(f);
}
