/* The table of keys, the manual toponaut(5) and the JSON schema say the same. */
#include "fixture.h"

#include <jansson.h>

static const json_t *section(const json_t *schema, const char *where)
{
	const json_t *s = strcmp(where, "top") == 0 ? schema : json_object_get(json_object_get(schema, "definitions"), where);
	return json_object_get(s, "properties");
}

static size_t rows_of(const char *where)
{
	size_t n = 0;
	for (size_t i = 0; i < describe_key_count; i++)
		n += strcmp(describe_keys[i].where, where) == 0;
	return n;
}

Test(keys, schema)
{
	json_error_t e;
	json_t *schema = json_load_file("layouts/schema/toponaut.schema.json", 0, &e);
	cr_assert(schema, "%s", e.text);
	for (size_t i = 0; i < describe_key_count; i++) {
		const struct key_row *r = &describe_keys[i];
		const json_t *properties = section(schema, r->where), *p = json_object_get(properties, r->key);
		cr_expect(p, "the schema lacks %s of %s", r->key, r->where);
		const char *help = json_string_value(json_object_get(p, "description"));
		cr_expect(help && strcmp(help, r->help) == 0, "%s of %s: %s", r->key, r->where, help ? help : "");
		cr_expect_eq(json_object_size(properties), rows_of(r->where), "%s: keys that the table lacks", r->where);
	}
	json_decref(schema);
}

/* Hyphens are escaped in the manual. */
static void put_roff(struct strbuf *b, const char *text)
{
	for (; *text; text++)
		strbuf_printf(b, *text == '-' ? "\\-" : "%c", *text);
}

Test(keys, manual)
{
	struct arena a = {0};
	struct diag d = {0};
	struct source s;
	cr_assert_eq(source_read(&a, "man/toponaut.5", 1 << 20, &d, &s), OK);
	const char *at = s.text;
	for (size_t i = 0; i < describe_key_count; i++) {
		struct strbuf b = STRBUF_INIT;
		strbuf_puts(&b, ".BR ");
		put_roff(&b, describe_keys[i].key);
		strbuf_puts(&b, " \" (");
		put_roff(&b, describe_keys[i].type);
		strbuf_puts(&b, ")\"\n");
		cr_expect(strstr(at, b.text), "man/toponaut.5 lacks %s of %s", describe_keys[i].key,
			  describe_keys[i].where);
		strbuf_free(&b);
	}
	arena_free(&a);
}
