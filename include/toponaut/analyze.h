/* analyze: the questions. Each analysis is a file and a row of the table; it turns (fabric, overlay, request)
 * into a result: JSON of the contract (DESIGN 9) plus marks on devices and trunks that views draw.
 * Text and explain are written from that JSON alone, so they cannot say what was not found.
 */
#ifndef TOPONAUT_ANALYZE_H
#define TOPONAUT_ANALYZE_H

#include <jansson.h>

#include "toponaut/select.h"

/* What every analysis is asked with. */
struct request {
	const struct fabric *fabric;
	const struct overlay *overlay;  /* or NULL */
	struct projection_options project; /* selection, over, unit, endpoints … */
	const char *operand_text[2];    /* as written, for messages */
	struct idset operand[2];        /* of those analyses that take operands; size 0: not given */
	const char *size_text;          /* collectives: "1 GB" */
	uint64_t seed;                  /* default 1 */
	int64_t time_limit_ms;          /* 0: none */
	unsigned jobs;                  /* at most so many children at once */
	const struct fabric *const *designs; /* diff: what was planned */
	size_t design_count;
	const struct diff_options *diff;     /* or NULL */
};

/* A set of devices or trunks that a view can draw: "side" (devices of the first side of a cut), "cut",
 * "saturated" (trunks), "endpoints". values, when not NULL, has one number per id (load in ppm, tier …). */
struct result_mark {
	const char *name;
	bool on_trunks;
	struct idset set;
	uint32_t *values;
};

struct result {
	const struct analysis *analysis;
	json_t *json;                 /* the value of the analysis' key; owned */
	VEC(struct result_mark) marks;
	int64_t elapsed_ms;           /* never part of the JSON */
	bool failed;                  /* crashed or cancelled; then json is null and text says why */
	char *text;
};

/* The running analysis' way to the outside: progress, bounds, marks. All may be called with p NULL. */
struct progress;
void progress_step(struct progress *p, const char *phase, unsigned done, unsigned of);
void progress_bounds(struct progress *p, json_t *bounds); /* takes bounds: {"lower_Bps", "upper_Bps", …} */
void progress_mark(struct progress *p, const char *name, bool on_trunks, const struct idset *s, const uint32_t *values);
/* True when the deadline of the request has passed; cheap enough for inner loops. */
bool progress_expired(struct progress *p);

struct analysis {
	const char *name;      /* key in JSON, word on the command line */
	const char *title;     /* "bisection bandwidth" */
	const char *help;      /* one line */
	const char *operands;  /* "", "A B", "SIZE", "DESIGN" */
	const char *main_field; /* what `expect` compares by default: "Bps" picks lower/upper */
	char key;              /* in the explorer, or 0 */
	/* Runs in the calling process; returns owned JSON. Never prints. */
	json_t *(*run)(const struct request *r, struct progress *p);
	/* Result in words: one short block for people; the derivation with its numbers. */
	void (*put)(const json_t *result, struct strbuf *b);
	void (*explain)(const json_t *result, struct strbuf *b);
};

extern const struct analysis analyses[];
extern const size_t analysis_count;
const struct analysis *analysis_find(const char *name);

/* A started analysis (a forked job). */
struct run;
struct run *run_start(const struct analysis *a, const struct request *r); /* r and what it points to must outlive it */
int run_fd(const struct run *r);
/* Handles what arrived; true while it runs. */
bool run_poll(struct run *r);
/* Progress so far, for drawing; borrowed until the next poll. bounds may be NULL. */
const char *run_phase(const struct run *r, unsigned *done, unsigned *of, const json_t **bounds);
void run_cancel(struct run *r);
/* Ends it and returns the result (owned). */
struct result run_finish(struct run *r);
/* Starts, waits, finishes. */
struct result run_now(const struct analysis *a, const struct request *r);
void result_free(struct result *r);
const struct result_mark *result_mark(const struct result *r, const char *name);

/* A length in micrometres, or UNKNOWN; estimated when it follows from placement and not from the file. */
struct span {
	uint64_t um;
	bool estimated;
};
struct span trunk_span(const struct fabric *f, uint32_t trunk);

/* The most that two sets of devices can exchange, as mincut has it: one direction, in the unit of n's capacities. UNKNOWN
 * where none of a set carries traffic, or both share endpoints. One push-relabel. */
uint64_t flow_most(const struct network *n, const struct idset *a, const struct idset *b);

/* Findings: ports, disconnected parts, unlike siblings … (analysis `lint`), in file order, most serious
 * first within a line. Appended to out (texts live in a). */
struct findings {
	struct arena arena;
	VEC(struct finding) list;
};
void lint_run(const struct fabric *f, const struct overlay *o, struct findings *out);
void findings_free(struct findings *x);

/* check: every expectation of the fabric, and those given by --that. */
struct verdict {
	const struct expectation *expect;
	enum verdict_outcome { VERDICT_OK, VERDICT_FAILED, VERDICT_UNDECIDED, VERDICT_ERROR } outcome;
	char *found; /* "32.4 TB/s", "[16, 20] GB/s" … owned */
	char *message; /* for errors; owned or NULL */
};
struct verdict check_one(const struct request *base, const struct expectation *e, struct diag *d);
/* "bisection @gpu atleast 30 TB/s" to an expectation; texts live in a. */
MUST_CHECK enum status expectation_parse(struct arena *a, const char *text, struct diag *d, struct expectation *out);

/* Designs against what was built: which cables are missing, extra, miswired, at a wrong port, swapped, slower. Devices are
 * matched by GUID, by name without case, by structure. names: lines "GUID name", or NULL. Aggregation nodes and what is
 * wired inside of a chassis do not count; "miswired" includes those "wrong_port". ignore holds shell patterns of devices that shall not either. Returns owned:
 * {"same", "missing", …, "differences": […]}. O(cables log cables), without structure. */
struct diff_options {
	const char *const *ignore;
	size_t ignore_count;
	const char *names;
};
/* Values of the marks "difference" (devices) and "different" (trunks). */
enum diff_kind { DIFF_SAME, DIFF_SLOWER, DIFF_WRONG_PORT, DIFF_MISWIRED, DIFF_SWAPPED, DIFF_MISSING, DIFF_EXTRA, DIFF_KINDS };
json_t *diff_fabrics(const struct fabric *built, const struct fabric *const *designs, size_t n, const struct diff_options *o);
bool diff_is_empty(const json_t *diff);
void diff_put(const json_t *diff, struct strbuf *b);
/* One of the differences without a line end, its kind in so many columns: "missing a:1 -- b:2". */
void difference_put(const json_t *difference, int width, struct strbuf *b);
void diff_csv(const json_t *diff, struct strbuf *b); /* a punch list, one row a cable */

/* The table in a result (cables of a bom, trunks of a cut, findings of lint) as CSV; false when it has none. */
bool result_csv(const json_t *result, struct strbuf *b);
/* The document of DESIGN 9 around results: {"toponaut": 1, "source": …, NAME: result …, "warnings": […]}. */
json_t *results_document(const struct request *r, const char *selection, const struct result *results, size_t n,
			 const struct findings *warnings);

#endif
