/* Completion for shells: candidates for the last word of a command line, from the same tables that parse it. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli_internal.h"

enum { CANDIDATES_MAX = 2000 };

static void offer(struct cli *c, const char *typed, const char *word)
{
	if (!strncmp(word, typed, strlen(typed)))
		strbuf_printf(&c->out, "%s\n", word);
}

static void offer_words(struct cli *c, const char *typed, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		offer(c, typed, words[i]);
}

static void offer_layouts(struct cli *c, const char *typed)
{
	struct io_options o;
	const char **names = mem_array(CANDIDATES_MAX, sizeof *names);
	if (cli_io_options(c, &o) == OK)
		offer_words(c, typed, names, io_layout_names(&c->arena, &o, names, CANDIDATES_MAX));
	free(names);
}

static void offer_selections(struct cli *c, const char *typed, const char *operand)
{
	struct io_options o;
	struct fabric *f = NULL;
	if (operand && cli_io_options(c, &o) == OK && io_open(operand, &o, &c->diag, &f) == OK) {
		const char **out = mem_array(CANDIDATES_MAX, sizeof *out);
		struct select_context context = {.fabric = f};
		size_t start = select_operand_start(typed, strlen(typed));
		size_t n = select_complete(&context, &c->arena, typed, strlen(typed), out, CANDIDATES_MAX);
		for (size_t i = 0; i < n; i++)
			strbuf_printf(&c->out, "%.*s%s\n", (int)start, typed, out[i]);
		free(out);
	}
	fabric_free(f);
	diag_free(&c->diag);
}

static void offer_analyses(struct cli *c, const char *typed)
{
	for (size_t i = 0; i < analysis_count; i++)
		offer(c, typed, analyses[i].name);
}

static void offer_views(struct cli *c, const char *typed)
{
	for (size_t i = 0; i < view_count; i++)
		offer(c, typed, views[i].name);
}

/* What may follow an option that takes a value. False: it takes none. */
static bool offer_value(struct cli *c, const char *before, const char *typed, const char *operand)
{
	int id = -1;
	for (int i = 0; i < OPT_COUNT; i++)
		if (options[i].arg && ((before[0] == '-' && before[1] == '-' && !strcmp(before + 2, options[i].name)) ||
				       (before[0] == '-' && before[1] && before[1] == options[i].letter && !before[2])))
			id = i;
	static const char *const formats[] = {"text", "json", "csv", "yaml"}, *const colors[] = {"auto", "always", "never"};
	switch (id) {
	case -1: return false;
	case OPT_SELECT:
	case OPT_FAIL:
	case OPT_UNFOLD: offer_selections(c, typed, operand); break;
	case OPT_VIEW: offer_views(c, typed); break;
	case OPT_FORMAT: offer_words(c, typed, formats, ARRAY_LEN(formats)); break;
	case OPT_COLOR: offer_words(c, typed, colors, ARRAY_LEN(colors)); break;
	case OPT_COLOR_BY: offer_words(c, typed, color_mode_names, COLOR_MODE_COUNT); break;
	case OPT_UNIT: offer_words(c, typed, module_kind_names, MODULE_KIND_COUNT); break;
	case OPT_ENDPOINTS: offer_words(c, typed, class_names, CLASS_COUNT); break;
	default: break;
	}
	return true;
}

/* The words before the last: which command, and how many operands stand already. */
static const struct command *understand(const struct cli *c, size_t n, const char **operand, size_t *count)
{
	const struct command *command = &commands[0];
	*operand = NULL;
	*count = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		const char *word = c->operands.at[i];
		if (word[0] == '-' && word[1])
			continue;
		bool is_command = false;
		for (size_t k = 1; k < command_count && !*count && !*command->name; k++)
			if (!strcmp(commands[k].name, word)) {
				command = &commands[k];
				is_command = true;
			}
		if (!is_command && !*operand)
			*operand = word;
		*count += !is_command;
	}
	return command;
}

int cmd_complete(struct cli *c)
{
	size_t n = c->operands.n, count;
	const char *operand, *typed = n ? c->operands.at[n - 1] : "";
	const struct command *command = understand(c, n, &operand, &count);
	if (n >= 2 && offer_value(c, c->operands.at[n - 2], typed, operand))
		return EXIT_FINE;
	if (typed[0] == '-') {
		for (size_t i = 0; i < OPT_COUNT; i++)
			if (options[i].commands & command->bit)
				offer(c, typed, arena_printf(&c->arena, "--%s", options[i].name));
		return EXIT_FINE;
	}
	if (!*command->name && !count)
		for (size_t i = 1; i < command_count; i++)
			if (commands[i].bit != FOR_COMPLETE)
				offer(c, typed, commands[i].name);
	if (!count)
		offer_layouts(c, typed);
	else if (command->bit == FOR_QUERY)
		offer_selections(c, typed, operand);
	else if (command->bit & (FOR_ANALYZE | FOR_SHOW))
		offer_analyses(c, typed);
	return EXIT_FINE;
}
