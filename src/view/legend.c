/* legend: what glyphs and colours mean in the colour mode in force, in one line. Where a mode has nothing to show
 * it says which question would give it.
 */
#include "view/view_internal.h"

/* Writes pieces side by side as long as they fit whole. */
struct row {
	struct canvas *c;
	int x, y, end;
	bool full;
};

static void piece(struct row *r, enum role role, const char *glyphs, const char *words)
{
	struct strbuf b = STRBUF_INIT;
	strbuf_printf(&b, "%s%s%s", glyphs, *glyphs && *words ? " " : "", words);
	int w = (int)text_width(strbuf_str(&b));
	r->full = r->full || r->x + w > r->end;
	if (!r->full) {
		int n = canvas_text(r->c, r->x, r->y, STYLE((uint8_t)role, 0), glyphs);
		canvas_text(r->c, r->x + n + (n && *words), r->y, STYLE(ROLE_DIM, 0), words);
		r->x += w + 2;
	}
	strbuf_free(&b);
}

static void glyph_piece(struct row *r, enum role role, uint32_t glyph, const char *words)
{
	struct strbuf b = STRBUF_INIT;
	utf8_put(&b, glyph);
	piece(r, role, strbuf_str(&b), words);
	strbuf_free(&b);
}

static void classes(const struct scene *s, struct row *r)
{
	bool there[CLASS_COUNT] = {false};
	for (uint32_t d = 0; d < s->fabric->device_count; d++)
		there[device_class(s->fabric, d)] = true;
	for (int c = 0; c < CLASS_COUNT; c++)
		if (there[c])
			glyph_piece(r, class_role((enum device_class)c), class_glyph((enum device_class)c), class_names[c]);
}

static void sides(const struct scene *s, struct row *r)
{
	if (!s->marks || !result_mark(s->marks, "side")) {
		piece(r, ROLE_DIM, "", "no cut yet: bisection (b) finds one");
		return;
	}
	piece(r, ROLE_SIDE_A, "■ ◆", "side A");
	piece(r, ROLE_SIDE_B, "□ ◈", "side B");
	if (result_mark(s->marks, "cut"))
		piece(r, ROLE_CUT, "╎", "cut");
	for (uint32_t d = 0; s->asked && d < s->fabric->device_count; d++)
		if (device_left_out(s, d)) {
			piece(r, ROLE_DIM, "▪", "not asked about");
			break;
		}
}

static void tiers(const struct scene *s, struct row *r)
{
	static const uint8_t roles[] = {ROLE_GPU, ROLE_SWITCH, ROLE_CPU, ROLE_NIC};
	uint32_t most = 0;
	bool ends = false;
	if (!s->tiers) {
		piece(r, ROLE_DIM, "", "no tiers yet: blocking (B) finds them");
		return;
	}
	idset_each(d, &s->tiers->set) {
		most = s->tiers->values[d] > most ? s->tiers->values[d] : most;
		ends = ends || s->tiers->values[d] == 0;
	}
	for (uint32_t t = ends ? 0 : 1; t <= most && t < 10; t++)
		glyph_piece(r, t < ARRAY_LEN(roles) ? roles[t] : ROLE_OTHER, '0' + t, t == 0 ? "endpoints" : t < most ? "" : most > 1 ? "tiers" : "tier");
	if (idset_count(&s->tiers->set) < s->fabric->device_count)
		piece(r, ROLE_DIM, "·", "no tier");
}

static void states(const struct scene *s, struct row *r)
{
	(void)s;
	piece(r, ROLE_GOOD, "", "works");
	piece(r, ROLE_DERATED, "▽", "links lost or slower");
	piece(r, ROLE_FAILED, "✗", "failed");
}

static void loads(const struct scene *s, struct row *r)
{
	if (!s->full) {
		piece(r, ROLE_DIM, "", "no flow yet: mincut (a, m) finds what is full");
		return;
	}
	piece(r, ROLE_CUT, "▲", "all links full");
	piece(r, ROLE_WARNING, "△", "some");
	piece(r, ROLE_DIM, "·", "none");
}

/* "0 1 2 rails", "a glass  b organic": labels that devices bear, in order. */
static void labels(const struct scene *s, struct row *r)
{
	enum { SHOWN = 37 };
	const struct fabric *f = s->fabric;
	enum color_mode mode = scene_mode(s);
	const char *what = mode == COLOR_RAIL ? "rails" : "planes";
	bool there[SHOWN] = {false}, several = false, more = false, none = false;
	for (uint32_t d = 0; d < f->device_count; d++) {
		uint32_t label = device_label(s, d);
		several = several || label == SEVERAL_MEDIA;
		none = none || label == NONE;
		if (label < SHOWN)
			there[label] = true;
		else
			more = more || label < SEVERAL_MEDIA;
	}
	unsigned shown = 0, last = 0;
	for (unsigned i = 0; i < SHOWN; i++) {
		shown += there[i];
		last = there[i] ? i : last;
	}
	if (!shown && !several && !more) {
		piece(r, ROLE_DIM, "", mode == COLOR_MEDIUM ? "no link here says what it is made of" :
			       mode == COLOR_RAIL ? "no link here bears a rail" : "no link here bears a plane");
		return;
	}
	for (unsigned i = 0; i < SHOWN; i++)
		if (there[i])
			glyph_piece(r, label_role(i), label_glyph(mode, i),
				    mode == COLOR_MEDIUM ? fabric_str(f, f->media.at[i].name) : i == last && !more ? what : "");
	if (more)
		piece(r, ROLE_DIM, "+", mode == COLOR_MEDIUM ? "others" : what);
	if (several)
		piece(r, ROLE_OTHER, "+", "several");
	if (none)
		piece(r, ROLE_DIM, "·", mode == COLOR_MEDIUM ? "not said" : "none");
}

static void differences(const struct scene *s, struct row *r)
{
	static const char *const words[DIFF_KINDS] = {
		[DIFF_SLOWER] = "slower",   [DIFF_WRONG_PORT] = "wrong port", [DIFF_MISWIRED] = "miswired",
		[DIFF_SWAPPED] = "swapped", [DIFF_MISSING] = "missing",	  [DIFF_EXTRA] = "extra",
	};
	bool there[DIFF_KINDS] = {false};
	if (!s->marks || !result_mark(s->marks, "difference")) {
		piece(r, ROLE_DIM, "", "no design yet: diff DESIGN finds what differs");
		return;
	}
	idset_each(d, &result_mark(s->marks, "difference")->set)
		there[device_difference(s, d)] = true;
	for (uint32_t k = DIFF_KINDS; k-- > 1;)
		if (there[k])
			glyph_piece(r, difference_role(k), difference_glyph(k), words[k]);
	piece(r, ROLE_DIM, "·", "as planned");
}

static bool any_label(const struct fabric *f, enum color_mode mode)
{
	for (uint32_t t = 0; t < f->trunk_count; t++) {
		const struct trunk *x = &f->trunks[t];
		if (mode == COLOR_MEDIUM ? f->kinds.at[x->kind].medium != NONE : (mode == COLOR_RAIL ? x->rail : x->plane) != NO_LABEL)
			return true;
	}
	return false;
}

bool color_applies(const struct scene *s, enum color_mode mode)
{
	switch (mode) {
	case COLOR_SIDE:
		return s->marks && result_mark(s->marks, "side");
	case COLOR_DIFF:
		return s->marks && result_mark(s->marks, "difference");
	case COLOR_STATE:
		return s->overlay && !overlay_is_empty(s->fabric, s->overlay);
	case COLOR_TIER:
		return s->tiers;
	case COLOR_LOAD:
		return s->full;
	case COLOR_RAIL:
	case COLOR_PLANE:
	case COLOR_MEDIUM:
		return any_label(s->fabric, mode);
	default:
		return true;
	}
}

int legend_draw(const struct scene *s, struct canvas *c, int x, int y, int w)
{
	static void (*const of[COLOR_MODE_COUNT])(const struct scene *, struct row *) = {
		[COLOR_CLASS] = classes, [COLOR_SIDE] = sides, [COLOR_STATE] = states,
		[COLOR_TIER] = tiers,    [COLOR_LOAD] = loads,
		[COLOR_RAIL] = labels,   [COLOR_PLANE] = labels, [COLOR_MEDIUM] = labels,
		[COLOR_DIFF] = differences,
	};
	struct row r = {.c = c, .x = x, .y = y, .end = x + w};
	of[scene_mode(s)](s, &r);
	if (s->overlay && !idset_is_empty(&s->overlay->failed) && scene_mode(s) != COLOR_STATE)
		piece(&r, ROLE_FAILED, "✗", "failed");
	return r.x > x ? r.x - x - 2 : 0;
}
