/* Shared inside the analyze layer: rows of the table, small JSON helpers. */
#ifndef TOPONAUT_ANALYZE_INTERNAL_H
#define TOPONAUT_ANALYZE_INTERNAL_H

#include "toponaut/analyze.h"

/* Rates in results are bytes per second, one direction; UNKNOWN becomes null. */
json_t *json_rate(uint64_t bits_per_second);
/* A number of capacity in the unit of the projection: bytes per second or links. */
json_t *json_capacity(const struct network *n, uint64_t capacity);
void json_put(json_t *object, const char *key, json_t *value); /* takes value */
json_t *json_device(const struct fabric *f, uint32_t device);  /* its path */
/* Reading a result back: UNKNOWN when null or absent. Rates come back as bits per second. */
uint64_t result_rate(const json_t *object, const char *key);
uint64_t result_count(const json_t *object, const char *key);
const char *result_text(const json_t *object, const char *key); /* "" when absent */
/* Appends a capacity of the result in its unit ("32.4 TB/s", "72 links"), for key "lower" and so on. */
void put_capacity(struct strbuf *b, const json_t *result, const char *key);
void put_result_count(struct strbuf *b, const json_t *result, const char *key); /* "–" when null */
void put_counted(struct strbuf *b, uint64_t n, const char *thing); /* "1 trunk", "1,296 trunks" */

json_t *summary_run(const struct request *r, struct progress *p);
void summary_put(const json_t *result, struct strbuf *b);
void summary_explain(const json_t *result, struct strbuf *b);
json_t *bisection_run(const struct request *r, struct progress *p);
void bisection_put(const json_t *result, struct strbuf *b);
void bisection_explain(const json_t *result, struct strbuf *b);
json_t *mincut_run(const struct request *r, struct progress *p);
void mincut_put(const json_t *result, struct strbuf *b);
void mincut_explain(const json_t *result, struct strbuf *b);
json_t *blocking_run(const struct request *r, struct progress *p);
void blocking_put(const json_t *result, struct strbuf *b);
void blocking_explain(const json_t *result, struct strbuf *b);
json_t *paths_run(const struct request *r, struct progress *p);
void paths_put(const json_t *result, struct strbuf *b);
void paths_explain(const json_t *result, struct strbuf *b);
json_t *connectivity_run(const struct request *r, struct progress *p);
void connectivity_put(const json_t *result, struct strbuf *b);
void connectivity_explain(const json_t *result, struct strbuf *b);
json_t *throughput_run(const struct request *r, struct progress *p);
void throughput_put(const json_t *result, struct strbuf *b);
void throughput_explain(const json_t *result, struct strbuf *b);
json_t *diff_run(const struct request *r, struct progress *p);
json_t *bom_run(const struct request *r, struct progress *p);
void bom_put(const json_t *result, struct strbuf *b);
void bom_explain(const json_t *result, struct strbuf *b);
json_t *lint_json(const struct request *r, struct progress *p);
void lint_put(const json_t *result, struct strbuf *b);

json_t *finding_json(const struct finding *x);

#endif
