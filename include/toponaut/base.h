/* base: what every layer stands on. Nothing here knows of devices or links.
 *
 * Memory: allocation never returns NULL. When memory runs out the program ends through
 * mem_on_exhaustion (which gives the terminal back first): input limits are checked before memory
 * is taken, so there is nothing better to do, and no caller carries a second error path.
 *
 * Ownership words used in all headers: "takes" (the callee frees), "borrows" (the callee keeps a
 * pointer; the caller keeps it alive), "returns owned" (the caller frees).
 */
#ifndef TOPONAUT_BASE_H
#define TOPONAUT_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define MUST_CHECK __attribute__((warn_unused_result))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* An absent id (device, trunk, module, name …). */
#define NONE UINT32_MAX
/* An absent quantity. Unknown is never zero. */
#define UNKNOWN UINT64_MAX

/* What a function that can fail returns. The explanation is in the diag it was given. */
enum status {
	OK,
	E_INPUT,     /* the input is wrong                     exit 3 */
	E_IO,        /* the file could not be read             exit 3 */
	E_LIMIT,     /* an input limit was hit                 exit 4 */
	E_USAGE,     /* the request makes no sense             exit 2 */
	E_CANCELLED, /* cancelled by the user                exit 130 */
	E_BUG        /* a library or this program failed       exit 70 */
};

/* ---- memory ------------------------------------------------------------------------------- */

/* Called once before the program ends for want of memory; must be async-signal-safe. */
extern void (*mem_on_exhaustion)(void);

void *mem_alloc(size_t size);                           /* returns owned; zeroed */
void *mem_array(size_t n, size_t size);                 /* returns owned; zeroed; overflow checked */
void *mem_resize(void *p, size_t n, size_t size);       /* takes p, returns owned; tail not zeroed */
char *mem_strdup(const char *s);                        /* returns owned */
char *mem_strndup(const char *s, size_t n);             /* returns owned */
char *mem_printf(const char *fmt, ...) PRINTF_LIKE(1, 2); /* returns owned */

/* An arena: many small things that die together. Allocation is O(1); nothing is freed singly. */
struct arena {
	struct arena_block *blocks;
};

void *arena_alloc(struct arena *a, size_t size);        /* zeroed; lives until arena_free */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void arena_free(struct arena *a);                       /* the arena may be used again after */

/* A growable array: VEC(int) v = {0}; vec_push(&v, 3); v.at[0]; v.n; vec_free(&v); */
#define VEC(type)              \
	struct {               \
		type *at;      \
		size_t n, cap; \
	}
#define vec_reserve(v, want)                                                                     \
	do {                                                                                     \
		if ((want) > (v)->cap) {                                                         \
			size_t cap_ = (v)->cap * 2 > (want) ? (v)->cap * 2 : (want);             \
			(v)->at = mem_resize((v)->at, cap_ < 8 ? 8 : cap_, sizeof *(v)->at);     \
			(v)->cap = cap_ < 8 ? 8 : cap_;                                          \
		}                                                                                \
	} while (0)
#define vec_push(v, ...)                               \
	do {                                           \
		vec_reserve((v), (v)->n + 1);          \
		(v)->at[(v)->n++] = (__VA_ARGS__);     \
	} while (0)
#define vec_free(v)                                    \
	do {                                           \
		free((v)->at);                         \
		(v)->at = NULL;                        \
		(v)->n = (v)->cap = 0;                 \
	} while (0)

/* ---- text --------------------------------------------------------------------------------- */

/* Growing text, always NUL-terminated once written to (text is never NULL after strbuf_init). */
struct strbuf {
	char *text;
	size_t n, cap;
};

#define STRBUF_INIT {0}
void strbuf_add(struct strbuf *b, const char *s, size_t n);
void strbuf_puts(struct strbuf *b, const char *s);
void strbuf_putc(struct strbuf *b, char c);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
void strbuf_trim(struct strbuf *b, size_t n);           /* shortens to n bytes */
const char *strbuf_str(const struct strbuf *b);         /* borrowed; "" when empty */
void strbuf_free(struct strbuf *b);

/* Strings to small ids and back; the same text has the same id. Texts live as long as the table.
 * Lookup O(length) expected; ids count up from 0 in order of first sight. */
struct strtab {
	struct arena arena;
	VEC(const char *) texts;
	uint32_t *slots;
	uint32_t slot_count;
};

uint32_t strtab_intern(struct strtab *t, const char *s, size_t n);
uint32_t strtab_find(const struct strtab *t, const char *s, size_t n); /* NONE when absent */
const char *strtab_text(const struct strtab *t, uint32_t id);
void strtab_free(struct strtab *t);

/* 64-bit keys to 32-bit values, open addressing, O(1) expected. The key UINT64_MAX is reserved. */
struct keymap {
	uint64_t *keys;
	uint32_t *values;
	size_t n, cap;
};

void keymap_put(struct keymap *m, uint64_t key, uint32_t value); /* replaces */
uint32_t keymap_get(const struct keymap *m, uint64_t key);       /* NONE when absent */
void keymap_free(struct keymap *m);

/* The nearest of n known words to a mistyped one, or NULL when none is near (edit distance with
 * transpositions at most 2, and less than half of the word). O(n * length^2). */
/* Text as one word of a shell, quoted where it must be. */
void put_shell_word(struct strbuf *b, const char *text);
const char *nearest_word(const char *word, const char *const *known, size_t n);

/* Digits grouped by comma: 1296 -> "1,296". Writes to the end of b. */
void put_count(struct strbuf *b, uint64_t n);

/* Compares names as people order them: digit runs by value ("gpu2" < "gpu10"). As strcmp. */
int natural_compare(const char *a, const char *b);

/* ---- untrusted text: the one gate (DESIGN 11) --------------------------------------------- */

/* Bytes from a file become a label: valid UTF-8 (NFC), no C0 or C1 controls, no bidi or zero-width
 * characters (all shown as visible escapes such as "\x1b" or "\u202e"), at most LABEL_MAX bytes.
 * Every name, description or quoted line that came from a file passes here before it is stored. */
#define LABEL_MAX 512
const char *label_clean(struct arena *a, const char *bytes, size_t n); /* lives in the arena */
void label_put(struct strbuf *b, const char *bytes, size_t n, size_t max_bytes);

/* Decodes one code point at s (n bytes left, n > 0); *used is at least 1. Invalid: U+FFFD. */
uint32_t utf8_decode(const char *s, size_t n, size_t *used);
/* Appends one code point to b. */
void utf8_put(struct strbuf *b, uint32_t code);
/* True when the code point may reach a terminal as it is. */
bool utf8_is_printable(uint32_t code);
/* Terminal columns of a code point (0, 1, 2) and of a cleaned text. */
unsigned utf8_width(uint32_t code);
unsigned text_width(const char *text);
/* The bytes of text that fit into cols columns. */
size_t text_fit(const char *text, unsigned cols);

/* ---- messages ------------------------------------------------------------------------------ */

/* A file held in memory. Marks and messages point into it. */
struct diag;
struct source {
	const char *name; /* as the user gave it */
	const char *text; /* NUL behind text[size] */
	size_t size;
};

/* Reads a whole file ("-" is standard input), at most limit bytes. Regular files, pipes and
 * standard input are read; directories and devices refused. Text and name live in the arena. */
MUST_CHECK enum status source_read(struct arena *a, const char *path, size_t limit, struct diag *d,
				   struct source *out);

/* A place in a source; lines and columns count from 1, 0 is unknown. Columns count bytes. */
struct mark {
	const struct source *source;
	uint32_t line, column;
	uint32_t length; /* bytes to underline, 0 for a lone caret */
};

enum level { LEVEL_ERROR, LEVEL_WARNING, LEVEL_NOTE };

struct message {
	enum level level;
	struct mark mark;
	const char *text;  /* what is wrong and what was expected; no full stop */
	const char *trail; /* "in rack `nvl72`, wiring rule 1", or NULL */
	const char *hint;  /* what to do, or NULL */
};

/* Collects messages in order. After error_limit errors further ones are only counted. */
struct diag {
	struct arena arena;
	VEC(struct message) messages;
	unsigned errors, warnings, dropped;
	unsigned error_limit; /* 0: DIAG_ERROR_LIMIT */
};

#define DIAG_ERROR_LIMIT 20
/* All texts are copied. trail and hint may be NULL. Texts are gated (label_put) on the way in. */
void diag_add(struct diag *d, enum level level, struct mark mark, const char *trail, const char *hint,
	      const char *fmt, ...) PRINTF_LIKE(6, 7);
#define diag_error(d, mark, hint, ...) diag_add((d), LEVEL_ERROR, (mark), NULL, (hint), __VA_ARGS__)
/* One message as people read it: "file:line:column: error: text", the source line with a caret,
 * "  in …", "  hint: …". With color, level and caret are coloured. */
void message_put(struct strbuf *b, const struct message *m, bool color);
void diag_put(struct strbuf *b, const struct diag *d, bool color); /* all of them */
void diag_free(struct diag *d);

/* ---- sets of ids ---------------------------------------------------------------------------- */

/* A set of ids below size, one bit each. */
struct idset {
	uint64_t *words;
	uint32_t size;
};

struct idset idset_new(uint32_t size);                   /* empty; returns owned */
struct idset idset_copy(const struct idset *s);          /* returns owned */
void idset_free(struct idset *s);
void idset_add(struct idset *s, uint32_t id);
void idset_add_range(struct idset *s, uint32_t first, uint32_t end);
void idset_remove(struct idset *s, uint32_t id);
bool idset_has(const struct idset *s, uint32_t id);      /* false beyond size */
uint32_t idset_count(const struct idset *s);
bool idset_is_empty(const struct idset *s);
bool idset_equal(const struct idset *a, const struct idset *b);
uint32_t idset_next(const struct idset *s, uint32_t from); /* first id >= from, or NONE */
/* a becomes a op b; both have the same size. */
void idset_union(struct idset *a, const struct idset *b);
void idset_intersect(struct idset *a, const struct idset *b);
void idset_subtract(struct idset *a, const struct idset *b);
void idset_toggle(struct idset *a, const struct idset *b);
void idset_complement(struct idset *a);
#define idset_each(id, set) \
	for (uint32_t id = idset_next((set), 0); id != NONE; id = idset_next((set), id + 1))

/* ---- quantities ------------------------------------------------------------------------------ */

enum dimension {
	DIM_COUNT,   /* a plain number */
	DIM_RATE,    /* bit/s, one direction */
	DIM_DATA,    /* bytes */
	DIM_COMPUTE, /* FLOPS */
	DIM_LENGTH,  /* micrometres */
	DIM_TIME,    /* picoseconds */
	DIM_POWER,   /* milliwatts */
	DIM_ENERGY,  /* femtojoules per bit */
	DIM_DENSITY, /* bit/s per millimetre of die edge, one direction */
	DIM_RATIO,   /* parts per million: "50%" is 500000 */
	DIM_LINKS    /* links: "16 links" */
};

struct quantity {
	enum dimension dim;
	bool both;      /* the text said "both": a sum of both directions (never allowed for a link) */
	uint64_t value; /* in the unit above; fractions below it are refused */
	uint64_t ulp;   /* one unit of the last digit written, in value's unit ("32.4 TB/s": 0.1 TB/s) */
};

/* Parses "50 GB/s", "400 Gb/s", "129.6 TB/s both", "0.6 m", "288 GB", "5 PFLOPS", "1.3 pJ/bit", "50%",
 * "16 links", "1U"(as DIM_COUNT). Decimal prefixes k M G T P, binary Ki Mi Gi Ti Pi; case matters;
 * Gbps, GBps understood. On failure returns false and *why (static or arena text of a) says what
 * was expected, with a hint where the slip is known ("400G": write 400 Gb/s or 400 GB/s). Exact integer
 * arithmetic; locale-free. */
bool quantity_parse(struct arena *a, const char *text, size_t n, struct quantity *out,
		    const char **why, const char **hint);
const char *dimension_name(enum dimension dim);          /* "rate", "length" … */

/* "32.4 TB/s" (bytes) and "25.6 Tb/s" (bits); UNKNOWN prints as "–". At most six significant
 * digits, never a wrong one: rounding is to nearest. */
void put_rate(struct strbuf *b, uint64_t bits_per_second);
void put_rate_bits(struct strbuf *b, uint64_t bits_per_second);
/* Any quantity in its customary unit: "0.6 m", "288 GB", "1.3 pJ/bit". */
void put_quantity(struct strbuf *b, enum dimension dim, uint64_t value);

/* ---- expressions ------------------------------------------------------------------------------ */

/* 64-bit integer expressions with C's operators and precedence, min max abs, [a, b, c][i] (DESIGN 4).
 * Names are resolved to slots when parsed, so evaluating is a walk without lookups. */
struct expr; /* lives in the arena it was parsed into */

/* Gives the slot of a name, or -1 for an unknown one. */
typedef int expr_resolve(void *context, const char *name, size_t n);

struct expr_error {
	const char *text; /* arena text or static */
	const char *hint; /* or NULL */
	size_t offset, length; /* bytes of the expression to underline */
};

/* Parses n bytes; NULL on error with *error filled. */
struct expr *expr_parse(struct arena *a, const char *text, size_t n, expr_resolve *resolve, void *context,
			struct expr_error *error);
/* Evaluates over slots; false on overflow, division by zero, index out of list (error filled). */
bool expr_eval(const struct expr *e, const int64_t *slots, int64_t *out, struct expr_error *error);
/* True when the expression reads the slot. */
bool expr_uses(const struct expr *e, int slot);
/* When the expression is a bare name: its slot, else -1. */
int expr_bare_slot(const struct expr *e);

/* ---- jobs: forked processes ------------------------------------------------------------------- */

/* A job runs a function in a forked child that shares all memory copy-on-write and streams records
 * back over a pipe. Killing it loses nothing that was sent; a crash in it is a message, not an end. */
struct job;
struct job_sink; /* the child's end */

/* Runs in the child; its return value is the status the parent sees. */
typedef enum status job_function(void *context, struct job_sink *sink);
/* Sends one record (kinds are the caller's); complete records only ever arrive. With sink NULL nothing
 * happens, so that code runs unforked too. */
void job_send(struct job_sink *sink, uint32_t kind, const void *data, size_t n);

enum job_state { JOB_RUNNING, JOB_DONE, JOB_CRASHED, JOB_KILLED };
/* Called in the parent for each record, in order. */
typedef void job_record(void *context, uint32_t kind, const void *data, size_t n);

struct job *job_start(job_function *run, void *context); /* returns owned; NULL when fork failed */
int job_fd(const struct job *j);                         /* readable when job_poll has something to do */
/* Reads what has arrived without blocking. */
enum job_state job_poll(struct job *j, job_record *record, void *context);
enum status job_status(const struct job *j);             /* after JOB_DONE */
const char *job_crash_text(const struct job *j);         /* after JOB_CRASHED: what the child died of */
void job_cancel(struct job *j);                          /* kills it; at once */
void job_free(struct job *j);                            /* cancels when still running */
/* Waits until the end or until deadline_ms (monotonic, 0 none) passes; then JOB_RUNNING. */
enum job_state job_wait(struct job *j, int64_t deadline_ms, job_record *record, void *context);

int64_t clock_ms(void); /* monotonic */

/* ---- tasks: threads ---------------------------------------------------------------------------- */

/* A function on a thread of its own. It shares memory with its starter: what it writes is read behind task_join, but for
 * what is atomic. */
struct task;
struct task *task_start(void (*run)(void *context), void *context); /* returns owned; NULL when there is no thread */
int task_fd(const struct task *t); /* readable when it has ended */
void task_join(struct task *t);    /* waits for its end and frees it */

/* ---- random numbers ------------------------------------------------------------------------------ */

/* A small seeded generator (splitmix64 seeding xoshiro256**, Blackman and Vigna): the same seed, the
 * same numbers everywhere. Part of the language version (random-regular). */
struct rng {
	uint64_t s[4];
};

struct rng rng_seed(uint64_t seed);
uint64_t rng_next(struct rng *r);
uint32_t rng_below(struct rng *r, uint32_t n); /* uniform in [0, n), n > 0, without bias */

extern const char toponaut_version[];

#endif
