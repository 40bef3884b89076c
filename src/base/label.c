/* label: the one gate between bytes that strangers wrote and anything that is stored or shown, and what one
 * needs to lay text out in terminal columns. Properties of code points come from utf8proc.
 */
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "toponaut/base.h"

/* Combining marks kept on one character: a cell of the canvas holds as many. */
enum { MARKS_MAX = 2 };

uint32_t utf8_decode(const char *s, size_t n, size_t *used)
{
	utf8proc_int32_t code;
	utf8proc_ssize_t got = utf8proc_iterate((const utf8proc_uint8_t *)s, (utf8proc_ssize_t)n, &code);
	if (got <= 0 || code < 0) {
		*used = 1;
		return 0xfffd;
	}
	*used = (size_t)got;
	return (uint32_t)code;
}

void utf8_put(struct strbuf *b, uint32_t code)
{
	utf8proc_uint8_t bytes[4];
	if (!utf8proc_codepoint_valid((utf8proc_int32_t)code))
		code = 0xfffd;
	utf8proc_ssize_t n = utf8proc_encode_char((utf8proc_int32_t)code, bytes);
	strbuf_add(b, (const char *)bytes, (size_t)n);
}

/* Letters and marks by category that nevertheless leave no ink: fillers, joiners, variation selectors. */
static bool is_invisible(uint32_t code)
{
	return code == 0x034f || code == 0x115f || code == 0x1160 || code == 0x17b4 || code == 0x17b5 ||
	       (code >= 0x180b && code <= 0x180f) || code == 0x2800 || code == 0x3164 || code == 0xffa0 ||
	       (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
}

bool utf8_is_printable(uint32_t code)
{
	if (code < 0x7f)
		return code >= 0x20;
	if (!utf8proc_codepoint_valid((utf8proc_int32_t)code) || is_invisible(code))
		return false;
	switch (utf8proc_category((utf8proc_int32_t)code)) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_CN:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return false;
	default:
		return true;
	}
}

static bool is_mark(uint32_t code)
{
	utf8proc_category_t c = utf8proc_category((utf8proc_int32_t)code);
	return c == UTF8PROC_CATEGORY_MN || c == UTF8PROC_CATEGORY_ME;
}

unsigned utf8_width(uint32_t code)
{
	if (code < 0x7f)
		return code >= 0x20;
	if (!utf8proc_codepoint_valid((utf8proc_int32_t)code))
		return 1;
	if (is_mark(code))
		return 0;
	int width = utf8proc_charwidth((utf8proc_int32_t)code);
	return width > 0 ? (unsigned)width : utf8_is_printable(code);
}

unsigned text_width(const char *text)
{
	unsigned width = 0;
	for (size_t n = strlen(text), used; n > 0; text += used, n -= used)
		width += utf8_width(utf8_decode(text, n, &used));
	return width;
}

size_t text_fit(const char *text, unsigned cols)
{
	size_t at = 0, n = strlen(text);
	for (size_t used; at < n; at += used) {
		unsigned width = utf8_width(utf8_decode(text + at, n - at, &used));
		if (width > cols)
			break;
		cols -= width;
	}
	return at;
}

/* What stands for the code point in a label: itself, or its escape. marks counts marks on the last base. */
static size_t spell(uint32_t code, unsigned *marks, bool at_start, char out[16])
{
	bool mark = code >= 0x300 && utf8proc_codepoint_valid((utf8proc_int32_t)code) && is_mark(code);
	bool shown = utf8_is_printable(code) && !(mark && (at_start || *marks >= MARKS_MAX));
	*marks = mark ? *marks + 1 : 0;
	if (shown)
		return (size_t)utf8proc_encode_char((utf8proc_int32_t)code, (utf8proc_uint8_t *)out);
	if (code < 0x100)
		return (size_t)snprintf(out, 16, "\\x%02x", code);
	return (size_t)snprintf(out, 16, code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
}

static bool is_plain(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] < 0x20 || s[i] > 0x7e)
			return false;
	return true;
}

/* Escapes code points one by one; what does not fit into max bytes becomes "…". */
static void put_spelled(struct strbuf *b, const char *s, size_t n, size_t max)
{
	static const char ellipsis[] = "…";
	size_t start = b->n, safe = b->n; /* safe: where an ellipsis still fits behind */
	unsigned marks = 0;
	for (size_t used; n > 0; s += used, n -= used) {
		char out[16];
		size_t len = spell(utf8_decode(s, n, &used), &marks, b->n == start, out);
		if (b->n - start + len > max) {
			strbuf_trim(b, safe);
			if (max >= sizeof ellipsis - 1)
				strbuf_puts(b, ellipsis);
			return;
		}
		strbuf_add(b, out, len);
		if (b->n - start + sizeof ellipsis - 1 <= max)
			safe = b->n;
	}
}

/* Composes (NFC). Decoding goes first, so that invalid bytes cannot stop it. Returns owned text. */
static utf8proc_uint8_t *compose(const char *bytes, size_t n)
{
	struct strbuf valid = STRBUF_INIT;
	for (size_t used; n > 0; bytes += used, n -= used)
		utf8_put(&valid, utf8_decode(bytes, n, &used));
	utf8proc_uint8_t *out = NULL;
	utf8proc_ssize_t got = utf8proc_map((const utf8proc_uint8_t *)strbuf_str(&valid), (utf8proc_ssize_t)valid.n,
					    &out, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
	strbuf_free(&valid);
	return got < 0 ? NULL : out;
}

void label_put(struct strbuf *b, const char *bytes, size_t n, size_t max_bytes)
{
	if (n <= max_bytes && is_plain(bytes, n)) {
		strbuf_add(b, bytes, n);
		return;
	}
	/* Composing never needs more than the first bytes: 18 is the longest that one code point decomposes to. */
	size_t enough = max_bytes < SIZE_MAX / 32 ? (max_bytes + 4) * 18 : n;
	size_t take = n < enough ? n : enough;
	if (memchr(bytes, 0, take)) {
		put_spelled(b, bytes, n, max_bytes); /* utf8proc_map would stop at the NUL */
		return;
	}
	utf8proc_uint8_t *composed = compose(bytes, take);
	const char *text = composed ? (const char *)composed : bytes;
	put_spelled(b, text, composed ? strlen(text) : n, max_bytes);
	free(composed);
}

const char *label_clean(struct arena *a, const char *bytes, size_t n)
{
	if (n <= LABEL_MAX && is_plain(bytes, n))
		return arena_strndup(a, bytes, n);
	struct strbuf b = STRBUF_INIT;
	label_put(&b, bytes, n, LABEL_MAX);
	const char *label = arena_strndup(a, strbuf_str(&b), b.n);
	strbuf_free(&b);
	return label;
}
