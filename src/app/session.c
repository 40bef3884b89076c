/* session: beginning and end, and from one fabric to the next: what a person selected, folded and changed is carried
 * over by path.
 */
#include "app/app_internal.h"

static void free_sets(struct app *a)
{
	idset_free(&a->selected);
	idset_free(&a->found);
	idset_free(&a->hidden);
	idset_free(&a->folded);
	idset_free(&a->unfolded);
	idset_free(&a->range_base);
	vec_free(&a->hits);
	a->ranging = false;
	a->drag.on = false;
	a->drag.from = (struct target){TARGET_NONE, 0};
}

static void names_clear(struct app *a)
{
	for (size_t i = 0; i < a->names.n; i++) {
		free((char *)a->names.at[i].name);
		free((char *)a->names.at[i].selection);
	}
	vec_free(&a->names);
}

struct app *app_new(const struct app_options *o)
{
	struct app *a = mem_alloc(sizeof *a);
	a->o = *o;
	a->color = o->color;
	a->focus = PANE_CANVAS;
	a->watch_fd = -1;
	a->scheme = -1;
	a->over = o->over ? mem_strdup(o->over) : NULL;
	a->canvas = canvas_new(80, 24, o->ascii);
	a->changed = true;
	return a;
}

void app_free(struct app *a)
{
	if (!a)
		return;
	load_end(a);
	app_cancel(a);
	answers_clear(a);
	steps_clear(a);
	free_sets(a);
	watch_stop(a);
	memo_clear(&a->memo);
	memo_clear(&a->memo_beside[0]);
	memo_clear(&a->memo_beside[1]);
	fabric_free(a->fabric);
	texts_free(&a->defines);
	texts_free(&a->designs);
	texts_free(&a->history[0]);
	texts_free(&a->history[1]);
	vec_free(&a->steps);
	vec_free(&a->queue);
	vec_free(&a->answers);
	strbuf_free(&a->prompt.text);
	strbuf_free(&a->page_filter);
	strbuf_free(&a->config);
	vec_free(&a->early);
	diag_free(&a->opened);
	canvas_free(&a->canvas);
	free(a->page_text);
	free(a->message);
	free(a->memory);
	free(a->copied);
	free(a->facts);
	free(a->operand);
	params_free(a);
	looks_free(a);
	places_free(a);
	texts_free(&a->faults.effects);
	names_clear(a);
	for (size_t i = 0; i < a->bounds.n; i++)
		free(a->bounds.at[i].command);
	vec_free(&a->bounds);
	free(a->kept);
	free(a->over);
	free((char *)a->table.filter);
	free((char *)a->table.columns);
	free(a);
}

/* What was changed, named, kept and chosen, and by which options, was about the file that goes. */
void app_forget_file(struct app *a)
{
	a->o.fail_count = a->o.derate_count = 0;
	steps_clear(a);
	names_clear(a);
	places_free(a);
	free(a->kept);
	free(a->over);
	free((char *)a->table.filter);
	free((char *)a->table.columns);
	a->kept = a->over = NULL;
	a->table = (struct table_state){0};
}

/* ---- from one fabric to the next ------------------------------------------------------------------------ */

/* Ids of the new fabric for those of the old one, by path; NONE for what is gone. */
struct mapping {
	uint32_t *module, *device;
};

static name_id same_name(const struct fabric *from, const struct fabric *to, name_id name)
{
	const char *text = fabric_str(from, name);
	return strtab_find(&to->names, text, strlen(text));
}

static struct mapping map_fabric(const struct fabric *from, const struct fabric *to)
{
	struct mapping m;
	m.module = mem_array(from->modules.n + 1, sizeof *m.module);
	m.device = mem_array(from->device_count + 1, sizeof *m.device);
	for (uint32_t i = 0; i < from->modules.n; i++) {
		const struct module *old = &from->modules.at[i];
		uint32_t parent = old->parent == NONE ? NONE : m.module[old->parent], id;
		bool is_device;
		m.module[i] = NONE;
		if (old->parent == NONE)
			m.module[i] = 0;
		else if (parent != NONE && module_child(to, parent, same_name(from, to, old->name), &id, &is_device) &&
			 !is_device)
			m.module[i] = id;
	}
	for (uint32_t d = 0; d < from->device_count; d++) {
		uint32_t parent = m.module[from->module[d]], id;
		bool is_device;
		m.device[d] = NONE;
		if (parent != NONE && module_child(to, parent, same_name(from, to, from->name[d]), &id, &is_device) &&
		    is_device)
			m.device[d] = id;
	}
	return m;
}

static struct idset map_set(const struct idset *old, const uint32_t *to, uint32_t size)
{
	struct idset s = idset_new(size);
	idset_each(id, old)
		if (to[id] != NONE)
			idset_add(&s, to[id]);
	return s;
}

static struct target map_target(struct target t, const struct mapping *m)
{
	uint32_t to = NONE;
	if (t.kind == TARGET_DEVICE)
		to = m->device[t.id];
	else if (t.kind == TARGET_MODULE)
		to = m->module[t.id];
	return to == NONE ? (struct target){TARGET_MODULE, 0} : (struct target){t.kind, to};
}

static void replace_set(struct idset *s, struct idset by)
{
	idset_free(s);
	*s = by;
}

/* Modules that the old fabric did not have are closed as they would be at first. */
static void carry_over(struct app *a, const struct fabric *from, const struct fabric *to)
{
	struct mapping m = map_fabric(from, to);
	struct scene first = scene_of(to);
	struct idset folded = map_set(&a->folded, m.module, (uint32_t)to->modules.n);
	struct idset known = idset_new((uint32_t)to->modules.n);
	for (uint32_t i = 0; i < from->modules.n; i++)
		if (m.module[i] != NONE)
			idset_add(&known, m.module[i]);
	for (uint32_t i = 0; i < to->modules.n; i++)
		if (!idset_has(&known, i) && !tree_is_open(&first, i))
			idset_add(&folded, i);
	idset_free(&known);
	replace_set(&a->folded, folded);
	replace_set(&a->unfolded, map_set(&a->unfolded, m.module, (uint32_t)to->modules.n));
	replace_set(&a->selected, map_set(&a->selected, m.device, to->device_count));
	replace_set(&a->hidden, map_set(&a->hidden, m.device, to->device_count));
	replace_set(&a->found, map_set(&a->found, m.device, to->device_count));
	for (size_t i = 0; i < a->hits.n; i++)
		a->hits.at[i] = map_target(a->hits.at[i], &m);
	a->cursor = map_target(a->cursor, &m);
	a->ranging = a->drag.on = false;
	a->drag.from = (struct target){TARGET_NONE, 0};
	free(m.module);
	free(m.device);
}

static void start_fresh(struct app *a, const struct fabric *f)
{
	free_sets(a);
	a->selected = idset_new(f->device_count);
	a->found = idset_new(f->device_count);
	a->hidden = idset_new(f->device_count);
	a->unfolded = idset_new((uint32_t)f->modules.n);
	a->folded = idset_new((uint32_t)f->modules.n);
	struct scene first = scene_of(f);
	for (uint32_t i = 0; i < f->modules.n; i++)
		if (!tree_is_open(&first, i))
			idset_add(&a->folded, i);
	a->cursor = (struct target){TARGET_MODULE, 0};
	a->view = a->o.view ? view_find(a->o.view) : NULL;
	if (!a->view)
		a->view = view_default(f);
	a->zoom = 0;
	a->focus = PANE_CANVAS;
}

/* The new fabric takes the place of the old one, which is freed. */
enum status app_adopt(struct app *a, struct fabric *f, bool keep, struct diag *d)
{
	struct fabric *old = a->fabric;
	app_cancel(a);
	if (keep && old)
		carry_over(a, old, f);
	else
		start_fresh(a, f);
	if (keep)
		answers_age(a);
	else
		answers_clear(a);
	memo_clear(&a->memo);
	memo_clear(&a->memo_beside[0]);
	memo_clear(&a->memo_beside[1]);
	a->peer.from = NONE;
	a->fabric = f;
	a->generation++;
	enum status s = steps_start(a, d);
	fabric_free(old);
	if (!app_over(a, a->over ? a->over : "")) {
		diag_error(d, (struct mark){0}, NULL, "%s", a->message);
		app_over(a, "");
		s = s == OK ? E_USAGE : s;
	}
	watch_stop(a);
	watch_start(a);
	a->stale = a->stale && keep; /* another file was just read */
	a->changed = true;
	return s;
}

const char *app_facts(struct app *a)
{
	if (!a->facts) {
		struct scene s = scene_of(a->fabric);
		struct strbuf b = STRBUF_INIT;
		s.overlay = app_overlay(a);
		facts_put(&s, &b);
		a->facts = mem_strdup(strbuf_str(&b));
		strbuf_free(&b);
	}
	return a->facts;
}

struct scene app_scene(struct app *a)
{
	struct scene s = scene_of(a->fabric);
	const struct answer *drawn = app_drawn(a);
	s.memo = &a->memo;
	s.generation = a->generation;
	s.revision = a->steps.n ? a->steps.at[a->step].revision : 0;
	s.overlay = app_overlay(a);
	s.selected = &a->selected;
	s.found = &a->found;
	s.unfolded = &a->unfolded;
	s.folded = &a->folded;
	s.hidden = &a->hidden;
	s.cursor = a->cursor;
	s.color = a->color;
	s.zoom = a->zoom;
	s.cells = a->cells;
	s.table = a->table;
	s.marks = drawn ? &drawn->result : NULL;
	s.asked = drawn && drawn->asked->concerns.size ? &drawn->asked->concerns : NULL;
	s.tiers = app_mark(a, "tier");
	s.full = app_mark(a, "saturated");
	scene_prepare(&s);
	return s;
}
