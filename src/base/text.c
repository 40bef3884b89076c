/* Growing text, and small things on text that every layer needs. */
#include "toponaut/base.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct strbuf *b, size_t more)
{
	size_t want = b->n + more + 1;

	if (want <= b->cap)
		return;
	b->cap = b->cap * 2 > want ? b->cap * 2 : want < 64 ? 64 : want;
	b->text = mem_resize(b->text, b->cap, 1);
}

void strbuf_add(struct strbuf *b, const char *s, size_t n)
{
	reserve(b, n);
	if (n)
		memcpy(b->text + b->n, s, n);
	b->n += n;
	b->text[b->n] = '\0';
}

void strbuf_puts(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

void strbuf_putc(struct strbuf *b, char c)
{
	strbuf_add(b, &c, 1);
}

void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	if (n > 0) {
		reserve(b, (size_t)n);
		vsnprintf(b->text + b->n, (size_t)n + 1, fmt, again);
		b->n += (size_t)n;
	}
	va_end(again);
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(b, fmt, ap);
	va_end(ap);
}

void strbuf_trim(struct strbuf *b, size_t n)
{
	if (n < b->n) {
		b->n = n;
		b->text[n] = '\0';
	}
}

const char *strbuf_str(const struct strbuf *b)
{
	return b->text ? b->text : "";
}

void strbuf_free(struct strbuf *b)
{
	free(b->text);
	*b = (struct strbuf)STRBUF_INIT;
}

void put_count(struct strbuf *b, uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof digits, "%" PRIu64, n);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			strbuf_putc(b, ',');
		strbuf_putc(b, digits[i]);
	}
}

/* Digit runs of equal value but different zero padding compare by length, so that the order is total. */
static int compare_digits(const char **a, const char **b)
{
	const char *x = *a, *y = *b;
	size_t m, n;
	int by_value;

	while (*x == '0')
		x++;
	while (*y == '0')
		y++;
	m = strspn(x, "0123456789");
	n = strspn(y, "0123456789");
	by_value = m != n ? (m < n ? -1 : 1) : memcmp(x, y, m);
	if (!by_value && (x - *a) != (y - *b))
		by_value = (x - *a) < (y - *b) ? -1 : 1;
	*a = x + m;
	*b = y + n;
	return by_value;
}

int natural_compare(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			int order = compare_digits(&a, &b);

			if (order)
				return order;
		} else if (*a != *b) {
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return *a ? 1 : *b ? -1 : 0;
}

enum { WORD_MAX = 40 };

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* Edit distance with transpositions of neighbours (optimal string alignment). */
static size_t edit_distance(const char *a, size_t m, const char *b, size_t n)
{
	size_t row[3][WORD_MAX + 1];

	for (size_t j = 0; j <= n; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= m; i++) {
		size_t *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= n; j++) {
			now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
	}
	return row[m % 3][n];
}

const char *nearest_word(const char *word, const char *const *known, size_t n)
{
	size_t length = strlen(word), best = 3;
	const char *found = NULL;

	if (length > WORD_MAX)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t other = strlen(known[i]), distance;

		if (other > WORD_MAX)
			continue;
		distance = edit_distance(word, length, known[i], other);
		if (distance < best && distance * 2 < (length > other ? length : other)) {
			best = distance;
			found = known[i];
		}
	}
	return found;
}

void put_shell_word(struct strbuf *b, const char *text)
{
	bool plain = *text && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./@:%+=,")] == 0;
	if (plain) {
		strbuf_puts(b, text);
		return;
	}
	strbuf_putc(b, '\'');
	for (; *text; text++)
		if (*text == '\'')
			strbuf_puts(b, "'\\''");
		else
			strbuf_putc(b, *text);
	strbuf_putc(b, '\'');
}
