/* XML documents as small trees, through expat. Nothing outside of the document is read, and a document that declares
 * entities is refused: the formats read here have none.
 */
#include "io/xml_internal.h"

#include <expat.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { XML_DEPTH = 512, XML_CHUNK = 1 << 20 };

struct reader {
	struct arena *arena;
	XML_Parser parser;
	const struct source *source;
	bool keep_text;
	struct xml_node *root, *at;
	struct strbuf text;
	uint64_t nodes, limit;
	unsigned depth;
	const char *refused; /* why it stopped */
	bool over_limit;
};

static uint32_t line_of(const struct reader *r)
{
	return (uint32_t)XML_GetCurrentLineNumber(r->parser);
}

static void refuse(struct reader *r, const char *why)
{
	r->refused = why;
	XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL on_entity(void *context, const XML_Char *name, int is_parameter, const XML_Char *value, int n,
			      const XML_Char *base, const XML_Char *system_id, const XML_Char *public_id, const XML_Char *notation)
{
	(void)name, (void)is_parameter, (void)value, (void)n, (void)base, (void)system_id, (void)public_id, (void)notation;
	refuse(context, "it declares an entity, which none of the formats read here has");
}

static const char *const *copy_attributes(struct reader *r, const XML_Char **attributes)
{
	size_t n = 0;
	const char **copy;

	while (attributes[n])
		n++;
	copy = arena_alloc(r->arena, (n + 1) * sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = arena_strdup(r->arena, attributes[i]);
	return copy;
}

static void XMLCALL on_start(void *context, const XML_Char *name, const XML_Char **attributes)
{
	struct reader *r = context;
	struct xml_node *n;

	if (++r->nodes > r->limit || ++r->depth > XML_DEPTH) {
		r->over_limit = true;
		refuse(r, "it has more elements, or they lie deeper, than the limit");
		return;
	}
	n = arena_alloc(r->arena, sizeof *n);
	*n = (struct xml_node){.name = arena_strdup(r->arena, name), .parent = r->at, .text = "", .line = line_of(r)};
	n->attributes = copy_attributes(r, attributes);
	if (!r->at)
		r->root = n;
	else if (r->at->last)
		r->at->last->next = n;
	else
		r->at->first = n;
	if (r->at)
		r->at->last = n;
	r->at = n;
	strbuf_trim(&r->text, 0);
}

static void XMLCALL on_end(void *context, const XML_Char *name)
{
	struct reader *r = context;

	(void)name;
	if (r->keep_text && r->text.n && !r->at->first)
		r->at->text = arena_strndup(r->arena, strbuf_str(&r->text), r->text.n);
	r->at = r->at->parent;
	r->depth--;
}

static void XMLCALL on_text(void *context, const XML_Char *text, int n)
{
	struct reader *r = context;

	if (r->keep_text && r->at && !r->at->first)
		strbuf_add(&r->text, text, (size_t)n);
}

static enum status run(struct reader *r, struct diag *d)
{
	const struct source *s = r->source;
	struct mark mark = {.source = s};
	size_t at = 0;

	do {
		size_t n = s->size - at < XML_CHUNK ? s->size - at : XML_CHUNK;

		if (XML_Parse(r->parser, s->text + at, (int)n, at + n == s->size) == XML_STATUS_ERROR) {
			mark.line = line_of(r);
			mark.column = (uint32_t)XML_GetCurrentColumnNumber(r->parser) + 1;
			diag_error(d, mark, NULL, "this XML cannot be read: %s",
				   r->refused ? r->refused : XML_ErrorString(XML_GetErrorCode(r->parser)));
			return r->over_limit ? E_LIMIT : E_INPUT;
		}
		at += n;
	} while (at < s->size);
	return OK;
}

enum status xml_parse(struct arena *a, const struct source *s, const struct io_options *o, bool keep_text, struct diag *d,
		      struct xml_node **root)
{
	struct limits limits = limits_filled(&o->describe.limits);
	struct reader r = {.arena = a, .source = s, .keep_text = keep_text, .limit = limits.nodes};
	enum status status;

	r.parser = XML_ParserCreate(NULL);
	if (!r.parser)
		return E_BUG;
	XML_SetUserData(r.parser, &r);
	XML_SetElementHandler(r.parser, on_start, on_end);
	XML_SetCharacterDataHandler(r.parser, on_text);
	XML_SetEntityDeclHandler(r.parser, on_entity);
	XML_SetParamEntityParsing(r.parser, XML_PARAM_ENTITY_PARSING_NEVER);
	status = run(&r, d);
	*root = r.root;
	XML_ParserFree(r.parser);
	strbuf_free(&r.text);
	return status;
}

const char *xml_attribute(const struct xml_node *n, const char *name)
{
	for (size_t i = 0; n->attributes[i]; i += 2)
		if (!strcmp(n->attributes[i], name))
			return n->attributes[i + 1];
	return NULL;
}

bool xml_is(const struct xml_node *n, const char *name)
{
	return !strcmp(n->name, name);
}

/* Comments, declarations and the document type stand before the root. */
const char *xml_root_name(const struct source *s, size_t *n)
{
	const char *end = s->text + (s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES), *at = s->text;

	*n = 0;
	while (at < end) {
		const char *open = memchr(at, '<', (size_t)(end - at));

		if (!open || end - open < 4)
			return NULL;
		if (!memcmp(open, "<!--", 4)) {
			const char *close = memmem(open, (size_t)(end - open), "-->", 3);

			if (!close)
				return NULL;
			at = close + 3;
		} else if (open[1] == '?' || open[1] == '!') {
			at = open + 2;
		} else {
			at = open + 1;
			while (at + *n < end && !strchr(" \t\r\n/>", at[*n]))
				++*n;
			return at;
		}
	}
	return NULL;
}
