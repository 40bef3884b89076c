/* lint: what looks wrong in a description or a dump. Each rule is a function that adds findings; findings carry the
 * line that made the thing, so that they lead into the file.
 */
#include "analyze/lint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/ig.h"

struct mark lint_origin(const struct linter *l, uint32_t origin)
{
	return origin == NONE ? (struct mark){0} : l->f->origins.at[origin].mark;
}

void lint_add(struct linter *l, enum level level, const char *code, struct mark mark, uint32_t device, const char *fmt, ...)
{
	struct finding x = {.level = level, .code = code, .mark = mark, .device = device, .trunk = NONE};
	struct strbuf b = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	x.text = arena_strndup(&l->out->arena, strbuf_str(&b), b.n);
	vec_push(&l->out->list, x);
	strbuf_free(&b);
}

const char *lint_path(struct linter *l, uint32_t device)
{
	struct strbuf b = STRBUF_INIT;
	const char *text;

	device_path(l->f, device, &b);
	text = arena_strndup(&l->out->arena, strbuf_str(&b), b.n);
	strbuf_free(&b);
	return text;
}

/* ---- ports -------------------------------------------------------------------------------------------------------- */

/* Port units in use per device, for one port kind; last[d] is the origin of the last trunk that took one. */
static void count_ports(const struct fabric *f, name_id port, uint64_t *used, uint32_t *last)
{
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		const struct trunk *x = &f->trunks[t];
		const struct link_kind *k = &f->kinds.at[x->kind];
		uint32_t ends[3] = {x->a, x->b, x->via};

		if (k->port != port || x->count == NONE)
			continue;
		for (int i = 0; i < 3; i++) {
			if (ends[i] == NONE)
				continue;
			used[ends[i]] += (uint64_t)x->count * k->takes * (i == 2 ? 2 : 1);
			last[ends[i]] = x->origin;
		}
	}
	for (size_t i = 0; i < f->loops.n; i++)
		if (f->kinds.at[f->loops.at[i].kind].port == port)
			used[f->loops.at[i].a] += 2 * (uint64_t)f->loops.at[i].count * f->kinds.at[f->loops.at[i].kind].takes;
}

static uint64_t port_budget(const struct fabric *f, uint32_t type, name_id port)
{
	const struct device_type *t = &f->types.at[type];

	for (uint32_t i = 0; i < t->port_count; i++)
		if (f->budgets.at[t->first_port + i].port == port)
			return f->budgets.at[t->first_port + i].count;
	return 0;
}

/* One finding a type for free ports; one a device for overbooked ones, up to a few. */
enum { OVERBOOKED_SHOWN = 8 };

static void check_port_kind(struct linter *l, name_id port)
{
	const struct fabric *f = l->f;
	uint64_t *used = mem_array(f->device_count, sizeof *used);
	uint64_t *free_ports = mem_array(f->types.n, sizeof *free_ports), *devices = mem_array(f->types.n, sizeof *devices);
	uint32_t *last = mem_array(f->device_count, sizeof *last), overbooked = 0;

	memset(last, 0xff, f->device_count * sizeof *last);
	count_ports(f, port, used, last);
	for (uint32_t d = 0; d < f->device_count; d++) {
		uint64_t budget = port_budget(f, f->type[d], port);

		if (!f->types.at[f->type[d]].ports_known)
			continue;
		if (used[d] > budget && overbooked++ < OVERBOOKED_SHOWN)
			lint_add(l, LEVEL_ERROR, "ports-overbooked", lint_origin(l, last[d]), d,
			    "%s uses %" PRIu64 " %s ports and has %" PRIu64, lint_path(l, d), used[d], fabric_str(f, port),
			    budget);
		if (used[d] < budget) {
			free_ports[f->type[d]] += budget - used[d];
			devices[f->type[d]]++;
		}
	}
	if (overbooked > OVERBOOKED_SHOWN)
		lint_add(l, LEVEL_ERROR, "ports-overbooked", (struct mark){0}, NONE, "%u more devices use more %s ports than they have",
		    overbooked - OVERBOOKED_SHOWN, fabric_str(f, port));
	for (uint32_t t = 0; t < f->types.n; t++)
		if (free_ports[t])
			lint_add(l, LEVEL_NOTE, "ports-unused", f->types.at[t].mark, NONE,
			    "%" PRIu64 " %s ports are free on %" PRIu64 " %s", free_ports[t], fabric_str(f, port), devices[t],
			    fabric_str(f, f->types.at[t].name));
	free(used);
	free(free_ports);
	free(devices);
	free(last);
}

static void check_ports(struct linter *l)
{
	const struct fabric *f = l->f;
	struct idset done = idset_new((uint32_t)f->names.texts.n);

	for (uint32_t k = 0; k < f->kinds.n; k++)
		idset_add(&done, f->kinds.at[k].port);
	for (uint32_t i = 0; i < f->budgets.n; i++)
		idset_add(&done, f->budgets.at[i].port);
	idset_each(port, &done)
		check_port_kind(l, port);
	idset_free(&done);
}

/* ---- connections ---------------------------------------------------------------------------------------------------- */

static void check_isolated(struct linter *l)
{
	const struct fabric *f = l->f;
	uint32_t *isolated = mem_array(f->types.n, sizeof *isolated), *example = mem_array(f->types.n, sizeof *example);

	for (uint32_t d = 0; d < f->device_count; d++) {
		if (f->incident_at[d] != f->incident_at[d + 1] || device_class(f, d) == CLASS_PASSIVE || f->flags[d] & FLAG_INCOMPLETE)
			continue;
		if (!isolated[f->type[d]]++)
			example[f->type[d]] = d;
	}
	for (uint32_t t = 0; t < f->types.n; t++)
		if (isolated[t])
			lint_add(l, f->types.at[t].class == CLASS_MEMORY ? LEVEL_NOTE : LEVEL_WARNING, "isolated",
			    f->types.at[t].mark, example[t], "%u %s without any link, such as %s", isolated[t],
			    fabric_str(f, f->types.at[t].name), lint_path(l, example[t]));
	free(isolated);
	free(example);
}

/* Parts of the fabric that no counted link joins, when each has endpoints. */
static void check_connected(struct linter *l)
{
	struct projection_options all = {.endpoints = CLASS_NONE, .unit = -1, .relay = true};
	struct network n = network_build(l->f, l->o, &all);
	struct ig *g = ig_new(n.vertex_count, n.u, n.v, n.edge_count);
	uint32_t *part = mem_array(n.vertex_count, sizeof *part), parts = ig_components(g, part), with = 0;
	uint32_t *example = mem_array(parts, sizeof *example);

	memset(example, 0xff, parts * sizeof *example);
	for (uint32_t v = 0; v < n.vertex_count; v++) {
		if (n.weight[v] && n.injection[v] && example[part[v]] == NONE) {
			example[part[v]] = n.device[v];
			with++;
		}
	}
	if (with > 1) {
		uint32_t first = NONE, second = NONE;

		for (uint32_t i = 0; i < parts && second == NONE; i++) {
			if (example[i] != NONE && first == NONE)
				first = example[i];
			else if (example[i] != NONE)
				second = example[i];
		}
		lint_add(l, LEVEL_WARNING, "disconnected", (struct mark){0}, second,
		    "the fabric falls into %u parts that no counted link joins, such as those of %s and %s", with,
		    lint_path(l, first), lint_path(l, second));
	}
	free(part);
	free(example);
	ig_free(g);
	network_free(&n);
}

/* ---- siblings ---------------------------------------------------------------------------------------------------------- */

struct sibling {
	uint32_t type, kind, device;
	name_id module_type;
	uint64_t links;
};

static int compare_siblings(const void *p, const void *q)
{
	const struct sibling *a = p, *b = q;
	const uint64_t left[] = {a->type, a->module_type, a->kind, a->links, a->device};
	const uint64_t right[] = {b->type, b->module_type, b->kind, b->links, b->device};

	for (size_t i = 0; i < ARRAY_LEN(left); i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

/* The links of one kind at every device of that type in such modules: siblings. Few with less than nearly all the others
 * look like missing cables; with more, only when they are really few (groups do not always divide evenly). */
enum { FEW_LESS = 8, FEW_MORE = 64, SIBLINGS_SHOWN = 16 };

static void check_group(struct linter *l, const struct sibling *s, size_t n)
{
	const struct fabric *f = l->f;
	uint64_t usual = s[n / 2].links;
	size_t less = 0, more = 0, shown = 0;

	for (size_t i = 0; i < n; i++) {
		less += s[i].links < usual;
		more += s[i].links > usual;
	}
	for (size_t i = 0; i < n; i++) {
		bool odd = s[i].links < usual ? less * FEW_LESS <= n : s[i].links > usual && more * FEW_MORE <= n;

		if (!odd || shown++ >= SIBLINGS_SHOWN)
			continue;
		lint_add(l, LEVEL_WARNING, "unlike-siblings", f->types.at[s[i].type].mark, s[i].device,
		    "%s has %" PRIu64 " %s links, its siblings have %" PRIu64, lint_path(l, s[i].device), s[i].links,
		    fabric_str(f, f->kinds.at[s[i].kind].name), usual);
	}
	if (shown > SIBLINGS_SHOWN)
		lint_add(l, LEVEL_WARNING, "unlike-siblings", f->types.at[s[0].type].mark, NONE,
		    "%zu more %s have another number of %s links than their siblings", shown - SIBLINGS_SHOWN,
		    fabric_str(f, f->types.at[s[0].type].name), fabric_str(f, f->kinds.at[s[0].kind].name));
}

static void check_siblings(struct linter *l)
{
	const struct fabric *f = l->f;
	uint32_t kinds = (uint32_t)f->kinds.n;
	uint64_t *links = mem_array(kinds, sizeof *links);
	VEC(struct sibling) all = {0};
	size_t first = 0;

	for (uint32_t d = 0; d < f->device_count; d++) {
		memset(links, 0, kinds * sizeof *links);
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			uint32_t count = f->trunks[f->incident[i]].count;

			links[f->trunks[f->incident[i]].kind] += count == NONE ? 0 : count;
		}
		if (device_class(f, d) == CLASS_IO) /* PCIe bridges have what is plugged in */
			continue;
		for (uint32_t k = 0; k < kinds; k++) {
			struct sibling s = {f->type[d], k, d, f->modules.at[f->module[d]].type, links[k]};

			vec_push(&all, s);
		}
	}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, compare_siblings);
	for (size_t i = 1; i <= all.n; i++) {
		const struct sibling *a = &all.at[first], *b = &all.at[i];

		if (i < all.n && a->type == b->type && a->module_type == b->module_type && a->kind == b->kind)
			continue;
		check_group(l, a, i - first);
		first = i;
	}
	vec_free(&all);
	free(links);
}

/* ---- trunks ------------------------------------------------------------------------------------------------------------- */

static void check_trunks(struct linter *l)
{
	const struct fabric *f = l->f;

	for (uint32_t t = 0; t < f->trunk_count; t++) {
		const struct trunk *x = &f->trunks[t];

		if (!(x->flags & FLAG_DISAGREE))
			continue;
		lint_add(l, LEVEL_WARNING, "ends-disagree", lint_origin(l, x->origin), x->a,
		    "the ends of %s -- %s say different rates; the slower one counts", lint_path(l, x->a), lint_path(l, x->b));
		l->out->list.at[l->out->list.n - 1].trunk = t;
	}
	if (f->loops.n)
		lint_add(l, LEVEL_WARNING, "self-loop", lint_origin(l, f->loops.at[0].origin), f->loops.at[0].a,
		    "%zu cables lead from a device to itself, such as at %s", f->loops.n, lint_path(l, f->loops.at[0].a));
}

/* ---- all ------------------------------------------------------------------------------------------------------------------ */

static const char *file_of(const struct finding *x)
{
	return x->mark.source && x->mark.source->name ? x->mark.source->name : "";
}

/* In file order; what has no line comes last. */
static int compare_findings(const void *p, const void *q)
{
	const struct finding *a = p, *b = q;
	int by_file = strcmp(file_of(a), file_of(b));
	uint32_t line_a = a->mark.line ? a->mark.line : NONE, line_b = b->mark.line ? b->mark.line : NONE;

	if ((line_a == NONE) != (line_b == NONE))
		return line_a == NONE ? 1 : -1;
	if (by_file)
		return by_file;
	if (line_a != line_b)
		return line_a < line_b ? -1 : 1;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* ---- groups ------------------------------------------------------------------------------------------------------------- */

/* A group is evaluated where it is used; one that cannot be used is said before that. */
static void check_groups(struct linter *l)
{
	struct select_context ctx = {.fabric = l->f};

	for (size_t i = 0; i < l->f->groups.n; i++) {
		const struct named_selection *g = &l->f->groups.at[i];
		struct idset devices = {0};
		struct diag d = {0};

		if (select_eval(&ctx, g->selection, g->mark, &d, &devices) != OK && d.messages.n)
			lint_add(l, LEVEL_WARNING, "group", g->mark, NONE, "the group @%s: %s", g->name, d.messages.at[0].text);
		idset_free(&devices);
		diag_free(&d);
	}
}

void lint_run(const struct fabric *f, const struct overlay *o, struct findings *out)
{
	struct linter l = {f, o, out};
	size_t before = out->list.n;

	for (size_t i = 0; i < f->findings.n; i++)
		vec_push(&out->list, f->findings.at[i]);
	check_ports(&l);
	check_isolated(&l);
	check_connected(&l);
	if (!f->cables.n) /* else lint_cables looks at tiers and rates instead of kinds */
		check_siblings(&l);
	check_trunks(&l);
	lint_package(&l);
	lint_cables(&l);
	lint_node(&l);
	check_groups(&l);
	if (out->list.n > before)
		qsort(out->list.at + before, out->list.n - before, sizeof *out->list.at, compare_findings);
}

void findings_free(struct findings *x)
{
	arena_free(&x->arena);
	vec_free(&x->list);
}

json_t *lint_json(const struct request *r, struct progress *p)
{
	struct findings found = {0};
	json_t *o = json_object(), *list = json_array();
	json_int_t counts[3] = {0};

	progress_step(p, "looking", 0, 1);
	lint_run(r->fabric, r->overlay, &found);
	for (size_t i = 0; i < found.list.n; i++) {
		counts[found.list.at[i].level]++;
		json_array_append_new(list, finding_json(&found.list.at[i]));
	}
	json_put(o, "errors", json_integer(counts[LEVEL_ERROR]));
	json_put(o, "warnings", json_integer(counts[LEVEL_WARNING]));
	json_put(o, "notes", json_integer(counts[LEVEL_NOTE]));
	json_put(o, "findings", list);
	findings_free(&found);
	return o;
}

void lint_put(const json_t *result, struct strbuf *b)
{
	json_t *x;
	size_t i;

	strbuf_printf(b, "lint       %" PRIu64 " errors, %" PRIu64 " warnings, %" PRIu64 " notes\n",
		      result_count(result, "errors"), result_count(result, "warnings"), result_count(result, "notes"));
	json_array_foreach(json_object_get(result, "findings"), i, x) {
		strbuf_puts(b, "  ");
		if (*result_text(x, "file"))
			strbuf_printf(b, "%s:", result_text(x, "file"));
		if (result_count(x, "line") != UNKNOWN)
			strbuf_printf(b, "%" PRIu64 ":", result_count(x, "line"));
		strbuf_printf(b, "%s%s: %s [%s]\n", *result_text(x, "file") ? " " : "", result_text(x, "level"),
			      result_text(x, "message"), result_text(x, "code"));
	}
}
