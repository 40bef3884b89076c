/* Quantities: text with a unit to exact integers, and back. A rate is one direction, in bit/s; every other
 * dimension has the integer unit that base.h names. No floating point and no locale anywhere.
 */
#include "toponaut/base.h"

#include <string.h>

/* A unit without its prefix; one of it is `size` base units of the dimension. */
struct unit {
	const char *text;
	enum dimension dim;
	uint64_t size;
	bool prefixed; /* takes k M G T P E */
	bool binary;   /* takes Ki Mi Gi Ti Pi too */
};

/* Order matters for the nearest word: what is meant most often stands first. */
static const struct unit units[] = {
	{"B/s", DIM_RATE, 8, true, true},
	{"b/s", DIM_RATE, 1, true, true},
	{"Bps", DIM_RATE, 8, true, true},
	{"bps", DIM_RATE, 1, true, true},
	{"bit/s", DIM_RATE, 1, true, true},
	{"B/s/mm", DIM_DENSITY, 8, true, false},
	{"b/s/mm", DIM_DENSITY, 1, true, false},
	{"B", DIM_DATA, 1, true, true},
	{"FLOPS", DIM_COMPUTE, 1, true, false},
	{"FLOP/s", DIM_COMPUTE, 1, true, false},
	{"OPS", DIM_COMPUTE, 1, true, false},
	{"m", DIM_LENGTH, 1000000, false, false},
	{"mm", DIM_LENGTH, 1000, false, false},
	{"cm", DIM_LENGTH, 10000, false, false},
	{"km", DIM_LENGTH, 1000000000, false, false},
	{"um", DIM_LENGTH, 1, false, false},
	{"\xc2\xb5m", DIM_LENGTH, 1, false, false},
	{"ns", DIM_TIME, 1000, false, false},
	{"ps", DIM_TIME, 1, false, false},
	{"us", DIM_TIME, 1000000, false, false},
	{"\xc2\xb5s", DIM_TIME, 1000000, false, false},
	{"ms", DIM_TIME, 1000000000, false, false},
	{"s", DIM_TIME, 1000000000000, false, false},
	{"W", DIM_POWER, 1000, false, false},
	{"kW", DIM_POWER, 1000000, false, false},
	{"MW", DIM_POWER, 1000000000, false, false},
	{"mW", DIM_POWER, 1, false, false},
	{"pJ/bit", DIM_ENERGY, 1000, false, false},
	{"fJ/bit", DIM_ENERGY, 1, false, false},
	{"nJ/bit", DIM_ENERGY, 1000000, false, false},
	{"pJ/b", DIM_ENERGY, 1000, false, false},
	{"%", DIM_RATIO, 10000, false, false},
	{"links", DIM_LINKS, 1, false, false},
	{"link", DIM_LINKS, 1, false, false},
	{"U", DIM_COUNT, 1, false, false},
};

static const char decimal_prefixes[] = "kMGTPE";
static const char binary_prefixes[] = "KMGTP";

const char *dimension_name(enum dimension dim)
{
	static const char *const names[] = {
		[DIM_COUNT] = "count",	   [DIM_RATE] = "rate",	      [DIM_DATA] = "amount of data",
		[DIM_COMPUTE] = "compute", [DIM_LENGTH] = "length",   [DIM_TIME] = "time",
		[DIM_POWER] = "power",	   [DIM_ENERGY] = "energy",   [DIM_DENSITY] = "density",
		[DIM_RATIO] = "ratio",	   [DIM_LINKS] = "number of links",
	};
	return names[dim];
}

/* ---- parsing ----------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A decimal number: digits * 10^-places. */
struct decimal {
	uint64_t digits;
	unsigned places;
	bool pointed;
};

/* Bytes read, 0 when there is no number or it has more digits than 64 bits hold. */
static size_t decimal_parse(const char *text, size_t n, struct decimal *out)
{
	size_t i = 0;
	bool any = false;
	*out = (struct decimal){0};
	for (; i < n && (is_digit(text[i]) || (text[i] == '.' && !out->pointed)); i++) {
		if (text[i] == '.') {
			out->pointed = true;
			continue;
		}
		any = true;
		if (__builtin_mul_overflow(out->digits, 10u, &out->digits) ||
		    __builtin_add_overflow(out->digits, (uint64_t)(text[i] - '0'), &out->digits))
			return 0;
		out->places += out->pointed;
	}
	return any ? i : 0;
}

/* digits * 10^-places * scale as an exact integer; false when it is none or too large. */
static bool decimal_scale(struct decimal d, uint64_t scale, uint64_t *out)
{
	while (d.places > 0 && scale % 10 == 0) {
		scale /= 10;
		d.places--;
	}
	while (d.places > 0 && d.digits % 10 == 0) {
		d.digits /= 10;
		d.places--;
	}
	/* 2 and 5 may still divide one factor each */
	while (d.places > 0) {
		if (d.digits % 2 == 0 && scale % 5 == 0) {
			d.digits /= 2;
			scale /= 5;
		} else if (d.digits % 5 == 0 && scale % 2 == 0) {
			d.digits /= 5;
			scale /= 2;
		} else {
			return false;
		}
		d.places--;
	}
	return !__builtin_mul_overflow(d.digits, scale, out) && *out != UNKNOWN;
}

/* The size of one prefixed unit, or 0 when the text is not this unit. */
static uint64_t unit_match(const struct unit *u, const char *text, size_t n)
{
	size_t tail = strlen(u->text);
	if (n < tail || memcmp(text + n - tail, u->text, tail) != 0)
		return 0;
	size_t prefix = n - tail;
	if (prefix == 0)
		return u->size;
	uint64_t size = u->size;
	const char *at;
	if (prefix == 1 && u->prefixed && (at = strchr(decimal_prefixes, text[0])) && text[0]) {
		for (const char *p = decimal_prefixes; p <= at; p++)
			if (__builtin_mul_overflow(size, 1000u, &size))
				return 0;
		return size;
	}
	if (prefix == 2 && u->binary && text[1] == 'i' && (at = strchr(binary_prefixes, text[0])) && text[0])
		return size << (10 * (at - binary_prefixes + 1));
	return 0;
}

static const struct unit *unit_find(const char *text, size_t n, uint64_t *size)
{
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if ((*size = unit_match(&units[i], text, n)))
			return &units[i];
	return NULL;
}

static bool same_but_case(const char *a, size_t n, const char *b)
{
	for (size_t i = 0; i < n; i++) {
		char x = a[i] >= 'A' && a[i] <= 'Z' ? (char)(a[i] + 32) : a[i];
		char y = b[i] >= 'A' && b[i] <= 'Z' ? (char)(b[i] + 32) : b[i];
		if (x != y)
			return false;
	}
	return b[n] == 0;
}

/* All units as people write them, for the nearest word. Returns how many were put. */
static size_t unit_words(struct arena *a, const char **out, size_t max)
{
	static const char common[] = "GTMPkE";
	size_t k = 0;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		for (const char *p = common; *p && units[i].prefixed && k < max; p++)
			out[k++] = arena_printf(a, "%c%s", *p, units[i].text);
		if (k < max)
			out[k++] = units[i].text;
	}
	return k;
}

static const char *unit_hint(struct arena *a, const char *number, size_t number_size, const char *text, size_t n)
{
	if (n == 1 && strchr("kKMGTP", text[0]))
		return arena_printf(a, "write %.*s %cb/s (bits) or %.*s %cB/s (bytes)", (int)number_size, number,
				    text[0] == 'K' ? 'k' : text[0], (int)number_size, number,
				    text[0] == 'K' ? 'k' : text[0]);
	const char *words[ARRAY_LEN(units) * 7];
	size_t k = unit_words(a, words, ARRAY_LEN(words));
	for (size_t i = 0; i < k; i++)
		if (same_but_case(text, n, words[i]))
			return arena_printf(a, "case matters: b is bits and B is bytes; did you mean `%s`?", words[i]);
	const char *near = nearest_word(arena_strndup(a, text, n), words, k);
	return near ? arena_printf(a, "did you mean `%s`?", near) : NULL;
}

static bool refuse(const char **why, const char *text)
{
	*why = text;
	return false;
}

/* Takes a trailing word "both" off the text. */
static bool take_both(const char *text, size_t *n)
{
	if (*n < 5 || memcmp(text + *n - 4, "both", 4) != 0 || !is_blank(text[*n - 5]))
		return false;
	*n -= 5;
	while (*n > 0 && is_blank(text[*n - 1]))
		--*n;
	return true;
}

bool quantity_parse(struct arena *a, const char *text, size_t n, struct quantity *out, const char **why,
		    const char **hint)
{
	*why = *hint = NULL;
	while (n > 0 && is_blank(*text))
		text++, n--;
	while (n > 0 && is_blank(text[n - 1]))
		n--;
	bool both = take_both(text, &n);
	struct decimal d;
	size_t number = decimal_parse(text, n, &d);
	if (number == 0)
		return refuse(why, "expected a number and a unit, such as 50 GB/s");
	size_t at = number;
	while (at < n && is_blank(text[at]))
		at++;
	const char *unit_text = text + at;
	size_t unit_size = n - at;
	uint64_t size = 1;
	*out = (struct quantity){.dim = d.pointed ? DIM_RATIO : DIM_COUNT, .both = both, .ulp = 1};
	if (unit_size > 0) {
		const struct unit *u = unit_find(unit_text, unit_size, &size);
		if (!u) {
			*hint = unit_hint(a, text, number, unit_text, unit_size);
			return refuse(why, unit_size == 1 && strchr("kKMGTP", *unit_text)
						   ? arena_printf(a, "`%.*s` says neither bits nor bytes", (int)n, text)
						   : arena_printf(a, "unknown unit `%.*s`", (int)unit_size, unit_text));
		}
		out->dim = u->dim;
	} else if (d.pointed) {
		size = 1000000; /* a bare fraction is a ratio */
	}
	if (both && out->dim != DIM_RATE && out->dim != DIM_DENSITY)
		return refuse(why, "only a rate or a density can count both directions");
	if (!decimal_scale(d, size, &out->value))
		return refuse(why, arena_printf(a, "`%.*s` is too large or too fine to be held exactly", (int)n, text));
	if (!decimal_scale((struct decimal){1, d.places, false}, size, &out->ulp))
		out->ulp = 1;
	return true;
}

/* ---- printing ------------------------------------------------------------------------------------- */

/* A unit to print in: chosen when the value is at least `from` base units. */
struct print_unit {
	uint64_t from, size;
	const char *text;
};

/* Digits of value/size rounded to nearest, at most six significant unless the whole part has more. */
static void put_scaled(struct strbuf *b, uint64_t value, uint64_t size)
{
	uint64_t whole = value / size, rest = value % size, power = 1;
	unsigned digits = 0, places = 0;
	for (uint64_t w = whole; w > 0; w /= 10)
		digits++;
	/* size is at most 8e15, so that ten times the rest fits */
	for (; digits + places < 6 && rest > 0; places++) {
		rest *= 10;
		whole = whole * 10 + rest / size;
		rest %= size;
		power *= 10;
	}
	if (rest >= size - rest)
		whole++;
	for (; places > 0 && whole % 10 == 0; places--) {
		whole /= 10;
		power /= 10;
	}
	strbuf_printf(b, "%llu", (unsigned long long)(whole / power));
	if (places > 0)
		strbuf_printf(b, ".%0*llu", (int)places, (unsigned long long)(whole % power));
}

/* Rounding up must not print 1000 GB/s for what is 1 TB/s to six digits. */
static bool rounds_up_to(uint64_t value, uint64_t from)
{
	return value >= from || from - value <= from / 2000000;
}

static void put_in(struct strbuf *b, uint64_t value, const struct print_unit *u, size_t n)
{
	if (value == UNKNOWN) {
		strbuf_puts(b, "–");
		return;
	}
	while (n > 1 && !rounds_up_to(value, u->from))
		u++, n--;
	put_scaled(b, value, u->size);
	strbuf_puts(b, u->text);
}

#define SI(unit, base)                                                                                 \
	{(base) * 1000000000000000u, (base) * 1000000000000000u, " P" unit},                             \
	{(base) * 1000000000000u, (base) * 1000000000000u, " T" unit},                                   \
	{(base) * 1000000000u, (base) * 1000000000u, " G" unit},                                         \
	{(base) * 1000000u, (base) * 1000000u, " M" unit},                                               \
	{(base) * 1000u, (base) * 1000u, " k" unit}, {0, (base), " " unit}

static const struct print_unit bytes_per_second[] = {SI("B/s", UINT64_C(8))};
static const struct print_unit bits_per_second[] = {SI("b/s", UINT64_C(1))};
static const struct print_unit bytes[] = {SI("B", UINT64_C(1))};
static const struct print_unit flops[] = {SI("FLOPS", UINT64_C(1))};
static const struct print_unit densities[] = {SI("B/s/mm", UINT64_C(8))};
static const struct print_unit lengths[] = {
	{1000000000, 1000000000, " km"}, {100000, 1000000, " m"}, {1000, 1000, " mm"}, {0, 1, " µm"}};
static const struct print_unit times[] = {{1000000000000, 1000000000000, " s"}, {1000000000, 1000000000, " ms"},
					  {1000000, 1000000, " µs"}, {1000, 1000, " ns"}, {0, 1, " ps"}};
static const struct print_unit powers[] = {{1000000000, 1000000000, " MW"}, {1000000, 1000000, " kW"},
					   {1000, 1000, " W"}, {0, 1, " mW"}};
static const struct print_unit energies[] = {{10, 1000, " pJ/bit"}, {0, 1, " fJ/bit"}};
static const struct print_unit ratios[] = {{0, 10000, "%"}};
static const struct print_unit links[] = {{2, 1, " links"}, {1, 1, " link"}, {0, 1, " links"}};
static const struct print_unit counts[] = {{0, 1, ""}};

void put_rate(struct strbuf *b, uint64_t value)
{
	put_in(b, value, bytes_per_second, ARRAY_LEN(bytes_per_second));
}

void put_rate_bits(struct strbuf *b, uint64_t value)
{
	put_in(b, value, bits_per_second, ARRAY_LEN(bits_per_second));
}

void put_quantity(struct strbuf *b, enum dimension dim, uint64_t value)
{
	static const struct {
		const struct print_unit *units;
		size_t n;
	} tables[] = {
		[DIM_COUNT] = {counts, ARRAY_LEN(counts)},
		[DIM_RATE] = {bytes_per_second, ARRAY_LEN(bytes_per_second)},
		[DIM_DATA] = {bytes, ARRAY_LEN(bytes)},
		[DIM_COMPUTE] = {flops, ARRAY_LEN(flops)},
		[DIM_LENGTH] = {lengths, ARRAY_LEN(lengths)},
		[DIM_TIME] = {times, ARRAY_LEN(times)},
		[DIM_POWER] = {powers, ARRAY_LEN(powers)},
		[DIM_ENERGY] = {energies, ARRAY_LEN(energies)},
		[DIM_DENSITY] = {densities, ARRAY_LEN(densities)},
		[DIM_RATIO] = {ratios, ARRAY_LEN(ratios)},
		[DIM_LINKS] = {links, ARRAY_LEN(links)},
	};
	put_in(b, value, tables[dim].units, tables[dim].n);
}
