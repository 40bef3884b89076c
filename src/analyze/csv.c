/* The rows of a result as CSV: a result whose JSON holds an array of objects is a table of them. As RFC 4180 has it, but
 * lines end as everywhere here.
 */
#include <string.h>

#include "analyze/analyze_internal.h"

/* The first list of objects that has any; an empty list stands for one where there is no other. */
static const json_t *find_rows(const json_t *result)
{
	const json_t *empty = NULL;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)result, key, value) {
		if (json_is_array(value) && json_is_object(json_array_get(value, 0)))
			return value;
		empty = json_is_array(value) && !json_array_size(value) ? value : empty;
	}
	return empty;
}

/* A spreadsheet takes what begins like a formula for one: such a text gets an apostrophe before it. */
static void put_text(struct strbuf *b, const char *text)
{
	bool formula = *text && strchr("=+-@", *text), quote = formula || strpbrk(text, ",\"\r\n");

	if (!quote) {
		strbuf_puts(b, text);
		return;
	}
	strbuf_puts(b, formula ? "\"'" : "\"");
	for (; *text; text++)
		strbuf_printf(b, *text == '"' ? "\"%c" : "%c", *text);
	strbuf_putc(b, '"');
}

static void put_cell(struct strbuf *b, const json_t *value)
{
	if (json_is_string(value))
		put_text(b, json_string_value(value));
	else if (json_is_integer(value))
		strbuf_printf(b, "%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		strbuf_printf(b, "%.15g", json_real_value(value));
	else if (json_is_boolean(value))
		strbuf_puts(b, json_is_true(value) ? "true" : "false");
}

bool result_csv(const json_t *result, struct strbuf *b)
{
	const json_t *rows = find_rows(result), *row;
	json_t *first = json_array_get(rows, 0), *value;
	const char *key, *before = "";
	size_t i;

	if (json_object_get(result, "differences")) { /* planned and found beside each other */
		diff_csv(result, b);
		return true;
	}
	if (!rows)
		return false;
	json_object_foreach(first, key, value) {
		strbuf_puts(b, before);
		put_text(b, key);
		before = ",";
	}
	strbuf_puts(b, first ? "\n" : "");
	json_array_foreach((json_t *)rows, i, row) {
		before = "";
		json_object_foreach(first, key, value) {
			strbuf_puts(b, before);
			put_cell(b, json_object_get(row, key));
			before = ",";
		}
		strbuf_putc(b, '\n');
	}
	return true;
}
