/* rack_plan: which lines an elevation has. The members of a rack stand in U order, highest first; runs of
 * members that look the same are folded into one line ×N, longest run first and no more than needed; where
 * there is room to spare, empty units get a line. Pure and independent of the cursor, so that moving moves nothing.
 */
#include <stdlib.h>

#include "view/rack_internal.h"

static int by_unit(const void *pa, const void *pb)
{
	const struct rack_item *a = pa, *b = pb;
	if (a->unit != b->unit) /* NONE, without a place, is largest: put it last */
		return a->unit == NONE ? 1 : b->unit == NONE ? -1 : a->unit < b->unit ? 1 : -1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void add_item(struct rack_plan *p, const struct fabric *f, bool is_device, uint32_t id)
{
	struct rack_item item = {.is_device = is_device, .id = id, .order = (uint32_t)p->items.n};
	const struct place *place = is_device ? &f->place[id] : &f->modules.at[id].place;
	item.first = is_device ? id : f->modules.at[id].first_device;
	item.end = is_device ? id + 1 : f->modules.at[id].end_device;
	item.unit = place->unit;
	item.units = place->units ? place->units : 1;
	vec_push(&p->items, item);
}

static bool items_alike(const struct scene *s, const struct rack_item *a, const struct rack_item *b)
{
	const struct fabric *f = s->fabric;
	if (a->is_device || b->is_device || a->end - a->first != b->end - b->first)
		return false;
	if (f->modules.at[a->id].type != f->modules.at[b->id].type || a->units != b->units)
		return false;
	if ((a->unit == NONE) != (b->unit == NONE))
		return false;
	for (uint32_t i = 0; i < a->end - a->first; i++)
		if (!devices_alike(s, a->first + i, b->first + i))
			return false;
	return true;
}

static bool opened(const struct scene *s, const struct rack_plan *p, struct rack_row run)
{
	for (size_t i = run.item; i < run.item + run.count; i++)
		if (s->unfolded && !p->items.at[i].is_device && idset_has(s->unfolded, p->items.at[i].id))
			return true;
	return false;
}

/* Says how many members at the low end of each run stand in one folded line. The longest run that still has
 * three to fold goes first, of equal ones the first, and no more than needed. Zoomed out, all fold; zoomed in,
 * none. */
static void choose_folds(const struct scene *s, struct rack_plan *p, struct rack_row *runs, size_t n, int height,
			 size_t *fold)
{
	size_t lines = p->items.n;
	while (s->zoom <= 0 && height > 0 && (lines > (size_t)height || s->zoom < 0)) {
		size_t best = SIZE_MAX;
		for (size_t r = 0; r < n; r++)
			if (!fold[r] && runs[r].count >= 3 && !opened(s, p, runs[r]) &&
			    (best == SIZE_MAX || runs[r].count > runs[best].count))
				best = r;
		if (best == SIZE_MAX)
			return;
		size_t over = lines > (size_t)height ? lines - (size_t)height + 1 : runs[best].count;
		fold[best] = s->zoom < 0 || over > runs[best].count ? runs[best].count : over < 3 ? 3 : over;
		lines -= fold[best] - 1;
	}
}

static void add_rows(struct rack_plan *p, struct rack_row run, size_t folded)
{
	size_t single = folded ? run.count - folded : run.count;
	for (size_t i = 0; i < single; i++)
		vec_push(&p->rows, (struct rack_row){.item = run.item + i, .count = 1});
	if (folded)
		vec_push(&p->rows, (struct rack_row){.item = run.item + single, .count = folded});
}

static void add_gaps(const struct fabric *f, uint32_t rack, struct rack_plan *p, int height)
{
	uint64_t top = f->modules.at[rack].height_units;
	VEC(struct rack_row) rows = {0};
	uint32_t above = top == UNKNOWN || top >= NONE - 1 ? NONE : (uint32_t)top + 1; /* lowest unit taken so far */
	for (size_t r = 0; r < p->rows.n; r++) {
		const struct rack_item *first = &p->items.at[p->rows.at[r].item];
		const struct rack_item *last = first + p->rows.at[r].count - 1;
		uint32_t high = first->unit == NONE ? NONE : first->unit + first->units;
		if (above != NONE && high != NONE && high < above)
			vec_push(&rows, (struct rack_row){.gap_low = high, .gap_high = above - 1});
		vec_push(&rows, p->rows.at[r]);
		if (last->unit != NONE)
			above = last->unit;
	}
	bool fits = height > 0 && rows.n <= (size_t)height;
	if (fits) {
		vec_reserve(&p->rows, rows.n);
		p->rows.n = 0;
		for (size_t r = 0; r < rows.n; r++)
			vec_push(&p->rows, rows.at[r]);
	}
	vec_free(&rows);
}

struct rack_plan rack_plan(const struct scene *s, uint32_t rack, int height)
{
	const struct fabric *f = s->fabric;
	struct rack_plan p = {0};
	struct member m = {0};
	while (module_next(f, rack, &m))
		add_item(&p, f, m.is_device, m.id);
	if (p.items.n)
		qsort(p.items.at, p.items.n, sizeof *p.items.at, by_unit);
	struct rack_row *runs = mem_array(p.items.n + 1, sizeof *runs);
	size_t *fold = mem_array(p.items.n + 1, sizeof *fold);
	size_t n = 0;
	for (size_t i = 0; i < p.items.n; i++) {
		bool same = n > 0 && items_alike(s, &p.items.at[i - 1], &p.items.at[i]);
		if (same)
			runs[n - 1].count++;
		else
			runs[n++] = (struct rack_row){.item = i, .count = 1};
	}
	choose_folds(s, &p, runs, n, height, fold);
	for (size_t r = 0; r < n; r++)
		add_rows(&p, runs[r], fold[r]);
	add_gaps(f, rack, &p, height);
	free(runs);
	free(fold);
	return p;
}

void rack_plan_free(struct rack_plan *p)
{
	vec_free(&p->items);
	vec_free(&p->rows);
}

bool rack_row_has(const struct rack_plan *p, size_t row, uint32_t device)
{
	const struct rack_row *r = &p->rows.at[row];
	for (size_t i = r->item; i < r->item + r->count; i++)
		if (device >= p->items.at[i].first && device < p->items.at[i].end)
			return true;
	return false;
}

size_t rack_row_devices(const struct scene *s, const struct rack_plan *p, size_t row, uint32_t **out)
{
	const struct rack_row *r = &p->rows.at[row];
	size_t n = 0, count = 0;
	for (size_t i = r->item; i < r->item + r->count; i++)
		count += p->items.at[i].end - p->items.at[i].first;
	*out = mem_array(count + 1, sizeof **out);
	for (size_t i = r->item; i < r->item + r->count; i++)
		for (uint32_t d = p->items.at[i].first; d < p->items.at[i].end; d++)
			if (!scene_hides(s, d))
				(*out)[n++] = d;
	return n;
}

struct bundle rack_row_bundle(const struct scene *s, const struct rack_plan *p, size_t row)
{
	const struct fabric *f = s->fabric;
	const struct rack_row *r = &p->rows.at[row];
	struct bundle b = {0};
	for (size_t i = r->item; i < r->item + r->count; i++) {
		const struct rack_item *item = &p->items.at[i];
		for (uint32_t at = f->incident_at[item->first]; at < f->incident_at[item->end]; at++) {
			uint32_t t = f->incident[at];
			uint32_t a = f->trunks[t].a, z = f->trunks[t].b;
			bool inside = a >= item->first && a < item->end && z >= item->first && z < item->end;
			if (!inside && trunk_counts(f, t))
				bundle_add(&b, s, t);
		}
	}
	return b;
}

size_t rack_list(const struct fabric *f, uint32_t **out)
{
	size_t n = 0;
	*out = mem_array(f->modules.n + 1, sizeof **out);
	for (uint32_t m = 0; m < f->modules.n; m++)
		if (f->modules.at[m].kind == MODULE_RACK && f->modules.at[m].end_device > f->modules.at[m].first_device)
			(*out)[n++] = m;
	return n;
}
