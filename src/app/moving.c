/* moving: the cursor, panes, folding, and search.
 */
#include <ctype.h>

#include "app/app_internal.h"

static uint32_t first_device_of(const struct app *a, struct target t)
{
	if (t.kind == TARGET_DEVICE)
		return t.id;
	if (t.kind == TARGET_TRUNK)
		return a->fabric->trunks[t.id].a;
	const struct module *m = &a->fabric->modules.at[t.id];
	return m->first_device;
}

static uint32_t end_device_of(struct app *a, struct target t)
{
	return t.kind == TARGET_MODULE ? a->fabric->modules.at[t.id].end_device : first_device_of(a, t) + 1;
}

uint32_t app_cursor_device(const struct app *a)
{
	uint32_t d = first_device_of(a, a->cursor);
	return d < a->fabric->device_count ? d : NONE;
}

uint32_t app_cursor_module(const struct app *a)
{
	return a->cursor.kind == TARGET_MODULE ? a->cursor.id : a->fabric->module[first_device_of(a, a->cursor)];
}

/* From where the range began to the cursor, in order of devices; between two devices of one class, only those of
 * that class. */
static void extend_range(struct app *a)
{
	uint32_t a0 = first_device_of(a, a->range_from), a1 = end_device_of(a, a->range_from);
	uint32_t b0 = first_device_of(a, a->cursor), b1 = end_device_of(a, a->cursor);
	enum device_class class = CLASS_NONE;
	if (a->range_from.kind == TARGET_DEVICE && a->cursor.kind == TARGET_DEVICE &&
	    device_class(a->fabric, a0) == device_class(a->fabric, b0))
		class = device_class(a->fabric, a0);
	idset_free(&a->selected);
	a->selected = idset_copy(&a->range_base);
	for (uint32_t d = a0 < b0 ? a0 : b0; d < (a1 > b1 ? a1 : b1); d++)
		if (class == CLASS_NONE || device_class(a->fabric, d) == class)
			idset_add(&a->selected, d);
	struct idset here = app_under(a);
	if (class == CLASS_NONE)
		idset_union(&a->selected, &here);
	idset_free(&here);
}

void app_range(struct app *a)
{
	a->ranging = !a->ranging;
	if (!a->ranging)
		return;
	a->range_from = a->cursor;
	idset_free(&a->range_base);
	a->range_base = idset_copy(&a->selected);
	extend_range(a);
	app_say(a, LEVEL_NOTE, "range: move to extend, v again to keep it, Esc to give it up");
}

/* Opens what hides the target in the tree. */
static void reveal(struct app *a, struct target t)
{
	uint32_t m = t.kind == TARGET_MODULE ? a->fabric->modules.at[t.id].parent : a->fabric->module[first_device_of(a, t)];
	for (; m != NONE; m = a->fabric->modules.at[m].parent)
		idset_remove(&a->folded, m);
}

void app_go(struct app *a, struct target t)
{
	a->cursor = t;
	if (a->ranging)
		extend_range(a);
}

/* The modules of the folded run under the cursor, added to out. */
static void modules_under(struct app *a, struct idset *out)
{
	struct rect in[PANE_COUNT];
	app_layout(a, in);
	struct scene s = app_scene(a);
	struct idset devices = idset_new(a->fabric->device_count);
	a->view->under(&s, in[PANE_CANVAS], &devices);
	idset_each(d, &devices)
		for (uint32_t m = a->fabric->module[d]; m != NONE; m = a->fabric->modules.at[m].parent)
			idset_add(out, m);
	idset_free(&devices);
}

void app_move(struct app *a, int move)
{
	enum move m = (enum move)move;
	struct rect in[PANE_COUNT];
	app_layout(a, in);
	struct scene s = app_scene(a);
	if (a->focus == PANE_TREE)
		app_go(a, tree_move(&s, in[PANE_TREE], m));
	else if (!a->view->refuses(a->fabric))
		app_go(a, a->view->move(&s, in[PANE_CANVAS], m));
}

void app_focus(struct app *a, int step)
{
	static const enum pane order[] = {PANE_CANVAS, PANE_INSPECTOR, PANE_TREE};
	size_t i = 0, n = ARRAY_LEN(order);
	while (i < n - 1 && order[i] != a->focus)
		i++;
	a->focus = order[(i + n + (size_t)step) % n];
}

/* The module that the view opens where the cursor stands, or NONE. */
static uint32_t opens(struct app *a)
{
	struct scene s = app_scene(a);
	return a->view->opens && !a->view->refuses(a->fabric) ? a->view->opens(&s) : NONE;
}

/* In views that open single modules: the innermost opened one around the cursor is closed, else one opens. */
static void toggle_open(struct app *a)
{
	uint32_t m = app_cursor_module(a);
	while (m != NONE && !idset_has(&a->unfolded, m))
		m = a->fabric->modules.at[m].parent;
	uint32_t open = opens(a);
	if (m != NONE)
		idset_remove(&a->unfolded, m);
	else if (open != NONE)
		idset_add(&a->unfolded, open);
}

/* Unfolds the run under the cursor, or folds it again. */
void app_fold(struct app *a)
{
	if (a->focus == PANE_TREE) {
		uint32_t m = app_cursor_module(a);
		if (idset_has(&a->folded, m))
			idset_remove(&a->folded, m);
		else
			idset_add(&a->folded, m);
		a->cursor = (struct target){TARGET_MODULE, m};
		return;
	}
	if (a->view->opens) {
		toggle_open(a);
		return;
	}
	struct idset run = idset_new((uint32_t)a->fabric->modules.n);
	if (!a->view->refuses(a->fabric))
		modules_under(a, &run);
	uint32_t m = app_cursor_module(a);
	bool open = idset_is_empty(&run);
	if (open) { /* siblings of one type fold together */
		const struct module *all = a->fabric->modules.at;
		for (uint32_t i = 0; i < a->fabric->modules.n; i++)
			if (all[i].parent == all[m].parent && all[i].type == all[m].type)
				idset_remove(&a->unfolded, i);
	} else {
		idset_union(&a->unfolded, &run);
	}
	idset_free(&run);
}

void app_enter(struct app *a)
{
	struct idset run = idset_new((uint32_t)a->fabric->modules.n);
	bool tree = a->focus == PANE_TREE;
	if (tree && a->cursor.kind == TARGET_MODULE) {
		app_fold(a);
	} else if (tree || a->focus == PANE_INSPECTOR) {
		a->focus = PANE_CANVAS;
	} else if (a->cursor.kind == TARGET_TRUNK) { /* along it */
		app_go(a, (struct target){TARGET_DEVICE, a->fabric->trunks[a->cursor.id].b});
		if (strcmp(a->view->name, "table") == 0)
			a->table.rows = ROWS_DEVICES;
	} else if (opens(a) != NONE) {
		idset_add(&a->unfolded, opens(a));
	} else if (a->cursor.kind == TARGET_DEVICE) {
		a->focus = PANE_INSPECTOR;
	} else if (!a->view->refuses(a->fabric)) {
		modules_under(a, &run);
		if (!idset_is_empty(&run))
			idset_union(&a->unfolded, &run);
		else
			app_move(a, a->cursor.id == 0 ? MOVE_DOWN : MOVE_RIGHT);
	}
	idset_free(&run);
}

/* One level up: out of the pane, to the module around, at the top a hint. */
void app_up(struct app *a)
{
	if (a->focus != PANE_CANVAS) {
		a->focus = PANE_CANVAS;
		return;
	}
	uint32_t m = a->cursor.kind == TARGET_MODULE ? a->fabric->modules.at[a->cursor.id].parent : app_cursor_module(a);
	if (m == NONE)
		app_say(a, LEVEL_NOTE, "this is the top; Q quits");
	else
		app_go(a, (struct target){TARGET_MODULE, m});
}

void app_peer(struct app *a)
{
	const struct fabric *f = a->fabric;
	uint32_t here = app_cursor_device(a), from = a->peer.from, count;
	bool again = from < f->device_count && here != NONE && a->peer.at > f->incident_at[from] &&
		     a->peer.at <= f->incident_at[from + 1] && trunk_other(f, f->incident[a->peer.at - 1], from) == here;
	if (!again) {
		from = here;
		a->peer.at = from == NONE ? 0 : f->incident_at[from];
	}
	if (from == NONE || f->incident_at[from] == f->incident_at[from + 1]) {
		app_say(a, LEVEL_NOTE, "no links here");
		return;
	}
	count = f->incident_at[from + 1] - f->incident_at[from];
	if (a->peer.at == f->incident_at[from + 1])
		a->peer.at = f->incident_at[from];
	a->peer.from = from;
	uint32_t trunk = f->incident[a->peer.at++];
	struct target t = {TARGET_DEVICE, trunk_other(f, trunk, from)};
	reveal(a, t);
	app_go(a, t);
	app_say(a, LEVEL_NOTE, "%s, trunk %u of %u of %s; P the next one", fabric_str(f, f->kinds.at[f->trunks[trunk].kind].name),
		a->peer.at - f->incident_at[from], count, device_name(f, from));
}

/* ---- search ---------------------------------------------------------------------------------------------- */

static bool has_capital(const char *text)
{
	while (*text && !isupper((unsigned char)*text))
		text++;
	return *text != 0;
}

/* Smart case: small letters mean capitals too, a capital means itself. */
static bool contains(const char *name, const char *text)
{
	size_t n = strlen(text);
	bool exact = has_capital(text);
	for (; *name; name++) {
		size_t i = 0;
		while (i < n && name[i] &&
		       (name[i] == text[i] || (!exact && tolower((unsigned char)name[i]) == (unsigned char)text[i])))
			i++;
		if (i == n)
			return true;
	}
	return false;
}

/* A name contains the text, or the path does when the text has a slash. */
static bool matches(struct app *a, struct target t, const char *text, struct strbuf *b)
{
	strbuf_trim(b, 0);
	if (!strchr(text, '/'))
		strbuf_puts(b, t.kind == TARGET_DEVICE ? device_name(a->fabric, t.id)
						      : fabric_str(a->fabric, a->fabric->modules.at[t.id].name));
	else if (t.kind == TARGET_DEVICE)
		device_path(a->fabric, t.id, b);
	else
		module_path(a->fabric, t.id, b);
	return contains(strbuf_str(b), text);
}

static size_t search_names(struct app *a, const char *text, bool keep)
{
	struct strbuf b = STRBUF_INIT;
	size_t n = 0;
	for (uint32_t m = 1; m < a->fabric->modules.n; m++) {
		struct target t = {TARGET_MODULE, m};
		if (!matches(a, t, text, &b))
			continue;
		n++;
		if (keep)
			vec_push(&a->hits, t);
	}
	for (uint32_t d = 0; d < a->fabric->device_count; d++) {
		struct target t = {TARGET_DEVICE, d};
		if (!matches(a, t, text, &b))
			continue;
		n++;
		if (keep) {
			vec_push(&a->hits, t);
			idset_add(&a->found, d);
		}
	}
	strbuf_free(&b);
	return n;
}

static void search_selection(struct app *a, const char *text)
{
	struct diag d = {0};
	struct idset out, here = app_under(a);
	struct select_context c = app_context(a, &here);
	if (select_eval(&c, text, (struct mark){0}, &d, &out) == OK)
		idset_each(id, &out) {
			vec_push(&a->hits, (struct target){TARGET_DEVICE, id});
			idset_add(&a->found, id);
		}
	idset_free(&out);
	idset_free(&here);
	diag_free(&d);
}

size_t app_count_hits(struct app *a, const char *text)
{
	struct diag d = {0};
	struct idset out;
	size_t n = search_names(a, text, false);
	if (n)
		return n;
	struct idset here = app_under(a);
	struct select_context c = app_context(a, &here);
	if (select_eval(&c, text, (struct mark){0}, &d, &out) == OK)
		n = idset_count(&out);
	idset_free(&out);
	idset_free(&here);
	diag_free(&d);
	return n;
}

void app_search(struct app *a, const char *text)
{
	a->hits.n = 0;
	a->searched = a->generation;
	idset_free(&a->found);
	a->found = idset_new(a->fabric->device_count);
	if (!*text)
		return;
	search_names(a, text, true);
	if (!a->hits.n)
		search_selection(a, text);
	if (!a->hits.n) {
		app_say(a, LEVEL_WARNING, "nothing is named %s%s", text, has_capital(text) ? "; small letters find capitals too" : "");
	} else {
		a->walk.on = false; /* n walks these now */
		app_next_hit(a, 1);
	}
}

/* Place in the order of the tree: devices of a module come after it. */
static uint64_t order_of(struct app *a, struct target t)
{
	uint32_t d = first_device_of(a, t);
	if (t.kind != TARGET_MODULE)
		return ((uint64_t)a->fabric->module[d] << 33) | (1ull << 32) | d;
	return (uint64_t)t.id << 33;
}

void app_show_found(struct app *a, struct target t)
{
	reveal(a, t);
	app_go(a, t);
	if (a->view->refuses(a->fabric))
		return;
	/* What was found stands alone, not in a folded run; where single modules open, all others stay as they are. */
	if (!a->view->opens)
		modules_under(a, &a->unfolded);
	for (uint32_t m = app_cursor_module(a); a->view->opens && m != NONE; m = a->fabric->modules.at[m].parent)
		idset_add(&a->unfolded, m);
}

void app_next_hit(struct app *a, int step)
{
	if (differences_walk(a, step))
		return;
	uint64_t here = order_of(a, a->cursor);
	size_t best = SIZE_MAX, wrap = SIZE_MAX;
	const struct texts *before = &a->history[1];
	if (!a->hits.n && before->n && a->generation != a->searched) { /* of an earlier session, or another fabric */
		app_search(a, before->at[before->n - 1]);
		return;
	}
	if (!a->hits.n) {
		app_say(a, LEVEL_NOTE, a->searched == a->generation ? "nothing was found; / searches again" : "nothing was searched for; / searches");
		return;
	}
	for (size_t i = 0; i < a->hits.n; i++) {
		uint64_t x = order_of(a, a->hits.at[i]);
		bool ahead = step > 0 ? x > here : x < here;
		size_t *slot = ahead ? &best : &wrap;
		bool nearer = *slot == SIZE_MAX || (step > 0 ? x < order_of(a, a->hits.at[*slot])
							      : x > order_of(a, a->hits.at[*slot]));
		if (nearer)
			*slot = i;
	}
	app_show_found(a, a->hits.at[best != SIZE_MAX ? best : wrap]);
	app_say_count(a, "", a->hits.n, "", "", best == SIZE_MAX ? " found, from the other end again" : " found; n next, N previous");
}
