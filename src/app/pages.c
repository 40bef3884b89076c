/* pages: text over the screen: help made from the tables and searched by typing, explanations, messages. */
#include <ctype.h>

#include "app/app_internal.h"

struct lines {
	struct page_line *at;
	size_t n, cap;
};

void page_open(struct app *a, enum page page, char *text)
{
	free(a->page_text);
	a->page_text = text;
	a->page = page;
	a->page_top = 0;
	strbuf_trim(&a->page_filter, 0);
}

void page_close(struct app *a)
{
	a->page = PAGE_NONE;
}

static bool has_text(const char *where, const char *what)
{
	size_t n = strlen(what);
	for (; *where; where++) {
		size_t i = 0;
		while (i < n && where[i] && tolower((unsigned char)where[i]) == tolower((unsigned char)what[i]))
			i++;
		if (i == n)
			return true;
	}
	return n == 0;
}

/* ---- help -------------------------------------------------------------------------------------------------- */

static void add_row(struct app *a, struct arena *texts, struct lines *l, const char *keys, const char *name,
		    const char *args, const char *help, uint32_t action)
{
	struct page_line line = {.action = action};
	const char *filter = strbuf_str(&a->page_filter);
	line.left = arena_strdup(texts, keys);
	line.middle = arena_printf(texts, ":%s%s%s", name, *args ? " " : "", args);
	line.right = help;
	if (has_text(line.left, filter) || has_text(line.middle, filter) || has_text(help, filter))
		vec_push(l, line);
}

static void add_heading(struct lines *l, const char *text)
{
	if (l->n && l->at[l->n - 1].heading)
		l->n--; /* nothing stood below it */
	vec_push(l, (struct page_line){.left = text, .heading = true, .action = NONE});
}

static const char *key_text(struct arena *texts, char key)
{
	return key ? arena_printf(texts, "%c", key) : "";
}

/* The analyses: those with a key first, as they are what people look for. */
static void add_questions(struct app *a, struct arena *texts, struct lines *l)
{
	for (int keyed = 1; keyed >= 0; keyed--)
		for (size_t i = 0; i < analysis_count; i++) {
			const struct analysis *x = &analyses[i];
			const char *args = *x->operands ? x->operands : "[SELECTION]";
			if ((x->key != 0) == (keyed == 1))
				add_row(a, texts, l, key_text(texts, x->key), x->name, args, x->help, NONE);
		}
}

static void help_lines(struct app *a, struct arena *texts, struct lines *l)
{
	const char *group = "";
	for (size_t i = 0; i < action_count; i++) {
		if (!action_applies(&actions[i]))
			continue;
		if (strcmp(group, actions[i].group) != 0) {
			add_heading(l, group = actions[i].group);
			if (strcmp(group, "Ask") == 0)
				add_questions(a, texts, l);
		}
		add_row(a, texts, l, actions[i].keys, actions[i].name, actions[i].args, actions[i].help, (uint32_t)i);
	}
	add_heading(l, "Yours");
	for (size_t i = 0; i < a->bounds.n; i++) {
		struct strbuf b = STRBUF_INIT;
		key_put(a->bounds.at[i].key, &b);
		add_row(a, texts, l, strbuf_str(&b), arena_strdup(texts, a->bounds.at[i].command), "", "bound by you", NONE);
		strbuf_free(&b);
	}
	add_heading(l, "Views");
	for (size_t i = 0; i < view_count; i++)
		add_row(a, texts, l, key_text(texts, views[i].key), views[i].name, "", views[i].title, NONE);
	if (l->n && l->at[l->n - 1].heading)
		l->n--;
	if (!l->n)
		vec_push(l, (struct page_line){.left = "nothing like that", .action = NONE});
}

/* ---- text --------------------------------------------------------------------------------------------------- */

/* Wraps at blanks; continued lines keep the indent of their paragraph. */
static void text_lines(struct arena *texts, struct lines *l, const char *text, int cols)
{
	while (*text) {
		size_t n = strcspn(text, "\n"), indent = strspn(text, " ");
		const char *line = arena_strndup(texts, text, n);
		size_t fit = text_fit(line, cols > 1 ? (unsigned)cols : 1);
		while (line[fit]) {
			size_t cut = fit;
			while (cut > indent + 8 && line[cut] != ' ')
				cut--;
			cut = cut > indent + 8 ? cut : fit > 0 ? fit : 1;
			vec_push(l, (struct page_line){.left = arena_strndup(texts, line, cut), .action = NONE});
			const char *rest = line + cut + strspn(line + cut, " ");
			line = arena_printf(texts, "%*s%s", (int)(indent < 20 ? indent + 2 : 22), "", rest);
			indent = 0;
			fit = text_fit(line, cols > 24 ? (unsigned)cols : 24);
		}
		vec_push(l, (struct page_line){.left = line, .action = NONE});
		text += n + (text[n] == '\n');
	}
}

/* ---- drawing and keys ------------------------------------------------------------------------------------------- */

static struct rect page_area(struct app *a, struct rect area, size_t n)
{
	if (a->page == PAGE_HELP)
		return area;
	if (a->page == PAGE_PARAMETERS || a->page == PAGE_FAULTS) { /* in a corner: the picture follows what is changed */
		int h = (int)n + 2 < area.h ? (int)n + 2 : area.h, wide = a->page == PAGE_FAULTS ? 90 : 60,
		    w = area.w > wide + 10 ? wide : area.w;
		return RECT(area.x + area.w - w, area.y, w, h);
	}
	/* Text floats in the middle, no larger than it needs. */
	int h = (int)n + 2 < area.h ? (int)n + 2 : area.h, w = area.w > 110 ? 110 : area.w;
	return RECT(area.x + (area.w - w) / 2, area.y + (area.h - h) / 2, w, h);
}

static void page_lines(struct app *a, struct rect area, struct arena *texts, struct lines *l)
{
	if (a->page == PAGE_HELP)
		help_lines(a, texts, l);
	else if (a->page == PAGE_PARAMETERS) {
		vec_reserve(l, a->fabric->parameters.n + 1);
		l->n = params_lines(a, texts, l->at, a->fabric->parameters.n);
	} else if (a->page == PAGE_FAULTS) {
		vec_reserve(l, faults_count(a));
		l->n = faults_lines(a, texts, l->at, faults_count(a));
	} else if (a->page_text)
		text_lines(texts, l, a->page_text, (area.w > 110 ? 110 : area.w) - 4);
}

void page_compose(struct app *a, struct rect area)
{
	struct arena texts = {0};
	struct lines l = {0};
	page_lines(a, area, &texts, &l);
	struct rect box = page_area(a, area, l.n);
	int max = page_top_max(l.n, box);
	a->page_top = a->page_top > max ? max : a->page_top;
	static const char *const titles[] = {"", "keys and commands", "explain", "message", "parameters", "what is changed"};
	const char *title = titles[a->page];
	char *prompt = a->page == PAGE_HELP
			       ? mem_printf(" type to search: %s▏ %sEnter or Esc closes ", strbuf_str(&a->page_filter),
					    max ? "↑↓ scroll   " : "")
		       : a->page == PAGE_PARAMETERS ? mem_strdup(" ↑↓ ←→ change  Enter keeps  Esc back ")
		       : a->page == PAGE_FAULTS ? mem_strdup(" ↑↓  Enter goes there  r restores  Esc closes ")
			       : mem_strdup(max ? " ↑↓ scroll   Esc closes " : " Esc closes ");
	page_draw(title, prompt, l.at, l.n, a->page_top, &a->canvas, box);
	free(prompt);
	vec_free(&l);
	arena_free(&texts);
}

void page_put(struct app *a, struct strbuf *b)
{
	struct arena texts = {0};
	struct lines l = {0};
	page_lines(a, RECT(0, 0, 120, 100), &texts, &l);
	for (size_t i = 0; i < l.n; i++) {
		const struct page_line *x = &l.at[i];
		strbuf_puts(b, x->left);
		if (x->right)
			strbuf_printf(b, "%s%s  %s", *x->left ? "  " : "", x->middle, x->right);
		strbuf_putc(b, '\n');
	}
	vec_free(&l);
	arena_free(&texts);
}

static bool scroll(struct app *a, uint32_t key)
{
	int page = a->canvas.rows > 4 ? a->canvas.rows - 4 : 1;
	int step = key == KEY_UP_CODE       ? -1
		   : key == KEY_DOWN_CODE   ? 1
		   : key == KEY_PAGE_UP_CODE ? -page
		   : key == KEY_PAGE_DOWN_CODE ? page
		   : key == KEY_HOME_CODE   ? -100000
		   : key == KEY_END_CODE    ? 100000
					    : 0;
	a->page_top = a->page_top + step < 0 ? 0 : a->page_top + step;
	return step != 0;
}

static void help_key(struct app *a, uint32_t key)
{
	struct strbuf *f = &a->page_filter;
	if (key == KEY_BACKSPACE_CODE) {
		size_t n = f->n;
		while (n > 0 && (f->text[--n] & 0xc0) == 0x80)
			;
		strbuf_trim(f, n);
	} else if (key == '/' && !f->n) {
		return; /* as everywhere it begins a search, which any other key does as well */
	} else if (key < KEY_SPECIAL && utf8_is_printable(key) && f->n < 64 && !(key == '?' && !f->n)) {
		utf8_put(f, key);
		a->page_top = 0;
	} else {
		page_close(a);
	}
}

/* A page of text goes away with any key; one that is no way of closing also does what it always does. */
void page_key(struct app *a, uint32_t key)
{
	if (a->page == PAGE_PARAMETERS) {
		params_key(a, key);
		return;
	}
	if (a->page == PAGE_FAULTS) {
		faults_key(a, key);
		return;
	}
	if (scroll(a, key))
		return;
	if (a->page == PAGE_HELP) {
		help_key(a, key);
		return;
	}
	if (key == 'j' || key == 'k') {
		scroll(a, key == 'j' ? KEY_DOWN_CODE : KEY_UP_CODE);
		return;
	}
	page_close(a);
	if (key != KEY_ESC_CODE && key != KEY_ENTER_CODE && key != ' ' && key != 'q' && key != 'e')
		app_press(a, key);
}
