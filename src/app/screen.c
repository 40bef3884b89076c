/* screen: the session as a canvas, and what a pointer on it means. */
#include "app/app_internal.h"

enum { SHOWN_MAX = 8 };

static struct layout layout_for(struct app *a, const struct scene *s, const struct running *r)
{
	size_t left, right;
	int want = a->fabric ? results_rows(s, r, a->canvas.cols - 2) : 0;
	if (!a->run && want && beside_pair(a, &left, &right)) {
		struct shown_result x = answer_show(a, left), y = answer_show(a, right);
		want = beside_rows(&x, &y, a->canvas.cols - 2);
	}
	int most = a->canvas.rows >= 40 ? 8 : a->canvas.rows >= 30 ? 7 : 5;
	return layout_of(a->canvas.cols, a->canvas.rows, a->focus, want > most ? most : want);
}

static struct rect inside_of(const struct layout *l, enum pane p)
{
	struct rect r = l->pane[p];
	return l->framed && r.w > 0 && r.h > 0 ? rect_inset(r, 1) : r;
}

/* Asked for while a scene is being made too (what is under the cursor), so it must not depend on one. */
struct layout app_layout(struct app *a, struct rect inside[PANE_COUNT])
{
	struct scene s = {.fabric = a->fabric};
	struct shown_result shown[SHOWN_MAX];
	struct running r = {.run = a->run, .title = a->run ? a->queue.at[0]->analysis->title : ""};
	s.results = shown;
	s.result_count = a->fabric && a->steps.n ? answers_shown(a, shown, SHOWN_MAX) : 0;
	struct layout l = layout_for(a, &s, &r);
	for (int p = 0; p < PANE_COUNT; p++)
		inside[p] = inside_of(&l, (enum pane)p);
	if (a->fabric && a->steps.n && beside_is_split(a, inside[PANE_CANVAS])) /* the cursor walks the right one */
		inside[PANE_CANVAS] = beside_half(inside[PANE_CANVAS], 1);
	return l;
}

/* ---- composing ---------------------------------------------------------------------------------------------- */

static void draw_pane(struct app *a, const struct layout *l, enum pane p, const char *title)
{
	if (l->framed && l->pane[p].w > 0 && l->pane[p].h > 0)
		frame_draw(&a->canvas, l->pane[p], title, a->focus == p);
	canvas_hit(&a->canvas, l->pane[p], TARGET_PANE, (uint32_t)p);
}

static void draw_canvas_pane(struct app *a, const struct scene *s, const struct layout *l, struct rect inside)
{
	draw_pane(a, l, PANE_CANVAS, "");
	if (l->framed && l->pane[PANE_CANVAS].w > 0)
		tabs_draw(&a->canvas, l->pane[PANE_CANVAS], a->view, a->fabric);
	struct rect whole = inside_of(l, PANE_CANVAS);
	if (beside_is_split(a, whole))
		beside_draw_pictures(a, s, whole);
	else
		view_draw(a->view, s, &a->canvas, inside);
	struct rect r = l->pane[PANE_CANVAS];
	if (l->framed && r.w > 20 && r.h > 4) {
		const struct style border = {a->focus == PANE_CANVAS ? ROLE_FOCUS : ROLE_BORDER, 0};
		int w = legend_draw(s, &a->canvas, r.x + 3, r.y + r.h - 1, r.w - 6);
		canvas_put(&a->canvas, r.x + 2, r.y + r.h - 1, border, ' ');
		for (int x = r.x + 3; x < r.x + 3 + w; x++) /* the border shows through between the pieces */
			if (canvas_at(&a->canvas, x, r.y + r.h - 1)->lines)
				canvas_put(&a->canvas, x, r.y + r.h - 1, border, ' ');
		canvas_put(&a->canvas, r.x + 3 + w, r.y + r.h - 1, border, ' ');
	}
}

static void draw_results(struct app *a, const struct scene *s, const struct running *r, struct rect area)
{
	size_t left, right;
	if (!a->run && beside_pair(a, &left, &right)) {
		struct shown_result x = answer_show(a, left), y = answer_show(a, right);
		beside_draw(&x, &y, &a->canvas, area);
	} else {
		results_draw(s, r, &a->canvas, area);
	}
}

static void status_put(struct app *a, struct strbuf *b)
{
	uint32_t selected = idset_count(&a->selected), gpus = 0, hidden = idset_count(&a->hidden);
	idset_each(d, &a->selected)
		gpus += device_class(a->fabric, d) == CLASS_GPU;
	if (a->ranging)
		strbuf_puts(b, "RANGE  ");
	if (selected) {
		strbuf_puts(b, "sel ");
		put_count(b, gpus ? gpus : selected);
		strbuf_puts(b, gpus ? " gpu" : "");
		if (gpus && gpus != selected) {
			strbuf_puts(b, " of ");
			put_count(b, selected);
		}
		strbuf_puts(b, "  ");
	}
	if (a->kept)
		strbuf_printf(b, "A %s  ", a->kept);
	if (hidden) {
		put_count(b, hidden);
		strbuf_puts(b, " hidden  ");
	}
	if (app_changes(a)->n)
		strbuf_printf(b, "what-if %zu  ", app_changes(a)->n);
	if (a->over)
		strbuf_printf(b, "over %s  ", a->over);
	while (b->n && b->text[b->n - 1] == ' ')
		strbuf_trim(b, b->n - 1);
}

/* The first of an action's keys. */
static struct footer_item footer_item(const char *keys, const char *word, uint32_t action)
{
	struct footer_item item = {.word = word, .action = action};
	size_t n = strcspn(keys, " ");
	memcpy(item.key, keys, n < sizeof item.key ? n : sizeof item.key - 1);
	return item;
}

/* 1 when the analysis has a key. */
static size_t footer_question(const struct analysis *x, struct footer_item *out)
{
	const char keys[2] = {x->key, 0};
	if (!x->key)
		return 0;
	*out = footer_item(keys, x->name, NONE);
	return 1;
}

static size_t footer_items(struct footer_item *out, size_t max)
{
	/* What a newcomer must find comes before what is merely handy: one question, the basics, more questions. */
	static const char *const order[] = {"select", "search", "fail", "command", "help", "quit", "explain", "undo"};
	size_t n = 0;
	size_t asked = 0;
	for (; asked < analysis_count && n < 1 && n < max; asked++)
		n += footer_question(&analyses[asked], &out[n]);
	for (size_t i = 0; i < ARRAY_LEN(order) && n < max; i++) {
		const struct action *x = action_find(order[i]);
		out[n++] = footer_item(x->keys, x->word, (uint32_t)(x - actions));
	}
	for (; asked < analysis_count && n < max; asked++)
		n += footer_question(&analyses[asked], &out[n]);
	return n;
}

static void draw_prompt(struct app *a, struct rect area)
{
	const struct prompt *p = &a->prompt;
	char lead[2] = {p->kind, 0};
	canvas_fill(&a->canvas, area, STYLE(ROLE_TEXT, 0));
	int x = canvas_text(&a->canvas, area.x, area.y, STYLE(ROLE_KEY, 0), lead);
	canvas_text_in(&a->canvas, area.x + x, area.y, area.w - x, STYLE(ROLE_TEXT, 0), strbuf_str(&p->text));
	int used = x + (int)text_width(strbuf_str(&p->text)) + 2;
	if (a->message && used < area.w - 10)
		canvas_text_right(&a->canvas, area.x + used, area.y, area.w - used, STYLE(ROLE_DIM, 0), a->message);
}

static void draw_footer(struct app *a, struct rect area)
{
	static const uint8_t roles[] = {[LEVEL_ERROR] = ROLE_ERROR, [LEVEL_WARNING] = ROLE_WARNING, [LEVEL_NOTE] = ROLE_STRONG};
	if (area.w < 1 || area.h < 1)
		return;
	if (a->prompt.kind) {
		draw_prompt(a, area);
	} else if (a->loading && !(a->message && a->message_level != LEVEL_NOTE)) {
		struct strbuf b = STRBUF_INIT;
		if (a->fabric)
			load_put(a, &b);
		strbuf_puts(&b, a->fabric ? " · Esc gives it up" : "Esc gives it up");
		canvas_fill(&a->canvas, area, STYLE(ROLE_TEXT, 0));
		canvas_text_in(&a->canvas, area.x + 1, area.y, area.w - 1, STYLE(ROLE_STRONG, 0), strbuf_str(&b));
		strbuf_free(&b);
	} else if (a->message) {
		canvas_fill(&a->canvas, area, STYLE(ROLE_TEXT, 0));
		canvas_text_in(&a->canvas, area.x + 1, area.y, area.w - 1, STYLE(roles[a->message_level], 0), a->message);
	} else {
		struct footer_item items[32];
		struct strbuf b = STRBUF_INIT;
		if (a->fabric)
			status_put(a, &b);
		footer_draw(items, footer_items(items, ARRAY_LEN(items)), strbuf_str(&b), &a->canvas, area);
		strbuf_free(&b);
	}
}

static const char *cursor_title(struct app *a)
{
	if (a->cursor.kind == TARGET_DEVICE)
		return device_name(a->fabric, a->cursor.id);
	if (a->cursor.kind == TARGET_TRUNK)
		return "trunk";
	const struct module *m = &a->fabric->modules.at[a->cursor.id];
	return m->name != NONE ? fabric_str(a->fabric, m->name) : "fabric";
}

static void compose_fabric(struct app *a)
{
	struct rect in[PANE_COUNT];
	struct shown_result shown[SHOWN_MAX];
	struct layout l = app_layout(a, in);
	struct scene s = app_scene(a);
	struct running r = {.run = a->run, .title = a->run ? a->queue.at[0]->analysis->title : ""};
	s.results = shown;
	s.result_count = answers_shown(a, shown, SHOWN_MAX);
	s.facts = app_facts(a);
	header_draw(&s, &a->canvas, l.header);
	if (l.pane[PANE_CANVAS].w > 0)
		draw_canvas_pane(a, &s, &l, in[PANE_CANVAS]);
	if (l.pane[PANE_TREE].w > 0) {
		draw_pane(a, &l, PANE_TREE, "modules");
		tree_draw(&s, &a->canvas, in[PANE_TREE]);
	}
	if (l.pane[PANE_INSPECTOR].w > 0) {
		draw_pane(a, &l, PANE_INSPECTOR, cursor_title(a));
		inspector_draw(&s, &a->canvas, in[PANE_INSPECTOR]);
	}
	if (l.pane[PANE_RESULTS].w > 0) {
		draw_pane(a, &l, PANE_RESULTS, "results");
		draw_results(a, &s, &r, in[PANE_RESULTS]);
	}
	draw_footer(a, l.footer);
	if (a->page)
		page_compose(a, RECT(0, l.header.h, a->canvas.cols, a->canvas.rows - l.header.h - l.footer.h));
}

/* Before anything is there. */
static void compose_empty(struct app *a)
{
	struct layout l = layout_of(a->canvas.cols, a->canvas.rows, PANE_CANVAS, 0);
	struct strbuf b = STRBUF_INIT;
	if (a->loading)
		load_put(a, &b);
	else
		strbuf_puts(&b, "nothing is open; :open FILE, Tab completes layouts");
	int w = (int)text_width(strbuf_str(&b)), x = w < a->canvas.cols ? (a->canvas.cols - w) / 2 : 1;
	int y = l.pane[PANE_CANVAS].y + l.pane[PANE_CANVAS].h / 2;
	canvas_text_in(&a->canvas, x, y, a->canvas.cols - x, STYLE(a->loading ? ROLE_STRONG : ROLE_DIM, 0), strbuf_str(&b));
	strbuf_free(&b);
	draw_footer(a, l.footer);
	if (a->page)
		page_compose(a, l.pane[PANE_CANVAS]);
}

const struct canvas *app_compose(struct app *a)
{
	canvas_clear(&a->canvas);
	if (a->fabric)
		compose_fabric(a);
	else
		compose_empty(a);
	return &a->canvas;
}

bool app_cursor(const struct app *a, int *x, int *y)
{
	if (!a->prompt.kind || a->canvas.rows < 1)
		return false;
	char *head = mem_strndup(strbuf_str(&a->prompt.text), a->prompt.at);
	*x = 1 + (int)text_width(head);
	*y = a->canvas.rows - 1;
	free(head);
	return *x < a->canvas.cols;
}

/* ---- driving ----------------------------------------------------------------------------------------------- */

void app_resize(struct app *a, int cols, int rows)
{
	canvas_resize(&a->canvas, cols, rows);
	a->changed = true;
}

void app_set_ascii(struct app *a, bool ascii)
{
	a->canvas.ascii = ascii;
	a->changed = true;
}

void app_key(struct app *a, uint32_t key)
{
	app_forget_message(a);
	a->changed = true;
	if (a->prompt.kind)
		prompt_key(a, key);
	else if (a->loading && (key == KEY_ESC_CODE || key == 3))
		load_cancel(a);
	else if (a->loading && !a->fabric && key != 'Q')
		vec_push(&a->early, key);
	else if (a->pending)
		place_key(a, key);
	else if (a->page)
		page_key(a, key);
	else
		app_press(a, key);
}

void app_paste(struct app *a, const char *text, size_t n)
{
	for (size_t used; a->prompt.kind && n > 0; text += used, n -= used) {
		uint32_t code = utf8_decode(text, n, &used);
		prompt_key(a, code == '\n' || code == '\r' || code == '\t' ? ' ' : code);
	}
	a->changed = true;
}

static void wheel(struct app *a, enum pointer p, int x, int y)
{
	struct rect in[PANE_COUNT];
	app_layout(a, in);
	if (a->page) {
		page_key(a, p == POINTER_WHEEL_UP ? KEY_UP_CODE : KEY_DOWN_CODE);
		return;
	}
	a->focus = rect_has(in[PANE_TREE], x, y) ? PANE_TREE : PANE_CANVAS;
	app_move(a, p == POINTER_WHEEL_UP ? MOVE_UP : MOVE_DOWN);
}

/* Which pane a click fell into gets the keys, except the results. */
static void focus_at(struct app *a, int x, int y)
{
	struct rect in[PANE_COUNT];
	struct layout l = app_layout(a, in);
	for (int p = 0; p < PANE_RESULTS; p++)
		if (rect_has(l.pane[p], x, y))
			a->focus = (enum pane)p;
}

static void click(struct app *a, struct hit hit, int x, int y, bool twice)
{
	switch ((enum target_kind)hit.kind) {
	case TARGET_DEVICE:
	case TARGET_MODULE:
	case TARGET_TRUNK:
		focus_at(a, x, y);
		app_go(a, (struct target){(enum target_kind)hit.kind, hit.id});
		a->drag.from = a->cursor;
		if (twice)
			app_enter(a);
		break;
	case TARGET_TAB:
		app_show_view(a, &views[hit.id]);
		break;
	case TARGET_ACTION:
		if (hit.id < action_count) {
			page_close(a);
			app_run_action(a, &actions[hit.id], "");
		}
		break;
	case TARGET_RESULT:
		a->back += a->back + hit.id < a->answers.n ? hit.id : 0;
		app_run_action(a, action_find("explain"), "");
		break;
	default:
		focus_at(a, x, y);
	}
}

/* From where the button went down to where it is now, as v would. */
static void drag(struct app *a, struct hit hit)
{
	struct target t = {(enum target_kind)hit.kind, hit.id}, from = a->drag.from;
	bool there = t.kind == TARGET_DEVICE || t.kind == TARGET_MODULE;
	if (a->page || !there || from.kind == TARGET_NONE)
		return;
	if (!a->drag.on && (t.kind != from.kind || t.id != from.id)) {
		a->drag.on = true;
		a->ranging = false;
		a->cursor = from;
		app_range(a);
	}
	if (!a->drag.on)
		return;
	app_go(a, t);
	app_say_count(a, "", idset_count(&a->selected), "", "", " selected");
}

static void release(struct app *a)
{
	a->drag.from = (struct target){TARGET_NONE, 0};
	if (!a->drag.on)
		return;
	a->drag.on = false;
	a->ranging = false;
	looks_note(a);
	a->changed = true;
}

void app_pointer(struct app *a, enum pointer p, int x, int y)
{
	if (p == POINTER_RELEASE || !a->fabric) {
		release(a);
		return;
	}
	if (p == POINTER_DRAG) {
		drag(a, canvas_hit_at(&a->canvas, x, y));
		return;
	}
	app_forget_message(a);
	a->pending = 0;
	a->changed = true;
	release(a);
	struct hit hit = canvas_hit_at(&a->canvas, x, y);
	if (p == POINTER_WHEEL_UP || p == POINTER_WHEEL_DOWN)
		wheel(a, p, x, y);
	else if (a->page && hit.kind != TARGET_ACTION)
		page_close(a);
	else
		click(a, hit, x, y, p == POINTER_DOUBLE);
}

size_t app_fds(const struct app *a, struct pollfd *out, size_t max)
{
	size_t n = 0;
	if (a->run && n < max)
		out[n++] = (struct pollfd){.fd = run_fd(a->run), .events = POLLIN};
	if (load_fd(a) >= 0 && n < max)
		out[n++] = (struct pollfd){.fd = load_fd(a), .events = POLLIN};
	if (a->watch_fd >= 0 && n < max)
		out[n++] = (struct pollfd){.fd = a->watch_fd, .events = POLLIN};
	return n;
}

void app_poll(struct app *a)
{
	if (a->run) {
		asking_poll(a);
		a->changed = true;
	}
	load_poll(a);
	a->stale = watch_poll(a) || a->stale;
	if (a->stale && !a->loading) {
		a->stale = false;
		app_reload(a);
	}
}

int app_timeout(const struct app *a)
{
	return !a->loading ? -1 : load_fd(a) < 0 ? 0 : 100;
}

bool app_changed(struct app *a)
{
	bool changed = a->changed;
	a->changed = false;
	return changed;
}

bool app_done(const struct app *a)
{
	return a->done;
}

bool app_mouse(const struct app *a)
{
	return !a->mouse_off;
}

int app_scheme(const struct app *a)
{
	return a->scheme;
}

bool app_suspends(struct app *a)
{
	bool suspends = a->suspends;
	a->suspends = false;
	return suspends;
}
