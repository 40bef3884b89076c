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

void text_open(struct text *t, struct source s)
{
	VEC(uint32_t) lines = {0};
	*t = (struct text){.source = s, .ascii = true};
	vec_push(&lines, 0);
	for (size_t i = 0; i < s.size; i++) {
		if (s.text[i] == '\n')
			vec_push(&lines, (uint32_t)i + 1);
		if ((unsigned char)s.text[i] >= 0x80)
			t->ascii = false;
	}
	t->lines = lines.at;
	t->line_count = (uint32_t)lines.n;
}

void text_close(struct text *t)
{
	free(t->lines);
	t->lines = NULL;
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
	struct node *root;
	bool documents;
	enum status status;
};

/* libyaml counts characters; everything else here counts bytes. */
static uint32_t byte_column(const struct text *t, size_t line, size_t column)
{
	if (t->ascii || line >= t->line_count)
		return (uint32_t)column + 1;
	size_t at = t->lines[line], used;
	for (; column > 0 && at < t->source.size; column--, at += used)
		utf8_decode(t->source.text + at, t->source.size - at, &used);
	return (uint32_t)(at - t->lines[line]) + 1;
}

static struct mark mark_of(const struct tree *t, yaml_mark_t m)
{
	return (struct mark){&t->text->source, (uint32_t)m.line + 1, byte_column(t->text, m.line, m.column), 0};
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
	n->line = (uint32_t)m.line + 1;
	n->column = byte_column(t->text, m.line, m.column);
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
static bool find_brace_slip(const struct text *t, size_t line, size_t at, size_t *found)
{
	const char *s = t->source.text;
	if (at > t->source.size)
		at = t->source.size;
	bool quoted = false;
	for (size_t i = t->lines[line]; i <= at && i < t->source.size && (i < at + 1); i++) {
		if (s[i] == '"' || s[i] == '\'')
			quoted = !quoted;
		if (!quoted && i > t->lines[line] && (s[i] == '{' || s[i] == '[') && is_index_name(s[i - 1])) {
			*found = i;
			return true;
		}
	}
	return false;
}

static size_t offset_of(const struct text *t, yaml_mark_t m)
{
	if (m.line >= t->line_count)
		return t->source.size;
	return t->lines[m.line] + byte_column(t, m.line, m.column) - 1;
}

static void reader_error(struct tree *t)
{
	size_t at = t->parser.problem_offset, line = 0;
	while (line + 1 < t->text->line_count && t->text->lines[line + 1] <= at)
		line++;
	struct mark m = {&t->text->source, (uint32_t)line + 1, (uint32_t)(at - t->text->lines[line]) + 1, 0};
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
	size_t at = offset_of(t->text, p->problem_mark), slip;
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
	} else if (p->problem_mark.line < t->text->line_count &&
		   find_brace_slip(t->text, p->problem_mark.line, at, &slip)) {
		const char *word = quoted_word(t, slip);
		m.column = (uint32_t)(slip - t->text->lines[p->problem_mark.line]) + 1;
		refuse(t, E_INPUT, m,
		       word ? arena_printf(t->arena, "quote it: %s", word) : "quote the whole value",
		       "inside { } and [ ], a value that holds { } [ ] or , must be quoted");
	} else {
		refuse(t, E_INPUT, m,
		       p->context ? arena_printf(t->arena, "%s that began in line %zu", p->context,
						 p->context_mark.line + 1)
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
	size_t skip = text->source.size >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
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
