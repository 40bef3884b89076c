/* `ibnetdiscover -p`: one line a port, "SW 5 1 0x… 4x EDR - CA 6 1 0x… ( 'name' - 'peer' )". The width and speed of a port
 * without a peer mean nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "io/ib_internal.h"

enum { GUID_LENGTH = 18 };

struct port_line {
	enum ib_type type[2];
	uint64_t port[2];
	const char *guid[2];
	size_t guid_length[2];
	struct ib_rate rate;
	const char *name[2];
	size_t name_length[2];
	bool connected;
};

static const char *word(const char **at, const char *end, size_t *n)
{
	const char *start;

	while (*at < end && (**at == ' ' || **at == '\t' || **at == '\r'))
		++*at;
	start = *at;
	while (*at < end && **at != ' ' && **at != '\t' && **at != '\r')
		++*at;
	*n = (size_t)(*at - start);
	return start;
}

static bool take_number(const char **at, const char *end, uint64_t *out)
{
	size_t n;
	const char *w = word(at, end, &n);

	*out = 0;
	for (size_t i = 0; i < n; i++) {
		if (w[i] < '0' || w[i] > '9' || *out > IB_PORT_MAX)
			return false;
		*out = *out * 10 + (uint64_t)(w[i] - '0');
	}
	return n > 0 && *out <= IB_PORT_MAX;
}

/* "SW  1719 10 0x7cfe9003009ce5b0" */
static bool take_side(const char **at, const char *end, struct port_line *p, int side)
{
	static const char types[3][3] = {[IB_SWITCH] = "SW", [IB_CA] = "CA", [IB_ROUTER] = "RT"};
	size_t n;
	const char *w = word(at, end, &n);
	uint64_t lid;
	int type = -1;

	for (int i = 0; i < 3; i++)
		if (n == 2 && !memcmp(w, types[i], 2))
			type = i;
	if (type < 0 || !take_number(at, end, &lid) || !take_number(at, end, &p->port[side]))
		return false;
	p->type[side] = (enum ib_type)type;
	p->guid[side] = word(at, end, &p->guid_length[side]);
	return p->guid_length[side] > 2 && !memcmp(p->guid[side], "0x", 2);
}

/* "( 'name' - 'peer' )", or a name alone with or without quotes. */
static void take_names(const char *at, const char *end, struct port_line *p)
{
	static const char between[] = "' - '";
	const char *open, *middle;

	while (end > at && strchr(" \t\r)'", end[-1]))
		end--;
	open = at + strspn(at, " \t(");
	if (open < end && *open == '\'')
		open++;
	if (open >= end)
		return;
	middle = p->connected ? memmem(open, (size_t)(end - open), between, sizeof between - 1) : NULL;
	p->name[0] = open;
	p->name_length[0] = (size_t)((middle ? middle : end) - open);
	if (middle) {
		p->name[1] = middle + sizeof between - 1;
		p->name_length[1] = (size_t)(end - p->name[1]);
	}
}

/* "SW 1719 10 0x7cfe9003009ce5b0 4x": the side of a peer has no width. */
static bool take_first(const char **at, const char *end, struct port_line *p)
{
	size_t n;
	const char *w;

	*p = (struct port_line){0};
	if (!take_side(at, end, p, 0))
		return false;
	w = word(at, end, &n);
	return ib_width_parse(w, n, &p->rate.width) || (n >= 2 && !memcmp(w, "??", 2));
}

static bool parse_line(const char *at, const char *end, struct port_line *p)
{
	size_t n;
	const char *w, *rest;

	if (!take_first(&at, end, p))
		return false;
	w = word(&at, end, &n);
	if (!ib_speed_parse(w, n, &p->rate.speed))
		return false;
	rest = at;
	w = word(&at, end, &n);
	if (n == 1 && *w == '-') {
		p->connected = true;
		if (!take_side(&at, end, p, 1))
			return false;
		rest = at;
	}
	take_names(rest, end, p);
	return true;
}

static void add_line(struct ib_net *n, const struct port_line *p, uint32_t line)
{
	struct ib_end end = {.port = (uint32_t)p->port[0], .peer_port = (uint32_t)p->port[1], .rate = p->rate, .line = line};

	end.node = ib_node_find(n, p->guid[0], p->guid_length[0], p->type[0]);
	if (!n->nodes.at[end.node].line)
		n->nodes.at[end.node].line = line;
	if (p->name[0])
		ib_describe(n, end.node, p->name[0], p->name_length[0]);
	if (!p->connected) {
		n->unconnected++;
		return;
	}
	end.peer = ib_node_find(n, p->guid[1], p->guid_length[1], p->type[1]);
	if (p->name[1])
		ib_describe(n, end.peer, p->name[1], p->name_length[1]);
	ib_end_add(n, &end);
}

static bool begins(const char *at, const char *stop)
{
	struct port_line p;

	return take_first(&at, stop, &p);
}

static bool is_whole(const char *at, const char *stop)
{
	struct port_line p;

	if (!parse_line(at, stop, &p))
		return false;
	while (stop > at && strchr(" \t\r", stop[-1]))
		stop--;
	if (memchr(at, '(', (size_t)(stop - at)))
		return stop[-1] == ')';
	return !p.connected || p.guid_length[1] == GUID_LENGTH; /* a GUID may be what was broken */
}

int ib_ports_recognise(const struct source *s)
{
	struct arena arena = {0};
	size_t size = s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES;
	struct ib_lines l = {.at = s->text, .end = s->text + size, .arena = &arena, .whole = is_whole, .begins = begins};
	struct port_line p;
	bool found = false;

	while (!found && ib_lines_next(&l))
		found = parse_line(l.start, l.stop, &p);
	arena_free(&arena);
	return found ? 95 : 0;
}

enum status ib_ports_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct ib_net n = {.source = s};
	struct ib_lines lines = {.at = s->text, .end = s->text + s->size, .arena = &n.arena, .whole = is_whole, .begins = begins};
	enum status status;

	while (ib_lines_next(&lines)) {
		const char *start = lines.start;
		struct port_line p;
		size_t length;

		if (lines.at >= lines.end && lines.end[-1] != '\n' && begins(start, lines.stop) && !is_whole(start, lines.stop))
			n.repairs |= REPAIR_END;
		else if (parse_line(start, lines.stop, &p))
			add_line(&n, &p, lines.line);
		else if (*word(&start, lines.stop, &length) != '#' && length && !n.skipped++)
			n.skipped_line = lines.line;
	}
	n.repairs |= lines.wrapped ? REPAIR_WRAPPED : 0;
	status = ib_fabric(&n, "InfiniBand subnet, list of ports", o, d, out);
	ib_free(&n);
	return status;
}
