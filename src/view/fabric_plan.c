/* fabric_plan: what the fabric view folds and which links join what. Alike sibling modules are one item ×N; an
 * opened module is drawn as its parts. The devices of an item on one tier are a box. Every link is in exactly one
 * sum: inside of a box, between two boxes, or hidden. Structure decides; names only label.
 * O(devices × depth + trunks), kept by the memo until something but the cursor changes.
 */
#include <stdlib.h>
#include <string.h>

#include "view/fabric_internal.h"

struct maker {
	const struct scene *s;
	const struct fabric *f;
	struct fab_plan *p;
	uint32_t *tier;    /* of devices */
};

/* ---- items ------------------------------------------------------------------------------------------------- */

/* Tiers of the devices in [first, end); those without counted links do not say. */
static void tier_range(const struct maker *m, uint32_t first, uint32_t end, uint32_t *low, uint32_t *high)
{
	*low = NONE;
	*high = 0;
	for (uint32_t d = first; d < end; d++) {
		uint32_t t = m->tier[d];
		if (t == LOCAL_TIER)
			continue;
		*low = t < *low ? t : *low;
		*high = t > *high ? t : *high;
	}
	*low = *low == NONE ? 0 : *low;
}

static bool is_unfolded(const struct maker *m, uint32_t module)
{
	return m->s->zoom >= 0 && m->s->unfolded && idset_has(m->s->unfolded, module);
}

static struct fab_item module_item(const struct maker *m, uint32_t module, bool only)
{
	const struct module *x = &m->f->modules.at[module];
	struct fab_item item = {.first = module, .count = 1};
	tier_range(m, x->first_device, x->end_device, &item.low, &item.high);
	item.open = (only || is_unfolded(m, module)) && x->end_device > x->first_device;
	return item;
}

static bool joins_run(const struct maker *m, const struct fab_item *run, const struct fab_item *next)
{
	const struct module *a = &m->f->modules.at[run->first], *b = &m->f->modules.at[next->first];
	return run->count && !run->open && !next->open && m->s->zoom <= 0 && a->type == b->type && a->kind == b->kind &&
	       a->end_device - a->first_device == b->end_device - b->first_device && run->low == next->low &&
	       run->high == next->high;
}

static void add_direct(struct maker *m, size_t first_part, uint32_t module, uint32_t device)
{
	uint32_t tier = m->tier[device] == LOCAL_TIER ? 0 : m->tier[device], type = m->f->type[device];
	for (size_t i = first_part; i < m->p->items.n; i++) {
		const struct fab_item *x = &m->p->items.at[i];
		if (!x->count && x->low == tier && x->type == type)
			return;
	}
	vec_push(&m->p->items, (struct fab_item){.first = module, .type = type, .low = tier, .high = tier});
}

/* Rows from the top: parts that share a tier stand side by side, others over each other. */
static void stack_parts(struct maker *m, struct fab_item *parts, size_t n)
{
	bool *joined = mem_array(m->p->tiers + 1, sizeof *joined);
	uint32_t *row = mem_array(m->p->tiers + 1, sizeof *row);
	for (size_t i = 0; i < n; i++)
		for (uint32_t t = parts[i].low; t < parts[i].high; t++)
			joined[t] = true;
	for (uint32_t t = m->p->tiers; t-- > 0;)
		row[t] = t + 1 == m->p->tiers ? 0 : row[t + 1] + !joined[t];
	for (size_t i = 0; i < n; i++)
		parts[i].row = row[parts[i].high];
	free(joined);
	free(row);
}

static int by_row(const void *pa, const void *pb)
{
	const struct fab_item *a = pa, *b = pb;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->want - b->want; /* holds the order until widths are known */
}

static void add_parts(struct maker *m, size_t at)
{
	uint32_t module = m->p->items.at[at].first;
	const struct module *x = &m->f->modules.at[module];
	size_t first = m->p->items.n, last = SIZE_MAX;
	struct member member = {0};
	while (module_next(m->f, module, &member)) {
		if (member.is_device) {
			add_direct(m, first, module, member.id);
			continue;
		}
		const struct module *child = &m->f->modules.at[member.id];
		if (child->end_device == child->first_device)
			continue;
		bool only = child->first_device == x->first_device && child->end_device == x->end_device;
		struct fab_item item = module_item(m, member.id, only);
		if (last != SIZE_MAX && joins_run(m, &m->p->items.at[last], &item)) {
			m->p->items.at[last].count++;
			continue;
		}
		last = m->p->items.n;
		vec_push(&m->p->items, item);
	}
	struct fab_item *parts = m->p->items.n ? &m->p->items.at[first] : NULL;
	size_t n = m->p->items.n - first;
	for (size_t i = 0; i < n; i++)
		parts[i].want = (int)i;
	stack_parts(m, parts, n);
	qsort(parts, n, sizeof *parts, by_row);
	m->p->items.at[at].part = first;
	m->p->items.at[at].parts = n;
}

static void make_items(struct maker *m)
{
	struct fab_item root = {.first = 0, .count = 1, .open = true};
	tier_range(m, 0, m->f->device_count, &root.low, &root.high);
	vec_push(&m->p->items, root);
	for (size_t i = 0; i < m->p->items.n; i++)
		if (m->p->items.at[i].open)
			add_parts(m, i);
}

/* ---- boxes -------------------------------------------------------------------------------------------------- */

static size_t find_box(const struct maker *m, size_t item, uint32_t tier, const uint32_t *box_at)
{
	const struct fab_item *x = &m->p->items.at[item];
	return box_at[tier == LOCAL_TIER ? x->low : tier];
}

/* Calls back for every device of a closed item. */
static void each_device(struct maker *m, size_t item, void (*call)(struct maker *, size_t, uint32_t, uint32_t *),
			uint32_t *box_at)
{
	const struct fab_item x = m->p->items.at[item];
	const struct module *at = &m->f->modules.at[x.first];
	struct member member = {0};
	while (!x.count && module_next(m->f, x.first, &member)) {
		if (!member.is_device)
			continue;
		uint32_t tier = m->tier[member.id] == LOCAL_TIER ? 0 : m->tier[member.id];
		if (tier == x.low && m->f->type[member.id] == x.type)
			call(m, item, member.id, box_at);
	}
	for (uint32_t i = 0; i < x.count; i++) {
		for (uint32_t d = at->first_device; d < at->end_device; d++) {
			m->p->unit_of[d] = i;
			call(m, item, d, box_at);
		}
		at = i + 1 < x.count ? &m->f->modules.at[at->end] : at;
	}
}

static void note_tier(struct maker *m, size_t item, uint32_t device, uint32_t *box_at)
{
	uint32_t t = m->tier[device] == LOCAL_TIER ? m->p->items.at[item].low : m->tier[device];
	if (box_at[t] != NONE)
		return;
	box_at[t] = (uint32_t)m->p->boxes.n;
	vec_push(&m->p->boxes, (struct fab_box){.item = item, .tier = t});
}

static void add_boxes(struct maker *m, size_t item, uint32_t *box_at)
{
	struct fab_item x = m->p->items.at[item];
	for (size_t i = 0; x.open && i < x.parts; i++)
		add_boxes(m, x.part + i, box_at);
	if (x.open)
		return;
	for (uint32_t t = x.low; t <= x.high; t++)
		box_at[t] = NONE;
	each_device(m, item, note_tier, box_at);
}

/* Stable: boxes were made from left to right. */
static void sort_boxes(struct fab_plan *p)
{
	struct fab_box *sorted = mem_array(p->boxes.n + 1, sizeof *sorted);
	size_t *start = mem_array(p->tiers + 1, sizeof *start), n = 0;
	for (size_t i = 0; i < p->boxes.n; i++)
		start[p->boxes.at[i].tier]++;
	for (uint32_t t = p->tiers; t-- > 0;) {
		size_t count = start[t];
		start[t] = n;
		n += count;
		p->row_of[t] = count ? p->rows++ : NONE;
	}
	for (size_t i = 0; i < p->boxes.n; i++)
		sorted[start[p->boxes.at[i].tier]++] = p->boxes.at[i];
	memcpy(p->boxes.at, sorted, p->boxes.n * sizeof *sorted);
	free(sorted);
	free(start);
}

static void count_device(struct maker *m, size_t item, uint32_t device, uint32_t *box_at)
{
	size_t b = find_box(m, item, m->tier[device], box_at);
	m->p->box_of[device] = (uint32_t)b;
	if (scene_hides(m->s, device))
		m->p->boxes.at[b].hidden++;
	else
		m->p->boxes.at[b].n++;
}

static void fill_boxes(struct maker *m)
{
	struct fab_plan *p = m->p;
	uint32_t *box_at = mem_array(p->tiers + 1, sizeof *box_at);
	add_boxes(m, 0, box_at);
	sort_boxes(p);
	size_t *of_item = mem_array(p->items.n * 2 + 1, sizeof *of_item); /* chains of boxes of one item */
	size_t *next = mem_array(p->boxes.n + 1, sizeof *next), first = 0;
	for (size_t b = 0; b < p->boxes.n; b++) {
		next[b] = of_item[p->boxes.at[b].item];
		of_item[p->boxes.at[b].item] = b + 1;
	}
	for (size_t i = 0; i < p->items.n; i++) {
		for (size_t b = of_item[i]; b; b = next[b - 1])
			box_at[p->boxes.at[b - 1].tier] = (uint32_t)b - 1;
		if (!p->items.at[i].open)
			each_device(m, i, count_device, box_at);
	}
	for (size_t b = 0; b < p->boxes.n; b++) {
		p->boxes.at[b].first = first;
		first += p->boxes.at[b].n;
		p->hidden += p->boxes.at[b].hidden;
		p->boxes.at[b].n = 0;
	}
	for (uint32_t d = 0; d < m->f->device_count; d++) {
		struct fab_box *b = &p->boxes.at[p->box_of[d]];
		if (!scene_hides(m->s, d))
			p->members[b->first + b->n++] = d;
	}
	free(of_item);
	free(next);
	free(box_at);
}

/* ---- words and widths ------------------------------------------------------------------------------------------ */

/* "su1–su3 ×3", and below an opened module its path. */
static void put_item_name(const struct fabric *f, const struct fab_item *x, struct strbuf *b)
{
	const struct module *at = &f->modules.at[x->first];
	uint32_t last = x->first;
	for (uint32_t i = 1; i < x->count; i++)
		last = f->modules.at[last].end;
	uint32_t around = x->count ? at->parent : x->first;
	size_t before = b->n;
	if (around != NONE && around != 0 && f->modules.at[around].name != NONE &&
	    f->modules.at[around].end_device - f->modules.at[around].first_device != f->device_count)
		strbuf_printf(b, "%s/", fabric_str(f, f->modules.at[around].name));
	if (x->count)
		names_put(f, x->first, last, b);
	if (x->count > 1)
		strbuf_printf(b, " ×%u", x->count);
	if (x->count && b->n > before)
		strbuf_puts(b, ": ");
}

/* The devices in a box, with their types: "gpu ×256 h100, nic ×256 cx7". */
static void put_types(const struct fabric *f, const uint32_t *devices, size_t n, bool typed, struct strbuf *b)
{
	enum { TYPES_MAX = 3, NAMES_MAX = 4096 };
	uint32_t types[TYPES_MAX + 1];
	size_t count = 0;
	for (size_t i = 0; i < n && count <= TYPES_MAX; i++) {
		size_t k = 0;
		while (k < count && types[k] != f->type[devices[i]])
			k++;
		if (k == count)
			types[count++] = f->type[devices[i]];
	}
	uint32_t *of = mem_array(n + 1, sizeof *of);
	for (size_t k = 0; k < count && k < TYPES_MAX; k++) {
		size_t m = 0;
		for (size_t i = 0; i < n; i++)
			if (f->type[devices[i]] == types[k])
				of[m++] = devices[i];
		strbuf_puts(b, k ? ", " : "");
		devices_title(f, typed ? types[k] : NONE, of, m, b);
	}
	strbuf_puts(b, count > TYPES_MAX ? ", …" : "");
	free(of);
}

static void make_titles(struct maker *m)
{
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < m->p->boxes.n; i++) {
		struct fab_box *x = &m->p->boxes.at[i];
		strbuf_trim(&b, 0);
		put_item_name(m->f, &m->p->items.at[x->item], &b);
		size_t named = b.n;
		put_types(m->f, &m->p->members[x->first], x->n, true, &b);
		x->title = mem_strdup(strbuf_str(&b));
		strbuf_trim(&b, named);
		put_types(m->f, &m->p->members[x->first], x->n, false, &b);
		x->brief = mem_strdup(strbuf_str(&b));
		if (named && m->p->items.at[x->item].count)
			strbuf_trim(&b, named - 2); /* ": " */
		x->briefest = mem_strdup(strbuf_str(&b));
	}
	strbuf_free(&b);
}

/* Parts come behind what they are parts of, so from the back all are known. */
static void make_widths(struct maker *m)
{
	enum { LEAST = 12, MOST = 46 };
	struct fab_plan *p = m->p;
	for (size_t i = 0; i < p->items.n; i++)
		p->items.at[i].least = p->items.at[i].want = LEAST;
	for (size_t i = 0; i < p->boxes.n; i++) {
		int w = (int)text_width(p->boxes.at[i].title) + 6;
		struct fab_item *x = &p->items.at[p->boxes.at[i].item];
		w = w > MOST ? MOST : w;
		x->want = w > x->want ? w : x->want;
	}
	for (size_t i = p->items.n; i-- > 0;) {
		struct fab_item *x = &p->items.at[i];
		int least = 0, want = 0;
		for (size_t k = 0; x->open && k < x->parts; k++) {
			const struct fab_item *part = &p->items.at[x->part + k];
			bool beside = k && part[-1].row == part->row;
			least = beside ? least + 1 + part->least : part->least;
			want = beside ? want + 1 + part->want : part->want;
			x->least = least > x->least ? least : x->least;
			x->want = want > x->want ? want : x->want;
		}
	}
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

static void plan_free(void *what)
{
	struct fab_plan *p = what;
	for (size_t i = 0; i < p->boxes.n; i++) {
		free(p->boxes.at[i].title);
		free(p->boxes.at[i].brief);
		free(p->boxes.at[i].briefest);
	}
	vec_free(&p->items);
	vec_free(&p->boxes);
	vec_free(&p->bundles);
	free(p->members);
	free(p->box_of);
	free(p->row_of);
	free(p->row);
	free(p->gaps);
	free(p->unit_of);
	free(p->ways);
	free(p->healthy);
	free(p);
}

static struct fab_plan *plan_new(const struct scene *s)
{
	const struct fabric *f = s->fabric;
	struct fab_plan *p = mem_alloc(sizeof *p);
	struct maker m = {.s = s, .f = f, .p = p, .tier = device_tiers(s)};
	for (uint32_t d = 0; d < f->device_count; d++)
		if (m.tier[d] != LOCAL_TIER && m.tier[d] >= p->tiers)
			p->tiers = m.tier[d] + 1;
	p->tiers += p->tiers == 0;
	p->members = mem_array(f->device_count + 1, sizeof *p->members);
	p->box_of = mem_array(f->device_count + 1, sizeof *p->box_of);
	p->row_of = mem_array(p->tiers + 1, sizeof *p->row_of);
	p->unit_of = mem_array(f->device_count + 1, sizeof *p->unit_of);
	p->row = mem_array(p->tiers + 1, sizeof *p->row);
	p->gaps = mem_array(p->tiers + 1, sizeof *p->gaps);
	make_items(&m);
	fill_boxes(&m);
	fab_sums_make(s, p, m.tier);
	make_titles(&m);
	make_widths(&m);
	device_tiers_release(s, m.tier);
	return p;
}

/* What is folded depends on neither what-if nor marks: those change sums alone. */
static uint64_t structure_key(const struct scene *s)
{
	uint64_t key = fingerprint_more(fabric_fingerprint(s), (uint64_t)(s->zoom + 1));
	return fingerprint_set(fingerprint_set(key, s->unfolded), s->hidden);
}

struct fab_plan *fab_plan(const struct scene *s)
{
	uint64_t key = s->memo ? structure_key(s) : 0, sums_key = s->memo ? scene_fingerprint(s) : 1;
	struct fab_plan *p = memo_get(s, MEMO_FABRIC, key);
	if (!p) {
		p = plan_new(s);
		memo_put(s, MEMO_FABRIC, key, p, plan_free);
	}
	if (p->sums_key != sums_key) {
		uint32_t *tier = device_tiers(s);
		fab_sums_of(s, p, tier);
		p->sums_key = sums_key;
		device_tiers_release(s, tier);
	}
	return p;
}

void fab_plan_release(const struct scene *s, struct fab_plan *p)
{
	if (!s->memo)
		plan_free(p);
}
