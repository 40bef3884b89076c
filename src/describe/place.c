/* Placement: `at` and `rotate` of a part. Rack units ("U1-U8, U18-U27", or "U9" and upwards) are handed out to
 * the instances in order; positions in a package are millimetres of the lower-left corner, one per instance.
 * What does not fit is no error of the description: it stays without a place and is a finding.
 */
#include "describe/describe_internal.h"

#include <string.h>

static struct place *places_of(struct part *p)
{
	if (!p->places) {
		p->places = mem_array(p->total, sizeof *p->places);
		for (uint64_t i = 0; i < p->total; i++)
			p->places[i] = (struct place){.unit = NONE, .x_um = UNKNOWN, .y_um = UNKNOWN};
	}
	return p->places;
}

static void find(struct loader *l, const struct node *n, const char *code, const char *text)
{
	struct finding x = {.level = LEVEL_WARNING, .code = code, .text = text, .mark = node_mark(n, 0, n->n),
			    .device = NONE, .trunk = NONE};
	fabric_add_finding(l->f, &x);
}

/* ---- rack units -------------------------------------------------------------------------------------------- */

struct range {
	uint32_t first, last; /* last NONE: as far as it goes */
};

/* "U9" at *text, moved behind it. */
static bool take_unit(const char **text, uint32_t *out)
{
	const char *s = *text + strspn(*text, " ");
	uint32_t v = 0;
	if (*s != 'U' || s[1] < '0' || s[1] > '9')
		return false;
	for (s++; *s >= '0' && *s <= '9' && v < 100000; s++)
		v = v * 10 + (uint32_t)(*s - '0');
	*text = s + strspn(s, " ");
	*out = v;
	return v > 0;
}

static bool read_range(struct loader *l, const struct node *n, const char **text, struct range *r)
{
	bool ok = take_unit(text, &r->first);
	r->last = NONE;
	if (ok && **text == '-') {
		++*text;
		ok = take_unit(text, &r->last) && r->last >= r->first;
	}
	if (!ok || (**text && **text != ',')) {
		complain(l, n, NULL, "expected rack units, such as U9 or U1-U8, U18-U27");
		return false;
	}
	*text += **text == ',';
	return true;
}

/* Every instance takes the next free units of the ranges; a single U that is not the last takes one instance. */
static void place_units(struct loader *l, struct unit *u, struct part *p, const struct node *at)
{
	uint64_t instance = 0;
	bool list = at->kind == NODE_LIST;
	for (uint32_t i = 0; i < (list ? at->n : 1); i++) {
		const struct node *n = list ? at->items[i] : at;
		const char *text = scalar_text(l, &u->scope, n);
		while (text && *text) {
			struct range r;
			if (!read_range(l, n, &text, &r))
				return;
			bool last = !*text && (!list || i + 1 == at->n), one = r.last == NONE && !last;
			for (uint32_t unit = r.first; instance < p->total; instance++) {
				struct unit *inner = part_unit(p, (uint32_t)instance);
				uint64_t height = inner ? inner->module.height_units : 1;
				uint32_t units = height == UNKNOWN ? 1 : (uint32_t)height;
				if (unit + units - 1 > r.last || unit > 100000)
					break;
				places_of(p)[instance].unit = unit;
				places_of(p)[instance].units = units;
				unit += units;
				if (one) {
					instance++;
					break;
				}
			}
		}
		if (!text)
			return;
	}
	if (instance < p->total)
		find(l, at, "place-missing",
		     arena_printf(&l->arena, "`at` has room for %llu of %llu `%s`", (unsigned long long)instance,
				  (unsigned long long)p->total, p->name));
}

/* The first two things of a rack that stand in one unit, or one that sticks out of it. */
static void check_units(struct loader *l, struct unit *u, struct part *p, const struct node *at)
{
	uint64_t height = u->module.kind == MODULE_RACK ? u->module.height_units : UNKNOWN;
	for (uint64_t i = 0; p->places && i < p->total; i++) {
		const struct place *a = &p->places[i];
		if (a->unit == NONE)
			continue;
		if (height != UNKNOWN && a->unit + a->units - 1 > height) {
			find(l, at, "place-outside",
			     arena_printf(&l->arena, "`%s` number %llu reaches U%u of a rack of %lluU", p->name,
					  (unsigned long long)i, a->unit + a->units - 1, (unsigned long long)height));
			return;
		}
		for (size_t k = 0; k < u->parts.n; k++) {
			const struct part *q = &u->parts.at[k];
			for (uint64_t j = 0; q->places && j < q->total; j++) {
				const struct place *b = &q->places[j];
				if (b->unit == NONE || a->unit + a->units <= b->unit || b->unit + b->units <= a->unit)
					continue;
				find(l, at, "place-shared",
				     arena_printf(&l->arena, "`%s` number %llu and `%s` number %llu share U%u",
						  p->name, (unsigned long long)i, q->name, (unsigned long long)j,
						  a->unit > b->unit ? a->unit : b->unit));
				return;
			}
		}
	}
}

/* ---- positions ------------------------------------------------------------------------------------------------ */

/* "12.5, 3 mm" */
static bool read_position(struct loader *l, struct unit *u, const struct node *n, struct place *out)
{
	const char *text = scalar_text(l, &u->scope, n), *why, *hint;
	const char *comma = text ? strchr(text, ',') : NULL;
	struct quantity x = {.dim = DIM_COUNT}, y = {.dim = DIM_COUNT};
	if (!text)
		return false;
	if (comma && quantity_parse(&l->arena, comma + 1, strlen(comma + 1), &y, &why, &hint) && y.dim == DIM_LENGTH) {
		const char *unit = comma + 1 + strspn(comma + 1, " 0123456789.");
		const char *first = arena_printf(&l->arena, "%.*s", (int)(comma - text), text);
		if (quantity_parse(&l->arena, first, strlen(first), &x, &why, &hint) && x.dim != DIM_LENGTH) {
			first = arena_printf(&l->arena, "%s%s", first, unit);
			if (!quantity_parse(&l->arena, first, strlen(first), &x, &why, &hint))
				x.dim = DIM_COUNT;
		}
	}
	if (x.dim != DIM_LENGTH) {
		complain(l, n, NULL, "expected a position, such as \"12.5, 3 mm\", or rack units, such as U9");
		return false;
	}
	out->x_um = x.value;
	out->y_um = y.value;
	return true;
}

static void place_positions(struct loader *l, struct unit *u, struct part *p, const struct node *at)
{
	if (at->kind == NODE_SCALAR) {
		if (p->total > 1)
			complain(l, at, "write a list with one position per instance", "`%s` has %llu instances",
				 p->name, (unsigned long long)p->total);
		else
			read_position(l, u, at, &places_of(p)[0]);
		return;
	}
	for (uint32_t i = 0; i < at->n && i < p->total; i++)
		if (!read_position(l, u, at->items[i], &places_of(p)[i]))
			return;
	if (at->n < p->total)
		find(l, at, "place-missing",
		     arena_printf(&l->arena, "`at` has positions for %u of %llu `%s`", at->n,
				  (unsigned long long)p->total, p->name));
}

static bool read_rotation(struct loader *l, struct unit *u, const struct node *n, uint16_t *out)
{
	int64_t v;
	if (!scalar_integer(l, &u->scope, n, &v))
		return false;
	if (v != 0 && v != 90 && v != 180 && v != 270) {
		complain(l, n, "it is 0, 90, 180 or 270 degrees", "cannot rotate by %lld", (long long)v);
		return false;
	}
	*out = (uint16_t)v;
	return true;
}

static void rotate(struct loader *l, struct unit *u, struct part *p, const struct node *n)
{
	uint16_t angle = 0;
	if (n->kind == NODE_SCALAR && !read_rotation(l, u, n, &angle))
		return;
	for (uint64_t i = 0; i < p->total; i++) {
		if (n->kind == NODE_LIST && (i >= n->n || !read_rotation(l, u, n->items[i], &angle)))
			return;
		places_of(p)[i].rotate = angle;
	}
}

/* Rack units begin with a U. */
static bool is_units(struct loader *l, struct unit *u, const struct node *at)
{
	const struct node *first = at->kind == NODE_LIST && at->n ? at->items[0] : at;
	const char *text = first->kind == NODE_SCALAR ? scalar_text(l, &u->scope, first) : NULL;
	return text && text[strspn(text, " ")] == 'U';
}

void part_place(struct loader *l, struct unit *u, struct part *p)
{
	const struct node *at = map_get(p->node, "at"), *angle = map_get(p->node, "rotate");
	if (p->total == 0)
		return;
	if (at && is_units(l, u, at)) {
		place_units(l, u, p, at);
		check_units(l, u, p, at);
	} else if (at) {
		place_positions(l, u, p, at);
	}
	if (angle)
		rotate(l, u, p, angle);
}
