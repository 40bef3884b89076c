/* scheme: roles to colours. One row per role; the 16-colour column is the one that was designed, on the
 * terminal's own background. Backgrounds are light or dark, so colours are of middle brightness. Whatever a colour
 * says is said by a glyph or an attribute too: see SCHEME_MONO.
 */
#include "toponaut/draw.h"

const char role_letters[ROLE_COUNT + 1] = "tdsbfhkgwcnolABXFDSQGWE";

const char *const scheme_names[SCHEME_COUNT] = {"mono", "16", "256", "light", "safe", "true"};

enum { OWN = -1, RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, GREY, BRIGHT = 8 };

static const struct {
	int16_t fg16, fg256, bg256, light, safe; /* the last two are of 256 too */
	uint8_t attr, mono;
} rows[ROLE_COUNT] = {
	[ROLE_TEXT] = {OWN, OWN, OWN, OWN, OWN, 0, 0},
	[ROLE_DIM] = {GREY, 244, OWN, 240, 244, 0, 0},
	[ROLE_STRONG] = {OWN, OWN, OWN, OWN, OWN, ATTR_BOLD, ATTR_BOLD},
	[ROLE_BORDER] = {GREY, 242, OWN, 245, 242, 0, 0},
	[ROLE_FOCUS] = {CYAN, 38, OWN, 25, 74, ATTR_BOLD, ATTR_BOLD},
	[ROLE_BAR] = {CYAN, 38, OWN, 25, 74, ATTR_BOLD, ATTR_BOLD},
	[ROLE_KEY] = {CYAN, 38, OWN, 25, 74, ATTR_BOLD, ATTR_BOLD},
	[ROLE_GPU] = {GREEN, 71, OWN, 28, 36, 0, 0},
	[ROLE_SWITCH] = {YELLOW, 136, OWN, 94, 172, 0, 0},
	[ROLE_CPU] = {BLUE | BRIGHT, 68, OWN, 26, 32, 0, 0},
	[ROLE_NIC] = {MAGENTA, 134, OWN, 90, 175, 0, 0},
	[ROLE_OTHER] = {OWN, 246, OWN, 240, 246, 0, 0},
	[ROLE_LINK] = {GREY, 246, OWN, 243, 246, 0, 0},
	[ROLE_SIDE_A] = {CYAN, 38, OWN, 25, 32, ATTR_BOLD, ATTR_BOLD},
	[ROLE_SIDE_B] = {YELLOW, 172, OWN, 130, 214, 0, 0},
	[ROLE_CUT] = {RED | BRIGHT, 203, OWN, 160, 166, ATTR_BOLD, ATTR_BOLD},
	[ROLE_FAILED] = {RED, 196, OWN, 124, 166, ATTR_BOLD, ATTR_REVERSE},
	[ROLE_DERATED] = {MAGENTA | BRIGHT, 170, OWN, 127, 175, ATTR_BOLD, ATTR_UNDERLINE},
	[ROLE_SELECTED] = {WHITE | BRIGHT, 231, 24, 231, 231, ATTR_BOLD, ATTR_BOLD | ATTR_UNDERLINE},
	[ROLE_FOUND] = {YELLOW, 166, OWN, 130, 178, ATTR_UNDERLINE, ATTR_UNDERLINE},
	[ROLE_GOOD] = {GREEN, 34, OWN, 22, 36, 0, 0},
	[ROLE_WARNING] = {YELLOW, 172, OWN, 130, 214, 0, ATTR_BOLD},
	[ROLE_ERROR] = {RED | BRIGHT, 203, OWN, 160, 166, ATTR_BOLD, ATTR_BOLD},
};

/* True colour on a dark ground, of one brightness and as far apart in hue as sides, classes and states need. */
static const uint32_t true_colors[ROLE_COUNT] = {
	[ROLE_DIM] = 0x8a929e,     [ROLE_BORDER] = 0x5c6470, [ROLE_FOCUS] = 0x4fc3d9,  [ROLE_BAR] = 0x4fc3d9,
	[ROLE_KEY] = 0x4fc3d9,     [ROLE_GPU] = 0x6cc070,    [ROLE_SWITCH] = 0xd6a243, [ROLE_CPU] = 0x7aa2f7,
	[ROLE_NIC] = 0xc58fe0,     [ROLE_OTHER] = 0xa0a8b2,  [ROLE_LINK] = 0x9099a5,   [ROLE_SIDE_A] = 0x4fc3d9,
	[ROLE_SIDE_B] = 0xe9a74a,  [ROLE_CUT] = 0xff6b6b,    [ROLE_FAILED] = 0xff4d4d, [ROLE_DERATED] = 0xe07bd0,
	[ROLE_SELECTED] = 0xffffff, [ROLE_FOUND] = 0xf2b134, [ROLE_GOOD] = 0x57c26a,   [ROLE_WARNING] = 0xf0b44c,
	[ROLE_ERROR] = 0xff6b6b,
};

uint32_t palette_rgb(int index)
{
	static const uint32_t first[16] = {0x000001, 0xcd3131, 0x2fae5f, 0xc8a020, 0x3b78ff, 0xbc5fd3, 0x29b8c8, 0xd0d4da,
					   0x8a929e, 0xff6b6b, 0x5fd787, 0xf5d76e, 0x7aa2f7, 0xd7a7ff, 0x56d7e0, 0xffffff};
	static const uint8_t steps[6] = {0, 95, 135, 175, 215, 255};
	if (index < 16)
		return first[index & 15];
	if (index >= 232) {
		uint32_t grey = 8 + 10 * ((uint32_t)index - 232);
		return grey << 16 | grey << 8 | grey;
	}
	uint32_t at = (uint32_t)index - 16;
	return (uint32_t)steps[at / 36 % 6] << 16 | (uint32_t)steps[at / 6 % 6] << 8 | steps[at % 6];
}

struct look scheme_look(enum scheme scheme, struct style s)
{
	unsigned role = s.role < ROLE_COUNT ? s.role : ROLE_TEXT;
	switch (scheme) {
	case SCHEME_16:
		return (struct look){rows[role].fg16, role == ROLE_SELECTED ? BLUE : OWN, rows[role].attr | s.attr, 0, 0};
	case SCHEME_256:
		return (struct look){rows[role].fg256, rows[role].bg256, rows[role].attr | s.attr, 0, 0};
	case SCHEME_TRUE:
		return (struct look){rows[role].fg256, rows[role].bg256, rows[role].attr | s.attr, true_colors[role],
				     role == ROLE_SELECTED ? 0x1f4f7a : 0};
	case SCHEME_LIGHT:
		return (struct look){rows[role].light, rows[role].bg256, rows[role].attr | s.attr, 0, 0};
	case SCHEME_SAFE: /* after Okabe and Ito */
		return (struct look){rows[role].safe, rows[role].bg256, rows[role].attr | s.attr, 0, 0};
	default:
		return (struct look){OWN, OWN, rows[role].mono | s.attr, 0, 0};
	}
}
