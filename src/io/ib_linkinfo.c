/* `iblinkinfo`, both forms. Speeds are printed per lane. A switch's lines carry no GUID: peers are known by LID. What kind
 * of node a peer without a header is follows from its ports: adapters have one or two.
 */
#include <stdlib.h>
#include <string.h>

#include "io/ib_internal.h"

enum { ADAPTER_PORTS = 2 };

static const char left[] = "==(", right[] = ")==>";

/* A node as headers, lines and peers name it. */
struct unit {
	int type; /* enum ib_type, or -1 */
	uint64_t guid;
	const char *name;
	uint32_t lid, highest_port, line;
};

struct link {
	uint32_t unit, port, peer, peer_port, line;
	struct ib_rate rate;
};

/* One side of a line: what was there. */
struct side {
	uint64_t guid;
	uint32_t lid, port;
	const char *name;
	size_t name_length;
};

struct linkinfo {
	struct ib_net *n;
	VEC(struct unit) units;
	VEC(struct link) links;
	VEC(struct side) peers; /* of the links */
	struct keymap by_lid, by_guid;
	struct strtab names; /* of units with a header, for subnets without LIDs */
	VEC(uint32_t) by_name; /* NONE when several have it */
	uint32_t header; /* unit of the last header, or NONE */
	uint32_t line;
};

static void skip_blanks(const char **at, const char *end)
{
	while (*at < end && (**at == ' ' || **at == '\t' || **at == '\r'))
		++*at;
}

static bool take_number(const char **at, const char *end, uint32_t *out)
{
	const char *start;

	skip_blanks(at, end);
	start = *at;
	*out = 0;
	for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
		*out = *out * 10 + (uint32_t)(**at - '0');
		if (*out > IB_PORT_MAX)
			return false;
	}
	return *at > start;
}

static bool take_guid(const char **at, const char *end, uint64_t *out)
{
	const char *p;

	skip_blanks(at, end);
	p = *at;
	if (end - p < 3 || p[0] != '0' || p[1] != 'x')
		return false;
	*out = 0;
	for (p += 2; p < end && *out >> 60 == 0; p++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = *p ? strchr(digits, *p) : NULL;

		if (!digit)
			break;
		*out = *out << 4 | (uint64_t)(digit - digits);
	}
	*at = p;
	return true;
}

static void take_quoted(const char **at, const char *end, struct side *s)
{
	const char *close;

	skip_blanks(at, end);
	if (*at >= end || **at != '"')
		return;
	close = memchr(*at + 1, '"', (size_t)(end - *at - 1));
	if (!close)
		return;
	s->name = *at + 1;
	s->name_length = (size_t)(close - s->name);
	*at = close + 1;
}

/* "[0xGUID] ["name"] LID PORT[ext]" */
static bool take_side(const char **at, const char *end, struct side *s)
{
	const char *close;

	*s = (struct side){.guid = UNKNOWN};
	take_guid(at, end, &s->guid);
	take_quoted(at, end, s);
	if (!take_number(at, end, &s->lid) || !take_number(at, end, &s->port))
		return false;
	skip_blanks(at, end);
	close = *at < end && **at == '[' ? memchr(*at, ']', (size_t)(end - *at)) : NULL;
	if (close)
		*at = close + 1;
	return close != NULL;
}

/* "4X 25.78125 Gbps" */
static struct ib_rate take_rate(const char *at, const char *end)
{
	struct ib_rate r = {0};
	uint64_t kbit = 0;
	const char *start;
	int digits = -1;

	skip_blanks(&at, end);
	start = at;
	while (at < end && *at != ' ')
		at++;
	if (!ib_width_parse(start, (size_t)(at - start), &r.width))
		return r;
	skip_blanks(&at, end);
	for (; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && digits < 0)) && digits < 6; at++) {
		if (*at == '.') {
			digits = 0;
			continue;
		}
		kbit = kbit * 10 + (uint64_t)(*at - '0');
		digits += digits >= 0;
		if (kbit > UINT64_MAX / 10000000)
			return r;
	}
	for (digits = digits < 0 ? 0 : digits; digits < 6; digits++)
		kbit *= 10;
	r.speed = ib_speed_of_lane(kbit);
	return r;
}

/* ---- units ------------------------------------------------------------------------------------ */

static uint32_t new_unit(struct linkinfo *x, int type, uint64_t guid)
{
	struct unit u = {.type = type, .guid = guid};

	vec_push(&x->units, u);
	if (guid != UNKNOWN)
		keymap_put(&x->by_guid, guid, (uint32_t)x->units.n - 1);
	return (uint32_t)x->units.n - 1;
}

static void learn(struct linkinfo *x, uint32_t unit, const struct side *s)
{
	struct unit *u = &x->units.at[unit];

	if (u->guid == UNKNOWN && s->guid != UNKNOWN) {
		u->guid = s->guid;
		keymap_put(&x->by_guid, s->guid, unit);
	}
	if (!u->name && s->name && s->name_length)
		u->name = arena_strndup(&x->n->arena, s->name, s->name_length);
	if (s->port > u->highest_port)
		u->highest_port = s->port;
	if (s->lid && keymap_get(&x->by_lid, s->lid) == NONE)
		keymap_put(&x->by_lid, s->lid, unit);
	u->lid = u->lid ? u->lid : s->lid;
}

static uint32_t unit_of(struct linkinfo *x, const struct side *s)
{
	uint32_t unit = s->guid != UNKNOWN ? keymap_get(&x->by_guid, s->guid) : NONE;

	if (unit == NONE && s->lid)
		unit = keymap_get(&x->by_lid, s->lid);
	if (unit == NONE && !s->lid && s->name) { /* no subnet manager gave LIDs */
		uint32_t name = strtab_find(&x->names, s->name, s->name_length);

		unit = name == NONE ? NONE : x->by_name.at[name];
	}
	return unit == NONE ? new_unit(x, -1, s->guid) : unit;
}

/* "Switch: 0x… name:" or "CA: name:" */
static bool take_header(struct linkinfo *x, const char *at, const char *end)
{
	bool is_switch = end - at > 7 && !memcmp(at, "Switch:", 7), is_ca = end - at > 3 && !memcmp(at, "CA:", 3);
	uint64_t guid = UNKNOWN;
	struct side s = {.guid = UNKNOWN};
	uint32_t name;

	if (!is_switch && !is_ca)
		return false;
	at += is_switch ? 7 : 3;
	take_guid(&at, end, &guid);
	skip_blanks(&at, end);
	while (end > at && (end[-1] == ':' || end[-1] == '\r' || end[-1] == ' '))
		end--;
	x->header = new_unit(x, is_switch ? IB_SWITCH : IB_CA, guid);
	s.name = at;
	s.name_length = (size_t)(end - at);
	learn(x, x->header, &s);
	x->units.at[x->header].line = x->line;
	name = strtab_intern(&x->names, s.name, s.name_length);
	if (name == x->by_name.n)
		vec_push(&x->by_name, x->header);
	else
		x->by_name.at[name] = NONE;
	return true;
}

static bool take_port(struct linkinfo *x, const char *at, const char *end)
{
	const char *open, *close;
	struct side local, peer;
	struct link link = {.line = x->line};

	if (!take_side(&at, end, &local))
		return false;
	open = memmem(at, (size_t)(end - at), left, sizeof left - 1);
	close = open ? memmem(open, (size_t)(end - open), right, sizeof right - 1) : NULL;
	if (!close)
		return false;
	link.unit = x->header != NONE ? x->header : unit_of(x, &local);
	learn(x, link.unit, &local);
	if (!x->units.at[link.unit].line)
		x->units.at[link.unit].line = x->line;
	if (x->units.at[link.unit].type < 0 && local.guid == UNKNOWN)
		x->units.at[link.unit].type = IB_SWITCH;
	at = close + sizeof right - 1;
	if (!take_side(&at, end, &peer)) {
		x->n->unconnected++;
		return true;
	}
	take_quoted(&at, end, &peer);
	link.rate = take_rate(open + sizeof left - 1, close);
	link.port = local.port;
	link.peer_port = peer.port;
	vec_push(&x->links, link);
	vec_push(&x->peers, peer);
	return true;
}

/* ---- all of it -------------------------------------------------------------------------------- */

/* Only when all headers were seen is it known which LID is whose. */
static void find_peers(struct linkinfo *x)
{
	for (size_t i = 0; i < x->links.n; i++) {
		x->links.at[i].peer = unit_of(x, &x->peers.at[i]);
		learn(x, x->links.at[i].peer, &x->peers.at[i]);
	}
}

static enum ib_type unit_type(const struct unit *u)
{
	if (u->type >= 0)
		return (enum ib_type)u->type;
	return u->highest_port > ADAPTER_PORTS || (u->name && !strncmp(u->name, "MF0;", 4)) ? IB_SWITCH : IB_CA;
}

static void add_nodes(struct linkinfo *x, uint32_t *node)
{
	for (size_t i = 0; i < x->units.n; i++) {
		const struct unit *u = &x->units.at[i];
		enum ib_type type = unit_type(u);
		char *id = u->guid != UNKNOWN ? mem_printf("0x%016llx", (unsigned long long)u->guid)
					      : mem_printf("lid-%u%s", u->lid, u->lid ? "" : "-of-header");

		node[i] = u->guid == UNKNOWN && !u->lid ? ib_node_new(x->n, type) : ib_node_find(x->n, id, strlen(id), type);
		x->n->nodes.at[node[i]].line = u->line;
		if (u->name)
			ib_describe(x->n, node[i], u->name, strlen(u->name));
		free(id);
	}
}

static void add_ends(struct linkinfo *x)
{
	uint32_t *node = mem_array(x->units.n, sizeof *node);

	add_nodes(x, node);
	for (size_t i = 0; i < x->links.n; i++) {
		const struct link *l = &x->links.at[i];
		struct ib_end end = {.node = node[l->unit], .port = l->port, .peer = node[l->peer],
				     .peer_port = l->peer_port, .rate = l->rate, .line = l->line};

		ib_end_add(x->n, &end);
	}
	free(node);
}

static bool is_header(const char *at, const char *stop)
{
	skip_blanks(&at, stop);
	return (stop - at > 7 && !memcmp(at, "Switch:", 7)) || (stop - at > 3 && !memcmp(at, "CA:", 3));
}

static bool begins(const char *at, const char *stop)
{
	struct side side;
	const char *name = at;

	if (is_header(at, stop))
		return true;
	if (take_guid(&name, stop, &side.guid) && (skip_blanks(&name, stop), name < stop) && *name == '"')
		return true; /* of -l: a peer's name stands behind its port */
	if (!take_side(&at, stop, &side))
		return false;
	skip_blanks(&at, stop);
	return (size_t)(stop - at) >= sizeof left - 1 && !memcmp(at, left, sizeof left - 1);
}

/* A port goes on until the name of its peer is closed. */
static bool is_whole(const char *at, const char *stop)
{
	const char *arrow, *open, *close;

	if (is_header(at, stop))
		return true;
	arrow = memmem(at, (size_t)(stop - at), right, sizeof right - 1);
	open = arrow ? memchr(arrow, '"', (size_t)(stop - arrow)) : NULL;
	close = open ? memchr(open + 1, '"', (size_t)(stop - open - 1)) : NULL;
	return close != NULL;
}

int ib_linkinfo_recognise(const struct source *s)
{
	struct arena arena = {0};
	size_t size = s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES;
	struct ib_lines l = {.at = s->text, .end = s->text + size, .arena = &arena, .whole = is_whole, .begins = begins};
	bool found = false;

	while (!found && ib_lines_next(&l)) {
		const char *rest = l.start;
		struct side side;

		found = take_side(&rest, l.stop, &side) && memmem(rest, (size_t)(l.stop - rest), right, sizeof right - 1);
	}
	arena_free(&arena);
	return found ? 95 : 0;
}

enum status ib_linkinfo_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct ib_net n = {.source = s};
	struct linkinfo x = {.n = &n, .header = NONE};
	struct ib_lines lines = {.at = s->text, .end = s->text + s->size, .arena = &n.arena, .whole = is_whole, .begins = begins};
	enum status status;

	while (ib_lines_next(&lines)) {
		const char *start = lines.start, *stop = lines.stop;

		x.line = lines.line;
		skip_blanks(&start, stop);
		if (start < stop && *start != '#' && !take_header(&x, start, stop) && !take_port(&x, start, stop) && !n.skipped++)
			n.skipped_line = x.line;
	}
	n.repairs |= lines.wrapped ? REPAIR_WRAPPED : 0;
	find_peers(&x);
	add_ends(&x);
	status = ib_fabric(&n, "InfiniBand subnet, link information", o, d, out);
	vec_free(&x.units);
	vec_free(&x.links);
	vec_free(&x.peers);
	keymap_free(&x.by_lid);
	keymap_free(&x.by_guid);
	strtab_free(&x.names);
	vec_free(&x.by_name);
	ib_free(&n);
	return status;
}
