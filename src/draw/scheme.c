/* scheme: roles to colours. One row per role; the 16-colour column is the one that was designed, on the
 * terminal's own background. Backgrounds are light or dark, so colours are of middle brightness. Whatever a colour
 * says is said by a glyph or an attribute too: see SCHEME_MONO.
 */
#include "toponaut/draw.h"

const char role_letters[ROLE_COUNT + 1] = "tdsbfhkgwcnolABXFDSQGWE";

enum { OWN = -1, RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, GREY, BRIGHT = 8 };

static const struct {
	int16_t fg16, fg256, bg256;
	uint8_t attr, mono;
} rows[ROLE_COUNT] = {
	[ROLE_TEXT] = {OWN, OWN, OWN, 0, 0},
	[ROLE_DIM] = {GREY, 244, OWN, 0, 0},
	[ROLE_STRONG] = {OWN, OWN, OWN, ATTR_BOLD, ATTR_BOLD},
	[ROLE_BORDER] = {GREY, 242, OWN, 0, 0},
	[ROLE_FOCUS] = {CYAN, 38, OWN, ATTR_BOLD, ATTR_BOLD},
	[ROLE_BAR] = {CYAN, 38, OWN, ATTR_BOLD, ATTR_BOLD},
	[ROLE_KEY] = {CYAN, 38, OWN, ATTR_BOLD, ATTR_BOLD},
	[ROLE_GPU] = {GREEN, 71, OWN, 0, 0},
	[ROLE_SWITCH] = {YELLOW, 136, OWN, 0, 0},
	[ROLE_CPU] = {BLUE | BRIGHT, 68, OWN, 0, 0},
	[ROLE_NIC] = {MAGENTA, 134, OWN, 0, 0},
	[ROLE_OTHER] = {OWN, 246, OWN, 0, 0},
	[ROLE_LINK] = {GREY, 246, OWN, 0, 0},
	[ROLE_SIDE_A] = {CYAN, 38, OWN, ATTR_BOLD, ATTR_BOLD},
	[ROLE_SIDE_B] = {YELLOW, 172, OWN, 0, 0},
	[ROLE_CUT] = {RED | BRIGHT, 203, OWN, ATTR_BOLD, ATTR_BOLD},
	[ROLE_FAILED] = {RED, 196, OWN, ATTR_BOLD, ATTR_REVERSE},
	[ROLE_DERATED] = {MAGENTA | BRIGHT, 170, OWN, ATTR_BOLD, ATTR_UNDERLINE},
	[ROLE_SELECTED] = {WHITE | BRIGHT, 231, 24, ATTR_BOLD, ATTR_BOLD | ATTR_UNDERLINE},
	[ROLE_FOUND] = {YELLOW, 166, OWN, ATTR_UNDERLINE, ATTR_UNDERLINE},
	[ROLE_GOOD] = {GREEN, 34, OWN, 0, 0},
	[ROLE_WARNING] = {YELLOW, 172, OWN, 0, ATTR_BOLD},
	[ROLE_ERROR] = {RED | BRIGHT, 203, OWN, ATTR_BOLD, ATTR_BOLD},
};

struct look scheme_look(enum scheme scheme, struct style s)
{
	unsigned role = s.role < ROLE_COUNT ? s.role : ROLE_TEXT;
	switch (scheme) {
	case SCHEME_16:
		return (struct look){rows[role].fg16, role == ROLE_SELECTED ? BLUE : OWN, rows[role].attr | s.attr};
	case SCHEME_256:
		return (struct look){rows[role].fg256, rows[role].bg256, rows[role].attr | s.attr};
	default:
		return (struct look){OWN, OWN, rows[role].mono | s.attr};
	}
}
