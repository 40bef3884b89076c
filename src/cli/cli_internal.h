/* cli, inside: the parsed command line, the tables of options and commands, and what commands share. */
#ifndef CLI_INTERNAL_H
#define CLI_INTERNAL_H

#include "toponaut/cli.h"

enum exit_status { EXIT_FINE = 0, EXIT_CHECK = 1, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_LIMIT = 4, EXIT_BUG = 70,
		   EXIT_INTERRUPTED = 130 };

/* ---- options ---------------------------------------------------------------------------------- */

enum option_id {
	OPT_FORMAT,
	OPT_DEFINE,
	OPT_SELECT,
	OPT_FAIL,
	OPT_DERATE,
	OPT_OVER,
	OPT_UNIT,
	OPT_ENDPOINTS,
	OPT_TRANSIT,
	OPT_RELAY,
	OPT_RATE,
	OPT_GPU,
	OPT_EXPLAIN,
	OPT_SEED,
	OPT_TIME_LIMIT,
	OPT_REQUIRE,
	OPT_JOBS,
	OPT_THAT,
	OPT_EXPECT,
	OPT_STRICT,
	OPT_IGNORE,
	OPT_NAMES,
	OPT_VIEW,
	OPT_SIZE,
	OPT_COLOR_BY,
	OPT_UNFOLD,
	OPT_OUTPUT,
	OPT_SCRIPT,
	OPT_LINEAR,
	OPT_FROM,
	OPT_JOIN,
	OPT_LIMIT,
	OPT_COLOR,
	OPT_ASCII,
	OPT_QUIET,
	OPT_VERBOSE,
	OPT_LIST,
	OPT_HELP,
	OPT_VERSION,
	OPT_COUNT
};

/* Commands as bits: which options one takes. */
enum {
	FOR_EXPLORE = 1,
	FOR_INFO = 2,
	FOR_SHOW = 4,
	FOR_ANALYZE = 8,
	FOR_CHECK = 16,
	FOR_QUERY = 32,
	FOR_LAYOUTS = 64,
	FOR_CONVERT = 128,
	FOR_COMPLETE = 256,
	FOR_DIFF = 512,
	FOR_COMPARE = 1024
};

struct option {
	char letter;      /* 0: none */
	const char *name; /* without the dashes */
	const char *arg;  /* NULL: none */
	const char *help;
	unsigned commands;
};
extern const struct option options[OPT_COUNT];

/* ---- the command line -------------------------------------------------------------------------- */

struct command;

struct cli {
	const struct cli_environment *env;
	const struct command *command;
	VEC(const char *) operands;
	VEC(const char *) values[OPT_COUNT]; /* in order; "" for options without argument */
	VEC(size_t) places[OPT_COUNT];       /* operands that stood before each */
	const char *layout_dirs[8];
	size_t layout_dir_count;
	struct arena arena; /* what lives as long as the command */
	struct diag diag;   /* messages not yet printed */
	struct strbuf out;  /* for standard output, written at the end */
	int out_cols;       /* of a picture in it, which goes to a pager where it is wider than the terminal; or 0 */
};

struct command {
	const char *name;    /* "" is the explorer */
	const char *operands;
	const char *help;    /* one line */
	const char *details; /* more for --help and the man page; or NULL */
	unsigned bit;
	int (*run)(struct cli *c);
};
extern const struct command commands[];
extern const size_t command_count;

/* Fills c; E_USAGE with a message when the line makes no sense. */
enum status cli_parse(struct cli *c, int argc, char **argv);
bool cli_has(const struct cli *c, enum option_id id);
const char *cli_value(const struct cli *c, enum option_id id); /* the last one, or NULL */
/* A number of an option, or otherwise; E_USAGE with a message when it is none. */
enum status cli_number(struct cli *c, enum option_id id, uint64_t otherwise, uint64_t *out);
/* One of n words; NONE without the option. */
enum status cli_word(struct cli *c, enum option_id id, const char *const *words, size_t n, uint32_t *out);
enum status cli_refuse(struct cli *c, const char *hint, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* "did you mean x?" or "known are a, b"; lives in the arena. */
const char *cli_hint(struct cli *c, const char *word, const char *const *known, size_t n);

int cli_exit(enum status s);
void cli_flush_messages(struct cli *c); /* prints and forgets them; errors are always printed */
bool cli_interrupted(void);
bool cli_json(const struct cli *c);     /* -f json */
bool cli_color(const struct cli *c, int descriptor);
bool cli_ascii(const struct cli *c);
/* -f is text or json */
enum status cli_check_format(struct cli *c);

void help_general(struct strbuf *b);
void help_command(const struct command *cmd, struct strbuf *b);
void usage_short(struct strbuf *b);
/* --list WHAT: one a line, name and help with a tab between; for completion and checks of the manual. */
enum status list_table(struct cli *c, const char *what);

/* ---- opening and asking -------------------------------------------------------------------------- */

enum status cli_io_options(struct cli *c, struct io_options *out);
/* Opens; messages are printed. */
enum status cli_open(struct cli *c, const char *operand, struct fabric **out);

enum status cli_write_file(struct cli *c, const char *path, const struct strbuf *b);
/* --size, when given. */
enum status cli_size(struct cli *c, int *cols, int *rows);

/* A fabric with what the options ask about it. */
struct question {
	const struct fabric *fabric;
	struct overlay overlay;
	bool changed;             /* the overlay is not empty */
	struct idset selection, over;
	struct select_context context;
	struct request request;
	VEC(struct fabric *) designs; /* owned */
	struct diff_options diff;
};
/* --ignore and --names. */
enum status read_diff_options(struct cli *c, struct diff_options *o);
/* Parts of it: what counts, and how to search. */
enum status read_projection(struct cli *c, struct projection_options *p);
enum status read_search(struct cli *c, struct request *r);
/* Reads the options; E_USAGE with messages. Free in any case. */
enum status question_new(struct cli *c, const struct fabric *f, struct question *out);
void question_free(struct question *q);

/* Analyses asked for on the command line. */
struct asked {
	const struct analysis *analysis;
	const char *operand[2];
};
typedef VEC(struct asked) asked_list;
/* Words from operands[first] on: ANALYSIS [OPERAND]… */
enum status asked_parse(struct cli *c, size_t first, asked_list *out);
/* summary, bisection, blocking, as far as they exist. */
void asked_default(asked_list *out);
/* Runs them, at most --jobs at once; results in order, owned. E_CANCELLED when interrupted. */
enum status asked_run(struct cli *c, struct question *q, const asked_list *list, struct result *results);
/* Findings of file and linter together. */
void question_findings(const struct question *q, struct findings *out);
void put_finding(struct strbuf *b, const struct finding *x, bool color);
void put_json(struct strbuf *b, json_t *value); /* takes value */

/* ---- commands ------------------------------------------------------------------------------------ */

int cmd_explore(struct cli *c);
int cmd_info(struct cli *c);
int cmd_show(struct cli *c);
int cmd_analyze(struct cli *c);
int cmd_check(struct cli *c);
int cmd_diff(struct cli *c);
int cmd_compare(struct cli *c);
int cmd_query(struct cli *c);
int cmd_layouts(struct cli *c);
int cmd_convert(struct cli *c);
int cmd_complete(struct cli *c);
int info_of(struct cli *c, const char *operand);

#endif
