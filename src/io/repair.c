/* What was mended of a paste, said once: a reader that understands a damaged text in spite of the damage tells so. */
#include <string.h>

#include "io/io_internal.h"

void note_repairs(struct fabric *f, const struct source *s, unsigned own)
{
	static const struct {
		enum repair bit;
		const char *text;
	} words[] = {
		{REPAIR_BOM, "a byte order mark stood in front"},
		{REPAIR_CR, "lines ended with CR"},
		{REPAIR_ESCAPES, "escape sequences of a terminal were taken out"},
		{REPAIR_TABS, "TABs were lost"},
		{REPAIR_WRAPPED, "wrapped lines were put together"},
		{REPAIR_GLUED, "cells that stuck together were taken apart"},
		{REPAIR_SYMMETRY, "cells of missing rows were taken from the rows of the other devices"},
		{REPAIR_IDS, "devices whose ids are blacked out were told apart by their descriptions"},
		{REPAIR_END, "the last line is cut off and was left out"},
	};
	struct strbuf b = STRBUF_INIT;

	own |= s->size >= 3 && !memcmp(s->text, "\xef\xbb\xbf", 3) ? REPAIR_BOM : 0;
	own |= memchr(s->text, '\r', s->size) ? REPAIR_CR : 0;
	own |= memmem(s->text, s->size, "\033[", 2) ? REPAIR_ESCAPES : 0;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (own & words[i].bit)
			strbuf_printf(&b, "%s%s", b.n ? "; " : "", words[i].text);
	if (b.n) {
		struct source *source = arena_alloc(&f->arena, sizeof *source);
		struct finding finding = {.level = LEVEL_NOTE, .code = "repaired", .text = b.text, .device = NONE, .trunk = NONE,
					  .mark = {.source = source}};

		*source = (struct source){.name = arena_strdup(&f->arena, s->name), .text = ""};
		fabric_add_finding(f, &finding);
	}
	strbuf_free(&b);
}
