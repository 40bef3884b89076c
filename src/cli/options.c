/* The table of options and the parser of command lines. Help, the manual and completion come from the table. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli_internal.h"

#define ASKING (FOR_INFO | FOR_SHOW | FOR_ANALYZE | FOR_CHECK | FOR_COMPARE)
#define OPENING (ASKING | FOR_EXPLORE | FOR_QUERY | FOR_CONVERT | FOR_COMPLETE | FOR_DIFF)
#define DIFFING (FOR_DIFF | FOR_ANALYZE | FOR_SHOW | FOR_EXPLORE)
#define ALL (OPENING | FOR_LAYOUTS)

const struct option options[OPT_COUNT] = {
	[OPT_FORMAT] = {'f', "format", "FORMAT", "text or json; analyze, diff: csv of one table too; convert: yaml, json, csv, net",
			FOR_DIFF | FOR_COMPARE | FOR_INFO | FOR_ANALYZE | FOR_CHECK | FOR_QUERY | FOR_LAYOUTS | FOR_CONVERT},
	[OPT_DEFINE] = {'D', "define", "NAME=VALUE", "set a parameter of the description", OPENING},
	[OPT_SELECT] = {'s', "select", "SELECTION", "what to ask about; default: everything",
			FOR_EXPLORE | FOR_SHOW | FOR_ANALYZE | FOR_COMPARE},
	[OPT_FAIL] = {0, "fail", "WHAT", "as if failed: SELECTION, A--B, or A--B=1 for one link of each trunk",
		      ASKING | FOR_EXPLORE | FOR_CONVERT},
	[OPT_DERATE] = {0, "derate", "A--B=50%", "as if slower: what is left of the rate",
			ASKING | FOR_EXPLORE | FOR_CONVERT},
	[OPT_OVER] = {0, "over", "KIND,...", "kinds of link that carry the traffic", ASKING | FOR_EXPLORE},
	[OPT_UNIT] = {0, "unit", "KIND", "balance whole modules of this kind (host, tray, rack, ...)",
		      FOR_SHOW | FOR_ANALYZE | FOR_COMPARE | FOR_EXPLORE},
	[OPT_ENDPOINTS] = {0, "endpoints", "CLASS", "class of devices whose traffic counts", ASKING | FOR_EXPLORE},
	[OPT_TRANSIT] = {0, "transit", "all|selected", "selected: only selected devices carry traffic",
			 FOR_SHOW | FOR_ANALYZE | FOR_COMPARE | FOR_EXPLORE},
	[OPT_RELAY] = {0, "relay", NULL, "endpoints forward the traffic of others", ASKING | FOR_EXPLORE},
	[OPT_RATE] = {0, "rate", "KIND=RATE", "assume the rate of one link, one direction: nvlink=50GB/s", OPENING},
	[OPT_GPU] = {0, "gpu", "MODEL", "assume the NVLink rate of this model: h100, b200, ...", OPENING},
	[OPT_EXPLAIN] = {0, "explain", NULL, "say in words how each number comes about", FOR_SHOW | FOR_ANALYZE},
	[OPT_SEED] = {0, "seed", "N", "of searches; default 1", ASKING | FOR_EXPLORE},
	[OPT_TIME_LIMIT] = {0, "time-limit", "TIME", "end searches with the bounds they have; default 10 s, 0 none",
			    ASKING | FOR_EXPLORE},
	[OPT_REQUIRE] = {0, "require", "exact", "exit 1 when a result is not exact", FOR_ANALYZE | FOR_SHOW},
	[OPT_JOBS] = {0, "jobs", "N", "analyses at the same time; default 1", FOR_INFO | FOR_SHOW | FOR_ANALYZE | FOR_COMPARE},
	[OPT_THAT] = {0, "that", "CLAIM", "check this too: 'bisection @gpu atleast 30 TB/s'", FOR_CHECK},
	[OPT_EXPECT] = {0, "expect", "DESIGN", "check the claims of this description instead of the file's own",
			FOR_CHECK},
	[OPT_STRICT] = {0, "strict", NULL, "warnings fail the check too", FOR_CHECK},
	[OPT_IGNORE] = {0, "ignore", "PATTERN", "no difference at devices whose name matches (* ? [])", DIFFING},
	[OPT_NAMES] = {0, "names", "FILE", "lines `GUID name`: what devices are called in the design", DIFFING},
	[OPT_VIEW] = {'w', "view", "VIEW", "which picture; default: the first that applies", FOR_SHOW | FOR_EXPLORE},
	[OPT_SIZE] = {0, "size", "WxH", "columns and rows; default: what it takes, 120x40 with --script",
		      FOR_SHOW | FOR_EXPLORE},
	[OPT_COLOR_BY] = {0, "color-by", "MODE", "auto, class, side, state, tier, load, rail, plane, medium or difference",
			  FOR_SHOW | FOR_EXPLORE},
	[OPT_UNFOLD] = {0, "unfold", "SELECTION", "do not fold these", FOR_SHOW},
	[OPT_OUTPUT] = {'o', "output", "FILE", "write to this file; its ending says the format", FOR_SHOW | FOR_CONVERT},
	[OPT_SCRIPT] = {0, "script", "FILE", "run the steps of this file without a terminal", FOR_EXPLORE},
	[OPT_LINEAR] = {0, "linear", NULL, "no screen: commands from standard input, one fact a line", FOR_EXPLORE},
	[OPT_FROM] = {0, "from", "FORMAT", "read as this format instead of looking at the content", OPENING},
	[OPT_JOIN] = {0, "join", "FILE", "more output of the same machine, read together with the first", OPENING},
	[OPT_LIMIT] = {0, "limit", "NAME=N", "raise an input limit: bytes, nodes, devices, trunks, steps", ALL},
	[OPT_COLOR] = {0, "color", "auto|always|never", "colours; auto: on a terminal", ALL},
	[OPT_ASCII] = {0, "ascii", NULL, "draw with ASCII only", FOR_SHOW | FOR_EXPLORE | FOR_COMPARE},
	[OPT_QUIET] = {'q', "quiet", NULL, "errors only, no warnings or notes", ALL},
	[OPT_VERBOSE] = {'v', "verbose", NULL, "more on standard error: files read, time taken", ALL},
	[OPT_LIST] = {0, "list", "TABLE", "print a table for scripts: commands, options, analyses, views, formats, "
					  "actions, keys, limits", FOR_EXPLORE},
	[OPT_HELP] = {'h', "help", NULL, "this help", ALL},
	[OPT_VERSION] = {0, "version", NULL, "print the version", FOR_EXPLORE},
};

bool cli_has(const struct cli *c, enum option_id id)
{
	return c->values[id].n > 0;
}

const char *cli_value(const struct cli *c, enum option_id id)
{
	return c->values[id].n ? c->values[id].at[c->values[id].n - 1] : NULL;
}

enum status cli_refuse(struct cli *c, const char *hint, const char *fmt, ...)
{
	struct strbuf b = STRBUF_INIT;
	va_list ap;
	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	diag_error(&c->diag, (struct mark){0}, hint, "%s", b.text);
	strbuf_free(&b);
	return E_USAGE;
}

const char *cli_hint(struct cli *c, const char *word, const char *const *known, size_t n)
{
	const char *near = nearest_word(word, known, n);
	if (near)
		return arena_printf(&c->arena, "did you mean %s?", near);
	struct strbuf b = STRBUF_INIT;
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s%s", i ? ", " : "known are ", known[i]);
	const char *hint = b.n ? arena_strdup(&c->arena, b.text) : NULL;
	strbuf_free(&b);
	return hint;
}

enum status cli_number(struct cli *c, enum option_id id, uint64_t otherwise, uint64_t *out)
{
	const char *text = cli_value(c, id);
	char *end;
	*out = otherwise;
	if (!text)
		return OK;
	*out = strtoull(text, &end, 10);
	if (*end || text[0] < '0' || text[0] > '9' || *out > INT64_MAX)
		return cli_refuse(c, NULL, "--%s: a number was expected, not `%s`", options[id].name, text);
	return OK;
}

enum status cli_word(struct cli *c, enum option_id id, const char *const *words, size_t n, uint32_t *out)
{
	const char *text = cli_value(c, id);
	*out = NONE;
	for (size_t i = 0; text && i < n; i++)
		if (!strcmp(words[i], text))
			*out = (uint32_t)i;
	if (!text || *out != NONE)
		return OK;
	return cli_refuse(c, cli_hint(c, text, words, n), "--%s: `%s` is not known", options[id].name, text);
}

/* ---- parsing ----------------------------------------------------------------------------------- */

struct line {
	struct cli *c;
	int argc, at;
	char **argv;
};

static enum status unknown_option(struct line *l, const char *name, size_t n)
{
	const char *known[OPT_COUNT];
	size_t count = 0;
	char *word = mem_printf("--%.*s", (int)n, name);
	for (size_t i = 0; i < OPT_COUNT; i++)
		if (options[i].commands & l->c->command->bit)
			known[count++] = arena_printf(&l->c->arena, "--%s", options[i].name);
	const char *near = nearest_word(word, known, count);
	const char *hint = near ? arena_printf(&l->c->arena, "did you mean %s?", near)
				: arena_printf(&l->c->arena, "`toponaut %s%s--help` lists the options",
					       l->c->command->name, *l->c->command->name ? " " : "");
	enum status s = cli_refuse(l->c, hint, "there is no option `%s`", word);
	free(word);
	return s;
}

static enum status take(struct line *l, enum option_id id, const char *given, const char *value)
{
	const struct option *o = &options[id];
	if (!(o->commands & l->c->command->bit)) {
		const char *name = *l->c->command->name ? l->c->command->name : "the explorer";
		return cli_refuse(l->c, arena_printf(&l->c->arena, "`toponaut %s%s--help` lists the options",
						     l->c->command->name, *l->c->command->name ? " " : ""),
				  "%s does not take the option `%s`", name, given);
	}
	if (!o->arg && value)
		return cli_refuse(l->c, NULL, "`%s` takes no value", given);
	if (o->arg && !value) {
		if (++l->at >= l->argc)
			return cli_refuse(l->c, NULL, "`%s` needs a value: %s", given, o->arg);
		value = l->argv[l->at];
	}
	vec_push(&l->c->values[id], value ? value : "");
	vec_push(&l->c->places[id], l->c->operands.n);
	return OK;
}

static enum status take_long(struct line *l, const char *word)
{
	size_t n = strcspn(word + 2, "=");
	for (int i = 0; i < OPT_COUNT; i++)
		if (strlen(options[i].name) == n && !memcmp(options[i].name, word + 2, n)) {
			const char *given = arena_printf(&l->c->arena, "--%s", options[i].name);
			return take(l, (enum option_id)i, given, word[2 + n] ? word + 2 + n + 1 : NULL);
		}
	return unknown_option(l, word + 2, n);
}

static enum status take_short(struct line *l, const char *word)
{
	for (const char *s = word + 1; *s; s++) {
		int found = -1;
		for (int i = 0; i < OPT_COUNT; i++)
			if (options[i].letter == *s)
				found = i;
		if (found < 0)
			return cli_refuse(l->c, "`toponaut --help` lists the options", "there is no option `-%c`", *s);
		const char *given = arena_printf(&l->c->arena, "-%c", *s);
		if (options[found].arg)
			return take(l, (enum option_id)found, given, s[1] ? s + 1 : NULL);
		enum status status = take(l, (enum option_id)found, given, NULL);
		if (status != OK)
			return status;
	}
	return OK;
}

/* The command is the first word that is no option and no option's value. */
static const struct command *find_command(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];
		if (word[0] != '-' || !word[1]) {
			for (size_t k = 0; k < command_count; k++)
				if (!strcmp(commands[k].name, word))
					return &commands[k];
			return &commands[0];
		}
		if (!strcmp(word, "--"))
			break;
		for (int k = 0; k < OPT_COUNT; k++) {
			bool is_long = word[1] == '-' && !strcmp(word + 2, options[k].name);
			bool is_short = word[1] && word[1] == options[k].letter && !word[2];
			if ((is_long || is_short) && options[k].arg)
				i++;
		}
	}
	return &commands[0];
}

enum status cli_parse(struct cli *c, int argc, char **argv)
{
	struct line l = {.c = c, .argc = argc, .argv = argv};
	bool only_operands = false, named = false;
	enum status s = OK;
	c->command = find_command(argc, argv);
	for (l.at = 1; l.at < argc && s == OK; l.at++) {
		const char *word = argv[l.at];
		if (only_operands || word[0] != '-' || !word[1]) {
			if (!named && *c->command->name && !strcmp(word, c->command->name))
				named = true;
			else
				vec_push(&c->operands, word);
			if (c->command->bit == FOR_COMPLETE)
				only_operands = true;
		} else if (!strcmp(word, "--")) {
			only_operands = true;
		} else {
			s = word[1] == '-' ? take_long(&l, word) : take_short(&l, word);
		}
	}
	return s;
}
