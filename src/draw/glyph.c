/* glyph: what stands for a character where only ASCII may be drawn. Widths are kept, so one layout serves both. */
#include "toponaut/draw.h"

static const struct {
	uint16_t code;
	char ascii;
} stand_ins[] = {
	{0x00a0, ' '}, {0x00b0, 'o'}, {0x00b5, 'u'}, {0x00b7, '-'}, {0x00d7, 'x'}, {0x2013, '-'}, {0x2014, '-'},
	{0x2018, '\''}, {0x2019, '\''}, {0x201c, '"'}, {0x201d, '"'}, {0x2022, '*'}, {0x2026, '~'}, {0x2039, '<'},
	{0x203a, '>'}, {0x2190, '<'}, {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'}, {0x21c4, 'X'}, {0x2205, '_'}, {0x2212, '-'},
	{0x2261, '&'}, {0x221e, 'I'}, {0x2248, '~'}, {0x2260, '!'}, {0x2264, '<'}, {0x2265, '>'}, {0x22ee, ':'},
	{0x2500, '-'}, {0x2501, '='}, {0x2502, '|'}, {0x2503, '#'}, {0x254e, ':'}, {0x2504, '-'}, {0x2506, ':'},
	{0x2550, '='}, {0x2588, '#'}, {0x2591, '.'}, {0x2592, ':'}, {0x2593, '%'}, {0x258c, '|'}, {0x2590, '|'},
	{0x25a0, '#'}, {0x25a1, 'o'}, {0x25a3, 'D'}, {0x25a4, 'm'}, {0x25a6, 'h'}, {0x25aa, '*'}, {0x25ab, '.'},
	{0x25b2, '^'}, {0x25b3, 'i'}, {0x25bd, 'u'}, {0x25b4, '^'}, {0x25b6, '>'}, {0x25b8, '>'}, {0x25bc, 'v'}, {0x25be, 'v'},
	{0x25c0, '<'}, {0x25c2, '<'}, {0x25c6, '@'}, {0x25c7, 'c'}, {0x25c8, '%'}, {0x25c9, 'n'}, {0x25cb, 'n'},
	{0x25cc, 'p'}, {0x25cf, '*'}, {0x25d0, '*'}, {0x2713, 'v'}, {0x2717, 'x'}, {0x2715, 'x'},
};

uint32_t glyph_ascii(uint32_t code)
{
	for (size_t i = 0; i < ARRAY_LEN(stand_ins); i++)
		if (stand_ins[i].code == code)
			return (uint32_t)stand_ins[i].ascii;
	return '?';
}
