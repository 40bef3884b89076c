/* names: what devices and modules are called on pictures, many of them together, and in few columns. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "view/view_internal.h"

/* Bytes of a name before its indices. */
static size_t stem_length(const char *name)
{
	size_t n = strlen(name);
	while (n > 0 && ((name[n - 1] >= '0' && name[n - 1] <= '9') || name[n - 1] == '.'))
		n--;
	return n;
}

/* Bytes that two names share at their beginning (step 1) or end (-1), none of a number or a character that differs. */
static size_t shared_bytes(const char *a, size_t na, const char *b, size_t nb, bool ends)
{
	size_t most = na < nb ? na : nb, n = 0;
	while (n < most && (ends ? a[na - 1 - n] == b[nb - 1 - n] : a[n] == b[n]))
		n++;
	while (n > 0) {
		char next = ends ? a[na - n] : a[n], last = ends ? a[na - n] : a[n - 1];
		bool digit = last >= '0' && last <= '9', inside = ((unsigned char)next & 0xc0) == 0x80;
		if (!digit && !inside)
			break;
		n--;
	}
	return n;
}

/* "dcx-[01–06]-A" of "dcx-01-A" and "dcx-06-A", where that is shorter. */
static bool put_range(const char *from, const char *to, struct strbuf *b)
{
	size_t nf = strlen(from), nt = strlen(to), head = shared_bytes(from, nf, to, nt, false);
	size_t tail = shared_bytes(from + head, nf - head, to + head, nt - head, true);
	if (tail == 0 || head + tail < 4 || nf == head + tail || nt == head + tail)
		return false;
	strbuf_add(b, from, head);
	strbuf_putc(b, '[');
	strbuf_add(b, from + head, nf - head - tail);
	strbuf_puts(b, "–");
	strbuf_add(b, to + head, nt - head - tail);
	strbuf_putc(b, ']');
	strbuf_add(b, from + nf - tail, tail);
	return true;
}

void names_put(const struct fabric *f, uint32_t first, uint32_t last, struct strbuf *b)
{
	const char *from = fabric_str(f, f->modules.at[first].name);
	const char *to = fabric_str(f, f->modules.at[last].name);
	size_t stem = stem_length(from);
	if (first == last) {
		strbuf_puts(b, from);
		return;
	}
	bool shared = stem == stem_length(to) && strncmp(from, to, stem) == 0;
	if (!shared && put_range(from, to, b))
		return;
	strbuf_printf(b, "%s–%s", from, shared ? to + stem : to);
}

/* Bytes of the name that all devices share but for indices; 0 when they do not. */
static size_t shared_stem(const struct fabric *f, const uint32_t *devices, size_t n)
{
	const char *first = device_name(f, devices[0]);
	size_t stem = stem_length(first);
	for (size_t i = 1; i < n && stem; i++) {
		const char *name = device_name(f, devices[i]);
		if (stem_length(name) != stem || strncmp(name, first, stem) != 0)
			stem = 0;
	}
	return stem;
}

void devices_title(const struct fabric *f, uint32_t type, const uint32_t *devices, size_t n, struct strbuf *b)
{
	uint32_t known = type != NONE || n == 0 ? type : f->type[devices[0]];
	const char *word = known != NONE ? fabric_str(f, f->types.at[known].name) : "";
	const char *first = n ? device_name(f, devices[0]) : word;
	size_t stem = n ? shared_stem(f, devices, n) : 0;
	bool inferred = n > 0;
	for (size_t i = 0; i < n; i++)
		inferred = inferred && (f->flags[devices[i]] & FLAG_INFERRED);
	bool named = stem && (strlen(word) != stem || strncasecmp(word, first, stem) != 0);
	strbuf_add(b, named ? first : word, named ? stem : strlen(word));
	if (n != 1) {
		strbuf_puts(b, " ×");
		put_count(b, n);
	}
	if (named && type != NONE)
		strbuf_printf(b, " %s", word);
	strbuf_puts(b, inferred ? " (inferred)" : "");
}

/* The last bytes of text that fit into cols columns, beginning with a character that stands alone. */
static const char *end_of(const char *text, unsigned cols)
{
	size_t used;
	while (*text && (text_width(text) > cols || utf8_width(utf8_decode(text, strlen(text), &used)) == 0)) {
		utf8_decode(text, strlen(text), &used);
		text += used;
	}
	return text;
}

void shortened_put(const char *text, int w, struct strbuf *b)
{
	if (w < 1)
		return;
	if ((int)text_width(text) <= w) {
		strbuf_puts(b, text);
		return;
	}
	const char *times = strstr(text, " ×"); /* how many stays whole where anything else can */
	unsigned tail = times && times > text ? text_width(times) : 0, room = (unsigned)w - 1;
	tail = tail + 3 > room ? 0 : tail;
	unsigned left = (room - tail + 1) / 2;
	char *name = mem_strndup(text, tail ? (size_t)(times - text) : strlen(text));
	if (tail && text_width(name) <= room + 1 - tail) {
		strbuf_puts(b, name);
	} else {
		char *head = mem_strndup(name, text_fit(name, left));
		strbuf_printf(b, "%s…%s", head, end_of(name, room - tail - text_width(head)));
		free(head);
	}
	strbuf_puts(b, tail ? times : "");
	free(name);
}
