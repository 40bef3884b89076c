/* faults: what is failed and derated on a page: by the file, then by what-ifs, each with what it takes away. Keys go to
 * what is meant and take single ones back.
 */
#include "app/app_internal.h"

static void put_effect(struct app *a, const struct change *x, struct strbuf *b)
{
	const struct fabric *f = a->fabric;
	struct diag d = {0};
	struct overlay o = overlay_new(f);
	uint64_t down = 0, gone = 0, slower = 0;
	enum status s = change_apply(a, x, &d, &o);
	down = idset_count(&o.failed);
	for (uint32_t t = 0; t < f->trunk_count && s == OK; t++) {
		uint32_t links = f->trunks[t].count, left = trunk_links(f, &o, t);
		if (links != NONE && left != NONE)
			gone += links - left;
		slower += o.keep_ppm && o.keep_ppm[t] != 1000000 && links != NONE ? links : 0;
	}
	const char *between = "";
	if (down) {
		put_count(b, down);
		strbuf_puts(b, down == 1 ? " device down" : " devices down");
		between = ", ";
	}
	if (gone) {
		strbuf_puts(b, between);
		put_count(b, gone);
		strbuf_puts(b, gone == 1 ? " link gone" : " links gone");
		between = ", ";
	}
	if (slower) {
		strbuf_puts(b, between);
		put_count(b, slower);
		strbuf_puts(b, slower == 1 ? " link slower" : " links slower");
	}
	overlay_free(&o);
	diag_free(&d);
}

static void work_out(struct app *a)
{
	const struct changes *l = app_changes(a);
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < a->faults.effects.n; i++)
		free(a->faults.effects.at[i]);
	a->faults.effects.n = 0;
	for (size_t i = 0; i < l->n; i++) {
		strbuf_trim(&b, 0);
		put_effect(a, &l->at[i], &b);
		vec_push(&a->faults.effects, mem_strdup(strbuf_str(&b)));
	}
	a->faults.at = a->faults.at < l->n ? a->faults.at : l->n ? l->n - 1 : 0;
	strbuf_free(&b);
}

void faults_open(struct app *a)
{
	page_open(a, PAGE_FAULTS, NULL);
	a->faults.at = 0;
	work_out(a);
}

size_t faults_count(const struct app *a)
{
	size_t n = a->fabric->faults.n + app_changes(a)->n;
	return n ? n : 1;
}

static const char *file_fault(struct arena *texts, const struct fault *x)
{
	const char *what = x->selection ? x->selection : arena_printf(texts, "%s--%s", x->end_a, x->end_b);
	if (x->action == FAULT_DERATE)
		return arena_printf(texts, "%s=%g%%", what, x->keep_ppm / 10000.0);
	return x->links != NONE ? arena_printf(texts, "%s=%u", what, x->links) : what;
}

size_t faults_lines(struct app *a, struct arena *texts, struct page_line *out, size_t max)
{
	const struct fabric *f = a->fabric;
	const struct changes *l = app_changes(a);
	size_t n = 0;
	for (size_t i = 0; i < f->faults.n && n < max; i++)
		out[n++] = (struct page_line){.left = f->faults.at[i].action == FAULT_DERATE ? "  derate" : "  fail",
					      .middle = file_fault(texts, &f->faults.at[i]), .right = "by the file", .action = NONE};
	for (size_t i = 0; i < l->n && n < max; i++)
		out[n++] = (struct page_line){
			.left = arena_printf(texts, "%s%s", i == a->faults.at ? "▸ " : "  ", l->at[i].derate ? "derate" : "fail"),
			.middle = arena_strdup(texts, l->at[i].text),
			.right = i < a->faults.effects.n ? arena_strdup(texts, a->faults.effects.at[i]) : "",
			.action = NONE,
		};
	if (!n && n < max)
		out[n++] = (struct page_line){.left = "nothing is failed or derated; f fails what is under the cursor, d derates",
					      .action = NONE};
	return n;
}

/* The cursor to the first thing that a change takes away, all of it selected. */
static void go(struct app *a, const struct change *x)
{
	struct diag d = {0};
	struct overlay o = overlay_new(a->fabric);
	if (change_apply(a, x, &d, &o) == OK) {
		for (uint32_t t = 0; t < a->fabric->trunk_count; t++)
			if ((o.lost && o.lost[t]) || (o.keep_ppm && o.keep_ppm[t] != 1000000)) {
				idset_add(&o.failed, a->fabric->trunks[t].a);
				idset_add(&o.failed, a->fabric->trunks[t].b);
			}
		app_select_set(a, &o.failed);
		idset_each(first, &o.failed) {
			app_show_found(a, (struct target){TARGET_DEVICE, first});
			break;
		}
	}
	page_close(a);
	overlay_free(&o);
	diag_free(&d);
}

/* The one that is pointed at is taken back as a whole. */
static void drop(struct app *a)
{
	const struct changes *now = app_changes(a);
	struct changes next = {0};
	char *said = mem_printf("%s restored", now->at[a->faults.at].text);
	for (size_t i = 0; i < now->n; i++)
		if (i != a->faults.at)
			changes_add(&next, now->at[i].derate, now->at[i].text);
	if (step_push(a, next, said))
		app_say(a, LEVEL_NOTE, "%s   u undoes", said);
	work_out(a);
	free(said);
}

void faults_key(struct app *a, uint32_t key)
{
	size_t n = app_changes(a)->n;
	switch (key) {
	case KEY_UP_CODE:
	case 'k':
		a->faults.at = n ? (a->faults.at + n - 1) % n : 0;
		break;
	case KEY_DOWN_CODE:
	case 'j':
		a->faults.at = n ? (a->faults.at + 1) % n : 0;
		break;
	case KEY_DELETE_CODE:
	case KEY_BACKSPACE_CODE:
	case 'r':
		if (n)
			drop(a);
		break;
	case 'u':
	case 18: /* C-r */
		app_undo(a, key == 'u' ? -1 : 1);
		work_out(a);
		break;
	case KEY_ENTER_CODE:
		if (n)
			go(a, &app_changes(a)->at[a->faults.at]);
		else
			page_close(a);
		break;
	case KEY_ESC_CODE:
	case 'q':
	case 'O':
		page_close(a);
		break;
	default:
		page_close(a);
		app_press(a, key);
	}
}
