#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "fabrics.h"
#include "view/view_internal.h"

/* A fabric with half of its endpoints on one side of a made-up cut. */
struct stage {
	struct fabric *f;
	struct result result;
	struct overlay overlay;
	struct idset selected;
	struct scene scene;
};

static bool counts(const struct fabric *f, uint32_t t)
{
	return f->kinds.at[f->trunks[t].kind].use != USE_LOCAL;
}

static struct stage stage_of(struct fabric *f)
{
	struct stage s = {.f = f, .overlay = overlay_new(f), .selected = idset_new(f->device_count)};
	struct result_mark side = {.name = "side", .set = idset_new(f->device_count)};
	struct result_mark cut = {.name = "cut", .on_trunks = true, .set = idset_new(f->trunk_count)};
	for (uint32_t d = 0; d < f->device_count; d += 2)
		if (device_class(f, d) != CLASS_CPU)
			idset_add(&side.set, d);
	for (uint32_t t = 0; t < f->trunk_count; t++)
		if (counts(f, t) && idset_has(&side.set, f->trunks[t].a) != idset_has(&side.set, f->trunks[t].b))
			idset_add(&cut.set, t);
	vec_push(&s.result.marks, side);
	vec_push(&s.result.marks, cut);
	idset_add_range(&s.selected, 1, f->device_count < 6 ? f->device_count : 6);
	s.scene = scene_of(f);
	return s;
}

static void stage_free(struct stage *s)
{
	for (size_t i = 0; i < s->result.marks.n; i++)
		idset_free(&s->result.marks.at[i].set);
	vec_free(&s->result.marks);
	overlay_free(&s->overlay);
	idset_free(&s->selected);
	fabric_free(s->f);
}

static struct fabric *fabric_number(int i)
{
	static const unsigned ring[] = {1}, mesh[] = {1, 2, 3, 4}, torus[] = {1, 8, 64};
	switch (i) {
	case 0:
		return made_nvl72(1);
	case 1:
		return made_nvl72(3);
	case 2:
		return made_leaf_spine(9, 8, 4);
	case 3:
		return made_circulant(8, mesh, ARRAY_LEN(mesh));
	case 4:
		return made_circulant(512, torus, ARRAY_LEN(torus));
	case 5:
		return made_circulant(2, ring, 1);
	case 6:
		return made_circulant(1, ring, 0);
	default:
		return NULL;
	}
}

/* Draws into the middle of a larger canvas and sees that nothing left the area. */
static void expect_inside(const struct scene *s, const struct view *v, struct rect area, bool ascii)
{
	struct canvas c = canvas_new(area.w + 6, area.h + 4, ascii);
	canvas_fill(&c, RECT(0, 0, c.cols, c.rows), STYLE(ROLE_OTHER, 0));
	view_draw(v, s, &c, area);
	for (int y = 0; y < c.rows; y++)
		for (int x = 0; x < c.cols; x++) {
			const struct cell *cell = canvas_at(&c, x, y);
			bool touched = cell->code != ' ' || cell->style.role != ROLE_OTHER || cell->hit.kind;
			cr_assert(!touched || rect_has(area, x, y), "%s drew outside of %d×%d", v->name, area.w, area.h);
			cr_assert(cell->hit.kind != TARGET_DEVICE || cell->hit.id < s->fabric->device_count);
			cr_assert(cell->hit.kind != TARGET_MODULE || cell->hit.id < s->fabric->modules.n);
		}
	canvas_free(&c);
}

static void sweep(struct fabric *f)
{
	struct stage st = stage_of(f);
	for (size_t v = 0; v < view_count; v++)
		for (int w = 1; w <= 300; w += w < 40 ? 3 : w < 150 ? 11 : 50)
			for (int h = 1; h <= 100; h += h < 12 ? 1 : h < 50 ? 7 : 25) {
				st.scene.marks = (w + h) % 2 ? &st.result : NULL;
				st.scene.selected = (w + h) % 3 ? &st.selected : NULL;
				st.scene.zoom = (w + h) % 5 == 0 ? 1 : (w + h) % 7 == 0 ? -1 : 0;
				st.scene.cursor = (struct target){w % 2 ? TARGET_DEVICE : TARGET_MODULE,
								  w % 2 ? (uint32_t)(w * h) % f->device_count
									: (uint32_t)(w * h) % (uint32_t)f->modules.n};
				expect_inside(&st.scene, &views[v], RECT(2, 1, w, h), h % 2);
			}
	stage_free(&st);
}

Test(views, every_size_stays_inside)
{
	for (int i = 0; i < 7; i++)
		sweep(fabric_number(i));
}

/* From any place every move ends on something that exists, and the first move and the last one come back. */
static void walk(struct fabric *f, const struct view *v, int w, int h)
{
	struct stage st = stage_of(f);
	struct rng r = rng_seed(5);
	for (int i = 0; i < 300 && !v->refuses(f); i++) {
		enum move m = (enum move)rng_below(&r, MOVE_PAGE_DOWN + 1);
		struct target t = v->move(&st.scene, RECT(0, 0, w, h), m);
		cr_assert(t.kind == TARGET_DEVICE ? t.id < f->device_count
						  : t.kind == TARGET_MODULE && t.id < f->modules.n);
		st.scene.cursor = t;
		struct idset under = idset_new(f->device_count);
		v->under(&st.scene, RECT(0, 0, w, h), &under);
		idset_free(&under);
	}
	stage_free(&st);
}

Test(views, moving_never_leaves_the_fabric)
{
	for (int i = 0; i < 7; i++)
		for (size_t v = 0; v < view_count; v++) {
			walk(fabric_number(i), &views[v], 100, 30);
			walk(fabric_number(i), &views[v], 20, 4);
			walk(fabric_number(i), &views[v], 1, 1);
		}
}

/* Down from the first line visits every tray once where nothing is folded. */
Test(views, rack_down_visits_every_tray)
{
	struct stage st = stage_of(made_nvl72(1));
	struct rect area = {0, 0, 100, 40};
	const struct view *rack = view_find("rack");
	st.scene.cursor = rack->move(&st.scene, area, MOVE_FIRST);
	unsigned trays = 1;
	for (;;) {
		struct target next = rack->move(&st.scene, area, MOVE_DOWN);
		if (next.id == st.scene.cursor.id)
			break;
		cr_assert_eq(next.kind, TARGET_MODULE);
		uint32_t above = st.f->modules.at[st.scene.cursor.id].place.unit;
		cr_assert_lt(st.f->modules.at[next.id].place.unit, above);
		st.scene.cursor = next;
		trays++;
	}
	cr_assert_eq(trays, 27);
	stage_free(&st);
}

/* The numbers on the bundles add up to all links twice (each is seen from both of its trays), folded or not. */
static unsigned bundle_sum(struct canvas *c)
{
	struct strbuf b = STRBUF_INIT;
	unsigned sum = 0;
	canvas_put_text(c, &b);
	for (char *line = b.text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		char *at = strstr(line, "├─"), *end = strchr(line, '\n');
		if (!at || at > end)
			continue;
		at += strlen("├");
		while (*at && (*at < '0' || *at > '9'))
			at++;
		unsigned n = 0;
		for (; (*at >= '0' && *at <= '9') || *at == ','; at++)
			n = *at == ',' ? n : n * 10 + (unsigned)(*at - '0');
		sum += n;
	}
	strbuf_free(&b);
	return sum;
}

Test(views, rack_counts_every_link)
{
	struct stage st = stage_of(made_nvl72(1));
	for (int h = 8; h < 44; h++) {
		struct canvas c = canvas_new(78, h, false);
		view_draw(view_find("rack"), &st.scene, &c, RECT(0, 0, 78, h));
		cr_assert_eq(bundle_sum(&c), 2 * 1296, "%d rows", h);
		canvas_free(&c);
	}
	stage_free(&st);
}

Test(views, a_failed_switch_shows_everywhere)
{
	struct stage st = stage_of(made_nvl72(1));
	uint32_t chip = 0;
	while (device_class(st.f, chip) != CLASS_SWITCH)
		chip++;
	overlay_fail_device(st.f, &st.overlay, chip);
	st.scene.overlay = &st.overlay;
	struct canvas c = canvas_new(78, 40, false);
	view_draw(view_find("rack"), &st.scene, &c, RECT(0, 0, 78, 40));
	cr_assert_eq(bundle_sum(&c), 2 * (1296 - 72));
	cr_assert_eq(device_glyph(&st.scene, chip), 0x2717);
	canvas_free(&c);
	stage_free(&st);
}

/* Three looks where a cut is of a part: either side, and neither. */
Test(views, what_was_not_asked_about_is_on_no_side)
{
	struct stage st = stage_of(made_nvl72(1));
	struct idset asked = idset_new(st.f->device_count);
	idset_add_range(&asked, 0, 6);
	st.scene.marks = &st.result;
	st.scene.asked = &asked;
	cr_assert_eq(device_side(&st.scene, 0), 'A');
	cr_assert_eq(device_side(&st.scene, 1), 'B');
	cr_assert_eq(device_side(&st.scene, 6), 0);
	cr_assert(device_glyph(&st.scene, 6) != device_glyph(&st.scene, 0));
	cr_assert(device_glyph(&st.scene, 6) != device_glyph(&st.scene, 1));
	idset_free(&asked);
	stage_free(&st);
}

/* The same scene, the same picture; hiding a device moves nothing but its own cell. */
Test(views, stable)
{
	struct stage st = stage_of(made_nvl72(1));
	struct canvas a = canvas_new(90, 36, false), b = canvas_new(90, 36, false);
	view_draw(view_find("rack"), &st.scene, &a, RECT(0, 0, 90, 36));
	view_draw(view_find("rack"), &st.scene, &b, RECT(0, 0, 90, 36));
	cr_assert(canvas_equal(&a, &b));
	st.scene.selected = &st.selected;
	canvas_clear(&b);
	view_draw(view_find("rack"), &st.scene, &b, RECT(0, 0, 90, 36));
	for (int i = 0; i < 90 * 36; i++)
		cr_assert(a.cells[i].hit.kind == b.cells[i].hit.kind && a.cells[i].hit.id == b.cells[i].hit.id);
	canvas_free(&a);
	canvas_free(&b);
	stage_free(&st);
}

Test(views, structure_chooses_the_first_view)
{
	struct fabric *rack = made_nvl72(1), *net = made_leaf_spine(3, 2, 2);
	cr_assert_str_eq(view_default(rack)->name, "rack");
	cr_assert_str_eq(view_default(net)->name, "fabric");
	cr_assert(view_find("rack")->refuses(net) != NULL);
	cr_assert(view_find("nothing") == NULL);
	fabric_free(rack);
	fabric_free(net);
}

Test(views, one_picture)
{
	for (int i = 0; i < 7; i++) {
		struct stage st = stage_of(fabric_number(i));
		int cols, rows;
		st.scene.marks = &st.result;
		picture_size(view_default(st.f), &st.scene, &cols, &rows);
		cr_assert(cols >= 1 && rows >= 1 && rows < 2000);
		struct canvas c = canvas_new(cols, rows, false);
		picture_draw(view_default(st.f), &st.scene, &c);
		canvas_free(&c);
		stage_free(&st);
	}
}

static struct scene *panes_scene(struct stage *st, int i)
{
	uint32_t n = (uint32_t)i * 7;
	st->scene.cursor = i % 2 ? (struct target){TARGET_DEVICE, n % st->f->device_count}
				 : (struct target){TARGET_MODULE, n % (uint32_t)st->f->modules.n};
	return &st->scene;
}

Test(views, panes_stay_inside)
{
	for (int i = 0; i < 7; i++) {
		struct stage st = stage_of(fabric_number(i));
		for (int w = 1; w < 60; w += 4)
			for (int h = 1; h < 30; h += 3) {
				struct canvas c = canvas_new(w + 4, h + 4, false);
				struct scene *s = panes_scene(&st, w + h);
				struct rect area = {2, 2, w, h};
				tree_draw(s, &c, area);
				inspector_draw(s, &c, area);
				for (int m = MOVE_LEFT; m <= MOVE_PAGE_DOWN; m++)
					tree_move(s, area, (enum move)m);
				for (int y = 0; y < c.rows; y++)
					for (int x = 0; x < c.cols; x++)
						cr_assert(rect_has(area, x, y) || canvas_at(&c, x, y)->code == ' ');
				canvas_free(&c);
			}
		stage_free(&st);
	}
}

/* Numbers behind words on a canvas: "1,296 nvlink5", summed over all places where `word` follows. */
static uint64_t numbers_before(const struct canvas *c, const char *word)
{
	struct strbuf b = STRBUF_INIT;
	uint64_t sum = 0;
	canvas_put_text(c, &b);
	for (const char *at = strbuf_str(&b); (at = strstr(at, word)); at++) {
		const char *from = at;
		while (from > b.text && ((from[-1] >= '0' && from[-1] <= '9') || from[-1] == ','))
			from--;
		uint64_t n = 0;
		for (; from < at; from++)
			n = *from == ',' ? n : n * 10 + (uint64_t)(*from - '0');
		sum += n;
	}
	strbuf_free(&b);
	return sum;
}

/* Every link is in one number of the fabric view: as bundles of its kind, or in what is said not to be drawn. */
Test(views, fabric_counts_every_link)
{
	for (int zoom = -1; zoom <= 1; zoom++) {
		struct stage st = stage_of(made_leaf_spine(9, 8, 4));
		struct canvas c = canvas_new(190, 60, false);
		st.scene.zoom = zoom;
		view_draw(view_find("fabric"), &st.scene, &c, RECT(0, 0, 190, 60));
		cr_assert_eq(numbers_before(&c, " eth"), 9 * 8 + 9 * 4);
		cr_assert_eq(numbers_before(&c, " links between tiers"), 9 * 8 + 9 * 4);
		canvas_free(&c);
		stage_free(&st);
	}
}

/* The last line of the table adds up its rows: links once among trunks, at both ends among devices, what a what-if
 * takes away and what a filter leaves out not at all. */
Test(views, table_sums_are_those_of_the_model)
{
	struct stage st = stage_of(made_leaf_spine(9, 8, 4));
	struct memo memo = {0};
	struct canvas c = canvas_new(150, 12, false);
	const struct { enum table_rows rows; const char *filter; bool fails; uint64_t links; const char *word, *rate; } cases[] = {
		{ROWS_TRUNKS, NULL, false, 108, " links ·", "5.4 TB/s one"},
		{ROWS_TRUNKS, NULL, true, 96, " links ·", "4.8 TB/s one"},   /* a leaf with 8 hosts and 4 spines */
		{ROWS_TRUNKS, "spine0", false, 9, " links ·", "450 GB/s one"},
		{ROWS_DEVICES, NULL, false, 216, " ends of links", "10.8 TB/s out"},
		{ROWS_DEVICES, NULL, true, 192, " ends of links", "9.6 TB/s out"},
		{ROWS_DEVICES, "spine", false, 36, " ends of links", "1.8 TB/s out"},
	};
	st.scene.memo = &memo;
	st.scene.overlay = &st.overlay;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		overlay_free(&st.overlay);
		st.overlay = overlay_new(st.f);
		if (cases[i].fails)
			overlay_fail_device(st.f, &st.overlay, 4);
		st.scene.table = (struct table_state){.rows = cases[i].rows, .filter = cases[i].filter};
		canvas_clear(&c);
		view_draw(view_find("table"), &st.scene, &c, RECT(0, 0, 150, 12));
		struct strbuf b = STRBUF_INIT;
		canvas_put_text(&c, &b);
		cr_expect_eq(numbers_before(&c, cases[i].word), cases[i].links, "case %zu", i);
		cr_expect(strstr(strbuf_str(&b), cases[i].rate), "case %zu: no %s in\n%s", i, cases[i].rate, strbuf_str(&b));
		strbuf_free(&b);
	}
	canvas_free(&c);
	memo_clear(&memo);
	stage_free(&st);
}

/* A picture from what was kept is the picture made anew, whatever changed in between. */
Test(views, what_is_kept_is_never_stale)
{
	for (int i = 0; i < 5; i++) {
		struct stage st = stage_of(fabric_number(i));
		struct memo memo = {0};
		struct rng r = rng_seed(7);
		struct idset hidden = idset_new(st.f->device_count), unfolded = idset_new((uint32_t)st.f->modules.n);
		st.scene.hidden = &hidden;
		st.scene.unfolded = &unfolded;
		st.scene.overlay = &st.overlay;
		for (int step = 0; step < 40; step++) {
			uint32_t d = (uint32_t)rng_below(&r, st.f->device_count);
			switch (rng_below(&r, 5)) {
			case 0:
				idset_add(&hidden, d);
				break;
			case 1:
				overlay_fail_device(st.f, &st.overlay, d);
				break;
			case 2:
				idset_add(&unfolded, st.f->module[d]);
				break;
			case 3:
				st.scene.marks = st.scene.marks ? NULL : &st.result;
				break;
			default:
				st.scene.cursor = (struct target){TARGET_DEVICE, d};
			}
			for (size_t v = 0; v < view_count; v++) {
				struct canvas a = canvas_new(90, 30, false), b = canvas_new(90, 30, false);
				st.scene.memo = &memo;
				view_draw(&views[v], &st.scene, &a, RECT(0, 0, 90, 30));
				st.scene.memo = NULL;
				view_draw(&views[v], &st.scene, &b, RECT(0, 0, 90, 30));
				cr_assert(canvas_equal(&a, &b), "%s, step %d", views[v].name, step);
				canvas_free(&a);
				canvas_free(&b);
			}
		}
		memo_clear(&memo);
		idset_free(&hidden);
		idset_free(&unfolded);
		stage_free(&st);
	}
}

/* Cells, rows and the rest of the matrix add up to all links, folded or not. */
Test(views, matrix_counts_every_link)
{
	for (int i = 0; i < 5; i++)
		for (int zoom = 0; zoom <= 1; zoom++) {
			struct stage st = stage_of(fabric_number(i));
			struct canvas c = canvas_new(160, 40, false);
			uint64_t links = 0;
			for (uint32_t t = 0; t < st.f->trunk_count; t++)
				links += counts(st.f, t) ? st.f->trunks[t].count : 0;
			st.scene.zoom = zoom;
			view_draw(view_find("matrix"), &st.scene, &c, RECT(0, 0, 160, 40));
			cr_assert_eq(numbers_before(&c, " links between rows") + numbers_before(&c, " inside") +
					     numbers_before(&c, " elsewhere"),
				     links, "fabric %d, zoom %d", i, zoom);
			canvas_free(&c);
			stage_free(&st);
		}
}

/* Four dies that touch and four that do not, on a substrate of 60 × 40 mm. */
static struct fabric *made_package(void)
{
	struct fabric *f = fabric_new("made-package");
	struct module m = module_default();
	struct device_type t = device_type_default();
	m.name = fabric_name(f, "package", 7);
	m.parent = 0;
	m.kind = MODULE_PACKAGE;
	m.width_um = 60000;
	m.height_um = 40000;
	uint32_t package = fabric_add_module(f, &m), dies[8];
	t.name = fabric_name(f, "die", 3);
	t.class = CLASS_DIE;
	t.width_um = t.height_um = 13000;
	uint32_t type = fabric_add_type(f, &t), d2d = made_kind(f, "d2d", USE_FABRIC, 8000000000000);
	for (unsigned i = 0; i < 8; i++) {
		struct place p = {.unit = NONE, .x_um = 1000 + (i % 4) * (i < 4 ? 13000 : 14500), .y_um = i < 4 ? 2000 : 25000};
		dies[i] = fabric_add_device(f, type, package, made_name(f, "die", i), 0, &p);
	}
	for (unsigned i = 0; i + 1 < 8; i++)
		made_trunk(f, dies[i], dies[i + 1], d2d, 2);
	return made(f);
}

/* At any size no die reaches into another one: the cells that answer for a die lie within a rectangle of its own. */
Test(views, dies_never_overlap)
{
	struct stage st = stage_of(made_package());
	for (int w = 1; w <= 300; w += 7)
		for (int h = 1; h <= 100; h += 3) {
			struct canvas c = canvas_new(w, h, false);
			struct rect box[8] = {0};
			view_draw(view_find("package"), &st.scene, &c, RECT(0, 0, w, h));
			for (int y = 0; y < h; y++)
				for (int x = 0; x < w; x++) {
					struct hit hit = canvas_hit_at(&c, x, y);
					if (hit.kind != TARGET_DEVICE)
						continue;
					struct rect *r = &box[hit.id];
					if (!r->w)
						*r = RECT(x, y, 1, 1);
					int x0 = r->x < x ? r->x : x, y0 = r->y < y ? r->y : y;
					r->w = (r->x + r->w > x + 1 ? r->x + r->w : x + 1) - x0;
					r->h = (r->y + r->h > y + 1 ? r->y + r->h : y + 1) - y0;
					r->x = x0;
					r->y = y0;
				}
			for (int a = 0; a < 8; a++)
				for (int b = 0; b < a; b++)
					cr_assert(!box[a].w || !box[b].w || rect_intersect(box[a], box[b]).w == 0, "%d×%d", w, h);
			canvas_free(&c);
		}
	expect_inside(&st.scene, view_find("package"), RECT(2, 1, 60, 20), false);
	cr_assert_str_eq(view_default(st.f)->name, "package");
	stage_free(&st);
}

/* One socket with two GPUs below one PCIe switch, one below the next switch of the same tree and one at a root port; a GPU
 * at the other die of the same package, one at another socket. The letters are those node-tool users know. */
Test(views, matrix_knows_pcie)
{
	struct fabric *f = fabric_new("made-pcie");
	struct module m = module_default();
	uint32_t cpu = made_type(f, "cpu", CLASS_CPU), io = made_type(f, "bridge", CLASS_IO), gpu = made_type(f, "gpu", CLASS_GPU);
	uint32_t pcie = made_kind(f, "pcie", USE_LOCAL, 256000000000), package[2], cpus[3], bridge[3], gpus[6];
	m.kind = MODULE_PACKAGE;
	m.parent = 0;
	for (unsigned i = 0; i < 2; i++) {
		m.name = made_name(f, "socket", i);
		package[i] = fabric_add_module(f, &m);
		for (unsigned c = i ? 2 : 0; c < (i ? 3 : 2); c++)
			cpus[c] = fabric_add_device(f, cpu, package[i], made_name(f, "cpu", c), 0, NULL);
	}
	for (unsigned i = 0; i < 3; i++)
		bridge[i] = fabric_add_device(f, io, 0, made_name(f, "bridge", i), 0, NULL);
	for (unsigned i = 0; i < 6; i++)
		gpus[i] = fabric_add_device(f, gpu, 0, made_name(f, "gpu", i), 0, NULL);
	const uint32_t pairs[][2] = {{cpus[0], bridge[0]}, {bridge[0], bridge[1]}, {bridge[0], bridge[2]}, {bridge[1], gpus[0]},
				     {bridge[1], gpus[1]}, {bridge[2], gpus[2]},   {cpus[0], gpus[3]},     {cpus[1], gpus[4]},
				     {cpus[2], gpus[5]},   {cpus[0], cpus[1]},     {cpus[0], cpus[2]},     {cpus[1], cpus[2]}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		made_trunk(f, pairs[i][0], pairs[i][1], pcie, 1);
	struct stage st = stage_of(made(f));
	struct canvas c = canvas_new(100, 20, false);
	struct strbuf b = STRBUF_INIT;
	view_draw(view_find("matrix"), &st.scene, &c, RECT(0, 0, 100, 20));
	canvas_put_text(&c, &b);
	cr_expect(strstr(b.text, "gpu0  ·     PIX   PXB   PHB   NODE  SYS"), "%s", b.text);
	cr_expect(strstr(b.text, "gpu2  PXB   PXB   ·     PHB   NODE  SYS"), "%s", b.text);
	cr_expect(strstr(b.text, "gpu5  SYS   SYS   SYS   SYS   SYS   ·"), "%s", b.text);
	strbuf_free(&b);
	canvas_free(&c);
	stage_free(&st);
}

/* Between two trays of an NVL72: 4 GPUs × 18 links of 50 GB/s; GPUs do not forward for others. */
Test(views, matrix_has_flows)
{
	struct stage st = stage_of(made_nvl72(1));
	struct canvas c = canvas_new(100, 30, false);
	struct strbuf b = STRBUF_INIT;
	st.scene.cells = CELL_FLOW;
	view_draw(view_find("matrix"), &st.scene, &c, RECT(0, 0, 100, 30));
	canvas_put_text(&c, &b);
	cr_expect(strstr(b.text, "compute0 ×4    ·     3.6T  3.6T"), "%s", b.text);
	strbuf_free(&b);
	canvas_free(&c);
	stage_free(&st);
}

/* A torus of 3 × 4 × 5 with its links in a random order of ends: every link is drawn once, or counted between planes. */
Test(views, lattice_draws_every_link)
{
	struct fabric *f = fabric_new("made-torus");
	uint32_t gpu = made_type(f, "gpu", CLASS_GPU), link = made_kind(f, "link", USE_FABRIC, 400000000000);
	const unsigned size[3] = {3, 4, 5};
	for (unsigned i = 0; i < 60; i++)
		fabric_add_device(f, gpu, 0, made_name(f, "x", i * 7 % 60), 0, NULL);
	for (unsigned i = 0; i < 60; i++) {
		unsigned at[3] = {i / 20, i / 5 % 4, i % 5};
		for (unsigned d = 0; d < 3; d++) {
			unsigned to[3] = {at[0], at[1], at[2]};
			to[d] = (to[d] + 1) % size[d];
			made_trunk(f, i, to[0] * 20 + to[1] * 5 + to[2], link, 1);
		}
	}
	struct stage st = stage_of(made(f));
	struct canvas c = canvas_new(100, 30, false);
	view_draw(view_find("graph"), &st.scene, &c, RECT(0, 0, 100, 30));
	cr_assert_eq(numbers_before(&c, " drawn"), 120);
	cr_assert_eq(numbers_before(&c, " from plane to plane"), 60);
	struct idset seen = idset_new(st.f->trunk_count);
	unsigned arrows = 0;
	for (int i = 0; i < c.rows * c.cols; i++) {
		if (c.cells[i].hit.kind == TARGET_TRUNK)
			idset_add(&seen, c.cells[i].hit.id);
		arrows += c.cells[i].code == 0x25c2 || c.cells[i].code == 0x25b4;
	}
	cr_assert_eq(idset_count(&seen) + arrows, 120); /* between neighbours, and around the end */
	cr_assert_eq(arrows, 3 * (4 + 5));
	idset_free(&seen);
	canvas_free(&c);
	stage_free(&st);
}

/* Five groups of two linked switches with a host each, every two groups by two links: 20 between, 15 inside. */
Test(views, mesh_counts_every_link)
{
	struct fabric *f = fabric_new("made-dragonfly");
	uint32_t sw = made_type(f, "router", CLASS_SWITCH), host = made_type(f, "host", CLASS_HOST);
	uint32_t link = made_kind(f, "link", USE_FABRIC, 400000000000), routers[5][2];
	for (unsigned g = 0; g < 5; g++) {
		uint32_t module = made_module(f, 0, made_name(f, "group", g), MODULE_GROUP, "group", NONE);
		for (unsigned r = 0; r < 2; r++) {
			routers[g][r] = fabric_add_device(f, sw, module, made_name(f, "r", r), 0, NULL);
			made_trunk(f, routers[g][r], fabric_add_device(f, host, module, made_name(f, "host", r), 0, NULL), link, 1);
		}
		made_trunk(f, routers[g][0], routers[g][1], link, 1);
	}
	for (unsigned a = 0; a < 5; a++)
		for (unsigned b = a + 1; b < 5; b++)
			made_trunk(f, routers[a][0], routers[b][1], link, 2);
	struct stage st = stage_of(made(f));
	struct canvas c = canvas_new(90, 40, false);
	view_draw(view_find("graph"), &st.scene, &c, RECT(0, 0, 90, 40));
	cr_assert_eq(numbers_before(&c, " links between, "), 20);
	cr_assert_eq(numbers_before(&c, " inside"), 15);
	canvas_free(&c);
	stage_free(&st);
}

/* In ASCII too no two kinds of difference look alike, nor like a failed device. */
Test(views, differences_are_told_apart_without_colour)
{
	for (uint32_t x = 0; x < DIFF_KINDS; x++) {
		uint32_t glyph = difference_glyph(x), ascii = glyph > 0x7e ? glyph_ascii(glyph) : glyph;
		cr_expect_neq(ascii, glyph_ascii(0x2717));
		cr_expect_neq(ascii, '?');
		for (uint32_t y = 0; y < x; y++) {
			uint32_t other = difference_glyph(y);
			cr_expect_neq(ascii, other > 0x7e ? glyph_ascii(other) : other, "%u and %u", x, y);
		}
	}
}
