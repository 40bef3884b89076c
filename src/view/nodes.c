/* nodes: where the cursor goes on pictures with and without rows. */
#include <stdlib.h>

#include "view/view_internal.h"

/* How far a node lies in a direction; negative when it does not. Sideways costs more than ahead. */
static int distance(struct node from, struct node to, enum move m)
{
	int dx = to.x - from.x, dy = to.y - from.y;
	int ahead = m == MOVE_LEFT ? -dx : m == MOVE_RIGHT ? dx : m == MOVE_UP ? -dy : dy;
	int aside = m == MOVE_LEFT || m == MOVE_RIGHT ? abs(dy) * 8 : abs(dx);
	bool vertical = m == MOVE_UP || m == MOVE_DOWN;
	return ahead <= 0 ? -1 : (vertical ? ahead * 16 : ahead) + aside;
}

static struct target target_of(const struct node *n)
{
	return n->module ? (struct target){TARGET_MODULE, n->module} : (struct target){TARGET_DEVICE, n->device};
}

struct target nodes_move(const struct nodes *nodes, size_t here, struct target cursor, enum move m)
{
	if (!nodes->n)
		return cursor;
	if (m == MOVE_FIRST || here == SIZE_MAX)
		return target_of(&nodes->at[0]);
	if (cursor.kind != target_of(&nodes->at[here]).kind)
		return target_of(&nodes->at[here]);
	if (m == MOVE_LAST)
		return target_of(&nodes->at[nodes->n - 1]);
	enum move plain = m == MOVE_PAGE_UP ? MOVE_UP : m == MOVE_PAGE_DOWN ? MOVE_DOWN : m;
	struct target to = cursor;
	int best = -1;
	for (size_t i = 0; i < nodes->n; i++) {
		int far = distance(nodes->at[here], nodes->at[i], plain);
		if (far >= 0 && (best < 0 || far < best)) {
			best = far;
			to = target_of(&nodes->at[i]);
		}
	}
	return to;
}

size_t row_after(size_t here, size_t n, int page, enum move m)
{
	size_t step = page > 1 ? (size_t)page - 1 : 1, last = n ? n - 1 : 0;
	if (here == SIZE_MAX || m == MOVE_FIRST)
		return 0;
	switch (m) {
	case MOVE_UP:
	case MOVE_LEFT:
		return here - (here > 0);
	case MOVE_PAGE_UP:
		return here > step ? here - step : 0;
	case MOVE_PAGE_DOWN:
		return here + step < last ? here + step : last;
	case MOVE_LAST:
		return last;
	default:
		return here < last ? here + 1 : last;
	}
}
