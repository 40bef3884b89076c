/* `ibnetdiscover` topology files, the .lst files of ibdiagnet and the .net files of ibsim: records of nodes, each with a
 * line for every connected port. What is no part of that (prompts, banners, messages of errors) is skipped and counted;
 * TABs and blank lines carry nothing, since people lose them.
 */
#include <stdlib.h>
#include <string.h>

#include "io/ib_internal.h"

struct cursor {
	const char *at, *end;
};

struct discover {
	struct ib_net *n;
	uint32_t node; /* of the record, or NONE */
	struct ib_rate record; /* masks that ibsim's settings give to the ports of the next record */
	uint32_t line;
	VEC(struct ib_end) hidden; /* ends whose peer's id is blacked out */
	VEC(const char *) hidden_peers;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct cursor *c)
{
	while (c->at < c->end && is_blank(*c->at))
		c->at++;
}

static bool take_number(struct cursor *c, uint32_t max, uint32_t *out)
{
	const char *start = c->at;

	*out = 0;
	for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
		*out = *out * 10 + (uint32_t)(*c->at - '0');
		if (*out > max)
			return false;
	}
	return c->at > start;
}

/* "S-0002c9020046c588", the quotes away. */
static bool take_id(struct cursor *c, struct cursor *id)
{
	const char *close;

	if (c->at >= c->end || *c->at != '"')
		return false;
	close = memchr(c->at + 1, '"', (size_t)(c->end - c->at - 1));
	if (!close || close == c->at + 1 || close - c->at > 128)
		return false;
	*id = (struct cursor){c->at + 1, close};
	c->at = close + 1;
	return true;
}

static bool is_hidden(struct cursor id)
{
	for (const char *p = id.at; p < id.end; p++)
		if (*p == '<' || *p == '*' || *p == '?')
			return true;
	return false;
}

/* What stands between the first and the last quote of a comment. */
static struct cursor quoted(struct cursor c)
{
	const char *open = memchr(c.at, '"', (size_t)(c.end - c.at)), *close = c.end;

	if (!open)
		return (struct cursor){c.end, c.end};
	while (close > open + 1 && close[-1] != '"')
		close--;
	if (close <= open + 1) /* cut off inside */
		return (struct cursor){c.end, c.end};
	return (struct cursor){open + 1, close - 1};
}

/* ---- records ---------------------------------------------------------------------------------- */

static bool take_keyword(struct cursor *c, enum ib_type *type)
{
	static const struct {
		const char *word;
		enum ib_type type;
	} words[] = {{"Switch", IB_SWITCH}, {"Ca", IB_CA}, {"Hca", IB_CA}, {"Rt", IB_ROUTER}};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t n = strlen(words[i].word);

		if ((size_t)(c->end - c->at) > n && !memcmp(c->at, words[i].word, n) &&
		    (is_blank(c->at[n]) || (c->at[n] >= '0' && c->at[n] <= '9'))) {
			c->at += n;
			*type = words[i].type;
			return true;
		}
	}
	return false;
}

static bool parse_record(struct cursor line, enum ib_type *type, uint32_t *ports, struct cursor *id, struct cursor *rest)
{
	if (!take_keyword(&line, type))
		return false;
	skip_blanks(&line);
	if (!take_number(&line, IB_PORT_MAX, ports))
		return false;
	skip_blanks(&line);
	if (!take_id(&line, id))
		return false;
	*rest = line;
	return true;
}

static bool begin_record(struct discover *x, struct cursor line)
{
	enum ib_type type;
	uint32_t ports;
	struct cursor id, rest, text;
	struct ib_node *node;

	if (!parse_record(line, &type, &ports, &id, &rest))
		return false;
	x->node = is_hidden(id) ? ib_node_new(x->n, type) : ib_node_find(x->n, id.at, (size_t)(id.end - id.at), type);
	node = &x->n->nodes.at[x->node];
	x->n->repairs |= rest.at < rest.end && *rest.at == '#' ? REPAIR_TABS : 0;
	node->type = type;
	if (!node->line)
		node->line = x->line;
	if (ports > node->ports)
		node->ports = ports;
	text = quoted(rest);
	ib_describe(x->n, x->node, text.at, (size_t)(text.end - text.at));
	return true;
}

/* ---- ports ------------------------------------------------------------------------------------ */

/* "w=2 s=1 e=0" of ibsim; `ibnetdiscover -f` has the like behind a rate, which then counts. */
static void take_mask(const char *word, size_t n, struct ib_rate *rate)
{
	struct cursor c = {word + 2, word + n};
	uint32_t value;

	if (n < 3 || word[1] != '=' || !take_number(&c, 255, &value) || c.at != c.end)
		return;
	if (word[0] == 'w')
		rate->w = (uint8_t)value;
	else if (word[0] == 's')
		rate->s = (uint8_t)value;
	else if (word[0] == 'e')
		rate->e = (uint8_t)value;
}

static void take_rate_words(struct cursor c, struct ib_rate *rate)
{
	while (c.at < c.end) {
		const char *start;
		struct ib_rate found;

		skip_blanks(&c);
		start = c.at;
		while (c.at < c.end && !is_blank(*c.at))
			c.at++;
		if (ib_rate_parse(start, (size_t)(c.at - start), &found)) {
			rate->width = found.width;
			rate->speed = found.speed;
		} else {
			take_mask(start, (size_t)(c.at - start), rate);
		}
	}
}

/* Outside of quotes: a description may hold what looks like a rate. */
static struct ib_rate find_rate(struct cursor rest, struct cursor text, struct ib_rate record)
{
	struct ib_rate rate = record;

	if (text.at == text.end) {
		take_rate_words(rest, &rate);
	} else {
		take_rate_words((struct cursor){rest.at, text.at - 1}, &rate);
		take_rate_words((struct cursor){text.end + 1, rest.end}, &rate);
	}
	if (rate.width && rate.speed)
		rate.w = rate.s = rate.e = 0;
	return rate;
}

/* "(…)" port GUIDs and "[ext 3]" behind a port number. */
static void skip_notes(struct cursor *c)
{
	for (;;) {
		const char *close;
		char open;

		skip_blanks(c);
		if (c->at >= c->end || (*c->at != '(' && *c->at != '['))
			return;
		open = *c->at;
		close = memchr(c->at, open == '(' ? ')' : ']', (size_t)(c->end - c->at));
		if (!close)
			return;
		c->at = close + 1;
	}
}

static bool parse_port(struct cursor *line, uint32_t *port, struct cursor *peer, uint32_t *peer_port)
{
	if (line->at >= line->end || *line->at++ != '[' || !take_number(line, IB_PORT_MAX, port) ||
	    line->at >= line->end || *line->at++ != ']')
		return false;
	skip_notes(line);
	if (!take_id(line, peer))
		return false;
	*peer_port = 1; /* ibsim leaves a [1] away */
	skip_blanks(line);
	if (line->at < line->end && *line->at == '[') {
		line->at++;
		if (!take_number(line, IB_PORT_MAX, peer_port) || line->at >= line->end || *line->at++ != ']')
			return false;
	}
	skip_notes(line);
	return true;
}

static bool add_port(struct discover *x, struct cursor line)
{
	struct cursor peer, text;
	struct ib_end end = {.node = x->node, .line = x->line};

	if (x->node == NONE || !parse_port(&line, &end.port, &peer, &end.peer_port))
		return false;
	x->n->repairs |= peer.at[-2] == ']' ? REPAIR_TABS : 0; /* "[1]" right before the quote */
	text = quoted(line);
	end.rate = find_rate(line, text, x->record);
	if (is_hidden(peer)) {
		end.peer = peer.at[0] == 'S' ? IB_SWITCH : IB_CA;
		vec_push(&x->hidden, end);
		vec_push(&x->hidden_peers, arena_strndup(&x->n->arena, text.at, (size_t)(text.end - text.at)));
		return true;
	}
	end.peer = ib_node_find(x->n, peer.at, (size_t)(peer.end - peer.at), IB_CA);
	ib_describe(x->n, end.peer, text.at, (size_t)(text.end - text.at));
	ib_end_add(x->n, &end);
	return true;
}

/* A peer whose id is blacked out is known when one node alone has its description. */
static void find_hidden(struct discover *x)
{
	struct strtab names = {0};
	VEC(uint32_t) node = {0};

	for (uint32_t i = 0; x->hidden.n && i < x->n->nodes.n; i++) {
		const char *text = x->n->nodes.at[i].description;
		uint32_t id = text ? strtab_intern(&names, text, strlen(text)) : NONE;

		if (id == node.n)
			vec_push(&node, i);
		else if (id != NONE)
			node.at[id] = NONE;
	}
	for (size_t i = 0; i < x->hidden.n; i++) {
		struct ib_end *e = &x->hidden.at[i];
		const char *text = x->hidden_peers.at[i];
		uint32_t id = strtab_find(&names, text, strlen(text)), found = id == NONE ? NONE : node.at[id];

		if (found == NONE || x->n->nodes.at[found].type != (enum ib_type)e->peer) {
			x->n->unresolved++;
			continue;
		}
		e->peer = found;
		x->n->repairs |= REPAIR_IDS;
		ib_end_add(x->n, e);
	}
	vec_free(&node);
	strtab_free(&names);
}

/* ---- other lines ------------------------------------------------------------------------------ */

static bool starts(struct cursor line, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(line.end - line.at) >= n && !memcmp(line.at, word, n);
}

/* ibsim's "width=2" before a record. */
static bool take_setting(struct discover *x, struct cursor line)
{
	static const struct {
		const char *key;
		char mask;
	} keys[] = {{"width=", 'w'}, {"speed=", 's'}, {"extspeed=", 'e'}};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		uint32_t value;
		struct cursor c = line;

		if (!starts(line, keys[i].key))
			continue;
		c.at += strlen(keys[i].key);
		if (!take_number(&c, 255, &value))
			return false;
		if (keys[i].mask == 'w')
			x->record.w = (uint8_t)value;
		else if (keys[i].mask == 's')
			x->record.s = (uint8_t)value;
		else
			x->record.e = (uint8_t)value;
		return true;
	}
	return false;
}

static bool is_known(struct cursor line)
{
	static const char *const words[] = {
		"#",          "vendid",        "devid",        "sysimgguid",        "switchguid",  "caguid", "rtguid",
		"hcaguids",   "hcaguid",       "Chassis ",     "Hostname:",         "Non-Chassis", "Spine",  "Line",
		"This file",  "This database", "module ",      "do ",               "Topology file",
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (starts(line, words[i]))
			return true;
	return line.at == line.end;
}

static void read_line(struct discover *x, struct cursor line)
{
	while (line.end > line.at && is_blank(line.end[-1]))
		line.end--;
	skip_blanks(&line);
	if (line.at < line.end && *line.at == '[' && add_port(x, line))
		return;
	if (begin_record(x, line) || take_setting(x, line))
		return;
	if (starts(line, "sysimgguid") || starts(line, "vendid"))
		x->record = (struct ib_rate){0};
	if (is_known(line))
		return;
	if (starts(line, "..."))
		x->n->elided++;
	else if (!x->n->skipped++)
		x->n->skipped_line = x->line;
}

static struct cursor next_line(const char **at, const char *end)
{
	const char *stop = memchr(*at, '\n', (size_t)(end - *at));
	struct cursor line = {*at, stop ? stop : end};

	*at = stop ? stop + 1 : end;
	return line;
}

static const char *skip_bom(const struct source *s)
{
	return s->size >= 3 && !memcmp(s->text, "\xef\xbb\xbf", 3) ? s->text + 3 : s->text;
}

/* A record that is followed by a port, or by anything if it says what discovered it. */
int ib_discover_recognise(const struct source *s)
{
	const char *end = s->text + (s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES), *at = skip_bom(s);
	bool record = false, header = false;

	while (at < end) {
		struct cursor line = next_line(&at, end), id, rest;
		enum ib_type type;
		uint32_t port, peer_port;

		skip_blanks(&line);
		header |= starts(line, "# Topology file: generated") || starts(line, "switchguid=") ||
			  starts(line, "caguid=");
		if (record && parse_port(&(struct cursor){line.at, line.end}, &port, &id, &peer_port))
			return 95;
		record |= parse_record(line, &type, &port, &id, &rest);
	}
	return record ? (header ? 95 : 40) : header ? 30 : 0;
}

enum status ib_discover_read(const struct source *s, const struct io_options *o, struct diag *d, struct fabric **out)
{
	struct ib_net n = {.source = s};
	struct discover x = {.n = &n, .node = NONE};
	const char *at = skip_bom(s), *end = s->text + s->size;
	enum status status;

	while (at < end) {
		struct cursor line = next_line(&at, end);
		size_t skipped = n.skipped;

		x.line++;
		read_line(&x, line);
		if (line.end == end && n.skipped > skipped) { /* no newline ends it */
			n.skipped = skipped;
			n.repairs |= REPAIR_END;
		}
	}
	find_hidden(&x);
	status = ib_fabric(&n, "InfiniBand subnet", o, d, out);
	vec_free(&x.hidden);
	vec_free(&x.hidden_peers);
	ib_free(&n);
	return status;
}
