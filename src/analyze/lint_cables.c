/* Rules for cables of a fabric that was measured or listed: a leaf that lacks uplinks its siblings have, one slow cable
 * among equals, rails that are crossed, planes that differ. Tiers come from distance to what is no switch; siblings are
 * switches of one tier with nearly the same switches above.
 */
#include "analyze/lint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_LEAST = 4, SHOWN = 24, UPLINKS_SHOWN = 64, ODD_PART = 8, TIERS = 16 };

static bool counts(const struct fabric *f, uint32_t t)
{
	return f->kinds.at[f->trunks[t].kind].use == USE_FABRIC && f->trunks[t].count != NONE;
}

/* Hops from the nearest device that is no switch; NONE where none is. */
static uint32_t *find_tiers(const struct fabric *f)
{
	uint32_t *tier = mem_array(f->device_count, sizeof *tier), *queue = mem_array(f->device_count, sizeof *queue);
	uint32_t head = 0, tail = 0;

	for (uint32_t d = 0; d < f->device_count; d++) {
		enum device_class class = device_class(f, d);

		tier[d] = class == CLASS_SWITCH || class == CLASS_IO ? NONE : 0;
		if (!tier[d])
			queue[tail++] = d;
	}
	while (head < tail) {
		uint32_t d = queue[head++];

		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			uint32_t to = trunk_other(f, f->incident[i], d);

			if (tier[to] != NONE || !counts(f, f->incident[i]) || device_class(f, to) != CLASS_SWITCH)
				continue;
			tier[to] = tier[d] + 1;
			queue[tail++] = to;
		}
	}
	free(queue);
	return tier;
}

/* ---- uplinks ---------------------------------------------------------------------------------- */

struct uplink {
	uint32_t device, peer, links;
};

struct uplinks {
	const uint32_t *tier;
	VEC(struct uplink) list; /* of a switch: one slice, by peer */
	uint32_t *at;            /* device -> first of its slice */
	uint32_t *group;         /* device -> its group's first device, or NONE */
};

static int compare_uplinks(const void *p, const void *q)
{
	const struct uplink *a = p, *b = q;

	return (a->peer > b->peer) - (a->peer < b->peer);
}

static void list_uplinks(const struct fabric *f, struct uplinks *u)
{
	for (uint32_t d = 0; d < f->device_count; d++) {
		size_t first = u->list.n, kept;

		u->at[d] = (uint32_t)first;
		if (device_class(f, d) != CLASS_SWITCH || u->tier[d] == NONE)
			continue;
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			struct uplink x = {d, trunk_other(f, f->incident[i], d), f->trunks[f->incident[i]].count};

			if (counts(f, f->incident[i]) && u->tier[x.peer] == u->tier[d] + 1)
				vec_push(&u->list, x);
		}
		if (u->list.n == first)
			continue;
		qsort(u->list.at + first, u->list.n - first, sizeof *u->list.at, compare_uplinks);
		kept = first;
		for (size_t i = first + 1; i < u->list.n; i++) {
			if (u->list.at[i].peer == u->list.at[kept].peer)
				u->list.at[kept].links += u->list.at[i].links;
			else
				u->list.at[++kept] = u->list.at[i];
		}
		u->list.n = kept + 1;
	}
	u->at[f->device_count] = (uint32_t)u->list.n;
}

static uint32_t slice(const struct uplinks *u, uint32_t d)
{
	return u->at[d + 1] - u->at[d];
}

static uint32_t links_to(const struct uplinks *u, uint32_t d, uint32_t peer)
{
	for (uint32_t i = u->at[d]; i < u->at[d + 1]; i++)
		if (u->list.at[i].peer == peer)
			return u->list.at[i].links;
	return 0;
}

/* Two switches are siblings when most of what either has above is above the other too. */
static bool are_siblings(const struct uplinks *u, uint32_t a, uint32_t b)
{
	uint32_t common = 0;

	for (uint32_t i = u->at[b]; i < u->at[b + 1]; i++)
		common += links_to(u, a, u->list.at[i].peer) > 0;
	return u->tier[a] == u->tier[b] && 3 * common >= 2 * slice(u, a) && 3 * common >= 2 * slice(u, b);
}

/* Each switch joins the group of the first member found that shares a peer; members of a peer are near each other. */
static void group_switches(const struct fabric *f, struct uplinks *u)
{
	uint32_t *leader = mem_array(f->device_count, sizeof *leader);

	memset(leader, 0xff, f->device_count * sizeof *leader);
	memset(u->group, 0xff, f->device_count * sizeof *u->group);
	for (uint32_t d = 0; d < f->device_count; d++) {
		for (uint32_t i = u->at[d]; i < u->at[d + 1] && u->group[d] == NONE; i++) {
			uint32_t first = leader[u->list.at[i].peer];

			if (first != NONE && are_siblings(u, first, d))
				u->group[d] = first;
		}
		if (!slice(u, d) || u->group[d] != NONE)
			continue;
		u->group[d] = d;
		for (uint32_t i = u->at[d]; i < u->at[d + 1]; i++)
			leader[u->list.at[i].peer] = d;
	}
	free(leader);
}

struct group {
	VEC(uint32_t) members, peers;
};

static int compare_ids(const void *p, const void *q)
{
	uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;

	return (a > b) - (a < b);
}

/* How many links most members have to the peer. */
static uint32_t usual_links(const struct uplinks *u, const struct group *g, uint32_t peer)
{
	VEC(uint32_t) found = {0};
	uint32_t best = 0, run = 0, most = 0;

	for (size_t i = 0; i < g->members.n; i++)
		vec_push(&found, links_to(u, g->members.at[i], peer));
	qsort(found.at, found.n, sizeof *found.at, compare_ids);
	for (size_t i = 0; i < found.n; i++) {
		run = i && found.at[i] == found.at[i - 1] ? run + 1 : 1;
		if (run >= most) {
			most = run;
			best = found.at[i];
		}
	}
	vec_free(&found);
	return 2 * most > g->members.n ? best : 0;
}

static void say_missing(struct linter *l, const struct uplinks *u, const struct group *g, const uint32_t *usual, uint32_t d,
			uint32_t missing)
{
	struct strbuf b = STRBUF_INIT;
	uint32_t have = 0, named = 0;

	for (uint32_t i = u->at[d]; i < u->at[d + 1]; i++)
		have += u->list.at[i].links;
	for (size_t p = 0; p < g->peers.n; p++) {
		if (links_to(u, d, g->peers.at[p]) >= usual[p])
			continue;
		if (named++ < 6)
			strbuf_printf(&b, "%s%s", named > 1 ? ", " : "", lint_path(l, g->peers.at[p]));
		else
			strbuf_puts(&b, named == 7 ? ", …" : "");
	}
	lint_add(l, LEVEL_WARNING, "uplinks-missing", (struct mark){0}, d,
		 "%s has %u links up, its siblings have %u: %u missing to %s", lint_path(l, d), have, have + missing, missing, b.text);
	strbuf_free(&b);
}

struct tier_sum {
	uint32_t links, switches;
};

static void check_sibling_group(struct linter *l, const struct uplinks *u, struct group *g, struct tier_sum *sums)
{
	struct tier_sum *sum;
	uint32_t *usual;
	size_t kept = 0;

	if (g->members.n < GROUP_LEAST)
		return;
	sum = &sums[u->tier[g->members.at[0]] < TIERS ? u->tier[g->members.at[0]] : 0];
	qsort(g->peers.at, g->peers.n, sizeof *g->peers.at, compare_ids);
	for (size_t i = 0; i < g->peers.n; i++)
		if (!i || g->peers.at[i] != g->peers.at[kept - 1])
			g->peers.at[kept++] = g->peers.at[i];
	g->peers.n = kept;
	usual = mem_array(kept, sizeof *usual);
	for (size_t p = 0; p < kept; p++)
		usual[p] = usual_links(u, g, g->peers.at[p]);
	for (size_t i = 0; i < g->members.n; i++) {
		uint32_t missing = 0, more = 0;

		for (size_t p = 0; p < kept; p++) {
			uint32_t links = links_to(u, g->members.at[i], g->peers.at[p]);

			missing += links < usual[p] ? usual[p] - links : 0;
			more += links > usual[p] ? links - usual[p] : 0;
		}
		if (missing <= more)
			continue; /* another wiring, not a missing cable */
		sum->links += missing - more;
		if (sum->switches++ < UPLINKS_SHOWN)
			say_missing(l, u, g, usual, g->members.at[i], missing - more);
	}
	free(usual);
}

static void check_uplinks(struct linter *l, const uint32_t *tier)
{
	const struct fabric *f = l->f;
	struct uplinks u = {.tier = tier};
	struct group *groups = mem_array(f->device_count, sizeof *groups);
	struct tier_sum sums[TIERS] = {0};

	u.at = mem_array(f->device_count + (size_t)1, sizeof *u.at);
	u.group = mem_array(f->device_count, sizeof *u.group);
	list_uplinks(f, &u);
	group_switches(f, &u);
	for (uint32_t d = 0; d < f->device_count; d++) {
		if (u.group[d] == NONE)
			continue;
		vec_push(&groups[u.group[d]].members, d);
		for (uint32_t i = u.at[d]; i < u.at[d + 1]; i++)
			vec_push(&groups[u.group[d]].peers, u.list.at[i].peer);
	}
	for (uint32_t d = 0; d < f->device_count; d++) {
		check_sibling_group(l, &u, &groups[d], sums);
		vec_free(&groups[d].members);
		vec_free(&groups[d].peers);
	}
	for (uint32_t t = 0; t < TIERS; t++)
		if (sums[t].switches > 1)
			lint_add(l, LEVEL_WARNING, "uplinks-missing", (struct mark){0}, NONE,
				 "%u links up are missing at %u switches of tier %u, if their siblings are wired as meant",
				 sums[t].links, sums[t].switches, t);
	free(groups);
	free(u.at);
	free(u.group);
	vec_free(&u.list);
}

/* ---- slow cables ------------------------------------------------------------------------------ */

struct rated {
	uint32_t trunk, links;
	uint32_t tier_a, tier_b, class_a, class_b;
	uint64_t rate;
};

static int compare_ends(const struct rated *a, const struct rated *b)
{
	const uint32_t left[] = {a->class_a, a->class_b, a->tier_a, a->tier_b};
	const uint32_t right[] = {b->class_a, b->class_b, b->tier_a, b->tier_b};

	return memcmp(left, right, sizeof left);
}

static int compare_rated(const void *p, const void *q)
{
	const struct rated *a = p, *b = q;
	int order = compare_ends(a, b);

	if (!order)
		order = (a->rate > b->rate) - (a->rate < b->rate);
	return order ? order : (a->trunk > b->trunk) - (a->trunk < b->trunk);
}

/* "a port 11 -- b port 3" where the file says the ports. */
static void put_ends(struct linter *l, uint32_t trunk, struct strbuf *b)
{
	const struct fabric *f = l->f;
	const struct trunk *t = &f->trunks[trunk];

	for (size_t i = 0; i < f->cables.n; i++) {
		const struct cable *c = &f->cables.at[i];
		bool turned = c->a > c->b;

		if ((turned ? c->b : c->a) != t->a || (turned ? c->a : c->b) != t->b || c->rate != t->rate || c->kind != t->kind)
			continue;
		strbuf_printf(b, "%s port %s -- ", lint_path(l, t->a), fabric_str(f, turned ? c->port_b : c->port_a));
		strbuf_printf(b, "%s port %s", lint_path(l, t->b), fabric_str(f, turned ? c->port_a : c->port_b));
		return;
	}
	strbuf_printf(b, "%s -- %s", lint_path(l, t->a), lint_path(l, t->b));
}

static void say_slow(struct linter *l, const struct rated *x, uint64_t usual, uint64_t others)
{
	struct strbuf b = STRBUF_INIT;

	put_ends(l, x->trunk, &b);
	strbuf_puts(&b, ": ");
	put_rate_bits(&b, x->rate);
	strbuf_puts(&b, " among ");
	put_count(&b, others);
	strbuf_puts(&b, " links of ");
	put_rate_bits(&b, usual);
	lint_add(l, LEVEL_WARNING, "slow-cable", lint_origin(l, l->f->trunks[x->trunk].origin), l->f->trunks[x->trunk].a, "%s", b.text);
	l->out->list.at[l->out->list.n - 1].trunk = x->trunk;
	strbuf_free(&b);
}

/* One place of the fabric (host to leaf, leaf to spine …): the rate most links have, and the few below. In a small place a
 * single one is odd, too. */
static void check_place(struct linter *l, const struct rated *x, size_t n)
{
	uint64_t usual = 0, most = 0, run = 0, all = 0, slow = 0;
	uint32_t shown = 0;

	for (size_t i = 0; i < n; i++) {
		run = i && x[i].rate == x[i - 1].rate ? run + x[i].links : x[i].links;
		all += x[i].links;
		if (run > most) {
			most = run;
			usual = x[i].rate;
		}
	}
	for (size_t i = 0; i < n; i++)
		slow += x[i].rate < usual ? x[i].links : 0;
	if (!slow || (slow * ODD_PART > all && (slow > 1 || all < GROUP_LEAST)))
		return;
	for (size_t i = 0; i < n && shown < SHOWN; i++)
		if (x[i].rate < usual) {
			say_slow(l, &x[i], usual, most);
			shown++;
		}
}

static void check_slow(struct linter *l, const uint32_t *tier)
{
	const struct fabric *f = l->f;
	VEC(struct rated) all = {0};
	size_t first = 0;

	for (uint32_t t = 0; t < f->trunk_count; t++) {
		const struct trunk *x = &f->trunks[t];
		uint32_t a = x->a, b = x->b;
		bool turned = tier[a] > tier[b];
		struct rated r = {.trunk = t, .links = x->count, .rate = x->rate};

		if (!counts(f, t) || x->rate == UNKNOWN)
			continue;
		r.tier_a = tier[turned ? b : a];
		r.tier_b = tier[turned ? a : b];
		r.class_a = (uint32_t)device_class(f, turned ? b : a);
		r.class_b = (uint32_t)device_class(f, turned ? a : b);
		vec_push(&all, r);
	}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, compare_rated);
	for (size_t i = 1; i <= all.n; i++) {
		if (i < all.n && !compare_ends(&all.at[first], &all.at[i]))
			continue;
		check_place(l, &all.at[first], i - first);
		first = i;
	}
	vec_free(&all);
}

/* ---- rails ------------------------------------------------------------------------------------ */

/* The position of a NIC in its host; NONE elsewhere. */
static uint32_t rail_of(const struct fabric *f, uint32_t d)
{
	const struct module *m = &f->modules.at[f->module[d]];

	if (device_class(f, d) != CLASS_NIC || m->kind != MODULE_HOST || m->end_device - m->first_device < 2)
		return NONE;
	return d - m->first_device;
}

/* A leaf that serves one position of nearly all its hosts should serve no other. */
static void check_rails(struct linter *l)
{
	const struct fabric *f = l->f;
	uint32_t shown = 0;
	VEC(uint32_t) rails = {0};

	for (uint32_t d = 0; d < f->device_count; d++) {
		uint32_t usual = NONE, most = 0, run = 0;

		rails.n = 0;
		if (device_class(f, d) != CLASS_SWITCH)
			continue;
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			uint32_t rail = rail_of(f, trunk_other(f, f->incident[i], d));

			if (rail != NONE && counts(f, f->incident[i]))
				vec_push(&rails, rail);
		}
		if (rails.n)
			qsort(rails.at, rails.n, sizeof *rails.at, compare_ids);
		for (size_t i = 0; i < rails.n; i++) {
			run = i && rails.at[i] == rails.at[i - 1] ? run + 1 : 1;
			usual = run > most ? rails.at[i] : usual;
			most = run > most ? run : most;
		}
		if (rails.n < ODD_PART || most == rails.n || (rails.n - most) * ODD_PART > rails.n)
			continue;
		for (uint32_t i = f->incident_at[d]; i < f->incident_at[d + 1]; i++) {
			uint32_t nic = trunk_other(f, f->incident[i], d), rail = rail_of(f, nic);

			if (rail == NONE || rail == usual || !counts(f, f->incident[i]) || shown++ >= SHOWN)
				continue;
			lint_add(l, LEVEL_WARNING, "crossed-rails", lint_origin(l, f->trunks[f->incident[i]].origin), nic,
				 "%s is adapter %u of its host and hangs at %s, which serves adapter %u of %u hosts", lint_path(l, nic),
				 rail, lint_path(l, d), usual, most);
		}
	}
	vec_free(&rails);
}

/* ---- planes ----------------------------------------------------------------------------------- */

struct plane {
	int32_t label;
	uint64_t links;
};

static void check_planes(struct linter *l)
{
	const struct fabric *f = l->f;
	VEC(struct plane) planes = {0};
	size_t least = 0, most = 0;

	for (uint32_t t = 0; t < f->trunk_count; t++) {
		size_t i = 0;

		if (f->trunks[t].plane == NO_LABEL || !counts(f, t))
			continue;
		while (i < planes.n && planes.at[i].label != f->trunks[t].plane)
			i++;
		if (i == planes.n)
			vec_push(&planes, (struct plane){f->trunks[t].plane, 0});
		planes.at[i].links += f->trunks[t].count;
	}
	for (size_t i = 0; i < planes.n; i++) {
		least = planes.at[i].links < planes.at[least].links ? i : least;
		most = planes.at[i].links > planes.at[most].links ? i : most;
	}
	if (planes.n && planes.at[least].links != planes.at[most].links)
		lint_add(l, LEVEL_NOTE, "planes-unequal", (struct mark){0}, NONE,
			 "plane %d has %" PRIu64 " links, plane %d has %" PRIu64, planes.at[least].label, planes.at[least].links,
			 planes.at[most].label, planes.at[most].links);
	vec_free(&planes);
}

void lint_cables(struct linter *l)
{
	uint32_t *tier = find_tiers(l->f);

	check_uplinks(l, tier);
	check_slow(l, tier);
	check_rails(l);
	check_planes(l);
	free(tier);
}
