/* table_columns: what the table says of devices, trunks and ports. A column is its name, what it writes, what it is
 * sorted by, and whether the fabric has anything for it.
 */
#include <string.h>

#include "view/table_internal.h"

const char *const table_row_names[ROWS_KINDS] = {"devices", "trunks", "ports"};

/* ---- devices -------------------------------------------------------------------------------------------------- */

static struct bundle counted(const struct scene *s, uint32_t d)
{
	const struct fabric *f = s->fabric;
	struct bundle b = {0};
	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++)
		if (trunk_counts(f, f->incident[i]))
			bundle_add(&b, s, f->incident[i]);
	return b;
}

void put_amount(struct strbuf *b, uint64_t n)
{
	if (n == UNKNOWN)
		strbuf_puts(b, "–");
	else
		put_count(b, n);
}

static void put_label(struct strbuf *b, int32_t label)
{
	if (label != NO_LABEL)
		strbuf_printf(b, "%d", label);
}

static uint64_t label_key(int32_t label)
{
	return label == NO_LABEL ? UINT64_MAX : (uint64_t)((int64_t)label - INT32_MIN);
}

static void device_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	device_path(s->fabric, r.id, b);
}

static uint64_t id_key(const struct scene *s, struct table_row r)
{
	(void)s;
	return r.id;
}

static void type_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	strbuf_puts(b, fabric_str(s->fabric, s->fabric->types.at[s->fabric->type[r.id]].name));
}

static void class_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	strbuf_puts(b, class_names[device_class(s->fabric, r.id)]);
}

static void rail_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_label(b, s->fabric->rail[r.id]);
}

static uint64_t rail_key(const struct scene *s, struct table_row r)
{
	return label_key(s->fabric->rail[r.id]);
}

static void plane_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_label(b, s->fabric->plane[r.id]);
}

static uint64_t plane_key(const struct scene *s, struct table_row r)
{
	return label_key(s->fabric->plane[r.id]);
}

static uint64_t links_key(const struct scene *s, struct table_row r)
{
	return counted(s, r.id).links;
}

static void links_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_amount(b, links_key(s, r));
}

static uint64_t rate_key(const struct scene *s, struct table_row r)
{
	return counted(s, r.id).rate;
}

static void rate_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_rate(b, rate_key(s, r));
}

/* Units of one port kind in use; UNKNOWN when some link count is. */
uint64_t table_ports_used(const struct fabric *f, uint32_t d, name_id port)
{
	uint64_t used = 0;
	for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
		const struct trunk *t = &f->trunks[f->incident[i]];
		if (f->kinds.at[t->kind].port != port)
			continue;
		used = t->count == NONE || used == UNKNOWN ? UNKNOWN : used + (uint64_t)t->count * f->kinds.at[t->kind].takes;
	}
	return used;
}

static uint64_t free_key(const struct scene *s, struct table_row r)
{
	const struct device_type *type = &s->fabric->types.at[s->fabric->type[r.id]];
	uint64_t sum = 0;
	for (uint32_t i = type->first_port; i < type->first_port + type->port_count; i++) {
		uint64_t used = table_ports_used(s->fabric, r.id, s->fabric->budgets.at[i].port), all = s->fabric->budgets.at[i].count;
		sum = used == UNKNOWN || sum == UNKNOWN ? UNKNOWN : sum + (all > used ? all - used : 0);
	}
	return type->port_count ? sum : UNKNOWN;
}

static void free_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_amount(b, free_key(s, r));
}

/* Links of the planes with fewest and most; false with fewer than two planes. */
static bool balance_of(const struct scene *s, uint32_t device, uint64_t *least, uint64_t *most)
{
	enum { PLANES_MAX = 64 };
	const struct fabric *f = s->fabric;
	uint64_t links[PLANES_MAX] = {0};
	int32_t planes[PLANES_MAX];
	size_t n = 0;
	*least = UNKNOWN;
	*most = 0;
	for (uint32_t i = f->incident_at[device]; i < f->incident_at[device + 1]; i++) {
		const struct trunk *t = &f->trunks[f->incident[i]];
		uint32_t count = trunk_links(f, s->overlay, f->incident[i]);
		size_t k = 0;
		while (k < n && planes[k] != t->plane)
			k++;
		if (t->plane == NO_LABEL || count == NONE || k == PLANES_MAX)
			continue;
		if (k == n)
			planes[n++] = t->plane;
		links[k] += count;
	}
	for (size_t k = 0; k < n; k++) {
		*least = links[k] < *least ? links[k] : *least;
		*most = links[k] > *most ? links[k] : *most;
	}
	return n > 1;
}

/* "4–4" */
static void balance_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	uint64_t least, most;
	if (balance_of(s, r.id, &least, &most))
		strbuf_printf(b, "%llu–%llu", (unsigned long long)least, (unsigned long long)most);
}

/* What is out of balance most stands at one end. */
static uint64_t balance_key(const struct scene *s, struct table_row r)
{
	uint64_t least, most;
	return balance_of(s, r.id, &least, &most) ? most - least : UINT64_MAX;
}

/* Other names of the device in the file, or NULL. They stand in the order of devices. */
static const struct identity *identity_of(const struct fabric *f, uint32_t device)
{
	size_t low = 0, high = f->identities.n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (f->identities.at[middle].device < device)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->identities.n && f->identities.at[low].device == device ? &f->identities.at[low] : NULL;
}

static void label_put_of(const struct scene *s, struct table_row r, struct strbuf *b)
{
	const struct identity *i = identity_of(s->fabric, r.id);
	if (i && i->label != NONE)
		strbuf_puts(b, fabric_str(s->fabric, i->label));
}

static void guid_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	const struct identity *i = identity_of(s->fabric, r.id);
	if (i && i->guid != UNKNOWN)
		strbuf_printf(b, "%016llx", (unsigned long long)i->guid);
}

static uint64_t guid_key(const struct scene *s, struct table_row r)
{
	const struct identity *i = identity_of(s->fabric, r.id);
	return i ? i->guid : UNKNOWN;
}

static bool has_labels(const struct scene *s)
{
	bool any = false;
	for (size_t i = 0; i < s->fabric->identities.n && !any; i++)
		any = s->fabric->identities.at[i].label != NONE;
	return any;
}

static bool has_guids(const struct scene *s)
{
	bool any = false;
	for (size_t i = 0; i < s->fabric->identities.n && !any; i++)
		any = s->fabric->identities.at[i].guid != UNKNOWN;
	return any;
}

static bool has_rails(const struct scene *s)
{
	bool any = false;
	for (uint32_t t = 0; t < s->fabric->trunk_count && !any; t++)
		any = s->fabric->trunks[t].rail != NO_LABEL;
	return any;
}

static bool has_planes(const struct scene *s)
{
	bool any = false;
	for (uint32_t t = 0; t < s->fabric->trunk_count && !any; t++)
		any = s->fabric->trunks[t].plane != NO_LABEL;
	return any;
}

static bool has_lengths(const struct scene *s)
{
	bool any = false;
	for (uint32_t t = 0; t < s->fabric->trunk_count && !any; t++)
		any = s->fabric->trunks[t].length_um != UNKNOWN;
	return any;
}

static bool has_media(const struct scene *s)
{
	bool any = false;
	for (uint32_t k = 0; k < s->fabric->kinds.n && !any; k++)
		any = s->fabric->kinds.at[k].medium != NONE;
	return any;
}

static bool has_sides(const struct scene *s)
{
	return s->marks != NULL;
}

static uint64_t state_key(const struct scene *s, struct table_row r)
{
	return device_failed(s, r.id) ? 0 : device_derated(s, r.id) ? 1 : 2;
}

static void state_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	static const char *const words[] = {"failed", "derated", ""};
	strbuf_puts(b, words[state_key(s, r)]);
}

static void side_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	char side = device_side(s, r.id);
	if (side)
		strbuf_putc(b, side);
}

static const struct column device_columns[] = {
	{"device", 16, COLUMN_LASTS, device_put, id_key, NULL},
	{"type", 12, COLUMN_LASTS, type_put, NULL, NULL},
	{"class", 7, COLUMN_LASTS, class_put, NULL, NULL},
	{"links", 7, COLUMN_RIGHT, links_put, links_key, NULL},
	{"rate", 11, COLUMN_RIGHT, rate_put, rate_key, NULL},
	{"free", 5, COLUMN_RIGHT | COLUMN_LASTS, free_put, free_key, NULL},
	{"state", 7, 0, state_put, state_key, NULL},
	{"side", 5, COLUMN_OF_RESULTS, side_put, NULL, has_sides},
	{"rail", 5, COLUMN_RIGHT | COLUMN_LASTS, rail_put, rail_key, has_rails},
	{"plane", 6, COLUMN_RIGHT | COLUMN_LASTS, plane_put, plane_key, has_planes},
	{"balance", 9, COLUMN_RIGHT, balance_put, balance_key, has_planes},
	{"label", 20, COLUMN_LASTS, label_put_of, NULL, has_labels},
	{"guid", 16, COLUMN_LASTS, guid_put, guid_key, has_guids},
};

/* ---- trunks ------------------------------------------------------------------------------------------------------- */

static void end_a_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	device_path(s->fabric, s->fabric->trunks[r.id].a, b);
}

static void end_b_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	device_path(s->fabric, s->fabric->trunks[r.id].b, b);
}

static uint64_t end_b_key(const struct scene *s, struct table_row r)
{
	return s->fabric->trunks[r.id].b;
}

static void kind_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	strbuf_puts(b, fabric_str(s->fabric, s->fabric->kinds.at[s->fabric->trunks[r.id].kind].name));
}

/* How many kinds stand before this one by name: few are asked about often. */
static uint64_t kind_key(const struct scene *s, struct table_row r)
{
	const struct fabric *f = s->fabric;
	const char *name = fabric_str(f, f->kinds.at[f->trunks[r.id].kind].name);
	uint64_t before = 0;
	for (size_t k = 0; k < f->kinds.n; k++)
		before += natural_compare(fabric_str(f, f->kinds.at[k].name), name) < 0;
	return before;
}

static uint64_t count_key(const struct scene *s, struct table_row r)
{
	uint32_t n = trunk_links(s->fabric, s->overlay, r.id);
	return n == NONE ? UNKNOWN : n;
}

static void count_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_amount(b, count_key(s, r));
}

static uint64_t capacity_key(const struct scene *s, struct table_row r)
{
	return trunk_capacity(s->fabric, s->overlay, r.id);
}

static void capacity_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_rate(b, capacity_key(s, r));
}

static uint64_t length_key(const struct scene *s, struct table_row r)
{
	return s->fabric->trunks[r.id].length_um;
}

static void length_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_quantity(b, DIM_LENGTH, length_key(s, r));
}

static void medium_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	uint32_t medium = s->fabric->kinds.at[s->fabric->trunks[r.id].kind].medium;
	if (medium != NONE)
		strbuf_puts(b, fabric_str(s->fabric, s->fabric->media.at[medium].name));
}

static uint64_t medium_key(const struct scene *s, struct table_row r)
{
	const struct fabric *f = s->fabric;
	uint32_t medium = f->kinds.at[f->trunks[r.id].kind].medium;
	uint64_t before = 0;
	for (size_t m = 0; m < f->media.n && medium != NONE; m++)
		before += natural_compare(fabric_str(f, f->media.at[m].name), fabric_str(f, f->media.at[medium].name)) < 0;
	return medium == NONE ? UINT64_MAX : before;
}

static void trunk_rail_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_label(b, s->fabric->trunks[r.id].rail);
}

static void trunk_plane_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_label(b, s->fabric->trunks[r.id].plane);
}

static uint64_t trunk_plane_key(const struct scene *s, struct table_row r)
{
	return label_key(s->fabric->trunks[r.id].plane);
}

static uint64_t trunk_rail_key(const struct scene *s, struct table_row r)
{
	return label_key(s->fabric->trunks[r.id].rail);
}

static void note_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	const struct trunk *t = &s->fabric->trunks[r.id];
	if (trunk_is_marked(s, r.id))
		strbuf_puts(b, mark_word(s));
	else if (t->flags & FLAG_INFERRED)
		strbuf_puts(b, "inferred");
	else if (t->flags & FLAG_DISAGREE)
		strbuf_puts(b, "disagree");
	else if (!trunk_counts(s->fabric, r.id))
		strbuf_puts(b, "local");
}

static const struct column trunk_columns[] = {
	{"from", 16, COLUMN_LASTS, end_a_put, id_key, NULL},
	{"to", 20, COLUMN_LASTS, end_b_put, end_b_key, NULL},
	{"kind", 9, COLUMN_LASTS, kind_put, kind_key, NULL},
	{"links", 6, COLUMN_RIGHT, count_put, count_key, NULL},
	{"rate", 11, COLUMN_RIGHT, capacity_put, capacity_key, NULL},
	{"note", 8, 0, note_put, NULL, NULL},
	{"length", 8, COLUMN_RIGHT | COLUMN_LASTS, length_put, length_key, has_lengths},
	{"medium", 16, COLUMN_LASTS, medium_put, medium_key, has_media},
	{"rail", 5, COLUMN_RIGHT | COLUMN_LASTS, trunk_rail_put, trunk_rail_key, has_rails},
	{"plane", 6, COLUMN_RIGHT | COLUMN_LASTS, trunk_plane_put, trunk_plane_key, has_planes},
};

/* ---- ports -------------------------------------------------------------------------------------------------------- */

static void port_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	strbuf_puts(b, fabric_str(s->fabric, s->fabric->budgets.at[r.port].port));
}

static uint64_t port_all_key(const struct scene *s, struct table_row r)
{
	return s->fabric->budgets.at[r.port].count;
}

static uint64_t port_used_key(const struct scene *s, struct table_row r)
{
	return table_ports_used(s->fabric, r.id, s->fabric->budgets.at[r.port].port);
}

static uint64_t port_free_key(const struct scene *s, struct table_row r)
{
	uint64_t all = port_all_key(s, r), used = port_used_key(s, r);
	return used == UNKNOWN ? UNKNOWN : all > used ? all - used : 0;
}

static void port_all_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_amount(b, port_all_key(s, r));
}

static void port_used_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_amount(b, port_used_key(s, r));
}

static void port_free_put(const struct scene *s, struct table_row r, struct strbuf *b)
{
	put_amount(b, port_free_key(s, r));
}

static const struct column port_columns[] = {
	{"device", 16, COLUMN_LASTS, device_put, id_key, NULL},
	{"type", 12, COLUMN_LASTS, type_put, NULL, NULL},
	{"port", 10, COLUMN_LASTS, port_put, NULL, NULL},
	{"used", 6, COLUMN_RIGHT | COLUMN_LASTS, port_used_put, port_used_key, NULL},
	{"ports", 6, COLUMN_RIGHT | COLUMN_LASTS, port_all_put, port_all_key, NULL},
	{"free", 6, COLUMN_RIGHT | COLUMN_LASTS, port_free_put, port_free_key, NULL},
	{"state", 7, 0, state_put, state_key, NULL},
};

const struct columns table_columns[ROWS_KINDS] = {{device_columns, ARRAY_LEN(device_columns)},
						  {trunk_columns, ARRAY_LEN(trunk_columns)},
						  {port_columns, ARRAY_LEN(port_columns)}};

const char *table_column(enum table_rows rows, unsigned column)
{
	return column < table_columns[rows].n ? table_columns[rows].at[column].name : NULL;
}
