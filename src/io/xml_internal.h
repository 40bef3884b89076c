/* XML documents as small trees. The only code that knows expat; entities and document types are not expanded. */
#ifndef XML_INTERNAL_H
#define XML_INTERNAL_H

#include "io/io_internal.h"

struct xml_node {
	const char *name;
	const char *const *attributes; /* name, value, …, NULL */
	struct xml_node *parent, *first, *last, *next;
	const char *text; /* of elements without others inside, where it was asked for; never NULL */
	uint32_t line;
};

/* Nodes live in a; E_INPUT with a message when it is no XML, E_LIMIT
 * with more elements than the limit. What was read before an error stays in *root (may be NULL). */
MUST_CHECK enum status xml_parse(struct arena *a, const struct source *s, const struct io_options *o, bool keep_text,
				 struct diag *d, struct xml_node **root);
const char *xml_attribute(const struct xml_node *n, const char *name); /* NULL when absent */
bool xml_is(const struct xml_node *n, const char *name);
/* Name of the root element, within the first part of the file; n 0 when there is none. */
const char *xml_root_name(const struct source *s, size_t *n);

#endif
