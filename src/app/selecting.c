/* selecting: what is under the cursor, what is selected, and selections that have names. */
#include "app/app_internal.h"

struct select_context app_context(struct app *a, const struct idset *here)
{
	return (struct select_context){.fabric = a->fabric, .here = here, .selected = &a->selected,
				       .names = a->names.at, .name_count = a->names.n};
}

/* Words that mean something in this session only. */
static bool names_session(const struct app *a, const char *text)
{
	bool found = strstr(text, "%here") || strstr(text, "%sel");
	for (size_t i = 0; i < a->names.n && !found; i++) {
		char *word = mem_printf("@%s", a->names.at[i].name);
		found = strstr(text, word) != NULL;
		free(word);
	}
	return found;
}

char *app_portable(struct app *a, const char *text)
{
	struct diag d = {0};
	struct strbuf b = STRBUF_INIT;
	struct idset out = {0}, here = {0};
	if (names_session(a, text)) {
		here = app_under(a);
		struct select_context c = app_context(a, &here);
		if (select_eval(&c, text, (struct mark){0}, &d, &out) == OK)
			select_put(a->fabric, &out, &b);
	}
	char *owned = mem_strdup(b.n ? strbuf_str(&b) : text);
	idset_free(&out);
	idset_free(&here);
	strbuf_free(&b);
	diag_free(&d);
	return owned;
}

struct idset app_under(struct app *a)
{
	struct idset out = idset_new(a->fabric->device_count);
	struct rect in[PANE_COUNT];
	app_layout(a, in);
	struct scene s = app_scene(a);
	/* A folded run is under the cursor of the canvas; the other panes show one thing. */
	if (a->focus == PANE_CANVAS && a->view && !a->view->refuses(a->fabric))
		a->view->under(&s, in[PANE_CANVAS], &out);
	if (!idset_is_empty(&out))
		return out;
	if (a->cursor.kind == TARGET_DEVICE || a->cursor.kind == TARGET_TRUNK)
		idset_add(&out, app_cursor_device(a));
	else if (a->cursor.kind == TARGET_MODULE)
		idset_add_range(&out, a->fabric->modules.at[a->cursor.id].first_device,
				a->fabric->modules.at[a->cursor.id].end_device);
	return out;
}

char *app_subject(struct app *a)
{
	struct strbuf b = STRBUF_INIT;
	if (a->cursor.kind == TARGET_TRUNK && a->focus == PANE_CANVAS) {
		device_path(a->fabric, a->fabric->trunks[a->cursor.id].a, &b);
		strbuf_puts(&b, "--");
		device_path(a->fabric, a->fabric->trunks[a->cursor.id].b, &b);
		char *trunk = mem_strdup(strbuf_str(&b));
		strbuf_free(&b);
		return trunk;
	}
	struct idset under = app_under(a), both = idset_copy(&under);
	idset_intersect(&both, &a->selected);
	bool selected = !idset_is_empty(&both);
	select_put(a->fabric, selected ? &a->selected : &under, &b);
	char *text = b.n ? mem_strdup(strbuf_str(&b)) : NULL;
	strbuf_free(&b);
	idset_free(&both);
	idset_free(&under);
	return text;
}

static void toggle_under(struct app *a)
{
	struct idset under = app_under(a), missing = idset_copy(&under);
	idset_subtract(&missing, &a->selected);
	if (idset_is_empty(&missing))
		idset_subtract(&a->selected, &under);
	else
		idset_union(&a->selected, &under);
	idset_free(&under);
	idset_free(&missing);
}

void app_select(struct app *a, const char *args)
{
	if (!*args) {
		toggle_under(a);
		return;
	}
	struct diag d = {0};
	struct idset out, here = app_under(a);
	struct select_context c = app_context(a, &here);
	if (select_eval(&c, args, (struct mark){0}, &d, &out) == OK) {
		idset_free(&a->selected);
		a->selected = idset_copy(&out);
		a->ranging = false;
	} else {
		app_say(a, LEVEL_ERROR, "%s%s%s", d.messages.n ? d.messages.at[0].text : "matches nothing",
			d.messages.n && d.messages.at[0].hint ? " · " : "",
			d.messages.n && d.messages.at[0].hint ? d.messages.at[0].hint : "");
	}
	idset_free(&out);
	idset_free(&here);
	diag_free(&d);
}

/* What was begun last is given up first. */
void app_clear(struct app *a)
{
	if (a->run || a->queue.n) {
		app_cancel(a);
	} else if (a->ranging) {
		a->ranging = false;
		idset_free(&a->selected);
		a->selected = idset_copy(&a->range_base);
	} else if (a->beside) {
		a->beside = 0;
	} else if (!idset_is_empty(&a->found)) {
		idset_free(&a->found);
		a->found = idset_new(a->fabric->device_count);
	} else if (!idset_is_empty(&a->selected)) {
		idset_free(&a->selected);
		a->selected = idset_new(a->fabric->device_count);
	} else {
		a->dismissed = true;
	}
}

void app_ask_search(struct app *a, const char *args)
{
	if (*args)
		app_search(a, args);
	else
		prompt_open(a, '/', "");
}

void app_keep(struct app *a, const char *args)
{
	struct strbuf b = STRBUF_INIT;
	if (*args)
		strbuf_puts(&b, args);
	else
		select_put(a->fabric, &a->selected, &b);
	if (!b.n) {
		app_say(a, LEVEL_NOTE, "select something first");
	} else {
		free(a->kept);
		a->kept = mem_strdup(strbuf_str(&b));
		app_say(a, LEVEL_NOTE, "A is %s", a->kept);
	}
	strbuf_free(&b);
}

/* As for groups of a file. */
static bool can_be_name(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
	bool good = !text[n] && !(*text >= '0' && *text <= '9') && *text != '-' && strcmp(text, "accel") != 0;
	for (int i = 0; i < CLASS_COUNT && good; i++)
		good = strcmp(class_names[i], text) != 0;
	return good;
}

/* Saves the selection under a name, or lists those that are saved. */
void app_name(struct app *a, const char *args)
{
	struct strbuf b = STRBUF_INIT;
	if (*args)
		select_put(a->fabric, &a->selected, &b);
	if (*args && !can_be_name(args)) {
		app_say(a, LEVEL_ERROR, "a name is letters, digits, - and _, and not that of a class of devices");
	} else if (*args && !b.n) {
		app_say(a, LEVEL_NOTE, "select something first");
	} else if (*args) {
		size_t i = 0;
		while (i < a->names.n && strcmp(a->names.at[i].name, args) != 0)
			i++;
		if (i == a->names.n)
			vec_push(&a->names, (struct named_selection){.name = mem_strdup(args)});
		free((char *)a->names.at[i].selection);
		a->names.at[i].selection = mem_strdup(strbuf_str(&b));
		app_say(a, LEVEL_NOTE, "@%s is %s", args, a->names.at[i].selection);
	} else {
		for (size_t i = 0; i < a->names.n; i++)
			strbuf_printf(&b, "@%s  %s\n", a->names.at[i].name, a->names.at[i].selection);
		page_open(a, PAGE_MESSAGE, mem_strdup(b.n ? strbuf_str(&b) : "no selection has a name; :name NAME gives it one\n"));
	}
	strbuf_free(&b);
}

/* Selects what is within some hops of the selection, or of what is under the cursor. */
void app_near(struct app *a, const char *args)
{
	const struct fabric *f = a->fabric;
	char *end = NULL;
	long hops = *args ? strtol(args, &end, 10) : 1;
	if (end && (*end || hops < 1)) {
		app_say(a, LEVEL_ERROR, "%s: how many hops, like :near 3?", args);
		return;
	}
	struct idset set = idset_is_empty(&a->selected) ? app_under(a) : idset_copy(&a->selected);
	for (; hops > 0; hops--) {
		struct idset edge = idset_copy(&set);
		idset_each(d, &edge)
			for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++)
				if (trunk_links(f, app_overlay(a), f->incident[i]) != 0)
					idset_add(&set, trunk_other(f, f->incident[i], d));
		bool grew = !idset_equal(&edge, &set);
		idset_free(&edge);
		if (!grew)
			break;
	}
	idset_free(&a->selected);
	a->selected = set;
	app_say_count(a, "", idset_count(&a->selected), " device; o shows only it", " devices; o shows only them", "");
}

void app_select_set(struct app *a, const struct idset *devices)
{
	idset_free(&a->selected);
	a->selected = idset_copy(devices);
	a->ranging = false;
}

/* ---- what is alike ---------------------------------------------------------------------------------------------- */

/* All devices that share a property with one; none where it has no such property. text says what it is. */
struct likeness {
	const char *name;
	bool (*find)(struct app *a, uint32_t module, uint32_t device, struct idset *out, struct strbuf *text);
};

static bool same_module(struct app *a, uint32_t module, struct idset *out, struct strbuf *text, bool by_type)
{
	const struct fabric *f = a->fabric;
	if (module == NONE)
		return false;
	const struct module *m = &f->modules.at[module];
	for (uint32_t i = 0; i < f->modules.n; i++)
		if (f->modules.at[i].kind == m->kind && (!by_type || f->modules.at[i].type == m->type))
			idset_add_range(out, f->modules.at[i].first_device, f->modules.at[i].end_device);
	strbuf_puts(text, by_type && m->type != NONE ? fabric_str(f, m->type) : module_kind_names[m->kind]);
	return true;
}

static bool alike_type(struct app *a, uint32_t module, uint32_t device, struct idset *out, struct strbuf *text)
{
	const struct fabric *f = a->fabric;
	if (device == NONE)
		return same_module(a, module, out, text, true);
	for (uint32_t d = 0; d < f->device_count; d++)
		if (f->type[d] == f->type[device])
			idset_add(out, d);
	strbuf_puts(text, fabric_str(f, f->types.at[f->type[device]].name));
	return true;
}

static bool alike_class(struct app *a, uint32_t module, uint32_t device, struct idset *out, struct strbuf *text)
{
	if (device == NONE)
		return same_module(a, module, out, text, false);
	enum device_class class = device_class(a->fabric, device);
	for (uint32_t d = 0; d < a->fabric->device_count; d++)
		if (device_class(a->fabric, d) == class)
			idset_add(out, d);
	strbuf_puts(text, class_names[class]);
	return true;
}

static bool alike_label(const struct fabric *f, const int32_t *labels, uint32_t device, struct idset *out, struct strbuf *text)
{
	if (device == NONE || !labels || labels[device] == NO_LABEL)
		return false;
	for (uint32_t d = 0; d < f->device_count; d++)
		if (labels[d] == labels[device])
			idset_add(out, d);
	strbuf_printf(text, "%d", labels[device]);
	return true;
}

static bool alike_rail(struct app *a, uint32_t module, uint32_t device, struct idset *out, struct strbuf *text)
{
	(void)module;
	return alike_label(a->fabric, a->fabric->rail, device, out, text);
}

static bool alike_plane(struct app *a, uint32_t module, uint32_t device, struct idset *out, struct strbuf *text)
{
	(void)module;
	return alike_label(a->fabric, a->fabric->plane, device, out, text);
}

static bool alike_tier(struct app *a, uint32_t module, uint32_t device, struct idset *out, struct strbuf *text)
{
	const struct result_mark *m = app_mark(a, "tier");
	(void)module;
	if (device == NONE || !m || m->on_trunks || !m->values || !idset_has(&m->set, device))
		return false;
	idset_each(d, &m->set)
		if (m->values[d] == m->values[device])
			idset_add(out, d);
	strbuf_printf(text, "%u", m->values[device]);
	return true;
}

static const struct likeness likenesses[] = {
	{"type", alike_type}, {"rail", alike_rail}, {"plane", alike_plane}, {"tier", alike_tier}, {"class", alike_class},
};

const char *app_likeness(unsigned i)
{
	return i < ARRAY_LEN(likenesses) ? likenesses[i].name : NULL;
}

static bool try_alike(struct app *a, unsigned at)
{
	const struct likeness *x = &likenesses[at];
	struct idset out = idset_new(a->fabric->device_count);
	struct strbuf text = STRBUF_INIT;
	bool is_module = a->cursor.kind == TARGET_MODULE;
	bool good = x->find(a, is_module ? a->cursor.id : NONE, is_module ? NONE : app_cursor_device(a), &out, &text) &&
		    !idset_is_empty(&out);
	if (good) {
		app_select_set(a, &out);
		char *before = mem_printf("same %s, %s: ", x->name, strbuf_str(&text));
		app_say_count(a, before, idset_count(&out), " device", " devices", "   * the next likeness");
		free(before);
	}
	idset_free(&out);
	strbuf_free(&text);
	return good;
}

/* The next likeness that there is, from the cursor on; another place begins anew. */
void app_alike(struct app *a, const char *args)
{
	const unsigned n = ARRAY_LEN(likenesses);
	uint32_t module = a->cursor.kind == TARGET_MODULE ? a->cursor.id : NONE, device = app_cursor_device(a);
	for (unsigned i = 0; *args && i < n; i++)
		if (strcmp(likenesses[i].name, args) == 0) {
			if (!try_alike(a, i))
				app_say(a, LEVEL_NOTE, strcmp(args, "tier") == 0 ? "tiers are not known yet; B asks for them"
										 : "this has no %s", args);
			return;
		}
	if (*args) {
		app_say(a, LEVEL_ERROR, "alike in what: type, rail, plane, tier or class?");
		return;
	}
	bool again = a->alike.module == module && a->alike.device == device && a->alike.at < n;
	unsigned from = again ? a->alike.at + 1 : 0;
	for (unsigned i = 0; i < n; i++)
		if (try_alike(a, (from + i) % n)) {
			a->alike.module = module;
			a->alike.device = device;
			a->alike.at = (from + i) % n;
			return;
		}
	app_say(a, LEVEL_NOTE, "nothing else is alike");
}
