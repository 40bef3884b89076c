/* scheme: roles to colours. One row per role; the 16-colour column is the one that was designed, on the
 * terminal's own background. Backgrounds are light or dark, so colours are of middle brightness. Whatever a colour
 * says is said by a glyph or an attribute too: see SCHEME_MONO.
 */
#include "toponaut/draw.h"

const char role_letters[ROLE_COUNT + 1] = "tdsbfhkgwcnolABXFDSQGWE";

const char *const scheme_names[SCHEME_COUNT] = {"mono", "16", "256", "light", "safe"};

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

struct look scheme_look(enum scheme scheme, struct style s)
{
	unsigned role = s.role < ROLE_COUNT ? s.role : ROLE_TEXT;
	switch (scheme) {
	case SCHEME_16:
		return (struct look){rows[role].fg16, role == ROLE_SELECTED ? BLUE : OWN, rows[role].attr | s.attr};
	case SCHEME_256:
		return (struct look){rows[role].fg256, rows[role].bg256, rows[role].attr | s.attr};
	case SCHEME_LIGHT:
		return (struct look){rows[role].light, rows[role].bg256, rows[role].attr | s.attr};
	case SCHEME_SAFE: /* after Okabe and Ito */
		return (struct look){rows[role].safe, rows[role].bg256, rows[role].attr | s.attr};
	default:
		return (struct look){OWN, OWN, rows[role].mono | s.attr};
	}
}
