/* Nothing that is written stands on something else that is, at any size, whatever the names. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "fabrics.h"
#include "toponaut/view.h"

static name_id named(struct fabric *f, const char *text)
{
	return fabric_name(f, text, strlen(text));
}

/* Racks, trays and devices with wide names, combining marks and very long ones that differ in their middle. */
static struct fabric *made_strange(void)
{
	static const char *const racks[] = {"機架一號", "re\xcc\x81seau-de-calcul", "dcx11-0101-0901-01ib1-A", "dcx11-0101-0906-01ib1-A"};
	struct fabric *f = fabric_new("奇妙な名前");
	uint32_t gpu = made_type(f, "加速器", CLASS_GPU), chip = made_type(f, "スイッチ交換機", CLASS_SWITCH);
	uint32_t spine = made_type(f, "e\xcc\x81pine-avec-un-nom-tre\xcc\x80s-long", CLASS_SWITCH);
	uint32_t link = made_kind(f, "リンク", USE_FABRIC, 400000000000);
	uint32_t tops[3];
	for (unsigned i = 0; i < 3; i++)
		tops[i] = fabric_add_device(f, spine, 0, made_name(f, "脊", i), 0, NULL);
	for (unsigned r = 0; r < 4; r++) {
		uint32_t rack = made_module(f, 0, named(f, racks[r]), MODULE_RACK, r < 2 ? "架" : "director", NONE);
		uint32_t leaf = fabric_add_device(f, chip, rack, named(f, "葉"), 0, NULL);
		for (unsigned i = 0; i < 3; i++)
			made_trunk(f, leaf, tops[i], link, 2);
		for (unsigned t = 0; t < 6 + r; t++) {
			uint32_t tray = made_module(f, rack, made_name(f, r % 2 ? "トレイ" : "a\xcc\x88", t), MODULE_TRAY, "tray", t + 1);
			for (unsigned g = 0; g < 4; g++)
				made_trunk(f, leaf, fabric_add_device(f, gpu, tray, made_name(f, "演算", g), 0, NULL), link, 1);
		}
	}
	return made(f);
}

/* Groups of switches, each linked to some of every other: a dragonfly, on more groups than one circle takes. */
static struct fabric *made_groups(unsigned groups)
{
	struct fabric *f = fabric_new("made-groups");
	uint32_t host = made_type(f, "host", CLASS_HOST), router = made_type(f, "router", CLASS_SWITCH);
	uint32_t link = made_kind(f, "sling", USE_FABRIC, 200000000000);
	uint32_t *first = mem_array(groups, sizeof *first);
	for (unsigned g = 0; g < groups; g++) {
		uint32_t module = made_module(f, 0, made_name(f, g % 3 ? "group" : "a-group-of-long-name", g), MODULE_GROUP, "group", NONE);
		for (unsigned r = 0; r < 2; r++) {
			uint32_t d = fabric_add_device(f, router, module, made_name(f, "r", r), 0, NULL);
			first[g] = r ? first[g] : d;
			made_trunk(f, d, fabric_add_device(f, host, module, made_name(f, "h", r), 0, NULL), link, 1);
		}
		made_trunk(f, first[g], first[g] + 2, link, 1);
	}
	for (unsigned i = 0; i < groups; i++)
		for (unsigned j = i + 1; j < groups; j++)
			made_trunk(f, first[i] + (j % 2) * 2, first[j] + (i % 2) * 2, link, 1 + (i + j) % 12);
	free(first);
	return made(f);
}

static struct fabric *overlap_fabric(int i)
{
	static const unsigned mesh[] = {1, 2, 3, 4}, torus[] = {1, 8, 64}, ring[] = {1};
	switch (i) {
	case 0:
		return made_strange();
	case 1:
		return made_nvl72(1);
	case 2:
		return made_nvl72(5);
	case 3:
		return made_leaf_spine(12, 9, 5);
	case 4:
		return made_circulant(8, mesh, ARRAY_LEN(mesh));
	case 5:
		return made_circulant(512, torus, ARRAY_LEN(torus));
	case 6:
		return made_groups(9);
	case 7:
		return made_groups(50);
	case 8:
		return made_circulant(16, ring, 1);
	default:
		return NULL;
	}
}
enum { OVERLAP_FABRICS = 9 };

/* A cut of every second device, as results mark it. */
static struct result made_cut(const struct fabric *f)
{
	struct result r = {0};
	struct result_mark side = {.name = "side", .set = idset_new(f->device_count)};
	struct result_mark cut = {.name = "cut", .on_trunks = true, .set = idset_new(f->trunk_count)};
	for (uint32_t d = 0; d < f->device_count; d += 2)
		idset_add(&side.set, d);
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (f->trunks[t].a % 2 != f->trunks[t].b % 2 && f->kinds.at[f->trunks[t].kind].use != USE_LOCAL)
			idset_add(&cut.set, t);
	vec_push(&r.marks, side);
	vec_push(&r.marks, cut);
	return r;
}

static void cut_free(struct result *r)
{
	for (size_t i = 0; i < r->marks.n; i++)
		idset_free(&r->marks.at[i].set);
	vec_free(&r->marks);
}

/* A wide character and its right half stand together. */
static bool whole(const struct canvas *c)
{
	for (int y = 0; y < c->rows; y++)
		for (int x = 0; x < c->cols; x++) {
			uint32_t code = canvas_at(c, x, y)->code;
			if (code == 0 && (x == 0 || utf8_width(canvas_at(c, x - 1, y)->code) != 2))
				return false;
			if (code != 0 && utf8_width(code) == 2 && (x + 1 == c->cols || canvas_at(c, x + 1, y)->code != 0))
				return false;
		}
	return true;
}

static void expect_apart(const struct scene *s, const struct view *v, int w, int h, bool ascii)
{
	struct canvas c = canvas_new(w, h, ascii);
	view_draw(v, s, &c, RECT(0, 0, w, h));
	if (c.overdrawn || !whole(&c)) {
		struct strbuf b = STRBUF_INIT;
		canvas_put_text(&c, &b);
		cr_expect(false, "%s of %s at %d×%d, colours by %s, zoom %d, cursor %d %u: %u cells of texts drawn over\n%s", v->name,
			s->fabric->source_name, w, h, color_mode_names[s->color], s->zoom, s->cursor.kind, s->cursor.id, c.overdrawn,
			strbuf_str(&b));
		strbuf_free(&b);
	}
	canvas_free(&c);
}

/* One size, with the scene that its number makes. */
static void overlap_at(struct scene *s, const struct view *v, const struct result *cut, int w, int h)
{
	unsigned n = (unsigned)(w * 81 + h);
	s->marks = n % 3 ? NULL : cut;
	s->color = (enum color_mode)(n % COLOR_MODE_COUNT);
	s->zoom = n % 5 == 0 ? 1 : n % 7 == 0 ? -1 : 0;
	s->cursor = n % 2 ? (struct target){TARGET_DEVICE, n % s->fabric->device_count}
			  : (struct target){TARGET_MODULE, n % (unsigned)s->fabric->modules.n};
	s->table.rows = (enum table_rows)(n % ROWS_KINDS);
	s->table.sort = n % 8;
	s->cells = (enum matrix_cells)(n % CELL_FLOW);
	expect_apart(s, v, w, h, n % 11 == 0);
}

static void overlap_sweep(struct fabric *f, const struct view *v, bool all)
{
	static const int terminals[][2] = {{20, 5}, {40, 10}, {80, 24}, {120, 40}, {160, 50}, {240, 80}};
	struct result cut = made_cut(f);
	struct scene s = scene_of(f);
	struct memo memo = {0};
	s.memo = &memo;
	for (size_t i = 0; i < ARRAY_LEN(terminals); i++)
		overlap_at(&s, v, &cut, terminals[i][0], terminals[i][1]);
	for (int w = 1; w <= 240; w += all ? 1 : w < 60 ? 7 : 29)
		for (int h = 1; h <= 80; h += all ? 1 : h < 12 ? 1 : 13)
			overlap_at(&s, v, &cut, w, h);
	memo_clear(&memo);
	cut_free(&cut);
	fabric_free(f);
}

Test(views, texts_never_overlap)
{
	bool all = getenv("ALL_SIZES") != NULL;
	for (int i = 0; i < OVERLAP_FABRICS; i++)
		for (size_t v = 0; v < view_count; v++)
			overlap_sweep(overlap_fabric(i), &views[v], all);
}

static bool shows_cursor(const struct canvas *c)
{
	for (int y = 0; y < c->rows; y++)
		for (int x = 0; x < c->cols; x++)
			if (canvas_at(c, x, y)->style.attr & (ATTR_REVERSE | ATTR_UNDERLINE))
				return true;
	return false;
}

/* Wherever the cursor goes, the picture goes with it. */
static void follow(struct fabric *f, const struct view *v, int w, int h)
{
	struct scene s = scene_of(f);
	struct memo memo = {0};
	struct rng r = rng_seed(11);
	s.memo = &memo;
	for (int i = 0; i < 60 && !v->refuses(f); i++) {
		s.cursor = v->move(&s, RECT(0, 0, w, h), (enum move)rng_below(&r, MOVE_PAGE_DOWN + 1));
		struct canvas c = canvas_new(w, h, false);
		view_draw(v, &s, &c, RECT(0, 0, w, h));
		if (!shows_cursor(&c)) {
			struct strbuf b = STRBUF_INIT;
			canvas_put_text(&c, &b);
			cr_expect(false, "%s of %s at %d×%d: cursor %d %u is not to be seen\n%s", v->name, f->source_name, w, h,
				  s.cursor.kind, s.cursor.id, strbuf_str(&b));
			strbuf_free(&b);
		}
		canvas_free(&c);
	}
	memo_clear(&memo);
	fabric_free(f);
}

Test(views, the_cursor_stays_in_sight)
{
	for (int i = 0; i < OVERLAP_FABRICS; i++)
		for (size_t v = 0; v < view_count; v++) {
			follow(overlap_fabric(i), &views[v], 150, 40);
			follow(overlap_fabric(i), &views[v], 60, 20);
			follow(overlap_fabric(i), &views[v], 34, 12);
		}
}
