/* scene: what single things look like in every view, and words that several views share. */
#include <stdlib.h>
#include <string.h>

#include "view/view_internal.h"

const char *const color_mode_names[COLOR_MODE_COUNT] = {"auto", "class", "side",  "state", "tier",
							  "load", "rail",  "plane", "medium", "difference"};

struct scene scene_of(const struct fabric *f)
{
	struct scene s = {.fabric = f, .cursor = {TARGET_MODULE, 0}};
	return s;
}

bool result_is_drawn(const struct result *r)
{
	return !r->failed && (result_mark(r, "side") || result_mark(r, "cut") || result_mark(r, "tier") ||
			      result_mark(r, "difference"));
}

enum color_mode scene_mode(const struct scene *s)
{
	if (s->color != COLOR_AUTO)
		return s->color;
	if (!s->marks)
		return COLOR_CLASS;
	if (result_mark(s->marks, "difference"))
		return COLOR_DIFF;
	return result_mark(s->marks, "side") ? COLOR_SIDE : result_mark(s->marks, "tier") ? COLOR_TIER : COLOR_CLASS;
}

bool cursor_is(const struct scene *s, enum target_kind kind, uint32_t id)
{
	return s->cursor.kind == kind && s->cursor.id == id;
}

bool scene_hides(const struct scene *s, uint32_t device)
{
	return s->hidden && idset_has(s->hidden, device);
}

bool device_failed(const struct scene *s, uint32_t device)
{
	return s->overlay && idset_has(&s->overlay->failed, device);
}

bool device_selected(const struct scene *s, uint32_t device)
{
	return s->selected && idset_has(s->selected, device);
}

bool trunk_counts(const struct fabric *f, uint32_t trunk)
{
	return f->kinds.at[f->trunks[trunk].kind].use != USE_LOCAL;
}

const struct result_mark *trunk_mark(const struct scene *s)
{
	enum color_mode mode = scene_mode(s);
	const struct result_mark *m = mode == COLOR_LOAD ? s->full
				      : s->marks	 ? result_mark(s->marks, mode == COLOR_DIFF ? "different" : "cut")
							 : NULL;
	return m && m->on_trunks ? m : NULL;
}

bool trunk_is_marked(const struct scene *s, uint32_t trunk)
{
	const struct result_mark *m = trunk_mark(s);
	return m && idset_has(&m->set, trunk);
}

const char *mark_word(const struct scene *s)
{
	enum color_mode mode = scene_mode(s);
	return mode == COLOR_LOAD ? "full" : mode == COLOR_DIFF ? "differs" : "cut";
}

const char *mark_words(const struct scene *s)
{
	enum color_mode mode = scene_mode(s);
	return mode == COLOR_LOAD ? "▲ full " : mode == COLOR_DIFF ? "≠ differ " : "╎ cut ";
}

struct style mark_style(const struct scene *s)
{
	enum color_mode mode = scene_mode(s);
	return STYLE(mode == COLOR_LOAD || mode == COLOR_DIFF ? ROLE_WARNING : ROLE_CUT, 0);
}

uint32_t cursor_device(const struct scene *s)
{
	const struct fabric *f = s->fabric;
	switch (s->cursor.kind) {
	case TARGET_DEVICE:
		return s->cursor.id;
	case TARGET_TRUNK:
		return f->trunks[s->cursor.id].a;
	case TARGET_MODULE: {
		const struct module *m = &f->modules.at[s->cursor.id];
		return m->first_device < m->end_device ? m->first_device : NONE;
	}
	default:
		return NONE;
	}
}

/* ---- devices ------------------------------------------------------------------------------------------- */

static bool has_counted_link(const struct scene *s, uint32_t device)
{
	const struct fabric *f = s->fabric;
	for (uint32_t i = f->incident_at[device]; i < f->incident_at[device + 1]; i++)
		if (trunk_counts(f, f->incident[i]) && trunk_links(f, s->overlay, f->incident[i]) != 0)
			return true;
	return false;
}

char device_side(const struct scene *s, uint32_t device)
{
	const struct result_mark *side = s->marks ? result_mark(s->marks, "side") : NULL;
	if (!side || side->on_trunks || device_failed(s, device))
		return 0;
	enum device_class class = device_class(s->fabric, device);
	if (s->asked && !idset_has(s->asked, device) && class != CLASS_SWITCH && class != CLASS_IO)
		return 0; /* neither balanced nor in the way */
	if (idset_has(&side->set, device))
		return 'A';
	return has_counted_link(s, device) ? 'B' : 0;
}

bool device_derated(const struct scene *s, uint32_t device)
{
	const struct fabric *f = s->fabric;
	if (!s->overlay || (!s->overlay->lost && !s->overlay->keep_ppm))
		return false;
	for (uint32_t i = f->incident_at[device]; i < f->incident_at[device + 1]; i++) {
		uint32_t t = f->incident[i];
		if ((s->overlay->lost && s->overlay->lost[t]) ||
		    (s->overlay->keep_ppm && s->overlay->keep_ppm[t] != 1000000))
			return true;
	}
	return false;
}

bool device_left_out(const struct scene *s, uint32_t device)
{
	enum device_class class = device_class(s->fabric, device);
	bool could = class == CLASS_GPU || class == CLASS_HOST || class == CLASS_DIE || class == CLASS_NIC;
	return could && s->asked && s->marks && result_mark(s->marks, "side") && !idset_has(s->asked, device);
}

/* The tier that blocking found it on, or NONE. */
static uint32_t device_tier(const struct scene *s, uint32_t device)
{
	return s->tiers && !s->tiers->on_trunks && s->tiers->values && idset_has(&s->tiers->set, device)
		       ? s->tiers->values[device]
		       : NONE;
}

/* How many of the device's counted trunks are full: 0 none, 1 some, 2 all. */
static int device_load(const struct scene *s, uint32_t device)
{
	const struct fabric *f = s->fabric;
	bool full = false, slack = false;
	for (uint32_t i = f->incident_at[device]; i < f->incident_at[device + 1]; i++) {
		uint32_t t = f->incident[i];
		if (!trunk_counts(f, t) || trunk_links(f, s->overlay, t) == 0)
			continue;
		if (s->full && s->full->on_trunks && idset_has(&s->full->set, t))
			full = true;
		else
			slack = true;
	}
	return full + (full && !slack);
}

/* The medium of all counted links of the device: an index, NONE without one, SEVERAL_MEDIA. */
static uint32_t device_medium(const struct scene *s, uint32_t device)
{
	const struct fabric *f = s->fabric;
	uint32_t medium = NONE;
	for (uint32_t i = f->incident_at[device]; i < f->incident_at[device + 1]; i++) {
		uint32_t t = f->incident[i], mine = f->kinds.at[f->trunks[t].kind].medium;
		if (!trunk_counts(f, t) || mine == NONE)
			continue;
		if (medium != NONE && medium != mine)
			return SEVERAL_MEDIA;
		medium = mine;
	}
	return medium;
}

uint32_t device_label(const struct scene *s, uint32_t device)
{
	const struct fabric *f = s->fabric;
	int32_t label = NO_LABEL;
	switch (scene_mode(s)) {
	case COLOR_MEDIUM:
		return device_medium(s, device);
	case COLOR_RAIL:
		label = f->rail[device];
		break;
	case COLOR_PLANE:
		label = f->plane[device];
		break;
	default:
		break;
	}
	return label == NO_LABEL || label < 0 ? NONE : (uint32_t)label;
}

/* Where a bundle keeps what a mode shows; 3 in modes that show no label. */
static unsigned label_index(const struct scene *s)
{
	enum color_mode mode = scene_mode(s);
	return mode == COLOR_RAIL ? 0 : mode == COLOR_PLANE ? 1 : mode == COLOR_MEDIUM ? 2 : 3;
}

/* As a bundle keeps it. */
static uint32_t label_code(const struct fabric *f, uint32_t trunk, unsigned which)
{
	const struct trunk *t = &f->trunks[trunk];
	uint32_t medium = f->kinds.at[t->kind].medium;
	int32_t label = which == 0 ? t->rail : t->plane;
	if (which == 2)
		return medium == NONE ? 1 : medium + 2;
	return label == NO_LABEL || label < 0 ? 1 : (uint32_t)label + 2;
}

static uint32_t label_of_code(uint32_t code)
{
	return code < 2 ? NONE : code == SEVERAL_MEDIA ? code : code - 2;
}

uint32_t bundle_label(const struct scene *s, const struct bundle *b)
{
	unsigned which = label_index(s);
	return which < ARRAY_LEN(b->label) ? label_of_code(b->label[which]) : NONE;
}

uint32_t trunk_label(const struct scene *s, uint32_t trunk)
{
	unsigned which = label_index(s);
	return which < 3 ? label_of_code(label_code(s->fabric, trunk, which)) : NONE;
}

static struct style line_style(const struct scene *s, bool failed, bool marked, uint32_t label)
{
	if (failed || marked)
		return failed ? STYLE(ROLE_FAILED, 0) : mark_style(s);
	return STYLE((uint8_t)(label_index(s) < 3 ? label_role(label) : ROLE_LINK), 0);
}

struct style bundle_style(const struct scene *s, const struct bundle *b)
{
	return line_style(s, b->links == 0, b->marked_links && b->marked_links != UNKNOWN, bundle_label(s, b));
}

struct style trunk_style(const struct scene *s, uint32_t trunk)
{
	bool failed = trunk_links(s->fabric, s->overlay, trunk) == 0;
	return line_style(s, failed, trunk_is_marked(s, trunk), trunk_label(s, trunk));
}

void label_words(const struct scene *s, uint32_t label, struct strbuf *b)
{
	enum color_mode mode = scene_mode(s);
	const char *word = mode == COLOR_RAIL ? "rail" : mode == COLOR_PLANE ? "plane" : "";
	if (label == NONE || label_index(s) == 3)
		return;
	if (label == SEVERAL_MEDIA)
		strbuf_printf(b, "several %s", mode == COLOR_RAIL ? "rails" : mode == COLOR_PLANE ? "planes" : "media");
	else if (mode == COLOR_MEDIUM)
		strbuf_puts(b, fabric_str(s->fabric, s->fabric->media.at[label].name));
	else
		strbuf_printf(b, "%s %u", word, label);
}

uint32_t label_glyph(enum color_mode mode, uint32_t label)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	uint32_t at = mode == COLOR_MEDIUM ? label + 10 : label; /* media have no numbers: letters */
	return label == NONE ? 0x00b7 : label != SEVERAL_MEDIA && at < sizeof digits - 1 ? (uint32_t)digits[at] : '+';
}

enum role label_role(uint32_t label)
{
	static const uint8_t roles[] = {ROLE_GPU, ROLE_SWITCH, ROLE_CPU, ROLE_NIC};
	return label == NONE ? ROLE_DIM : label == SEVERAL_MEDIA ? ROLE_OTHER : roles[label % ARRAY_LEN(roles)];
}

uint32_t device_difference(const struct scene *s, uint32_t device)
{
	const struct result_mark *m = s->marks ? result_mark(s->marks, "difference") : NULL;
	return m && m->values && idset_has(&m->set, device) && m->values[device] < DIFF_KINDS ? m->values[device] : DIFF_SAME;
}

uint32_t difference_glyph(uint32_t kind)
{
	static const uint16_t glyphs[DIFF_KINDS] = {
		[DIFF_SAME] = 0x00b7,	 [DIFF_SLOWER] = 0x25bd,  [DIFF_WRONG_PORT] = 0x2248, [DIFF_MISWIRED] = 0x2260,
		[DIFF_SWAPPED] = 0x21c4, [DIFF_MISSING] = 0x2205, [DIFF_EXTRA] = '+',
	};
	return glyphs[kind];
}

enum role difference_role(uint32_t kind)
{
	static const uint8_t roles[DIFF_KINDS] = {
		[DIFF_SAME] = ROLE_DIM,	       [DIFF_SLOWER] = ROLE_DERATED,  [DIFF_WRONG_PORT] = ROLE_WARNING, [DIFF_MISWIRED] = ROLE_WARNING,
		[DIFF_SWAPPED] = ROLE_WARNING, [DIFF_MISSING] = ROLE_FAILED, [DIFF_EXTRA] = ROLE_OTHER,
	};
	return (enum role)roles[kind];
}

/* What replaces the glyph of class and side in modes that show something else; 0: nothing. */
static uint32_t mode_glyph(const struct scene *s, uint32_t device)
{
	static const uint16_t loads[] = {0x00b7, 0x25b3, 0x25b2};
	uint32_t tier;
	switch (scene_mode(s)) {
	case COLOR_STATE:
		return device_derated(s, device) ? 0x25bd : 0;
	case COLOR_TIER:
		tier = device_tier(s, device);
		return tier == NONE ? 0x00b7 : tier < 10 ? '0' + tier : '+';
	case COLOR_LOAD:
		return loads[device_load(s, device)];
	case COLOR_RAIL:
	case COLOR_PLANE:
	case COLOR_MEDIUM:
		return label_glyph(scene_mode(s), device_label(s, device));
	case COLOR_DIFF:
		return difference_glyph(device_difference(s, device));
	default:
		return 0;
	}
}

uint32_t class_glyph(enum device_class class)
{
	static const uint16_t glyphs[CLASS_COUNT] = {
		[CLASS_GPU] = 0x25a0, [CLASS_SWITCH] = 0x25c8, [CLASS_CPU] = 0x25c7,    [CLASS_NIC] = 0x25cb,
		[CLASS_DIE] = 0x25a3, [CLASS_IO] = 0x25b3,     [CLASS_MEMORY] = 0x25a4, [CLASS_HOST] = 0x25a6,
		[CLASS_PASSIVE] = 0x25cc,
	};
	return glyphs[class];
}

uint32_t device_glyph(const struct scene *s, uint32_t device)
{
	if (s->glyphs)
		return s->glyphs[device];
	if (device_failed(s, device))
		return 0x2717;
	enum device_class class = device_class(s->fabric, device);
	uint32_t other = mode_glyph(s, device);
	if (other)
		return other;
	char side = device_side(s, device);
	/* A cut shows on what is balanced: full squares against hollow ones, whatever the class. */
	if (side && class != CLASS_SWITCH && class != CLASS_NIC && class != CLASS_IO)
		return side == 'A' ? 0x25a0 : 0x25a1;
	if (side && class == CLASS_SWITCH)
		return side == 'A' ? 0x25c6 : 0x25c8;
	if (device_left_out(s, device))
		return 0x25aa; /* a full square would look like side A */
	return class_glyph(class);
}

enum role class_role(enum device_class class)
{
	static const uint8_t roles[CLASS_COUNT] = {
		[CLASS_GPU] = ROLE_GPU, [CLASS_SWITCH] = ROLE_SWITCH, [CLASS_CPU] = ROLE_CPU,
		[CLASS_NIC] = ROLE_NIC, [CLASS_DIE] = ROLE_GPU,       [CLASS_IO] = ROLE_NIC,
		[CLASS_MEMORY] = ROLE_OTHER, [CLASS_HOST] = ROLE_GPU, [CLASS_PASSIVE] = ROLE_DIM,
	};
	return roles[class];
}

/* The role of a device that is neither selected nor anything else out of the ordinary. */
static enum role mode_role(const struct scene *s, uint32_t device)
{
	static const uint8_t tiers[] = {ROLE_GPU, ROLE_SWITCH, ROLE_CPU, ROLE_NIC};
	static const uint8_t loads[] = {ROLE_DIM, ROLE_WARNING, ROLE_CUT};
	enum role class = class_role(device_class(s->fabric, device));
	uint32_t tier;
	char side;
	switch (scene_mode(s)) {
	case COLOR_STATE:
		return ROLE_GOOD;
	case COLOR_SIDE:
		side = device_side(s, device);
		if (side)
			return side == 'A' ? ROLE_SIDE_A : ROLE_SIDE_B;
		return s->color == COLOR_SIDE || device_left_out(s, device) ? ROLE_DIM : class;
	case COLOR_TIER:
		tier = device_tier(s, device);
		return tier == NONE ? ROLE_DIM : tier < ARRAY_LEN(tiers) ? tiers[tier] : ROLE_OTHER;
	case COLOR_LOAD:
		return loads[device_load(s, device)];
	case COLOR_DIFF:
		return difference_role(device_difference(s, device));
	case COLOR_RAIL:
	case COLOR_PLANE:
	case COLOR_MEDIUM:
		return label_role(device_label(s, device));
	default:
		return class;
	}
}

struct style device_style(const struct scene *s, uint32_t device)
{
	struct style style = {0};
	if (device_failed(s, device))
		style.role = ROLE_FAILED;
	else if (s->found && idset_has(s->found, device))
		style.role = ROLE_FOUND;
	else if (device_selected(s, device))
		style.role = ROLE_SELECTED;
	else if (device_derated(s, device))
		style.role = ROLE_DERATED;
	else
		style.role = (uint8_t)mode_role(s, device);
	return style;
}

bool devices_alike(const struct scene *s, uint32_t a, uint32_t b)
{
	return s->fabric->type[a] == s->fabric->type[b] && device_failed(s, a) == device_failed(s, b) &&
	       scene_hides(s, a) == scene_hides(s, b) && device_side(s, a) == device_side(s, b) &&
	       device_derated(s, a) == device_derated(s, b) && mode_glyph(s, a) == mode_glyph(s, b);
}

/* ---- bundles -------------------------------------------------------------------------------------------- */

static void add_known(uint64_t *sum, uint64_t x)
{
	*sum = *sum == UNKNOWN || x == UNKNOWN ? UNKNOWN : *sum + x;
}

void bundle_add(struct bundle *b, const struct scene *s, uint32_t trunk)
{
	uint32_t links = trunk_links(s->fabric, s->overlay, trunk);
	uint64_t known = links == NONE ? UNKNOWN : links;
	uint64_t rate = trunk_capacity(s->fabric, s->overlay, trunk);
	const struct trunk *x = &s->fabric->trunks[trunk];
	b->trunks++;
	b->inferred = b->inferred || (x->flags & FLAG_INFERRED);
	b->assumed = b->assumed || (x->flags & FLAG_ASSUMED) || s->fabric->kinds.at[x->kind].rate_assumed;
	add_known(&b->links, known);
	add_known(&b->rate, rate);
	for (unsigned i = 0; i < ARRAY_LEN(b->label); i++) {
		uint32_t code = label_code(s->fabric, trunk, i);
		b->label[i] = !b->label[i] || b->label[i] == code ? code : SEVERAL_MEDIA;
	}
	if (trunk_is_marked(s, trunk)) {
		add_known(&b->marked_links, known);
		add_known(&b->marked_rate, rate);
	}
}

bool bundle_mend(struct bundle *b, const struct scene *s, uint32_t trunk)
{
	const struct fabric *f = s->fabric;
	uint32_t before = trunk_links(f, NULL, trunk), now = trunk_links(f, s->overlay, trunk);
	uint64_t rate_before = trunk_capacity(f, NULL, trunk), rate = trunk_capacity(f, s->overlay, trunk);
	if ((before == NONE) != (now == NONE) || (rate_before == UNKNOWN) != (rate == UNKNOWN))
		return false; /* what it made unknown might be known now */
	if (b->links != UNKNOWN && now != NONE)
		b->links = b->links - before + now;
	if (b->rate != UNKNOWN && rate != UNKNOWN)
		b->rate = b->rate - rate_before + rate;
	if (trunk_is_marked(s, trunk)) {
		add_known(&b->marked_links, now == NONE ? UNKNOWN : now);
		add_known(&b->marked_rate, rate);
	}
	return true;
}

struct scene scene_healthy(const struct scene *s)
{
	struct scene healthy = *s;
	healthy.overlay = NULL;
	healthy.marks = NULL;
	healthy.full = NULL;
	return healthy;
}

bool scene_touched(const struct scene *s, struct idset *out)
{
	const struct fabric *f = s->fabric;
	const struct overlay *o = s->overlay;
	const struct result_mark *m = trunk_mark(s);
	if (m)
		idset_union(out, &m->set);
	if (!o)
		return true;
	idset_each(d, &o->failed) {
		if (device_class(f, d) == CLASS_PASSIVE)
			return false; /* trunks run through it */
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++)
			idset_add(out, f->incident[i]);
	}
	for (uint32_t t = 0; (o->lost || o->keep_ppm) && t < f->trunk_count; t++)
		if ((o->lost && o->lost[t]) || (o->keep_ppm && o->keep_ppm[t] != 1000000))
			idset_add(out, t);
	return true;
}

const char *plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

void put_links(uint64_t links, struct strbuf *out)
{
	if (links == UNKNOWN) {
		strbuf_puts(out, "– links");
		return;
	}
	put_count(out, links);
	strbuf_printf(out, " %s", plural(links, "link", "links"));
}

void bundle_put(const struct bundle *b, bool rates, struct strbuf *out)
{
	put_links(b->links, out);
	if (rates && b->rate != UNKNOWN) {
		strbuf_puts(out, " · ");
		put_rate(out, b->rate);
		strbuf_puts(out, b->assumed ? " assumed" : "");
	}
	strbuf_puts(out, b->inferred ? " (inferred)" : "");
}

/* ---- words ------------------------------------------------------------------------------------------------ */

static void put_classes(const struct fabric *f, struct strbuf *b)
{
	uint64_t count[CLASS_COUNT] = {0};
	for (uint32_t d = 0; d < f->device_count; d++)
		count[device_class(f, d)]++;
	for (int c = 0; c < CLASS_COUNT; c++) {
		if (!count[c])
			continue;
		if (b->n)
			strbuf_puts(b, " · ");
		put_count(b, count[c]);
		strbuf_printf(b, " %s", class_names[c]);
	}
}

/* Links by kind as drawn, mended where the what-if touches them; false when that cannot tell. */
static bool mend_links(const struct scene *s, uint64_t *links)
{
	const struct fabric *f = s->fabric;
	struct scene plain = *s;
	struct idset touched = idset_new(f->trunk_count);
	plain.marks = NULL;
	plain.full = NULL;
	bool fine = scene_touched(&plain, &touched);
	for (uint32_t k = 0; k < f->kinds.n; k++)
		links[k] = f->kinds.at[k].links;
	for (uint32_t t = idset_next(&touched, 0); fine && t != NONE; t = idset_next(&touched, t + 1)) {
		uint64_t *sum = &links[f->trunks[t].kind];
		fine = f->trunks[t].count != NONE; /* what it made unknown might be known now */
		if (fine && *sum != UNKNOWN)
			*sum = *sum - f->trunks[t].count + trunk_links(f, s->overlay, t);
	}
	idset_free(&touched);
	return fine;
}

/* Links of each kind that counts. */
static void put_kinds(const struct scene *s, struct strbuf *b)
{
	const struct fabric *f = s->fabric;
	uint64_t *links = mem_array(f->kinds.n + 1, sizeof *links);
	bool known = mend_links(s, links);
	for (uint32_t k = 0; k < f->kinds.n && !known; k++)
		links[k] = 0;
	for (uint32_t t = 0; t < f->trunk_count && !known; t++) {
		uint32_t n = trunk_links(f, s->overlay, t);
		add_known(&links[f->trunks[t].kind], n == NONE ? UNKNOWN : n);
	}
	for (uint32_t k = 0; k < f->kinds.n; k++) {
		if (f->kinds.at[k].use != USE_FABRIC || links[k] == 0)
			continue;
		strbuf_puts(b, b->n ? " · " : "");
		if (links[k] == UNKNOWN)
			strbuf_puts(b, "–");
		else
			put_count(b, links[k]);
		strbuf_printf(b, " %s", fabric_str(f, f->kinds.at[k].name));
	}
	free(links);
}

/* What all endpoints together can send and receive; left out where finding it would delay the first picture. */
static void put_aggregate(const struct scene *s, struct strbuf *b)
{
	enum { TRUNKS_MAX = 100000 };
	if (s->fabric->trunk_count > TRUNKS_MAX)
		return;
	struct projection_options all = {.endpoints = CLASS_NONE, .unit = -1};
	struct network n = network_build(s->fabric, s->overlay, &all);
	uint64_t sum = 0;
	for (uint32_t v = 0; v < n.vertex_count && !n.unknown && !n.in_links; v++)
		if (n.weight[v])
			add_known(&sum, n.injection[v]);
	if (sum && sum != UNKNOWN && sum < UINT64_MAX / 2) {
		strbuf_puts(b, " · ");
		put_rate(b, 2 * sum);
		strbuf_puts(b, " both");
	}
	network_free(&n);
}

void facts_put(const struct scene *s, struct strbuf *b)
{
	put_classes(s->fabric, b);
	put_kinds(s, b);
	put_aggregate(s, b);
}
