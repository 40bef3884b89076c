/* prompt: one line of input for `:` commands and `/` searches, with history and completion, and running it. What is
 * offered behind a command: completion.c.
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

static size_t common_prefix(const char *x, const char *y)
{
	size_t n = 0;
	while (x[n] && x[n] == y[n])
		n++;
	return n;
}

/* Completes the word from `from` to the cursor with what all candidates share, and says which there are, without the
 * first bytes that they begin with anyway. */
static void complete_word(struct app *a, size_t from, const char *const *words, size_t n, size_t skip)
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
		strbuf_printf(&list, "%s ", strlen(words[i]) > skip ? words[i] + skip : words[i]);
		hits++;
	}
	if (first) {
		bool space = hits == 1 && !strchr("=/", first[shared ? shared - 1 : 0]);
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
	complete_word(a, start, words, n, 0);
	free(text);
	arena_free(&arena);
}

/* The word at the cursor: behind a blank or the comma of a list. */
static size_t list_start(const struct prompt *p, size_t least)
{
	size_t at = p->at;
	while (at > least && !strchr(" ,", p->text.text[at - 1]))
		at--;
	return at;
}

/* Layouts, where one can be read, and files; only diff takes several. */
static void complete_file(struct app *a, struct arena *arena, const char *command, size_t from)
{
	const char *words[CANDIDATES_MAX];
	struct prompt *p = &a->prompt;
	bool several = strcmp(command, "diff") == 0, reads = several || strcmp(command, "open") == 0;
	if (several && word_start(p) > from)
		from = p->text.text[p->at - 1] == ' ' ? p->at : word_start(p);
	const char *typed = arena_strndup(arena, p->text.text + from, p->at - from), *slash = strrchr(typed, '/');
	size_t n = reads && !slash ? io_layout_names(arena, &a->o.io, words, ARRAY_LEN(words)) : 0;
	n += file_words(arena, typed, several, words + n, ARRAY_LEN(words) - n);
	complete_word(a, from, words, n, slash ? (size_t)(slash - typed) + 1 : 0);
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
		complete_word(a, 0, words, command_names(words, ARRAY_LEN(words)), 0);
		return;
	}
	struct arena arena = {0};
	char *name = mem_strndup(line, command);
	size_t n = command_words(a, &arena, name, words, ARRAY_LEN(words));
	const struct analysis *x = analysis_find(name);
	if (command_takes_files(name))
		complete_file(a, &arena, name, command + 1);
	else if (n)
		complete_word(a, list_start(p, command + 1), words, n, 0);
	else if (a->fabric && (command_takes_selection(name) || x || strcmp(name, "derate") == 0 || strcmp(name, "search") == 0))
		complete_selection(a, command + 1);
	free(name);
	arena_free(&arena);
}

/* ---- running --------------------------------------------------------------------------------------------------- */

bool command_is_known(const char *line)
{
	char *name = mem_strndup(line, strcspn(line, " "));
	bool known = action_find(name) || analysis_find(name) || view_find(name);
	free(name);
	return known;
}

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
	else if (view_find(name) && a->fabric && *args)
		app_say(a, LEVEL_ERROR, "%s takes no words; %s was given", name, args);
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
			app_say_count(a, "", found, "", "", " found");
		return;
	}
	char *command = mem_strndup(line, n);
	const char *text = line + n + strspn(line + n, " ");
	if (*text && command_takes_selection(command) && !strstr(text, "--")) {
		struct diag d = {0};
		struct idset out, here = app_under(a);
		struct select_context c = app_context(a, &here);
		if (select_eval(&c, text, (struct mark){0}, &d, &out) == OK)
			app_say_count(a, "", idset_count(&out), " device", " devices", "");
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
