/* The keys of the language: one table, from which unknown keys and wrong shapes are found, and which the
 * manual, the JSON schema and completion are tested against.
 *
 * A type tells its shape: "map of X" and "list of X" hold things of the section X when there is one, "A or
 * list of A" is either, the name of a section is a mapping with its keys, all else is a scalar.
 */
#include "describe/describe_internal.h"

#include <string.h>

const struct key_row describe_keys[] = {
	{"top", "toponaut", "integer", "version of the language: 1"},
	{"top", "name", "text", "what the design is called"},
	{"top", "description", "text", "one sentence about it"},
	{"top", "status", "word", "confirmed, single-source, inferred or never-shipped"},
	{"top", "sources", "list of texts", "where the facts come from"},
	{"top", "params", "map of values", "parameters with their defaults; -D sets them"},
	{"top", "require", "list of expressions", "what must hold for the parameters"},
	{"top", "include", "list of include", "files whose links, devices, modules and media are brought in"},
	{"top", "links", "map of link", "kinds of link"},
	{"top", "devices", "map of device", "kinds of device"},
	{"top", "modules", "map of module", "kinds of module"},
	{"top", "media", "map of medium", "media besides those that are shipped"},
	{"top", "build", "name", "the module that is the root"},
	{"top", "groups", "map of selections", "named selections"},
	{"top", "faults", "list of fault", "what has failed"},
	{"top", "expect", "list of expect", "claims of the design, for check"},
	{"include", "file", "path", "relative to this file, or a shipped layout"},
	{"include", "with", "map of values", "values for the parameters of the file"},
	{"link", "rate", "rate", "payload of one link, one direction"},
	{"link", "raw-rate", "rate", "signalling rate of one link, one direction"},
	{"link", "lanes", "integer", "lanes of one link"},
	{"link", "lane-rate", "rate", "payload of one lane; lanes × lane-rate is the rate"},
	{"link", "density", "density", "rate per millimetre of die edge, one direction"},
	{"link", "shoreline", "length", "die edge of one link; density × shoreline is the rate"},
	{"link", "medium", "name", "what it is made of"},
	{"link", "use", "word", "fabric (counted), local (drawn only) or attach (the hop to a NIC)"},
	{"link", "length", "length", "length of a link"},
	{"link", "latency", "time", "latency of a link"},
	{"link", "energy", "energy", "energy per bit, both ends"},
	{"link", "port", "name", "the kind of port it occupies; its own name by default"},
	{"link", "takes", "integer", "ports that one link occupies at each end"},
	{"link", "description", "text", "a note"},
	{"device", "class", "word", "gpu (or accel), switch, cpu, nic, die, io, memory, host or passive"},
	{"device", "ports", "map of integers", "ports by kind; without it ports are not checked"},
	{"device", "relay", "boolean", "forwards the traffic of others although it is an endpoint"},
	{"device", "latency", "time", "latency through the device"},
	{"device", "compute", "map of quantities", "compute by number format"},
	{"device", "memory", "data", "memory"},
	{"device", "power", "power", "power"},
	{"device", "size", "size", "width x height"},
	{"device", "description", "text", "a note"},
	{"module", "kind", "word", "package, board, tray, chassis, rack, pod, row, hall, host or group"},
	{"module", "class", "word", "makes it one endpoint of this class when seen from above"},
	{"module", "params", "map of values", "its own parameters; parts set them by with"},
	{"module", "require", "list of expressions", "what must hold for its parameters"},
	{"module", "parts", "map of part", "what it is made of"},
	{"module", "wiring", "list of wiring", "how its parts are connected"},
	{"module", "front", "map of patterns", "by kind of link: the devices at which rules land that end here"},
	{"module", "height", "units", "rack units it takes, or offers when it is a rack"},
	{"module", "size", "size", "width x height of a package"},
	{"module", "medium", "name", "substrate of a package"},
	{"module", "pitch", "length", "distance of racks in a row or hall; 0.6 m by default"},
	{"module", "description", "text", "a note"},
	{"part", "is", "name", "a device or a module"},
	{"part", "count", "expression or list of expressions", "how many, or how many in each dimension"},
	{"part", "at", "place or list of places", "rack units or positions in millimetres"},
	{"part", "rotate", "expression or list of expressions", "0, 90, 180 or 270 degrees"},
	{"part", "with", "map of values", "values for the parameters of the module; index is known in ${…}"},
	{"part", "name", "text", "the name of a part without count, where its key cannot be it"},
	{"part", "inferred", "boolean", "not observed but concluded"},
	{"part", "incomplete", "boolean", "the source was cut short here"},
	{"part", "external", "boolean", "outside of what the file describes"},
	{"wiring", "from", "pattern", "one end"},
	{"wiring", "to", "pattern", "the other end"},
	{"wiring", "pairs", "list of lists", "[end, end] or [end, end, links], one by one"},
	{"wiring", "random-regular", "random-regular", "a random graph in which all devices have one degree"},
	{"wiring", "link", "name", "the kind of link; may be left out when there is one"},
	{"wiring", "count", "expression", "links of each pair; 1 by default, 0 is none"},
	{"wiring", "for", "map of ranges", "variables that run over ranges a..b"},
	{"wiring", "where", "expression", "only bindings for which it holds"},
	{"wiring", "if", "expression", "the rule counts only when it holds"},
	{"wiring", "rail", "expression", "label of the trunk"},
	{"wiring", "plane", "expression", "label of the trunk"},
	{"wiring", "via", "pattern", "the passive device that the trunk runs through"},
	{"wiring", "inferred", "boolean", "not observed but concluded"},
	{"wiring", "merge", "word", "sum: bindings that reach one pair add up"},
	{"wiring", "rate", "rate", "rate of these links where it differs from their kind's"},
	{"wiring", "length", "length", "length of these links where it differs from their kind's"},
	{"wiring", "incomplete", "boolean", "the source was cut short here"},
	{"wiring", "external", "boolean", "outside of what the file describes"},
	{"wiring", "disagree", "boolean", "the two ends say different rates"},
	{"random-regular", "of", "pattern", "the devices; * matches within a name"},
	{"random-regular", "degree", "expression", "trunks of each device"},
	{"random-regular", "seed", "expression", "the same seed gives the same graph"},
	{"medium", "reach", "length", "longest link"},
	{"medium", "energy", "energy", "energy per bit, both ends"},
	{"medium", "density", "density", "rate per millimetre of die edge, one direction"},
	{"medium", "latency", "time per length", "latency per metre or millimetre"},
	{"medium", "source", "text", "where the figures come from"},
	{"medium", "default", "boolean", "the figures are assumptions and not published"},
	{"medium", "optical", "boolean", "a link has a transceiver at each end"},
	{"medium", "description", "text", "a note"},
	{"fault", "remove", "selection or A -- B", "devices, or the links between A and B"},
	{"fault", "derate", "selection or A -- B", "slower links"},
	{"fault", "links", "expression", "remove: so many links of each trunk"},
	{"fault", "to", "ratio", "derate: what is left"},
	{"expect", "is", "value", "the result equals it, to the digits written"},
	{"expect", "atleast", "value", "the result is not less"},
	{"expect", "atmost", "value", "the result is not more"},
	{"expect", "within", "ratio", "tolerance of is"},
	{"expect", "over", "name or list of names", "kinds of link that count"},
	{"expect", "unit", "word", "kind of module to balance"},
	{"expect", "endpoints", "word", "class of the endpoints"},
	{"expect", "transit", "word", "all or selected"},
	{"expect", "relay", "boolean", "endpoints forward the traffic of others"},
	{"expect", "fail", "selection or A -- B", "evaluated with this failed"},
	{"expect", "derate", "selection or A -- B", "evaluated with these links slower: A--B=50%"},
	{"expect", "if", "expression", "the claim counts only when it holds"},
	{"expect", "count", "selection or list of selections", "number of devices that have not failed"},
	{"expect", "aggregate", "selection or list of selections", "sum of injections, both directions"},
	{"expect", "injection", "selection or list of selections", "injection of each endpoint"},
	{"expect", "summary", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "bisection", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "mincut", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "blocking", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "throughput", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "routing", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "paths", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "connectivity", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "failures", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "collectives", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "moe", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "lint", "selection or list of selections", "an analysis; .FIELD picks a value"},
	{"expect", "bom", "selection or list of selections", "an analysis; .FIELD picks a value"},
};
const size_t describe_key_count = ARRAY_LEN(describe_keys);

const char *const expect_subjects[] = {"count",	 "aggregate", "injection",    "summary",  "bisection",   "mincut",
				       "blocking", "throughput", "routing",   "paths",	  "connectivity", "failures",
				       "collectives", "moe",	 "lint",      "bom"};
const size_t expect_subject_count = ARRAY_LEN(expect_subjects);

static bool is_section(const char *name)
{
	for (size_t i = 0; i < describe_key_count; i++)
		if (strcmp(describe_keys[i].where, name) == 0)
			return true;
	return false;
}

static size_t section_keys(const char *where, const char **out)
{
	size_t n = 0;
	for (size_t i = 0; i < describe_key_count; i++)
		if (strcmp(describe_keys[i].where, where) == 0)
			out[n++] = describe_keys[i].key;
	return n;
}

/* A key of an expectation may carry a field: bisection.upper. */
static const struct key_row *find_row(const char *where, const char *key, size_t n)
{
	const char *dot = strcmp(where, "expect") == 0 ? memchr(key, '.', n) : NULL;
	size_t size = dot ? (size_t)(dot - key) : n;
	for (size_t i = 0; i < describe_key_count; i++) {
		const struct key_row *r = &describe_keys[i];
		if (strcmp(r->where, where) == 0 && strlen(r->key) == size && memcmp(r->key, key, size) == 0)
			return r;
	}
	return NULL;
}

static const char *section_title(const char *where)
{
	static const char *const titles[][2] = {{"top", "a description"},	{"include", "an include"},
						{"link", "a link"},		{"device", "a device"},
						{"module", "a module"},		{"part", "a part"},
						{"wiring", "a wiring rule"},	{"medium", "a medium"},
						{"fault", "a fault"},		{"expect", "an expectation"}};
	for (size_t i = 0; i < ARRAY_LEN(titles); i++)
		if (strcmp(titles[i][0], where) == 0)
			return titles[i][1];
	return where;
}

const char *module_word(const struct node *module)
{
	const struct node *kind = map_get(module, "kind");
	for (size_t i = 0; kind && i < MODULE_KIND_COUNT; i++)
		if (node_is(kind, module_kind_names[i]))
			return module_kind_names[i];
	return "module";
}

static void unknown_key(struct loader *l, const char *where, const struct node *key)
{
	const char *known[ARRAY_LEN(describe_keys)];
	size_t n = section_keys(where, known);
	const char *hint = did_you_mean(l, key->text, known, n);
	if (!hint && key->n == 2 && memcmp(key->text, "<<", 2) == 0)
		hint = "merge keys are not part of the language";
	if (!hint) {
		struct strbuf b = STRBUF_INIT;
		strbuf_puts(&b, "the keys are");
		for (size_t i = 0; i < n; i++)
			strbuf_printf(&b, "%s %s", i ? "," : "", known[i]);
		hint = arena_strdup(&l->arena, strbuf_str(&b));
		strbuf_free(&b);
	}
	complain(l, key, hint, "unknown key `%s` of %s", key->text, section_title(where));
}

static const char *shape_name(uint8_t kind)
{
	return kind == NODE_SCALAR ? "a single value" : kind == NODE_LIST ? "a list" : "a mapping";
}

static bool expect_shape(struct loader *l, const struct node *n, const char *what, enum node_kind kind)
{
	if (n->kind == kind)
		return true;
	complain(l, n, NULL, "`%s` must be %s, not %s", what, shape_name((uint8_t)kind), shape_name(n->kind));
	vec_push(&l->misshapen, n);
	return false;
}

static void check_section(struct loader *l, const struct node *n, const char *where);

static void check_scalars(struct loader *l, const struct node *n, const char *key, uint32_t first, uint32_t step)
{
	for (uint32_t i = first; i < n->n && !is_over(l); i += step)
		expect_shape(l, n->items[i], key, NODE_SCALAR);
}

static void check_map(struct loader *l, const struct node *n, const char *key, const char *of)
{
	if (!expect_shape(l, n, key, NODE_MAP))
		return;
	if (!is_section(of)) {
		check_scalars(l, n, key, 1, 2);
		return;
	}
	for (uint32_t i = 0; i < n->n && !is_over(l); i += 2) {
		const char *word = strcmp(of, "module") == 0 ? module_word(n->items[i + 1]) : of;
		trail_push(l, "%s `%s`", word, n->items[i]->text);
		if (expect_shape(l, n->items[i + 1], n->items[i]->text, NODE_MAP))
			check_section(l, n->items[i + 1], of);
		trail_pop(l);
	}
}

static void check_list(struct loader *l, const struct node *n, const char *key, const char *of)
{
	/* one include is often written without brackets */
	if (strcmp(of, "include") == 0 && n->kind != NODE_LIST) {
		if (n->kind == NODE_MAP)
			check_section(l, n, of);
		return;
	}
	if (!expect_shape(l, n, key, NODE_LIST))
		return;
	if (strcmp(of, "lists") == 0)
		return; /* their reader checks them */
	if (!is_section(of)) {
		check_scalars(l, n, key, 0, 1);
		return;
	}
	for (uint32_t i = 0; i < n->n && !is_over(l); i++) {
		const struct node *item = n->items[i];
		if (strcmp(of, "include") == 0 && item->kind == NODE_SCALAR)
			continue;
		trail_push(l, "%s%s %u", of, strcmp(of, "wiring") == 0 ? " rule" : "", i + 1);
		if (expect_shape(l, item, key, NODE_MAP))
			check_section(l, item, of);
		trail_pop(l);
	}
}

static void check_value(struct loader *l, const struct node *n, const struct key_row *r)
{
	if (strncmp(r->type, "map of ", 7) == 0)
		check_map(l, n, r->key, r->type + 7);
	else if (strncmp(r->type, "list of ", 8) == 0)
		check_list(l, n, r->key, r->type + 8);
	else if (strstr(r->type, " or list of ") && n->kind == NODE_LIST)
		check_scalars(l, n, r->key, 0, 1);
	else if (is_section(r->type)) {
		if (expect_shape(l, n, r->key, NODE_MAP))
			check_section(l, n, r->type);
	} else {
		expect_shape(l, n, r->key, NODE_SCALAR);
	}
}

static void check_section(struct loader *l, const struct node *n, const char *where)
{
	for (uint32_t i = 0; i < n->n && !is_over(l); i += 2) {
		const struct node *key = n->items[i];
		const struct key_row *r = find_row(where, key->text, key->n);
		if (r)
			check_value(l, n->items[i + 1], r);
		else
			unknown_key(l, where, key);
	}
}

bool schema_knows(const struct node *map, const char *where)
{
	for (uint32_t i = 0; i < map->n; i += 2)
		if (!find_row(where, map->items[i]->text, map->items[i]->n))
			return false;
	return true;
}

void schema_check(struct loader *l, const struct node *n, const char *where)
{
	if (n->kind != NODE_MAP)
		complain(l, n, "it begins with `toponaut: 1`", "a description is a mapping of keys to values");
	else
		check_section(l, n, where);
}
