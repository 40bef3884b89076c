/* picture: a view without a session: header, the view, results. And the table of views. */
#include <string.h>

#include "view/view_internal.h"

extern const struct view views[];
const struct view views[] = {
	{0},
};

