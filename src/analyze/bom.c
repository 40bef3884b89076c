/* bom: what has to be bought and plugged: cables by kind, medium and length, optics, switches, ports in use and free,
 * watts. Lengths that follow from placement are rounded up to half a metre (a millimetre on a package) and marked.
 */
#include "analyze/analyze_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/placing.h"

struct bom_row {
	uint32_t kind;
	uint64_t rate, um;
	bool estimated, unknown_count;
	uint64_t links;
};

struct bom {
	const struct fabric *f;
	const struct overlay *o;
	const struct idset *selection; /* or NULL */
	VEC(struct bom_row) cables;
};

static bool is_counted(const struct bom *b, uint32_t device)
{
	return (!b->selection || idset_has(b->selection, device)) && !(b->o && idset_has(&b->o->failed, device));
}

/* ---- cables ------------------------------------------------------------------------------------------------------ */

static uint64_t round_up(uint64_t um)
{
	uint64_t step = um < 100000 ? 1000 : 500000;

	return um == UNKNOWN ? UNKNOWN : (um + step - 1) / step * step;
}

static int compare_rows(const void *p, const void *q)
{
	const struct bom_row *a = p, *b = q;
	const uint64_t left[] = {a->kind, a->rate, a->um, a->estimated}, right[] = {b->kind, b->rate, b->um, b->estimated};

	for (size_t i = 0; i < ARRAY_LEN(left); i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

/* A link belongs to a selection when one of its ends does. */
static void collect_cables(struct bom *b)
{
	size_t n = 0;

	for (uint32_t t = 0; t < b->f->trunk_count; t++) {
		const struct trunk *x = &b->f->trunks[t];
		uint32_t links = trunk_links(b->f, b->o, t);
		struct span s;

		if (!links || (b->selection && !idset_has(b->selection, x->a) && !idset_has(b->selection, x->b)))
			continue;
		s = trunk_span(b->f, t);
		vec_push(&b->cables, ((struct bom_row){x->kind, trunk_link_rate(b->f, b->o, t), s.estimated ? round_up(s.um) : s.um,
						     s.estimated, links == NONE, links == NONE ? 0 : links}));
	}
	if (b->cables.n)
		qsort(b->cables.at, b->cables.n, sizeof *b->cables.at, compare_rows);
	for (size_t i = 0; i < b->cables.n; i++) {
		struct bom_row *c = &b->cables.at[i];

		if (n && compare_rows(&b->cables.at[n - 1], c) == 0) {
			b->cables.at[n - 1].links += c->links;
			b->cables.at[n - 1].unknown_count |= c->unknown_count;
		} else {
			b->cables.at[n++] = *c;
		}
	}
	b->cables.n = n;
}

static const struct medium *medium_of(const struct bom *b, const struct bom_row *c)
{
	uint32_t m = b->f->kinds.at[c->kind].medium;

	return m == NONE ? NULL : &b->f->media.at[m];
}

/* Of both ends, at full rate; negative when not known. */
static double watts_of(const struct bom *b, const struct bom_row *c)
{
	const struct medium *m = medium_of(b, c);
	uint64_t fj = b->f->kinds.at[c->kind].energy_fj;

	if (fj == UNKNOWN && m)
		fj = m->energy_fj;
	if (fj == UNKNOWN || c->rate == UNKNOWN || c->unknown_count)
		return -1;
	return (double)c->links * (double)c->rate * (double)fj * 1e-15;
}

static json_t *json_watts(double watts)
{
	return watts < 0 ? json_null() : json_real(watts);
}

static json_t *json_links(const struct bom_row *c)
{
	return c->unknown_count ? json_null() : json_integer((json_int_t)c->links);
}

static json_t *cables_json(const struct bom *b)
{
	json_t *list = json_array();

	for (size_t i = 0; i < b->cables.n; i++) {
		const struct bom_row *c = &b->cables.at[i];
		const struct medium *m = medium_of(b, c);
		json_t *o = json_object();

		json_put(o, "kind", json_string(fabric_str(b->f, b->f->kinds.at[c->kind].name)));
		json_put(o, "medium", m ? json_string(fabric_str(b->f, m->name)) : json_null());
		json_put(o, "rate_Bps", json_rate(c->rate));
		json_put(o, "length_m", c->um == UNKNOWN ? json_null() : json_real((double)c->um / 1e6));
		json_put(o, "estimated", json_boolean(c->estimated));
		json_put(o, "links", json_links(c));
		json_put(o, "watts", json_watts(watts_of(b, c)));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *kind_json(const struct bom *b, const struct bom_row *first, size_t n)
{
	json_t *o = json_object();
	struct bom_row all = *first;
	double watts = 0, rate = 0;
	bool watts_known = true, rate_known = true;

	all.links = 0;
	for (size_t i = 0; i < n; i++) {
		double w = watts_of(b, &first[i]);

		all.links += first[i].links;
		all.unknown_count |= first[i].unknown_count;
		watts_known &= w >= 0;
		watts += w;
		rate_known &= first[i].rate != UNKNOWN && !first[i].unknown_count;
		rate += (double)first[i].rate / 8 * (double)first[i].links;
	}
	json_put(o, "links", json_links(&all));
	json_put(o, "all_Bps", rate_known ? json_real(rate) : json_null());
	json_put(o, "watts", watts_known ? json_real(watts) : json_null());
	return o;
}

static json_t *kinds_json(const struct bom *b)
{
	json_t *o = json_object();

	for (size_t i = 0, n; i < b->cables.n; i += n) {
		for (n = 1; i + n < b->cables.n && b->cables.at[i + n].kind == b->cables.at[i].kind;)
			n++;
		json_put(o, fabric_str(b->f, b->f->kinds.at[b->cables.at[i].kind].name), kind_json(b, &b->cables.at[i], n));
	}
	return o;
}

/* ---- devices -------------------------------------------------------------------------------------------------------- */

static json_t *types_json(const struct bom *b, bool switches)
{
	json_int_t *count = mem_array(b->f->types.n, sizeof *count);
	json_t *o = json_object();

	for (uint32_t d = 0; d < b->f->device_count; d++)
		count[b->f->type[d]] += is_counted(b, d);
	for (uint32_t t = 0; t < b->f->types.n; t++)
		if (count[t] && (b->f->types.at[t].class == CLASS_SWITCH) == switches)
			json_put(o, fabric_str(b->f, b->f->types.at[t].name), json_integer(count[t]));
	free(count);
	return o;
}

/* Port units in use, by type of device and id of the port's name. */
static void count_used(const struct bom *b, uint64_t *used, size_t names)
{
	for (uint32_t t = 0; t < b->f->trunk_count; t++) {
		const struct trunk *x = &b->f->trunks[t];
		const struct link_kind *k = &b->f->kinds.at[x->kind];
		uint32_t links = trunk_links(b->f, b->o, t), ends[3] = {x->a, x->b, x->via};

		for (int i = 0; i < 3 && links != NONE; i++)
			if (ends[i] != NONE && is_counted(b, ends[i]))
				used[b->f->type[ends[i]] * names + k->port] += (uint64_t)links * k->takes * (i == 2 ? 2 : 1);
	}
}

static json_t *budget_json(uint64_t have, uint64_t used)
{
	json_t *o = json_object();

	json_put(o, "have", json_integer((json_int_t)have));
	json_put(o, "used", json_integer((json_int_t)used));
	json_put(o, "free", json_integer(have > used ? (json_int_t)(have - used) : 0));
	return o;
}

static json_t *ports_json(const struct bom *b)
{
	size_t names = b->f->names.texts.n;
	uint64_t *used = mem_array(b->f->types.n * names, sizeof *used), *count = mem_array(b->f->types.n, sizeof *count);
	json_t *all = json_object();

	count_used(b, used, names);
	for (uint32_t d = 0; d < b->f->device_count; d++)
		count[b->f->type[d]] += is_counted(b, d);
	for (uint32_t t = 0; t < b->f->types.n; t++) {
		const struct device_type *type = &b->f->types.at[t];
		json_t *o = count[t] && type->ports_known ? json_object() : NULL;

		for (uint32_t i = 0; o && i < type->port_count; i++) {
			const struct port_budget *x = &b->f->budgets.at[type->first_port + i];

			json_put(o, fabric_str(b->f, x->port), budget_json(x->count * count[t], used[t * names + x->port]));
		}
		if (o)
			json_put(all, fabric_str(b->f, type->name), o);
	}
	free(used);
	free(count);
	return all;
}

/* ---- watts and optics ------------------------------------------------------------------------------------------------ */

static json_t *watts_json(const struct bom *b)
{
	json_t *o = json_object();
	double links = 0, devices = 0;
	json_int_t links_unknown = 0, devices_unknown = 0, links_known = 0, devices_known = 0;

	for (size_t i = 0; i < b->cables.n; i++) {
		double w = watts_of(b, &b->cables.at[i]);

		links += w < 0 ? 0 : w;
		*(w < 0 ? &links_unknown : &links_known) += (json_int_t)b->cables.at[i].links;
	}
	for (uint32_t d = 0; d < b->f->device_count; d++) {
		uint64_t mw = b->f->types.at[b->f->type[d]].power_mw;

		if (!is_counted(b, d))
			continue;
		devices += mw == UNKNOWN ? 0 : (double)mw / 1000;
		*(mw == UNKNOWN ? &devices_unknown : &devices_known) += 1;
	}
	json_put(o, "links", json_watts(links_known || !links_unknown ? links : -1));
	json_put(o, "links_unknown", json_integer(links_unknown));
	json_put(o, "devices", json_watts(devices_known || !devices_unknown ? devices : -1));
	json_put(o, "devices_unknown", json_integer(devices_unknown));
	return o;
}

static json_t *optics_json(const struct bom *b)
{
	json_t *o = json_object();
	json_int_t links = 0;

	for (size_t i = 0; i < b->cables.n; i++) {
		const struct medium *m = medium_of(b, &b->cables.at[i]);

		links += m && m->optical ? (json_int_t)b->cables.at[i].links : 0;
	}
	json_put(o, "links", json_integer(links));
	json_put(o, "ends", json_integer(2 * links));
	return o;
}

json_t *bom_run(const struct request *r, struct progress *p)
{
	struct bom b = {.f = r->fabric, .o = r->overlay, .selection = r->project.selection};
	json_t *o = json_object();

	progress_step(p, "counting", 0, 1);
	collect_cables(&b);
	json_put(o, "cables", cables_json(&b));
	json_put(o, "by_kind", kinds_json(&b));
	json_put(o, "optics", optics_json(&b));
	json_put(o, "switches", types_json(&b, true));
	json_put(o, "others", types_json(&b, false));
	json_put(o, "ports", ports_json(&b));
	json_put(o, "watts", watts_json(&b));
	vec_free(&b.cables);
	return o;
}

/* ---- in words ---------------------------------------------------------------------------------------------------------- */

static void put_watts(struct strbuf *b, const json_t *value)
{
	double watts = json_number_value(value);

	if (!json_is_number(value))
		strbuf_puts(b, "–");
	else if (watts >= 1000)
		strbuf_printf(b, "%.1f kW", watts / 1000);
	else
		strbuf_printf(b, "%.1f W", watts);
}

static void put_length(struct strbuf *b, const json_t *row)
{
	const json_t *length = json_object_get(row, "length_m");
	double m = json_number_value(length);
	char text[32] = "–";

	if (json_is_number(length) && m > 0 && m < 0.1)
		snprintf(text, sizeof text, "%.3g mm", m * 1000);
	else if (json_is_number(length))
		snprintf(text, sizeof text, "%.3g m", m);
	strbuf_printf(b, "%s%s", json_is_true(json_object_get(row, "estimated")) ? "~" : "", text);
}

static void put_title(struct strbuf *b, const char *title)
{
	strbuf_printf(b, "  %-10s ", title);
}

static void put_cables(struct strbuf *b, const json_t *list)
{
	const json_t *row;
	size_t i;

	json_array_foreach((json_t *)list, i, row) {
		put_title(b, i ? "" : "cables");
		if (result_count(row, "links") == UNKNOWN)
			strbuf_puts(b, "–");
		else
			put_count(b, result_count(row, "links"));
		strbuf_printf(b, " × %s ", result_text(row, "kind"));
		put_rate(b, result_rate(row, "rate_Bps"));
		strbuf_printf(b, ", %s, ", *result_text(row, "medium") ? result_text(row, "medium") : "–");
		put_length(b, row);
		if (json_is_number(json_object_get(row, "watts"))) {
			strbuf_puts(b, ", ");
			put_watts(b, json_object_get(row, "watts"));
		}
		strbuf_putc(b, '\n');
	}
}

static void put_types(struct strbuf *b, const char *title, const json_t *types)
{
	const char *name, *before = "";
	const json_t *count;

	if (!json_object_size(types))
		return;
	put_title(b, title);
	json_object_foreach((json_t *)types, name, count) {
		strbuf_puts(b, before);
		put_count(b, (uint64_t)json_integer_value(count));
		strbuf_printf(b, " %s", name);
		before = " · ";
	}
	strbuf_putc(b, '\n');
}

static void put_ports(struct strbuf *b, const json_t *all)
{
	const char *type, *port, *title = "ports";
	const json_t *ports, *x;

	json_object_foreach((json_t *)all, type, ports) {
		json_object_foreach((json_t *)ports, port, x) {
			put_title(b, title);
			strbuf_printf(b, "%s %s: ", type, port);
			put_count(b, result_count(x, "used"));
			strbuf_puts(b, " of ");
			put_count(b, result_count(x, "have"));
			strbuf_puts(b, " in use, ");
			put_count(b, result_count(x, "free"));
			strbuf_puts(b, " free\n");
			title = "";
		}
	}
}

static void put_unknown(struct strbuf *b, uint64_t n, const char *what)
{
	if (!n)
		return;
	strbuf_puts(b, " (not known of ");
	put_count(b, n);
	strbuf_printf(b, "%s)", what);
}

static void put_all_watts(struct strbuf *b, const json_t *watts)
{
	put_title(b, "watts");
	strbuf_puts(b, "links ");
	put_watts(b, json_object_get(watts, "links"));
	put_unknown(b, result_count(watts, "links_unknown"), " links");
	strbuf_puts(b, ", devices ");
	put_watts(b, json_object_get(watts, "devices"));
	put_unknown(b, result_count(watts, "devices_unknown"), " devices");
	strbuf_putc(b, '\n');
}

void bom_put(const json_t *result, struct strbuf *b)
{
	const json_t *optics = json_object_get(result, "optics");

	strbuf_puts(b, "bom\n");
	put_cables(b, json_object_get(result, "cables"));
	if (result_count(optics, "links")) {
		put_title(b, "optics");
		put_count(b, result_count(optics, "ends"));
		strbuf_puts(b, " ends of ");
		put_count(b, result_count(optics, "links"));
		strbuf_puts(b, " optical links\n");
	}
	put_types(b, "switches", json_object_get(result, "switches"));
	put_types(b, "others", json_object_get(result, "others"));
	put_ports(b, json_object_get(result, "ports"));
	put_all_watts(b, json_object_get(result, "watts"));
}

void bom_explain(const json_t *result, struct strbuf *b)
{
	const char *kind;
	const json_t *x;

	bom_put(result, b);
	json_object_foreach(json_object_get(result, "by_kind"), kind, x) {
		strbuf_printf(b, "  all %s links together carry ", kind);
		put_rate(b, result_rate(x, "all_Bps"));
		strbuf_puts(b, " in one direction\n");
	}
	strbuf_puts(b, "  a length with ~ is estimated from where the ends stand, rounded up; a link's watts are its rate in one\n"
		       "  direction times the energy per bit of both ends, of its kind or else of its medium\n");
}
