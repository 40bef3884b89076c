/* Anything a person can do, in any order, at any size: the table of actions says what there is, so nothing is left out.
 * After each step what is seen and what is remembered must be whole.
 */
#include <dirent.h>

#include "app/app_internal.h"
#include "session.h"

/* Words for actions that take some; others are run without. */
static const struct {
	const char *action, *args[10];
} words[] = {
	{"select", {"@gpu", "~sw0", "tray0/gpu[1-2]", "%here", "@switch!sw1", "(", "nothing", "@type:g", "'tray0'"}},
	{"search", {"gpu", "GPU", "tray1/gpu2", "@gpu", "zzz", "é"}},
	{"near", {"1", "3", "0", "-1", "99999"}},
	{"name", {"it", "it", "two words", "@"}},
	{"alike", {"type", "rail", "plane", "tier", "class", "none"}},
	{"mark", {"a", "b", "'"}},
	{"jump", {"a", "b", "'", "zz"}},
	{"keep", {"tray0", "%sel", "("}},
	{"analyze", {"bisection blocking", "summary", "mincut tray0 tray1", "nothing", "paths sw0 tray1/gpu0"}},
	{"over", {"l", "none", "l,l"}},
	{"copy", {"result", "picture", "selection", "path", "none"}},
	{"fail", {"sw0", "tray0", "tray0/gpu0--sw1", "=1", "%here", "@it", "**", "sw0--tray0=1", "=0", "a--b"}},
	{"derate", {"50%", "sw1=25%", "tray0--sw0=10%", "0%", "200%", "%sel=50%"}},
	{"restore", {"sw0", "tray0/gpu[0-1]", "**", "tray0--sw1", "%here", "none"}},
	{"view", {"rack", "fabric", "graph", "matrix", "table", "package", "none"}},
	{"color", {"class", "side", "state", "tier", "load", "auto", "none"}},
	{"show", {"trunks", "devices", "ports", "links", "hops", "rate", "none"}},
	{"sort", {"links", "name", "free", "none"}},
	{"filter", {"gpu", "tray1", "zzz"}},
	{"columns", {"device,free", "a,b", "none"}},
	{"open", {"/no/such/file.yaml"}},
	{"set", {"trays=1", "trays=3", "trays=2", "trays=x", "none=1"}},
	{"theme", {"light", "mono", "safe", "none"}},
	{"bind", {"W select @gpu", "Z :undo", "W", "? quit me"}},
	{"command", {"sel", "fail sw"}},
};

static const char *word_for(const char *action, struct rng *r)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(words[i].action, action) == 0) {
			size_t n = 0;
			while (n < ARRAY_LEN(words[i].args) && words[i].args[n])
				n++;
			return words[i].args[rng_below(r, (uint32_t)n)];
		}
	return "";
}

/* These end the session, or the process' turn. */
static bool is_left_out(const struct action *x)
{
	return strcmp(x->name, "quit") == 0 || strcmp(x->name, "suspend") == 0;
}

static void settle(struct app *a)
{
	app_wait(a, -1);
	free(app_copied(a));
	(void)app_suspends(a);
	a->done = false; /* a typed Q */
}

static void random_key(struct app *a, struct rng *r)
{
	uint32_t key = rng_below(r, 3) ? ' ' + rng_below(r, 95) : rng_below(r, 2) ? rng_below(r, ' ') : KEY_SPECIAL + rng_below(r, KEY_SPECIAL_END - KEY_SPECIAL);
	app_key(a, key);
}

static void step(struct app *a, struct rng *r)
{
	static const int sizes[][2] = {{1, 1}, {20, 5}, {80, 24}, {100, 30}, {240, 80}, {3, 60}, {200, 2}, {0, 0}, {47, 13}};
	const struct action *x = &actions[rng_below(r, (uint32_t)action_count)];
	const int *size = sizes[rng_below(r, ARRAY_LEN(sizes))];
	int at_x = (int)rng_below(r, 110), at_y = (int)rng_below(r, 40);
	switch (rng_below(r, 12)) {
	case 0:
	case 1:
	case 2:
		random_key(a, r);
		break;
	case 3:
		app_resize(a, size[0], size[1]);
		break;
	case 4:
		app_pointer(a, (enum pointer)rng_below(r, POINTER_RELEASE + 1), at_x, at_y);
		break;
	case 5:
		app_paste(a, "select\t@gpu\n\033[201~é", 22);
		break;
	case 6:
		app_ask(a, &analyses[rng_below(r, (uint32_t)analysis_count)], "");
		break;
	default:
		if (!is_left_out(x))
			app_run_action(a, x, rng_below(r, 3) ? word_for(x->name, r) : "");
	}
	settle(a);
}

static bool is_seen(uint32_t code)
{
	return utf8_is_printable(code) || (code >= 0x2800 && code < 0x2900);
}

static void check_canvas(struct app *a)
{
	const struct fabric *f = a->fabric;
	const struct canvas *c = app_compose(a);
	const uint32_t limits[] = {[TARGET_MODULE] = (uint32_t)f->modules.n, [TARGET_DEVICE] = f->device_count,
				   [TARGET_TRUNK] = f->trunk_count, [TARGET_TAB] = (uint32_t)view_count,
				   [TARGET_ACTION] = (uint32_t)action_count, [TARGET_RESULT] = ANSWERS_MAX, [TARGET_PANE] = PANE_COUNT};
	for (int i = 0; i < c->cols * c->rows; i++) {
		const struct cell *cell = &c->cells[i];
		bool wide = i % c->cols > 0 && utf8_width(c->cells[i - 1].code) == 2;
		cr_assert_eq(cell->code == 0, wide, "half of a wide character at %d,%d", i % c->cols, i / c->cols);
		cr_assert(!cell->code || (is_seen(cell->code) && (!c->ascii || cell->code < 127)), "%x", cell->code);
		cr_assert(utf8_width(cell->code) < 2 || i % c->cols + 1 < c->cols);
		if (cell->hit.kind)
			cr_assert(cell->hit.id < limits[cell->hit.kind] || cell->hit.id == NONE, "kind %u id %u", cell->hit.kind, cell->hit.id);
	}
	struct canvas again = canvas_new(c->cols, c->rows, c->ascii);
	memcpy(again.cells, c->cells, (size_t)c->cols * (size_t)c->rows * sizeof *c->cells);
	app_compose(a);
	for (int i = 0; i < c->cols * c->rows; i++)
		cr_assert_eq(again.cells[i].code, c->cells[i].code, "another cell at %d,%d of %dx%d, page %d view %s", i % c->cols,
			     i / c->cols, c->cols, c->rows, (int)a->page, a->view->name);
	cr_assert(canvas_equal(&again, c), "another style the second time");
	canvas_free(&again);
}

static void check_model(struct app *a)
{
	const struct fabric *f = a->fabric;
	const struct idset *devices[] = {&a->selected, &a->found, &a->hidden};
	const struct idset *modules[] = {&a->folded, &a->unfolded};
	for (size_t i = 0; i < ARRAY_LEN(devices); i++)
		cr_assert_eq(devices[i]->size, f->device_count);
	for (size_t i = 0; i < ARRAY_LEN(modules); i++)
		cr_assert_eq(modules[i]->size, f->modules.n);
	cr_assert(a->cursor.kind == TARGET_DEVICE   ? a->cursor.id < f->device_count
		  : a->cursor.kind == TARGET_MODULE ? a->cursor.id < f->modules.n
						    : a->cursor.kind == TARGET_TRUNK && a->cursor.id < f->trunk_count);
	cr_assert(a->step < a->steps.n && a->answers.n <= ANSWERS_MAX && a->back <= a->answers.n);
	cr_assert(!a->view->refuses(f));
}

/* Back to the beginning and forth again is where it was; what is in force is what its words say. */
static void check_steps(struct app *a)
{
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct overlay now = overlay_copy(a->fabric, app_overlay(a)), spelt = overlay_copy(a->fabric, &a->steps.at[0].overlay);
	size_t at = a->step;
	struct diag d = {0};
	what_if_put(a, &before);
	if (!a->steps.at[0].changes.n)
		for (size_t i = 0; i < app_changes(a)->n; i++)
			cr_assert_eq(change_apply(a, &app_changes(a)->at[i], &d, &spelt), OK, "%s", app_changes(a)->at[i].text);
	cr_assert(overlays_equal(a->fabric, &now, &spelt), "%s", strbuf_str(&before));
	while (a->step > 0)
		app_undo(a, -1);
	while (a->step < at)
		app_undo(a, 1);
	what_if_put(a, &after);
	cr_assert_str_eq(strbuf_str(&before), strbuf_str(&after));
	cr_assert(overlays_equal(a->fabric, &now, app_overlay(a)));
	overlay_free(&now);
	overlay_free(&spelt);
	strbuf_free(&before);
	strbuf_free(&after);
	diag_free(&d);
}

static void empty(const char *folder)
{
	DIR *d = opendir(folder);
	for (struct dirent *e; d && (e = readdir(d));) {
		char *path = mem_printf("%s/%s", folder, e->d_name);
		unlink(path); /* what was exported and written */
		free(path);
	}
	closedir(d);
}

static void any_order(uint64_t seed, int steps)
{
	struct session s = session_start(two_trays);
	struct rng r = rng_seed(seed);
	cr_assert_eq(chdir(s.folder), 0);
	app_set_ascii(s.app, seed % 3 == 0);
	app_resize(s.app, 100, 30);
	for (int i = 0; i < steps; i++) {
		step(s.app, &r);
		check_canvas(s.app);
		check_model(s.app);
		if (i % 16 != 15)
			continue;
		check_steps(s.app);
		cr_assert_null(fabric_broken(s.app->fabric));
	}
	empty(s.folder);
	cr_assert_eq(chdir("/"), 0);
	session_end(&s);
}

Test(random, every_action_in_any_order)
{
	const char *many = getenv("SEEDS"), *first = getenv("FIRST_SEED"); /* to find the one that fails */
	uint64_t seeds = many ? strtoull(many, NULL, 10) : 6, from = first ? strtoull(first, NULL, 10) : 1;
	for (uint64_t seed = from; seed < from + seeds; seed++)
		any_order(seed, 250);
}

/* A typing error here would leave an action out. */
Test(random, words_are_for_actions_that_there_are)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		cr_assert_not_null(action_find(words[i].action), "%s", words[i].action);
	for (size_t i = 0; i < action_count; i++) {
		struct rng r = rng_seed(i);
		cr_assert(*actions[i].keys || *word_for(actions[i].name, &r) || strcmp(actions[i].name, "write") == 0,
			  "%s is run with neither key nor words", actions[i].name);
	}
}
