/* Lengths from placement. On a package: the gap between two dies, along both axes. In a rack: the units between two
 * trays. Between neighbouring racks: across and along the units; between others: up to the top, along the row at its
 * pitch, and down again. Nothing else is guessed.
 */
#include "analyze/placing.h"

#define UNIT_UM UINT64_C(44450)    /* one rack unit */
#define PITCH_UM UINT64_C(600000)  /* racks side by side, when the row does not say */
#define RACK_UNITS 48              /* a rack that does not say its height */

const char *const die_edge_names[EDGE_COUNT] = {"left", "right", "bottom", "top"};

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* ---- packages -------------------------------------------------------------------------------------------------- */

bool device_rect(const struct fabric *f, uint32_t device, struct rect *out)
{
	const struct place *p = &f->place[device];
	const struct device_type *t = &f->types.at[f->type[device]];
	bool turned = p->rotate == 90 || p->rotate == 270;

	if (p->x_um == UNKNOWN || t->width_um == UNKNOWN)
		return false;
	*out = (struct rect){p->x_um, p->y_um, turned ? t->height_um : t->width_um, turned ? t->width_um : t->height_um};
	return true;
}

static uint64_t gap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	if (b >= a + a_size)
		return b - a - a_size;
	return a >= b + b_size ? a - b - b_size : 0;
}

static bool apart(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return b >= a + a_size || a >= b + b_size;
}

enum die_edge facing_edge(const struct rect *a, const struct rect *b)
{
	bool beside = apart(a->x, a->width, b->x, b->width), above = apart(a->y, a->height, b->y, b->height);
	uint64_t dx = gap(a->x, a->width, b->x, b->width), dy = gap(a->y, a->height, b->y, b->height);

	if (!beside && !above)
		return EDGE_COUNT;
	if (beside && (!above || dx >= dy))
		return a->x < b->x ? EDGE_RIGHT : EDGE_LEFT;
	return a->y < b->y ? EDGE_TOP : EDGE_BOTTOM;
}

uint64_t edge_length(const struct rect *a, enum die_edge e)
{
	return e == EDGE_LEFT || e == EDGE_RIGHT ? a->height : a->width;
}

static uint64_t span_on_package(const struct fabric *f, uint32_t a, uint32_t b)
{
	struct rect p, q;

	if (f->module[a] != f->module[b] || !device_rect(f, a, &p) || !device_rect(f, b, &q))
		return UNKNOWN;
	return gap(p.x, p.width, q.x, q.width) + gap(p.y, p.height, q.y, q.height);
}

/* ---- racks ------------------------------------------------------------------------------------------------------- */

/* The rack of a device and the unit that it stands in; NONE without. */
static uint32_t rack_of(const struct fabric *f, uint32_t device, uint32_t *unit)
{
	uint32_t m = f->module[device];

	*unit = f->place[device].unit;
	for (; m != NONE && f->modules.at[m].kind != MODULE_RACK; m = f->modules.at[m].parent)
		if (f->modules.at[m].place.unit != NONE)
			*unit = f->modules.at[m].place.unit;
	return m;
}

static uint64_t rack_top(const struct fabric *f, uint32_t rack)
{
	uint64_t units = f->modules.at[rack].height_units;

	return units == UNKNOWN ? RACK_UNITS : units;
}

/* The place of a module among the modules of its parent. */
static uint32_t place_in_row(const struct fabric *f, uint32_t module)
{
	uint32_t at = 0;

	for (uint32_t m = f->modules.at[module].parent + 1; m != module; m = f->modules.at[m].end)
		at += f->modules.at[m].kind == f->modules.at[module].kind;
	return at;
}

static bool are_neighbours(const struct fabric *f, uint32_t a, uint32_t b)
{
	return f->modules.at[a].parent == f->modules.at[b].parent && distance(place_in_row(f, a), place_in_row(f, b)) == 1;
}

/* Along the row of both racks; rows have a distance only when what holds them says one. */
static uint64_t span_between_racks(const struct fabric *f, uint32_t a, uint32_t b)
{
	uint32_t row_a = f->modules.at[a].parent, row_b = f->modules.at[b].parent;
	uint64_t pitch = f->modules.at[row_a].pitch_um, along, across = 0;

	if (row_a != row_b) {
		uint32_t hall = f->modules.at[row_a].parent;

		if (hall == NONE || hall != f->modules.at[row_b].parent || f->modules.at[hall].pitch_um == UNKNOWN)
			return UNKNOWN;
		across = f->modules.at[hall].pitch_um * distance(place_in_row(f, row_a), place_in_row(f, row_b));
	}
	along = (pitch == UNKNOWN ? PITCH_UM : pitch) * distance(place_in_row(f, a), place_in_row(f, b));
	return along + across;
}

static uint64_t span_of_racks(const struct fabric *f, uint32_t a, uint32_t b)
{
	uint32_t unit_a, unit_b, rack_a = rack_of(f, a, &unit_a), rack_b = rack_of(f, b, &unit_b);
	uint64_t between;

	if (rack_a == NONE || rack_b == NONE || unit_a == NONE || unit_b == NONE)
		return UNKNOWN;
	if (rack_a == rack_b)
		return unit_a == unit_b ? UNKNOWN : UNIT_UM * distance(unit_a, unit_b);
	between = span_between_racks(f, rack_a, rack_b);
	if (between == UNKNOWN)
		return UNKNOWN;
	if (are_neighbours(f, rack_a, rack_b))
		return between + UNIT_UM * distance(unit_a, unit_b);
	return between + UNIT_UM * (distance(rack_top(f, rack_a), unit_a) + distance(rack_top(f, rack_b), unit_b));
}

struct span trunk_span(const struct fabric *f, uint32_t trunk)
{
	const struct trunk *t = &f->trunks[trunk];
	uint64_t um = t->length_um != UNKNOWN ? t->length_um : f->kinds.at[t->kind].length_um;

	if (um != UNKNOWN)
		return (struct span){um, false};
	um = span_on_package(f, t->a, t->b);
	if (um == UNKNOWN)
		um = span_of_racks(f, t->a, t->b);
	return (struct span){um, um != UNKNOWN};
}
