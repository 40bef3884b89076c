/* Shared inside of app: the session's state, and who may change what.
 *
 *   session.c   beginning, end, mapping state to a changed fabric
 *   loading.c   opening, reloading, parameters: files are read on a thread
 *   actions.c   the table
 *   selecting.c what is under the cursor, selections and their names
 *   looking.c   views, colours, what is hidden, the order of tables
 *   looks.c     what was selected and hidden before
 *   places.c    marks: places to come back to
 *   moving.c    cursor, panes, search
 *   whatif.c    failing, derating, undo
 *   restore.c   taking back a part of that
 *   faults.c    the page of what is changed
 *   asking.c    jobs and their results
 *   differences.c  walking what diff found
 *   beside.c    two results next to each other
 *   commands.c  command lines that give the same; copying
 *   memory.c    what was typed, from one session to the next
 *   prompt.c    the command line: editing, history, completion, running
 *   completion.c  what is offered behind a command
 *   pages.c     help, explain, messages
 *   params.c    the page of parameters
 *   screen.c    composing, pointer
 *   export.c    the screen or a result as a file
 *   keys.c      names of keys, which action a key means
 *   watch.c     files that changed
 *   script.c    sessions without a terminal, for tests
 *   linear.c    sessions without a screen
 */
#ifndef APP_INTERNAL_H
#define APP_INTERNAL_H

#include <stdlib.h>
#include <string.h>

#include "toponaut/app.h"

struct texts {
	char **at;
	size_t n, cap;
};

/* A question as it was asked: it owns all that the running job points to. */
struct asked {
	const struct analysis *analysis;
	struct idset selection; /* size 0: all */
	struct idset concerns;  /* what the answer is about; size 0: all */
	struct idset operand[2];
	char *operand_text[2];
	char *size_text;
	char *subject;  /* selection as text, "" for all */
	VEC(struct fabric *) designs; /* diff: read so far */
	struct texts wanted;          /* diff: their names */
	struct overlay overlay;
	char *what_if;  /* in words, "" when healthy */
	char *command;
	struct idset over;
	unsigned generation; /* of the fabric */
	bool of_next;        /* asked while another file was being read: about that one when it comes */
	struct request request;
};
struct asked_list {
	struct asked **at;
	size_t n, cap;
};

struct answer {
	struct asked *asked;
	struct result result;
	uint64_t id; /* never the same in a session */
};
enum { ANSWERS_MAX = 24 };

/* What is changed about the fabric, as it is written for --fail and --derate. */
struct change {
	bool derate;
	char *text;
};
struct changes {
	struct change *at;
	size_t n, cap;
};

/* One what-if after another: all that is changed then, as words and as an overlay. The first is as opened. */
struct step {
	struct changes changes; /* but the faults of the file */
	struct overlay overlay;
	uint64_t revision; /* another number for every overlay of the session */
	char *said;        /* "sw0 down", what this step did; NULL for the first */
};

enum page { PAGE_NONE, PAGE_HELP, PAGE_EXPLAIN, PAGE_MESSAGE, PAGE_PARAMETERS, PAGE_FAULTS };

struct prompt {
	char kind; /* ':' or '/', 0 when there is none */
	struct strbuf text;
	size_t at; /* byte of the cursor */
	size_t history; /* entries up from the newest + 1, 0 is the line being written */
};

/* A place one can come back to, by path: it outlives a reload. */
struct place_mark {
	char letter;
	bool is_device;
	char *path;
	const struct view *view;
};

/* What was selected and hidden at some time. */
struct look_back {
	struct idset selected, hidden;
};
struct looks {
	struct look_back *at;
	size_t n, cap;
};

enum { HISTORY_MAX = 200, LINE_MAX_BYTES = 4096 };

/* A key of the person's own. */
struct bound {
	uint32_t key;
	char *command;
};

struct app {
	struct app_options o;
	char *operand;
	struct texts defines; /* NAME=VALUE */
	struct loading *loading, *given_up; /* what is being read; what still runs though nobody wants it */
	struct diag opened;      /* of the first file, until app_status takes it */
	enum status open_status;
	struct strbuf config;    /* commands for when the first file is there */
	VEC(uint32_t) early;     /* keys for then */
	struct fabric *fabric;
	unsigned generation;

	/* what is looked at */
	const struct view *view;
	enum pane focus;
	enum color_mode color;
	int zoom;
	struct {
		uint32_t from, at; /* following links: the device they start at, the next of its trunks */
	} peer;
	enum matrix_cells cells;
	struct table_state table; /* filter and columns are owned */
	struct target cursor;
	struct idset selected, found, hidden; /* devices */
	struct idset folded, unfolded;        /* modules */
	bool ranging;
	struct target range_from;
	struct idset range_base;
	struct {
		bool on;
		struct target from; /* what was clicked, or TARGET_NONE */
	} drag;
	struct {
		struct target *at;
		size_t n, cap;
	} hits; /* of the last search */
	unsigned searched; /* the generation of the fabric that it was in */
	char *kept; /* selection A, as text, or NULL */
	struct {
		uint32_t module, device; /* where `alike` was asked */
		unsigned at;             /* in what way the last time */
	} alike;
	struct {
		struct place_mark *at; /* "'" is where the last jump began */
		size_t n, cap;
	} places;
	char pending; /* a key that waits for its letter, or 0 */
	struct {
		struct looks back, forward;
		struct look_back now;
		unsigned generation; /* of the fabric that these are about */
	} looks;
	char *over; /* kinds, or NULL */

	/* what was changed */
	struct {
		struct step *at;
		size_t n, cap;
	} steps;
	size_t step; /* the one in force */
	uint64_t revisions;
	struct {
		size_t at;            /* the one that the keys of the page mean */
		struct texts effects; /* of each change: "6 devices down" */
	} faults;

	/* what was asked */
	struct asked_list queue; /* the first one runs */
	struct run *run;
	struct {
		struct answer *at;
		size_t n, cap;
	} answers; /* oldest first */
	bool dismissed; /* Esc: the cut is not drawn until the next question */
	size_t back;    /* results that are newer than those looked at */
	uint64_t answered; /* how many came so far */
	uint64_t beside;   /* id of the one that is kept on the left of another, or 0 */
	struct texts designs; /* of the last diff */
	struct {
		bool on;   /* n and N walk the differences of the drawn answer, not what a search found */
		size_t at; /* the next one */
	} walk;

	struct {
		size_t at;           /* the one that the arrows change */
		struct texts before; /* definitions when the page was opened */
		bool changed;
	} params;
	struct {
		struct named_selection *at; /* texts are owned */
		size_t n, cap;
	} names;

	/* what is said */
	char *facts; /* of the header, or NULL when it must be made anew */
	struct memo memo, memo_beside[2]; /* each scene of one picture has its own */
	struct prompt prompt;
	struct texts history[2]; /* of ':' and '/' */
	char *memory; /* the file they are kept in, or NULL */
	char *copied; /* for the terminal to take, or NULL */
	char *message;
	enum level message_level;
	enum page page;
	int page_top;
	struct strbuf page_filter;
	char *page_text; /* of explain and messages */

	struct canvas canvas;
	bool changed, done, mouse_off, suspends;
	int scheme; /* or -1 */
	struct {
		struct bound *at;
		size_t n, cap;
	} bounds;
	int watch_fd;
	bool stale; /* a file changed while something was being read: it is read again afterwards */
	struct strtab watched; /* names of files */
};

/* ---- session.c */
struct scene app_scene(struct app *a);
const char *app_facts(struct app *a);
/* The new fabric takes the place of the old one, which is freed; keep: with what a person did. */
enum status app_adopt(struct app *a, struct fabric *f, bool keep, struct diag *d);

void app_forget_file(struct app *a); /* another one is to take its place */

/* ---- loading.c */
enum load_purpose { LOAD_FIRST, LOAD_OPEN, LOAD_RELOAD, LOAD_SET, LOAD_PARAMETER, LOAD_DESIGN };
void app_reload(struct app *a);
void app_set(struct app *a, const char *define, enum load_purpose purpose);
const struct texts *app_defines(const struct app *a);
void load_designs(struct app *a, struct asked *q); /* takes q */
void load_cancel(struct app *a); /* by a person */
void load_drop(struct app *a);   /* without a word */
void load_end(struct app *a);    /* of the session */
int load_fd(const struct app *a); /* or -1 */
bool load_is_other_file(const struct app *a); /* what is being read takes the place of what is loaded */
void load_poll(struct app *a);
void load_put(const struct app *a, struct strbuf *b); /* "reading x.yaml … 0.4 s" */
void texts_copy(struct texts *to, const struct texts *from);
void texts_free(struct texts *t);

/* ---- actions.c */
const struct action *action_find(const char *name);
void app_run_action(struct app *a, const struct action *x, const char *args);
bool action_applies(const struct action *x);
void app_say(struct app *a, enum level level, const char *fmt, ...) PRINTF_LIKE(3, 4);
void app_forget_message(struct app *a);
/* "BEFORE 1 device BEHIND", "BEFORE 1,200 devices BEHIND": what is said of a number of things. */
void app_say_count(struct app *a, const char *before, uint64_t n, const char *one, const char *many, const char *behind);

/* ---- selecting.c */
/* The devices that an action at the cursor concerns; owned by the caller. */
struct idset app_under(struct app *a);
/* What `f` and friends take: the selection when the cursor is in it, else what is under the cursor. As a
 * selection that reads back; NULL when there is nothing. Owned by the caller. */
char *app_subject(struct app *a);
struct select_context app_context(struct app *a, const struct idset *here);
/* A selection that means the same without this session: what stands for %here, %sel and saved names is written out.
 * Owned by the caller. */
char *app_portable(struct app *a, const char *text);
void app_select(struct app *a, const char *args);
void app_clear(struct app *a); /* what was begun last is given up first */
void app_ask_search(struct app *a, const char *args);
void app_keep(struct app *a, const char *args);
void app_name(struct app *a, const char *args);
void app_near(struct app *a, const char *args);
void app_alike(struct app *a, const char *args);
const char *app_likeness(unsigned i); /* NULL behind the last */
void app_select_set(struct app *a, const struct idset *devices);

/* ---- looks.c: what was selected and hidden before */
void looks_note(struct app *a); /* after anything that may have changed it */
void looks_walk(struct app *a, int step);
void looks_free(struct app *a);

/* ---- places.c: marks */
void place_set(struct app *a, const char *args);
void place_jump(struct app *a, const char *args);
void place_key(struct app *a, uint32_t key); /* the letter behind a pending key */
void places_free(struct app *a);

/* ---- looking.c */
void app_show_view(struct app *a, const struct view *v);
void app_view(struct app *a, const char *args);
void app_color(struct app *a, const char *args);
void app_show(struct app *a, const char *args);
void app_sort(struct app *a, const char *args);
void app_reverse(struct app *a);
void app_filter(struct app *a, const char *args);
void app_columns(struct app *a, const char *args);
void app_hide(struct app *a);
void app_only(struct app *a);
void app_show_all(struct app *a);
void app_zoom(struct app *a, int step); /* folds less, or more */
void app_zoom_reset(struct app *a);

/* ---- moving.c */
/* The device under the cursor, the first end of a trunk, the first device of a module; NONE in an empty one. */
uint32_t app_cursor_device(const struct app *a);
/* The module around the cursor, or under it. */
uint32_t app_cursor_module(const struct app *a);
void app_move(struct app *a, int move); /* enum move */
void app_go(struct app *a, struct target t);
void app_focus(struct app *a, int step);
void app_enter(struct app *a);
void app_up(struct app *a);
/* To the other end of a link; again: of the next one of the same device. */
void app_peer(struct app *a);
void app_fold(struct app *a);
void app_range(struct app *a);
void app_search(struct app *a, const char *text);
size_t app_count_hits(struct app *a, const char *text); /* what a search would find */
void app_next_hit(struct app *a, int step);
void app_show_found(struct app *a, struct target t); /* the cursor goes there, out of folded runs */

/* ---- whatif.c */
void steps_clear(struct app *a);
enum status steps_start(struct app *a, struct diag *d); /* faults of the file, --fail, --derate */
void app_change(struct app *a, bool derate, const char *text);
void app_undo(struct app *a, int step);
const struct overlay *app_overlay(const struct app *a);
const struct changes *app_changes(const struct app *a); /* those in force */
/* "switch4/sw1 down", "" when nothing was changed. */
void what_if_put(const struct app *a, struct strbuf *b);
void what_if_options_put(const struct app *a, struct strbuf *b);
bool overlays_equal(const struct fabric *f, const struct overlay *x, const struct overlay *y);
/* One change applied to o. */
enum status change_apply(struct app *a, const struct change *x, struct diag *d, struct overlay *o);
void changes_add(struct changes *l, bool derate, const char *text);
void changes_free(struct changes *l);
/* Another step, with these changes in force (taken); said is what it did. False when one of them names nothing. */
bool step_push(struct app *a, struct changes changes, const char *said);

/* ---- restore.c */
/* Takes back what was failed or derated about a selection or links ("A--B"), whatever it was failed with. */
void app_restore(struct app *a, const char *text);

/* ---- faults.c: the page of what is changed */
void faults_open(struct app *a);
void faults_key(struct app *a, uint32_t key);
size_t faults_count(const struct app *a);
size_t faults_lines(struct app *a, struct arena *texts, struct page_line *out, size_t max);

/* ---- asking.c */
void app_ask(struct app *a, const struct analysis *x, const char *args);
void app_designs_read(struct app *a, struct asked *q); /* takes q */
void asked_free(struct asked *q);
/* The newest question, of a changed fabric, and those that waited. */
void app_ask_again(struct app *a, const struct asked_list *waiting);
/* Takes out of the queue what the next fabric is to be asked: all, or what was asked for its sake. */
struct asked_list asking_take(struct app *a, bool all);
void asked_list_free(struct asked_list *l);
void asking_wait(struct app *a, struct asked *q); /* takes q */
void asking_start(struct app *a); /* the next of the queue, unless something runs or is read */
void app_cancel(struct app *a);
void answers_clear(struct app *a);
void asking_poll(struct app *a);
void answers_age(struct app *a); /* the fabric they are about is to go */
/* Whose marks are drawn: of the newest answer that fits the what-if; or NULL. */
const struct answer *app_drawn(const struct app *a);
/* This mark of the newest answer that holds now and has it, or NULL. */
const struct result_mark *app_mark(const struct app *a, const char *name);
/* Results as they are shown, newest fitting first; texts are borrowed. Returns how many of max. */
size_t answers_shown(const struct app *a, struct shown_result *out, size_t max);
/* Indices of answers as they are shown: those that fit the what-if before others, newest first. */
size_t answers_order(const struct app *a, size_t out[ANSWERS_MAX]);
struct shown_result answer_show(const struct app *a, size_t i);
/* The answer to the same question before the last what-if, or SIZE_MAX. */
size_t answer_before(const struct app *a, size_t of);
/* Looks at older results, or at newer ones again. */
void answers_look(struct app *a, int step);
bool app_over(struct app *a, const char *kinds); /* "" for the default */

/* ---- differences.c */
void differences_begin(struct app *a); /* there are new ones */
bool differences_walk(struct app *a, int step); /* false when n and N mean something else */

/* ---- beside.c: two results next to each other */
void beside_toggle(struct app *a);
/* Which ones; false when there is only one to show. */
bool beside_pair(const struct app *a, size_t *left, size_t *right);
bool beside_skips(const struct app *a); /* what is looked at stands on the left already */
bool beside_is_split(const struct app *a, struct rect inside); /* there is room for two pictures */
struct rect beside_half(struct rect inside, int side);
void beside_draw_pictures(struct app *a, const struct scene *now, struct rect inside);

/* ---- commands.c */
char *command_of(const struct app *a, const struct asked *q); /* owned by the caller */
void app_copy(struct app *a, const char *args);

/* ---- memory.c */
void memory_add(struct app *a, char kind, const char *line);

/* ---- prompt.c */
void prompt_open(struct app *a, char kind, const char *text);
void prompt_close(struct app *a);
void prompt_key(struct app *a, uint32_t key);
void app_command(struct app *a, const char *line);
bool command_is_known(const char *line); /* by its first word */

/* ---- completion.c */
bool command_takes_selection(const char *command); /* the one set of words behind it */
bool command_takes_files(const char *command);
/* Whole words that may stand behind a command. */
size_t command_words(struct app *a, struct arena *arena, const char *command, const char **out, size_t max);
/* Files and folders ("x/") that begin as typed, in order; of too many the last one is the last of all. */
size_t file_words(struct arena *arena, const char *typed, bool one_word, const char **out, size_t max);

/* ---- pages.c */
void page_open(struct app *a, enum page page, char *text); /* takes text */
void page_close(struct app *a);
void page_key(struct app *a, uint32_t key);
void page_compose(struct app *a, struct rect area);
void page_put(struct app *a, struct strbuf *b); /* as plain lines */

/* ---- params.c */
void params_open(struct app *a);
void params_free(struct app *a);
void params_key(struct app *a, uint32_t key);
void params_loaded(struct app *a, const char *why); /* with the change, or why not */
size_t params_lines(struct app *a, struct arena *texts, struct page_line *out, size_t max);

/* ---- screen.c */
/* Layout, and the inside of each pane. */
struct layout app_layout(struct app *a, struct rect inside[PANE_COUNT]);

/* ---- export.c */
enum status app_export(struct app *a, const char *path);
enum status app_write(struct app *a, const char *path, const struct strbuf *b);

/* ---- keys.c */
/* The action of a key; args may be a view's or an analysis' name. */
void app_press(struct app *a, uint32_t key);
bool keys_have(const char *keys, uint32_t key);
/* "KEY COMMAND"; without a command the key means again what it meant. */
void app_bind(struct app *a, const char *args);

/* ---- watch.c */
void watch_start(struct app *a);
void watch_stop(struct app *a);
bool watch_poll(struct app *a); /* true when a file of the fabric changed */

#endif
