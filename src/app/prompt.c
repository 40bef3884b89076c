/* prompt: one line of input for `:` commands and `/` searches, with history and completion, and running it.
 */
#include "app/app_internal.h"

enum { CANDIDATES_MAX = 160 };

static struct texts *history_of(struct app *a)
{
	return &a->history[a->prompt.kind == '/'];
}

void prompt_open(struct app *a, char kind, const char *text)
{
	a->prompt.kind = kind;
	strbuf_trim(&a->prompt.text, 0);
	strbuf_puts(&a->prompt.text, text);
	a->prompt.at = a->prompt.text.n;
	a->prompt.history = 0;
}

void prompt_close(struct app *a)
{
	a->prompt.kind = 0;
}

/* ---- editing --------------------------------------------------------------------------------------------- */

static size_t before(const struct prompt *p)
{
	size_t at = p->at;
	while (at > 0 && (p->text.text[--at] & 0xc0) == 0x80)
		;
	return at;
}

static size_t behind(const struct prompt *p)
{
	size_t at = p->at < p->text.n ? p->at + 1 : p->at;
	while (at < p->text.n && (p->text.text[at] & 0xc0) == 0x80)
		at++;
	return at;
}

static void cut(struct prompt *p, size_t from, size_t to)
{
	if (from >= to)
		return;
	memmove(p->text.text + from, p->text.text + to, p->text.n - to);
	strbuf_trim(&p->text, p->text.n - (to - from));
	p->at = from;
}

static void insert(struct prompt *p, const char *s, size_t n)
{
	if (p->text.n + n > LINE_MAX_BYTES)
		return;
	char *tail = mem_strdup(strbuf_str(&p->text) + p->at);
	strbuf_trim(&p->text, p->at);
	strbuf_add(&p->text, s, n);
	p->at += n;
	strbuf_puts(&p->text, tail);
	free(tail);
}

static size_t word_start(const struct prompt *p)
{
	size_t at = p->at;
	while (at > 0 && p->text.text[at - 1] == ' ')
		at--;
	while (at > 0 && p->text.text[at - 1] != ' ')
		at--;
	return at;
}

static void recall(struct app *a, int step)
{
	struct texts *h = history_of(a);
	struct prompt *p = &a->prompt;
	if (step < 0 ? p->history == 0 : p->history >= h->n)
		return;
	p->history += step < 0 ? (size_t)-1 : 1;
	strbuf_trim(&p->text, 0);
	if (p->history)
		strbuf_puts(&p->text, h->at[h->n - p->history]);
	p->at = p->text.n;
}

/* ---- completion ---------------------------------------------------------------------------------------------- */

static size_t command_names(const char **out, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < action_count && n < max; i++)
		if (action_applies(&actions[i]))
			out[n++] = actions[i].name;
	for (size_t i = 0; i < analysis_count && n < max; i++)
		out[n++] = analyses[i].name;
	return n;
}

/* Whole words that the argument of a command may be. */
static size_t argument_words(struct app *a, struct arena *arena, const char *command, const char **out, size_t max)
{
	size_t n = 0;
	if (strcmp(command, "view") == 0)
		for (; n < view_count && n < max; n++)
			out[n] = views[n].name;
	else if (strcmp(command, "color") == 0)
		for (; n < COLOR_MODE_COUNT && n < max; n++)
			out[n] = color_mode_names[n];
	else if (strcmp(command, "analyze") == 0)
		for (; n < analysis_count && n < max; n++)
			out[n] = analyses[n].name;
	else if (strcmp(command, "open") == 0)
		n = io_layout_names(arena, &a->o.io, out, max);
	else if (strcmp(command, "over") == 0 && a->fabric)
		for (; n < a->fabric->kinds.n && n < max; n++)
			out[n] = fabric_str(a->fabric, a->fabric->kinds.at[n].name);
	else if (strcmp(command, "set") == 0 && a->fabric)
		for (; n < a->fabric->parameters.n && n < max; n++)
			out[n] = arena_printf(arena, "%s=", a->fabric->parameters.at[n].name);
	return n;
}

static size_t common_prefix(const char *x, const char *y)
{
	size_t n = 0;
	while (x[n] && x[n] == y[n])
		n++;
	return n;
}

/* Completes the word from `from` to the cursor with what all candidates share, and says which there are. */
static void complete_word(struct app *a, size_t from, const char *const *words, size_t n)
{
	struct prompt *p = &a->prompt;
	const char *first = NULL;
	size_t shared = 0, hits = 0;
	struct strbuf list = STRBUF_INIT;
	for (size_t i = 0; i < n; i++) {
		if (strncmp(words[i], p->text.text + from, p->at - from) != 0)
			continue;
		shared = first ? (common_prefix(first, words[i]) < shared ? common_prefix(first, words[i]) : shared)
			       : strlen(words[i]);
		first = first ? first : words[i];
		strbuf_printf(&list, "%s ", words[i]);
		hits++;
	}
	if (first) {
		bool space = hits == 1 && first[shared ? shared - 1 : 0] != '=';
		char *text = mem_strndup(first, shared);
		cut(p, from, p->at);
		insert(p, text, shared);
		if (space && p->at == p->text.n)
			insert(p, " ", 1);
		free(text);
	}
	if (hits > 1)
		app_say(a, LEVEL_NOTE, "%s", strbuf_str(&list));
	strbuf_free(&list);
}

static void complete_selection(struct app *a, size_t from)
{
	const char *words[CANDIDATES_MAX];
	struct arena arena = {0};
	struct select_context c = app_context(a, NULL);
	struct prompt *p = &a->prompt;
	char *text = mem_strndup(p->text.text + from, p->at - from);
	size_t n = select_complete(&c, &arena, text, strlen(text), words, ARRAY_LEN(words));
	/* The operand that ends here begins behind the last operator. */
	size_t start = p->at;
	while (start > from && !strchr(",!&^~() ", p->text.text[start - 1]))
		start--;
	complete_word(a, start, words, n);
	free(text);
	arena_free(&arena);
}

static void complete(struct app *a)
{
	struct prompt *p = &a->prompt;
	const char *words[CANDIDATES_MAX];
	const char *line = strbuf_str(&p->text);
	size_t command = strcspn(line, " ");
	if (a->prompt.kind == '/') {
		if (a->fabric)
			complete_selection(a, 0);
		return;
	}
	if (p->at <= command) {
		complete_word(a, 0, words, command_names(words, ARRAY_LEN(words)));
		return;
	}
	struct arena arena = {0};
	char *name = mem_strndup(line, command);
	size_t n = argument_words(a, &arena, name, words, ARRAY_LEN(words));
	if (n)
		complete_word(a, word_start(p) > command ? word_start(p) : command + 1, words, n);
	else if (a->fabric)
		complete_selection(a, command + 1);
	free(name);
	arena_free(&arena);
}

/* ---- running --------------------------------------------------------------------------------------------------- */

/* NAME ARGS: an action, an analysis (its words are its selection or operands), or a view. */
void app_command(struct app *a, const char *line)
{
	line += strspn(line, " ");
	size_t n = strcspn(line, " ");
	char *name = mem_strndup(line, n);
	char *args = mem_strdup(line + n + strspn(line + n, " "));
	for (size_t end = strlen(args); end > 0 && args[end - 1] == ' ';)
		args[--end] = 0;
	const struct action *x = action_find(name);
	const struct analysis *question = analysis_find(name);
	if (x)
		app_run_action(a, x, args);
	else if (question && a->fabric)
		app_ask(a, question, args);
	else if (view_find(name) && a->fabric)
		app_show_view(a, view_find(name));
	else if (n) {
		const char *known[CANDIDATES_MAX];
		const char *near = nearest_word(name, known, command_names(known, ARRAY_LEN(known)));
		app_say(a, LEVEL_ERROR, "there is no command %s%s%s", name, near ? "; did you mean " : "", near ? near : "");
	}
	free(name);
	free(args);
}

static void accept(struct app *a)
{
	char *line = mem_strdup(strbuf_str(&a->prompt.text));
	char kind = a->prompt.kind;
	memory_add(a, kind, line);
	prompt_close(a);
	if (kind == ':')
		app_command(a, line);
	else if (a->fabric)
		app_search(a, line);
	free(line);
}

static void backspace(struct app *a)
{
	if (!a->prompt.text.n)
		prompt_close(a);
	else
		cut(&a->prompt, before(&a->prompt), a->prompt.at);
}

/* ---- what is typed, while it is typed ------------------------------------------------------------------------------ */

/* The commands whose words are a selection. */
static bool takes_selection(const char *command)
{
	static const char *const names[] = {"select", "keep", "fail", "restore"};
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i], command) == 0)
			return true;
	const struct analysis *x = analysis_find(command);
	return x && !*x->operands;
}

/* How much a selection or a search would be, beside the prompt; nothing while it does not make sense yet. */
static void preview(struct app *a)
{
	const char *line = strbuf_str(&a->prompt.text);
	size_t n = strcspn(line, " ");
	if (!a->fabric || !a->prompt.kind || a->message)
		return;
	if (a->prompt.kind == '/') {
		size_t found = *line ? app_count_hits(a, line) : 0;
		if (*line)
			app_say(a, LEVEL_NOTE, "%zu found", found);
		return;
	}
	char *command = mem_strndup(line, n);
	const char *text = line + n + strspn(line + n, " ");
	if (*text && takes_selection(command) && !strstr(text, "--")) {
		struct diag d = {0};
		struct idset out, here = app_under(a);
		struct select_context c = app_context(a, &here);
		if (select_eval(&c, text, (struct mark){0}, &d, &out) == OK)
			app_say(a, LEVEL_NOTE, idset_count(&out) == 1 ? "%u device" : "%u devices", idset_count(&out));
		idset_free(&out);
		idset_free(&here);
		diag_free(&d);
	}
	free(command);
}

static void edit(struct app *a, uint32_t key)
{
	struct prompt *p = &a->prompt;
	struct strbuf typed = STRBUF_INIT;
	switch (key) {
	case KEY_ENTER_CODE:
		accept(a);
		break;
	case KEY_ESC_CODE:
	case 3: /* C-c */
		prompt_close(a);
		break;
	case KEY_TAB_CODE:
		complete(a);
		break;
	case KEY_LEFT_CODE:
		p->at = before(p);
		break;
	case KEY_RIGHT_CODE:
		p->at = behind(p);
		break;
	case KEY_HOME_CODE:
	case 1: /* C-a */
		p->at = 0;
		break;
	case KEY_END_CODE:
	case 5: /* C-e */
		p->at = p->text.n;
		break;
	case KEY_BACKSPACE_CODE:
		backspace(a);
		break;
	case KEY_DELETE_CODE:
		cut(p, p->at, behind(p));
		break;
	case 21: /* C-u */
		cut(p, 0, p->at);
		break;
	case 23: /* C-w */
		cut(p, word_start(p), p->at);
		break;
	case KEY_UP_CODE:
		recall(a, 1);
		break;
	case KEY_DOWN_CODE:
		recall(a, -1);
		break;
	default:
		if (key < KEY_SPECIAL && utf8_is_printable(key)) {
			utf8_put(&typed, key);
			insert(p, strbuf_str(&typed), typed.n);
		}
	}
	strbuf_free(&typed);
}

void prompt_key(struct app *a, uint32_t key)
{
	edit(a, key);
	preview(a);
}
