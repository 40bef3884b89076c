/* Expressions: 64-bit integers with C's operators and precedence (DESIGN 4). Parsed by precedence climbing
 * into a tree in an arena; names become slots, so that evaluating looks nothing up. Nothing wraps: overflow,
 * division by zero and shifts out of range are errors that say where.
 */
#include "toponaut/base.h"

#include <stdlib.h>
#include <string.h>

enum op {
	OP_NUMBER,
	OP_SLOT,
	OP_NEGATE,
	OP_NOT,
	OP_FLIP,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_ADD,
	OP_SUB,
	OP_SHL,
	OP_SHR,
	OP_LT,
	OP_LE,
	OP_GT,
	OP_GE,
	OP_EQ,
	OP_NE,
	OP_AND,
	OP_XOR,
	OP_OR,
	OP_BOTH,
	OP_EITHER,
	OP_CHOOSE, /* a ? b : c */
	OP_MIN,
	OP_MAX,
	OP_ABS,
	OP_PICK /* list[a] */
};

struct expr {
	enum op op;
	int slot;
	uint32_t offset, length; /* in the text, for errors */
	int64_t number;
	struct expr *a, *b, *c;
	struct expr *const *list;
	size_t list_size;
};

/* Deep enough for people, shallow enough for the stack. */
#define NESTING_MAX 100
/* Bounds the depth of a chain such as 1 + 1 + …, which nests to the left. */
#define TEXT_MAX 4096
#define LIST_MAX 4096

struct parser {
	struct arena *arena;
	const char *text;
	size_t n, at;
	expr_resolve *resolve;
	void *context;
	struct expr_error *error;
	unsigned depth;
	bool failed;
};

static struct expr *fail(struct parser *p, size_t offset, size_t length, const char *text, const char *hint)
{
	if (!p->failed)
		*p->error = (struct expr_error){text, hint, offset, length};
	p->failed = true;
	return NULL;
}

static void skip_blanks(struct parser *p)
{
	while (p->at < p->n && strchr(" \t\r\n", p->text[p->at]) && p->text[p->at])
		p->at++;
}

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool take(struct parser *p, char c)
{
	skip_blanks(p);
	if (p->at >= p->n || p->text[p->at] != c)
		return false;
	p->at++;
	return true;
}

static struct expr *node(struct parser *p, enum op op, size_t offset)
{
	struct expr *e = arena_alloc(p->arena, sizeof *e);
	e->op = op;
	e->offset = (uint32_t)offset;
	e->length = (uint32_t)(p->at - offset);
	return e;
}

static struct expr *parse_choice(struct parser *p);

static bool expect_char(struct parser *p, char c, const char *text)
{
	if (take(p, c))
		return true;
	fail(p, p->at, p->at < p->n, text, NULL);
	return false;
}

/* ---- leaves ---------------------------------------------------------------------------------------- */

static int digit_value(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

/* 12, 0x1f, 1e6. */
static struct expr *parse_number(struct parser *p)
{
	size_t start = p->at;
	int64_t value = 0;
	int base = 10;
	bool overflow = false;
	if (p->text[p->at] == '0' && p->at + 2 < p->n && (p->text[p->at + 1] | 32) == 'x' &&
	    digit_value(p->text[p->at + 2]) < 16) {
		base = 16;
		p->at += 2;
	}
	for (; p->at < p->n && digit_value(p->text[p->at]) < base; p->at++)
		overflow |= __builtin_mul_overflow(value, base, &value) ||
			    __builtin_add_overflow(value, digit_value(p->text[p->at]), &value);
	if (base == 10 && p->at + 1 < p->n && (p->text[p->at] | 32) == 'e' && is_digit(p->text[p->at + 1])) {
		int zeros = 0;
		for (p->at++; p->at < p->n && is_digit(p->text[p->at]); p->at++)
			zeros = zeros < 100 ? zeros * 10 + p->text[p->at] - '0' : zeros;
		while (zeros-- > 0 && !overflow)
			overflow = __builtin_mul_overflow(value, 10, &value);
	}
	if (overflow)
		return fail(p, start, p->at - start, "the number does not fit into 64 bits", NULL);
	if (p->at < p->n && p->text[p->at] == '.' && p->at + 1 < p->n && is_digit(p->text[p->at + 1]))
		return fail(p, start, p->at + 2 - start, "expressions calculate with integers", NULL);
	if (p->at < p->n && is_name_start(p->text[p->at]))
		return fail(p, p->at, 1, "expected an operator after the number", NULL);
	struct expr *e = node(p, OP_NUMBER, start);
	e->number = value;
	return e;
}

static struct expr *parse_list_pick(struct parser *p)
{
	size_t start = p->at;
	VEC(struct expr *) items = {0};
	p->at++;
	do {
		struct expr *item = parse_choice(p);
		if (item)
			vec_push(&items, item);
		if (items.n > LIST_MAX)
			fail(p, start, 1, "the list has too many items", NULL);
	} while (!p->failed && take(p, ','));
	struct expr *e = NULL, *index = NULL;
	if (!p->failed && expect_char(p, ']', "expected `,` or `]` in the list") &&
	    expect_char(p, '[', "a list must be followed by an index, as in [5, 4, 4, 5][s]"))
		index = parse_choice(p);
	if (index && expect_char(p, ']', "expected `]` after the index")) {
		e = node(p, OP_PICK, start);
		struct expr **copy = arena_alloc(p->arena, items.n * sizeof *copy);
		memcpy(copy, items.at, items.n * sizeof *copy);
		e->list = copy;
		e->list_size = items.n;
		e->a = index;
	}
	vec_free(&items);
	return e;
}

/* min(a, b, …), max(a, b, …), abs(a). */
static struct expr *parse_call(struct parser *p, size_t start, size_t n)
{
	static const struct {
		const char *name;
		enum op op;
	} functions[] = {{"min", OP_MIN}, {"max", OP_MAX}, {"abs", OP_ABS}};
	const char *name = p->text + start;
	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		if (strlen(functions[i].name) != n || memcmp(functions[i].name, name, n) != 0)
			continue;
		p->at++;
		struct expr *e = parse_choice(p);
		if (functions[i].op == OP_ABS && e) {
			struct expr *abs = node(p, OP_ABS, start);
			abs->a = e;
			e = abs;
		}
		while (functions[i].op != OP_ABS && e && take(p, ',')) {
			struct expr *pair = node(p, functions[i].op, start);
			pair->a = e;
			pair->b = parse_choice(p);
			e = pair->b ? pair : NULL;
		}
		return e && expect_char(p, ')', "expected `)` after the arguments") ? e : NULL;
	}
	return fail(p, start, n, arena_printf(p->arena, "unknown function `%.*s`", (int)n, name),
		    "the functions are min, max and abs");
}

static struct expr *parse_name(struct parser *p)
{
	size_t start = p->at;
	while (p->at < p->n && (is_name_start(p->text[p->at]) || is_digit(p->text[p->at])))
		p->at++;
	size_t n = p->at - start;
	skip_blanks(p);
	if (p->at < p->n && p->text[p->at] == '(')
		return parse_call(p, start, n);
	int slot = p->resolve ? p->resolve(p->context, p->text + start, n) : -1;
	if (slot < 0)
		return fail(p, start, n, arena_printf(p->arena, "unknown name `%.*s`", (int)n, p->text + start),
			    NULL);
	struct expr *e = node(p, OP_SLOT, start);
	e->slot = slot;
	e->length = (uint32_t)n;
	return e;
}

static struct expr *parse_leaf(struct parser *p)
{
	skip_blanks(p);
	if (p->at >= p->n)
		return fail(p, p->n, 0, "the expression ends where a value is expected", NULL);
	char c = p->text[p->at];
	if (is_digit(c))
		return parse_number(p);
	if (is_name_start(c))
		return parse_name(p);
	if (c == '[')
		return parse_list_pick(p);
	if (take(p, '(')) {
		struct expr *e = parse_choice(p);
		return e && expect_char(p, ')', "expected `)`") ? e : NULL;
	}
	return fail(p, p->at, 1, arena_printf(p->arena, "expected a value, found `%c`", c), NULL);
}

/* ---- operators --------------------------------------------------------------------------------------- */

static struct expr *parse_unary(struct parser *p)
{
	skip_blanks(p);
	if (p->at >= p->n || !strchr("-+!~", p->text[p->at]) || !p->text[p->at])
		return parse_leaf(p);
	size_t start = p->at;
	char c = p->text[p->at++];
	if (++p->depth > NESTING_MAX)
		return fail(p, start, 1, "the expression is nested too deeply", NULL);
	struct expr *a = parse_unary(p);
	p->depth--;
	if (!a || c == '+')
		return a;
	struct expr *e = node(p, c == '-' ? OP_NEGATE : c == '!' ? OP_NOT : OP_FLIP, start);
	e->a = a;
	return e;
}

/* Longer spellings stand before their beginnings. */
static const struct binary {
	const char *text;
	enum op op;
	int level; /* binds tighter when higher */
} binaries[] = {
	{"<<", OP_SHL, 8}, {">>", OP_SHR, 8}, {"<=", OP_LE, 7}, {">=", OP_GE, 7},    {"==", OP_EQ, 6}, {"!=", OP_NE, 6},
	{"&&", OP_BOTH, 2}, {"||", OP_EITHER, 1}, {"*", OP_MUL, 10}, {"/", OP_DIV, 10}, {"%", OP_MOD, 10}, {"+", OP_ADD, 9},
	{"-", OP_SUB, 9},  {"<", OP_LT, 7},   {">", OP_GT, 7},  {"&", OP_AND, 5},    {"^", OP_XOR, 4}, {"|", OP_OR, 3},
};

static const struct binary *peek_binary(struct parser *p)
{
	skip_blanks(p);
	for (size_t i = 0; i < ARRAY_LEN(binaries); i++) {
		size_t n = strlen(binaries[i].text);
		if (p->n - p->at >= n && memcmp(p->text + p->at, binaries[i].text, n) == 0)
			return &binaries[i];
	}
	return NULL;
}

static struct expr *parse_binary(struct parser *p, int level)
{
	struct expr *a = parse_unary(p);
	const struct binary *b;
	while (a && (b = peek_binary(p)) && b->level >= level) {
		size_t at = p->at;
		p->at += strlen(b->text);
		struct expr *e = node(p, b->op, at);
		e->a = a;
		e->b = parse_binary(p, b->level + 1);
		a = e->b ? e : NULL;
	}
	return a;
}

static struct expr *parse_choice(struct parser *p)
{
	if (++p->depth > NESTING_MAX)
		return fail(p, p->at, p->at < p->n, "the expression is nested too deeply", NULL);
	struct expr *a = parse_binary(p, 1);
	skip_blanks(p);
	size_t at = p->at;
	if (a && take(p, '?')) {
		struct expr *e = node(p, OP_CHOOSE, at);
		e->a = a;
		e->b = parse_choice(p);
		if (e->b && expect_char(p, ':', "expected `:` of the choice"))
			e->c = parse_choice(p);
		a = e->c ? e : NULL;
	}
	p->depth--;
	return a;
}

struct expr *expr_parse(struct arena *a, const char *text, size_t n, expr_resolve *resolve, void *context,
			struct expr_error *error)
{
	struct parser p = {
		.arena = a, .text = text, .n = n, .resolve = resolve, .context = context, .error = error};
	if (n > TEXT_MAX)
		return fail(&p, 0, 0, "the expression is too long", NULL);
	struct expr *e = parse_choice(&p);
	skip_blanks(&p);
	if (e && p.at < n) {
		bool assign = text[p.at] == '=';
		return fail(&p, p.at, 1, arena_printf(a, "expected an operator, found `%c`", text[p.at]),
			    assign ? "equality is written ==" : NULL);
	}
	return p.failed ? NULL : e;
}

/* ---- evaluating ----------------------------------------------------------------------------------------- */

static bool wrong(const struct expr *e, const char *text, struct expr_error *error)
{
	*error = (struct expr_error){text, NULL, e->offset, e->length};
	return false;
}

static bool shift_left(const struct expr *e, int64_t a, int64_t b, int64_t *out, struct expr_error *error)
{
	if (b < 0 || b > 63)
		return wrong(e, "the shift is not between 0 and 63", error);
	if (b == 63 ? a != 0 : __builtin_mul_overflow(a, INT64_C(1) << b, out))
		return wrong(e, "the result does not fit into 64 bits", error);
	if (b == 63)
		*out = 0;
	return true;
}

static bool divide(const struct expr *e, int64_t a, int64_t b, int64_t *out, struct expr_error *error)
{
	if (b == 0)
		return wrong(e, "division by zero", error);
	if (a == INT64_MIN && b == -1)
		return wrong(e, "the result does not fit into 64 bits", error);
	*out = e->op == OP_DIV ? a / b : a % b;
	return true;
}

static bool apply(const struct expr *e, int64_t a, int64_t b, int64_t *out, struct expr_error *error)
{
	bool overflow = false;
	switch (e->op) {
	case OP_MUL: overflow = __builtin_mul_overflow(a, b, out); break;
	case OP_ADD: overflow = __builtin_add_overflow(a, b, out); break;
	case OP_SUB: overflow = __builtin_sub_overflow(a, b, out); break;
	case OP_DIV:
	case OP_MOD: return divide(e, a, b, out, error);
	case OP_SHL: return shift_left(e, a, b, out, error);
	case OP_SHR:
		if (b < 0 || b > 63)
			return wrong(e, "the shift is not between 0 and 63", error);
		*out = a < 0 ? ~(~a >> b) : a >> b;
		break;
	case OP_LT: *out = a < b; break;
	case OP_LE: *out = a <= b; break;
	case OP_GT: *out = a > b; break;
	case OP_GE: *out = a >= b; break;
	case OP_EQ: *out = a == b; break;
	case OP_NE: *out = a != b; break;
	case OP_AND: *out = a & b; break;
	case OP_XOR: *out = a ^ b; break;
	case OP_OR: *out = a | b; break;
	case OP_MIN: *out = a < b ? a : b; break;
	case OP_MAX: *out = a > b ? a : b; break;
	default: break;
	}
	return !overflow || wrong(e, "the result does not fit into 64 bits", error);
}

static bool pick(const struct expr *e, const int64_t *slots, int64_t *out, struct expr_error *error)
{
	int64_t i;
	if (!expr_eval(e->a, slots, &i, error))
		return false;
	if (i < 0 || (uint64_t)i >= e->list_size)
		return wrong(e, "the index is outside the list", error);
	return expr_eval(e->list[i], slots, out, error);
}

bool expr_eval(const struct expr *e, const int64_t *slots, int64_t *out, struct expr_error *error)
{
	int64_t a = 0, b = 0;
	switch (e->op) {
	case OP_NUMBER: *out = e->number; return true;
	case OP_SLOT: *out = slots[e->slot]; return true;
	case OP_PICK: return pick(e, slots, out, error);
	default: break;
	}
	if (!expr_eval(e->a, slots, &a, error))
		return false;
	switch (e->op) {
	case OP_NOT: *out = !a; return true;
	case OP_FLIP: *out = ~a; return true;
	case OP_ABS:
	case OP_NEGATE:
		if (a == INT64_MIN)
			return wrong(e, "the result does not fit into 64 bits", error);
		*out = e->op == OP_ABS && a >= 0 ? a : -a;
		return true;
	case OP_CHOOSE: return expr_eval(a ? e->b : e->c, slots, out, error);
	case OP_BOTH:
	case OP_EITHER:
		if ((e->op == OP_EITHER) == (a != 0)) {
			*out = a != 0;
			return true;
		}
		if (!expr_eval(e->b, slots, &b, error))
			return false;
		*out = b != 0;
		return true;
	default: return expr_eval(e->b, slots, &b, error) && apply(e, a, b, out, error);
	}
}

bool expr_uses(const struct expr *e, int slot)
{
	if (!e)
		return false;
	if (e->op == OP_SLOT)
		return e->slot == slot;
	for (size_t i = 0; i < e->list_size; i++)
		if (expr_uses(e->list[i], slot))
			return true;
	return expr_uses(e->a, slot) || expr_uses(e->b, slot) || expr_uses(e->c, slot);
}

int expr_bare_slot(const struct expr *e)
{
	return e->op == OP_SLOT ? e->slot : -1;
}
