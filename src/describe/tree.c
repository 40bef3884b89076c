/* Bytes to a tree of nodes with marks, through the events of libyaml. Limits are kept here (nesting, nodes
 * after aliases), as are the rules that YAML itself does not have: one document, no key twice, no tags. Slips
 * of quoting, which YAML reports in its own terms, are recognised and said in ours.
 */
#include "describe/describe_internal.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define NESTING_MAX 64
#define QUOTE_HINT "text that starts with @ * ! & or % must be quoted"

struct limits limits_filled(const struct limits *given)
{
	static const struct limits defaults = {.bytes = 64u << 20,
					       .nodes = 4000000,
					       .devices = 4000000,
					       .trunks = 10000000,
					       .steps = 50000000};
	struct limits l = *given;
	l.bytes = l.bytes ? l.bytes : defaults.bytes;
	l.nodes = l.nodes ? l.nodes : defaults.nodes;
	l.devices = l.devices ? l.devices : defaults.devices;
	l.trunks = l.trunks ? l.trunks : defaults.trunks;
	l.steps = l.steps ? l.steps : defaults.steps;
	l.bytes = l.bytes < UINT32_MAX / 2 ? l.bytes : UINT32_MAX / 2;
	/* ids are 32 bits wide and have a reserved value */
	l.devices = l.devices < NONE / 2 ? l.devices : NONE / 2;
	l.trunks = l.trunks < NONE - 1 ? l.trunks : NONE - 1;
	return l;
}

static size_t bom_size(const struct source *s)
{
	return s->size >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* True when a line break of YAML ends at byte i. */
static bool ends_break(const struct source *s, size_t i)
{
	const char *t = s->text;
	if (t[i] == '\n')
		return true;
	if (t[i] == '\r')
		return i + 1 == s->size || t[i + 1] != '\n';
	if ((unsigned char)t[i] == 0x85)
		return i > 0 && (unsigned char)t[i - 1] == 0xc2;
	return ((unsigned char)t[i] == 0xa8 || (unsigned char)t[i] == 0xa9) && i > 1 &&
	       memcmp(t + i - 2, "\xe2\x80", 2) == 0;
}

void text_open(struct text *t, struct source s)
{
	VEC(uint32_t) lines = {0}, breaks = {0};
	*t = (struct text){.source = s, .ascii = true};
	vec_push(&lines, 0);
	vec_push(&breaks, (uint32_t)bom_size(&s));
	for (size_t i = 0; i < s.size; i++) {
		if (s.text[i] == '\n')
			vec_push(&lines, (uint32_t)i + 1);
		if (ends_break(&s, i))
			vec_push(&breaks, (uint32_t)i + 1);
		if ((unsigned char)s.text[i] >= 0x80)
			t->ascii = false;
	}
	t->lines = lines.at;
	t->line_count = (uint32_t)lines.n;
	t->breaks = breaks.at;
	t->break_count = (uint32_t)breaks.n;
}

void text_close(struct text *t)
{
	free(t->lines);
	free(t->breaks);
	t->lines = t->breaks = NULL;
}

bool node_is(const struct node *n, const char *text)
{
	return n->kind == NODE_SCALAR && strlen(text) == n->n && memcmp(n->text, text, n->n) == 0;
}

const struct node *map_get(const struct node *map, const char *key)
{
	for (uint32_t i = 0; map && map->kind == NODE_MAP && i < map->n; i += 2)
		if (node_is(map->items[i], key))
			return map->items[i + 1];
	return NULL;
}

/* ---- building -------------------------------------------------------------------------------------- */

struct open_node {
	struct node *node;
	size_t first; /* of its items on the stack of items */
	const char *anchor;
};

struct anchor {
	const char *name;
	struct node *node; /* NULL while it is open */
	bool used;
	struct mark mark;
};

struct tree {
	struct arena *arena;
	struct text *text;
	const struct limits *limits;
	struct diag *d;
	yaml_parser_t parser;
	VEC(struct open_node) open;
	VEC(struct node *) items;
	VEC(struct anchor) anchors;
	uint64_t nodes;
	yaml_mark_t last_mark; /* the last one turned into bytes, and where it was */
	size_t last_at;
	struct node *root;
	bool documents;
	enum status status;
};

/* libyaml counts characters and its own lines; everything else here counts bytes. */
static size_t offset_of(struct tree *t, yaml_mark_t m)
{
	const struct text *x = t->text;
	size_t column = 0, used;
	if (m.line >= x->break_count)
		return x->source.size;
	size_t at = x->breaks[m.line];
	if (x->ascii)
		return at + m.column < x->source.size ? at + m.column : x->source.size;
	/* marks come in order: go on from the last one, or one endless line would take for ever */
	if (t->last_mark.line == m.line && t->last_mark.column <= m.column && t->last_at >= at) {
		column = t->last_mark.column;
		at = t->last_at;
	}
	for (; column < m.column && at < x->source.size; column++, at += used)
		utf8_decode(x->source.text + at, x->source.size - at, &used);
	t->last_mark = m;
	t->last_at = at;
	return at;
}

/* The line of a byte, from 0. */
static uint32_t line_of(const struct text *t, size_t at)
{
	uint32_t lo = 0, hi = t->line_count;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (t->lines[mid] <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static struct mark mark_of_byte(const struct text *t, size_t at)
{
	uint32_t line = line_of(t, at);
	return (struct mark){&t->source, line + 1, (uint32_t)(at - t->lines[line]) + 1, 0};
}

static struct mark mark_of(struct tree *t, yaml_mark_t m)
{
	return mark_of_byte(t->text, offset_of(t, m));
}

static void refuse(struct tree *t, enum status status, struct mark mark, const char *hint, const char *text)
{
	diag_error(t->d, mark, hint, "%s", text);
	t->status = status;
}

static bool add_node(struct tree *t, struct node *n, struct mark mark)
{
	t->nodes += n->weight;
	if (t->nodes > t->limits->nodes) {
		refuse(t, E_LIMIT, mark,
		       arena_printf(t->arena, "--limit nodes=N raises it; aliases count what they stand for"),
		       arena_printf(t->arena, "more than %llu nodes, the limit `nodes`",
				    (unsigned long long)t->limits->nodes));
		return false;
	}
	if (t->open.n == 0)
		t->root = n;
	else
		vec_push(&t->items, n);
	return true;
}

static struct node *new_node(struct tree *t, enum node_kind kind, yaml_mark_t m)
{
	struct node *n = arena_alloc(t->arena, sizeof *n);
	n->kind = (uint8_t)kind;
	struct mark mark = mark_of(t, m);
	n->line = mark.line;
	n->column = mark.column;
	n->file = t->text;
	n->weight = 1;
	return n;
}

static struct anchor *find_anchor(struct tree *t, const char *name)
{
	for (size_t i = t->anchors.n; i > 0; i--)
		if (strcmp(t->anchors.at[i - 1].name, name) == 0)
			return &t->anchors.at[i - 1];
	return NULL;
}

static const char *add_anchor(struct tree *t, const yaml_char_t *name, struct node *n, yaml_mark_t m)
{
	if (!name)
		return NULL;
	struct anchor a = {arena_strdup(t->arena, (const char *)name), n, false, mark_of(t, m)};
	vec_push(&t->anchors, a);
	return a.name;
}

static void on_alias(struct tree *t, const yaml_event_t *e)
{
	struct anchor *a = find_anchor(t, (const char *)e->data.alias.anchor);
	if (!a) {
		refuse(t, E_INPUT, mark_of(t, e->start_mark), QUOTE_HINT,
		       arena_printf(t->arena, "unknown alias `*%s`", e->data.alias.anchor));
	} else if (!a->node) {
		refuse(t, E_INPUT, mark_of(t, e->start_mark), NULL,
		       arena_printf(t->arena, "the alias `*%s` stands inside of what it names", a->name));
	} else {
		a->used = true;
		add_node(t, a->node, mark_of(t, e->start_mark));
	}
}

/* Tags have no meaning here; those that change nothing are let through. */
static bool check_tag(struct tree *t, const yaml_char_t *tag, yaml_mark_t m)
{
	const char *s = (const char *)tag;
	if (!s || strncmp(s, "tag:yaml.org,2002:", 18) == 0)
		return true;
	refuse(t, E_INPUT, mark_of(t, m), QUOTE_HINT, arena_printf(t->arena, "`%s` is read as a tag", s));
	return false;
}

static void on_scalar(struct tree *t, const yaml_event_t *e)
{
	if (!check_tag(t, e->data.scalar.tag, e->start_mark))
		return;
	struct node *n = new_node(t, NODE_SCALAR, e->start_mark);
	n->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	n->n = (uint32_t)e->data.scalar.length;
	n->text = arena_strndup(t->arena, (const char *)e->data.scalar.value, n->n);
	if (memchr(n->text, 0, n->n)) {
		refuse(t, E_INPUT, mark_of(t, e->start_mark), NULL, "text must not hold a zero byte");
		return;
	}
	add_anchor(t, e->data.scalar.anchor, n, e->start_mark);
	if (e->data.scalar.anchor && n->n == 0 && !n->quoted) {
		refuse(t, E_INPUT, mark_of(t, e->start_mark), QUOTE_HINT,
		       arena_printf(t->arena, "`&%s` is read as an anchor of nothing", e->data.scalar.anchor));
		return;
	}
	add_node(t, n, mark_of(t, e->start_mark));
}

static void on_start(struct tree *t, const yaml_event_t *e, enum node_kind kind)
{
	const yaml_char_t *tag = kind == NODE_MAP ? e->data.mapping_start.tag : e->data.sequence_start.tag;
	const yaml_char_t *anchor = kind == NODE_MAP ? e->data.mapping_start.anchor : e->data.sequence_start.anchor;
	if (!check_tag(t, tag, e->start_mark))
		return;
	if (t->open.n >= NESTING_MAX) {
		refuse(t, E_LIMIT, mark_of(t, e->start_mark), "this limit is fixed",
		       arena_printf(t->arena, "nested deeper than %d, the limit `nesting`", NESTING_MAX));
		return;
	}
	struct open_node o = {.node = new_node(t, kind, e->start_mark), .first = t->items.n};
	o.anchor = add_anchor(t, anchor, NULL, e->start_mark);
	vec_push(&t->open, o);
}

static int compare_keys(const void *x, const void *y)
{
	const struct node *a = *(struct node *const *)x, *b = *(struct node *const *)y;
	uint32_t n = a->n < b->n ? a->n : b->n;
	int order = memcmp(a->text, b->text, n);
	if (!order)
		order = a->n < b->n ? -1 : a->n > b->n;
	if (!order)
		order = a->line < b->line ? -1 : a->line > b->line;
	return order ? order : a->column < b->column ? -1 : a->column > b->column;
}

static struct mark mark_at(const struct node *n)
{
	return (struct mark){&n->file->source, n->line, n->column, n->kind == NODE_SCALAR && !n->quoted ? n->n : 0};
}

static void check_keys(struct tree *t, const struct node *map)
{
	uint32_t n = map->n / 2;
	struct node **keys = mem_array(n, sizeof *keys);
	for (uint32_t i = 0; i < n; i++) {
		keys[i] = map->items[2 * (size_t)i];
		if (keys[i]->kind != NODE_SCALAR) {
			refuse(t, E_INPUT, mark_at(keys[i]), "a value with { } [ ] or , must be quoted",
			       "a key must be a plain word");
			free(keys);
			return;
		}
	}
	qsort(keys, n, sizeof *keys, compare_keys);
	for (uint32_t i = 1; i < n; i++)
		if (keys[i]->n == keys[i - 1]->n && memcmp(keys[i]->text, keys[i - 1]->text, keys[i]->n) == 0)
			refuse(t, E_INPUT, mark_at(keys[i]),
			       arena_printf(t->arena, "it stands first in line %u", keys[i - 1]->line),
			       arena_printf(t->arena, "the key `%.*s` stands twice", (int)keys[i]->n, keys[i]->text));
	free(keys);
}

static void on_end(struct tree *t)
{
	struct open_node o = t->open.at[--t->open.n];
	struct node *n = o.node;
	size_t count = t->items.n - o.first;
	n->n = (uint32_t)count;
	n->items = arena_alloc(t->arena, count * sizeof *n->items + 1);
	if (count)
		memcpy(n->items, t->items.at + o.first, count * sizeof *n->items);
	t->items.n = o.first;
	uint64_t weight = 1;
	for (size_t i = 0; i < count; i++)
		weight += n->items[i]->weight;
	n->weight = weight < t->limits->nodes ? (uint32_t)weight : (uint32_t)t->limits->nodes;
	if (n->kind == NODE_MAP)
		check_keys(t, n);
	for (size_t i = t->anchors.n; o.anchor && i > 0; i--)
		if (t->anchors.at[i - 1].name == o.anchor)
			t->anchors.at[i - 1].node = n;
	/* its items were counted when they were added */
	t->nodes -= weight - 1;
	add_node(t, n, mark_at(n));
}

/* ---- errors of libyaml in our words ------------------------------------------------------------------ */

static bool is_boundary(char c)
{
	return c == ' ' || c == '\t' || c == ',' || c == '\n' || c == 0;
}

/* The word around a byte of a line, for "write it as". */
static const char *quoted_word(struct tree *t, size_t at)
{
	const char *s = t->text->source.text;
	size_t begin = at, end = at, size = t->text->source.size, depth = 0;
	/* [5, 4][i]: from the bracket that opens the list */
	if (begin > 0 && s[begin - 1] == ']')
		do
			begin--;
		while (begin > 0 && s[begin] != '[' && s[begin] != '\n');
	else
		while (begin > 0 && !is_boundary(s[begin - 1]) && s[begin - 1] != '[')
			begin--;
	while (begin < at && s[begin] == '{')
		begin++;
	for (; end < size && s[end] != '\n'; end++) {
		if (s[end] == '{' || s[end] == '[')
			depth++;
		else if ((s[end] == '}' || s[end] == ']') && depth-- == 0)
			break;
		else if (depth == 0 && is_boundary(s[end]))
			break;
	}
	return end > begin && end - begin < 80 ? arena_printf(t->arena, "\"%.*s\"", (int)(end - begin), s + begin) : NULL;
}

static bool is_index_name(char c)
{
	return c == '$' || c == '_' || c == ']' || c == '}' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '/';
}

/* Brackets glued to a word, before the place where libyaml lost the thread, in the same line. */
static bool find_brace_slip(const struct text *t, size_t at, size_t *found)
{
	const char *s = t->source.text;
	size_t first = t->lines[line_of(t, at)];
	bool quoted = false;
	for (size_t i = first; i <= at && i < t->source.size; i++) {
		if (s[i] == '"' || s[i] == '\'')
			quoted = !quoted;
		if (!quoted && i > first && (s[i] == '{' || s[i] == '[') && is_index_name(s[i - 1])) {
			*found = i;
			return true;
		}
	}
	return false;
}

static void reader_error(struct tree *t)
{
	struct mark m = mark_of_byte(t->text, t->parser.problem_offset + bom_size(&t->text->source));
	refuse(t, E_INPUT, m, "a description is UTF-8 text",
	       arena_printf(t->arena, "this is not text: %s (0x%02X)", t->parser.problem,
			    (unsigned)(t->parser.problem_value < 0 ? 0 : t->parser.problem_value)));
}

static void parser_error(struct tree *t)
{
	const yaml_parser_t *p = &t->parser;
	if (p->error == YAML_READER_ERROR) {
		reader_error(t);
		return;
	}
	size_t at = offset_of(t, p->problem_mark), slip;
	struct mark m = mark_of(t, p->problem_mark);
	char c = at < t->text->source.size ? t->text->source.text[at] : 0;
	if (p->problem && strstr(p->problem, "nest")) {
		refuse(t, E_LIMIT, m, "this limit is fixed",
		       arena_printf(t->arena, "nested deeper than %d, the limit `nesting`", NESTING_MAX));
	} else if (p->context && strstr(p->context, "alias") && strstr(p->context, "scanning")) {
		refuse(t, E_INPUT, mark_of(t, p->context_mark), QUOTE_HINT, "`*` here is read as an alias");
	} else if (p->context && strstr(p->context, "anchor") && strstr(p->context, "scanning")) {
		refuse(t, E_INPUT, mark_of(t, p->context_mark), QUOTE_HINT, "`&` here is read as an anchor");
	} else if (p->context && strstr(p->context, "tag") && strstr(p->context, "scanning")) {
		refuse(t, E_INPUT, mark_of(t, p->context_mark), QUOTE_HINT, "`!` here is read as a tag");
	} else if (c == '\t') {
		refuse(t, E_INPUT, m, "indent with spaces", "a tab cannot indent");
	} else if ((c == '@' || c == '%' || c == '`') && strstr(p->problem, "cannot start any token")) {
		refuse(t, E_INPUT, m, QUOTE_HINT, arena_printf(t->arena, "`%c` cannot start a plain text", c));
	} else if (find_brace_slip(t->text, at, &slip)) {
		const char *word = quoted_word(t, slip);
		refuse(t, E_INPUT, mark_of_byte(t->text, slip),
		       word ? arena_printf(t->arena, "quote it: %s", word) : "quote the whole value",
		       "inside { } and [ ], a value that holds { } [ ] or , must be quoted");
	} else {
		refuse(t, E_INPUT, m,
		       p->context ? arena_printf(t->arena, "%s that began in line %zu", p->context,
						 (size_t)mark_of(t, p->context_mark).line)
				  : NULL,
		       arena_printf(t->arena, "this is not YAML: %s", p->problem ? p->problem : "unknown error"));
	}
}

/* ---- the loop ------------------------------------------------------------------------------------------ */

static void on_event(struct tree *t, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (t->documents)
			refuse(t, E_INPUT, mark_of(t, e->start_mark), "put each into a file of its own",
			       "a second document begins here; a file holds one");
		t->documents = true;
		break;
	case YAML_ALIAS_EVENT: on_alias(t, e); break;
	case YAML_SCALAR_EVENT: on_scalar(t, e); break;
	case YAML_SEQUENCE_START_EVENT: on_start(t, e, NODE_LIST); break;
	case YAML_MAPPING_START_EVENT: on_start(t, e, NODE_MAP); break;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT: on_end(t); break;
	default: break;
	}
}

static void read_events(struct tree *t)
{
	bool ended = false;
	while (!ended && t->status == OK) {
		yaml_event_t e;
		if (!yaml_parser_parse(&t->parser, &e)) {
			parser_error(t);
			return;
		}
		ended = e.type == YAML_STREAM_END_EVENT;
		on_event(t, &e);
		yaml_event_delete(&e);
	}
	if (t->status == OK && (!t->root || (t->root->kind == NODE_SCALAR && t->root->n == 0)))
		refuse(t, E_INPUT, (struct mark){&t->text->source, 0, 0, 0}, NULL, "the file is empty");
}

enum status tree_parse(struct arena *a, struct text *text, const struct limits *limits, struct diag *d,
		       struct node **out)
{
	struct tree t = {.arena = a, .text = text, .limits = limits, .d = d};
	const char *s = text->source.text;
	size_t skip = bom_size(&text->source);
	*out = NULL;
	if (!yaml_parser_initialize(&t.parser))
		return E_BUG;
	yaml_parser_set_encoding(&t.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&t.parser, (const unsigned char *)s + skip, text->source.size - skip);
	read_events(&t);
	yaml_parser_delete(&t.parser);
	vec_free(&t.open);
	vec_free(&t.items);
	vec_free(&t.anchors);
	if (t.status == OK)
		*out = t.root;
	return t.status;
}
