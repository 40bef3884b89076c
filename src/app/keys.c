/* keys: names of keys, and what a key means: first an action, then an analysis, then a view. */
#include "app/app_internal.h"

static const struct {
	const char *name;
	uint32_t key;
} names[] = {
	{"Enter", KEY_ENTER_CODE}, {"Tab", KEY_TAB_CODE}, {"Esc", KEY_ESC_CODE}, {"Space", ' '}, {"Up", KEY_UP_CODE},
	{"Down", KEY_DOWN_CODE}, {"Left", KEY_LEFT_CODE}, {"Right", KEY_RIGHT_CODE}, {"Home", KEY_HOME_CODE},
	{"End", KEY_END_CODE}, {"PageUp", KEY_PAGE_UP_CODE}, {"PageDown", KEY_PAGE_DOWN_CODE},
	{"Backspace", KEY_BACKSPACE_CODE}, {"Delete", KEY_DELETE_CODE}, {"BackTab", KEY_BACKTAB_CODE}, {"F1", KEY_F1_CODE},
};

static uint32_t parse(const char *name, size_t n)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strlen(names[i].name) == n && strncmp(names[i].name, name, n) == 0)
			return names[i].key;
	if (n == 3 && name[0] == 'C' && name[1] == '-' && name[2] >= 'a' && name[2] <= 'z')
		return (uint32_t)(name[2] - 'a' + 1);
	size_t used = 0;
	uint32_t code = n ? utf8_decode(name, n, &used) : 0;
	return used == n && code >= ' ' && code != 0xfffd ? code : 0;
}

uint32_t key_parse(const char *name)
{
	return parse(name, strlen(name));
}

void key_put(uint32_t key, struct strbuf *b)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i].key == key) {
			strbuf_puts(b, names[i].name);
			return;
		}
	if (key < ' ')
		strbuf_printf(b, "C-%c", (int)key + 'a' - 1);
	else
		utf8_put(b, key);
}

bool keys_have(const char *keys, uint32_t key)
{
	while (*keys) {
		size_t n = strcspn(keys, " ");
		if (parse(keys, n) == key)
			return true;
		keys += n + (keys[n] != 0);
	}
	return false;
}

static bool press_view_or_analysis(struct app *a, uint32_t key)
{
	for (size_t i = 0; i < analysis_count; i++)
		if (analyses[i].key && (uint32_t)(unsigned char)analyses[i].key == key) {
			app_ask(a, &analyses[i], "");
			return true;
		}
	for (size_t i = 0; i < view_count; i++)
		if ((uint32_t)(unsigned char)views[i].key == key) {
			app_show_view(a, &views[i]);
			return true;
		}
	return false;
}

static size_t find_bound(const struct app *a, uint32_t key)
{
	size_t i = 0;
	while (i < a->bounds.n && a->bounds.at[i].key != key)
		i++;
	return i;
}

void app_bind(struct app *a, const char *args)
{
	size_t n = strcspn(args, " ");
	uint32_t key = parse(args, n);
	const char *command = args + n + strspn(args + n, " ");
	command += *command == ':';
	if (!key) {
		app_say(a, LEVEL_ERROR, "%.*s is no key; bind KEY COMMAND, like bind W show hops", (int)n, args);
		return;
	}
	if (*command && !command_is_known(command)) {
		app_say(a, LEVEL_ERROR, "there is no command %.*s", (int)strcspn(command, " "), command);
		return;
	}
	size_t i = find_bound(a, key);
	if (i < a->bounds.n) {
		free(a->bounds.at[i].command);
		a->bounds.at[i] = a->bounds.at[--a->bounds.n];
	}
	if (*command)
		vec_push(&a->bounds, (struct bound){key, mem_strdup(command)});
	app_say(a, LEVEL_NOTE, *command ? "%.*s is %s" : "%.*s means again what it meant", (int)n, args, command);
}

/* One line of commands that nobody watches: what is wrong with it is kept for later. */
static void configure_line(struct app *a, const char *line, unsigned number, struct strbuf *wrong)
{
	app_forget_message(a);
	app_command(a, *line == ':' ? line + 1 : line);
	if (a->prompt.kind)
		strbuf_printf(wrong, "line %u: %s needs words\n", number, line);
	else if (a->message && a->message_level != LEVEL_NOTE)
		strbuf_printf(wrong, "line %u: %s\n", number, a->message);
	prompt_close(a);
}

void app_configure(struct app *a, const char *text)
{
	if (!a->fabric && a->loading) {
		strbuf_puts(&a->config, text);
		return;
	}
	struct strbuf wrong = STRBUF_INIT;
	for (unsigned number = 1; *text; number++) {
		size_t n = strcspn(text, "\n"), blank = strspn(text, " \t\r");
		char *line = mem_strndup(text + (blank < n ? blank : n), blank < n ? n - blank : 0);
		line[strcspn(line, "\r")] = 0;
		if (*line && *line != '#')
			configure_line(a, line, number, &wrong);
		free(line);
		text += n + (text[n] == '\n');
	}
	app_forget_message(a);
	if (wrong.n)
		page_open(a, PAGE_MESSAGE, mem_printf("lines of the configuration that mean nothing\n%s", strbuf_str(&wrong)));
	strbuf_free(&wrong);
}

void app_press(struct app *a, uint32_t key)
{
	size_t own = find_bound(a, key);
	if (own < a->bounds.n) {
		char *command = mem_strdup(a->bounds.at[own].command); /* it may bind anew */
		app_command(a, command);
		free(command);
		return;
	}
	for (size_t i = 0; i < action_count; i++)
		if (keys_have(actions[i].keys, key)) {
			app_run_action(a, &actions[i], "");
			return;
		}
	if (a->fabric && press_view_or_analysis(a, key))
		return;
	struct strbuf b = STRBUF_INIT;
	key_put(key, &b);
	app_say(a, LEVEL_NOTE, "%s means nothing here; ? shows the keys", strbuf_str(&b));
	strbuf_free(&b);
}
