/* Every error of the language, one by one: errors.txt holds a description that is wrong, the status and the
 * message with its caret, trail and hint.
 */
#include "fixture.h"

#define FILE_OF_CASES "tests/unit/describe/errors.txt"

struct error_case {
	char name[80];
	const char *defines[8];
	size_t define_count;
	struct strbuf yaml, expected;
	char status[16];
};

static const char *status_name(enum status s)
{
	static const char *const names[] = {"OK", "E_INPUT", "E_IO", "E_LIMIT", "E_USAGE", "E_CANCELLED", "E_BUG"};
	return names[s];
}

/* \xNN is that byte. */
static void put_unescaped(struct strbuf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (n - i >= 4 && s[i] == '\\' && s[i + 1] == 'x') {
			char hex[3] = {s[i + 2], s[i + 3], 0};
			strbuf_putc(b, (char)strtol(hex, NULL, 16));
			i += 3;
		} else {
			strbuf_putc(b, s[i]);
		}
	}
}

/* "name -D a=b -D c=d", with _ for blanks in values. */
static void read_title(struct arena *a, const char *line, size_t n, struct error_case *c)
{
	char *text = arena_strndup(a, line, n), *d = strstr(text, " -D ");
	*c = (struct error_case){0};
	while (d) {
		*d = 0;
		char *value = d + 4;
		d = strstr(value, " -D ");
		c->defines[c->define_count++] = value;
	}
	for (size_t i = 0; i < c->define_count; i++)
		for (char *s = (char *)(uintptr_t)c->defines[i]; *s; s++)
			if (*s == '_')
				*s = ' ';
	snprintf(c->name, sizeof c->name, "%s", text);
}

static void check(struct error_case *c)
{
	if (!c->name[0])
		return;
	struct loaded l = load_with("t.yaml", strbuf_str(&c->yaml), c->yaml.n, c->defines, c->define_count,
				    (struct limits){0});
	cr_expect_str_eq(status_name(l.status), c->status, "%s", c->name);
	cr_expect_null(l.f, "%s", c->name);
	cr_expect_str_eq(l.messages, strbuf_str(&c->expected), "%s:\n%s", c->name, l.messages);
	unload(&l);
	strbuf_free(&c->yaml);
	strbuf_free(&c->expected);
}

Test(describe_errors, one_by_one)
{
	struct arena a = {0};
	struct diag d = {0};
	struct source s;
	struct error_case c = {0};
	bool expected = false;
	unsigned cases = 0;
	cr_assert_eq(source_read(&a, FILE_OF_CASES, 1 << 22, &d, &s), OK);
	for (const char *line = s.text; *line;) {
		size_t n = strcspn(line, "\n");
		if (strncmp(line, "=== ", 4) == 0) {
			check(&c);
			read_title(&a, line + 4, n - 4, &c);
			expected = false;
			cases++;
		} else if (strncmp(line, "--- ", 4) == 0) {
			snprintf(c.status, sizeof c.status, "%.*s", (int)n - 4, line + 4);
			expected = true;
		} else if (expected) {
			strbuf_add(&c.expected, line, n);
			strbuf_putc(&c.expected, '\n');
		} else if (c.name[0]) {
			put_unescaped(&c.yaml, line, n);
			strbuf_putc(&c.yaml, '\n');
		}
		line += n + (line[n] == '\n');
	}
	check(&c);
	cr_assert_gt(cases, 130);
	arena_free(&a);
}

/* Errors are collected up to the limit, then only counted. */
Test(describe_errors, are_limited)
{
	struct strbuf b = STRBUF_INIT;
	strbuf_puts(&b, "toponaut: 1\nlinks:\n");
	for (int i = 0; i < 100; i++)
		strbuf_printf(&b, "  a%d: {rate: 400G}\n", i);
	struct loaded l = load_text(b.text);
	unsigned count = 0;
	for (const char *s = l.messages; (s = strstr(s, "error: ")); s++)
		count++;
	cr_assert_eq(l.status, E_INPUT);
	cr_assert_eq(count, DIAG_ERROR_LIMIT, "%u", count);
	unload(&l);
	strbuf_free(&b);
}

/* Each limit names itself and the option, and is hit before the memory is taken. */
Test(describe_errors, limits)
{
	static const char text[] = "toponaut: 1\nlinks: {nv: {}}\ndevices: {gpu: {class: gpu}}\n"
				   "modules:\n  box:\n    parts: {gpu: {is: gpu, count: 100}}\n"
				   "    wiring:\n      - {from: \"gpu{i}\", to: \"gpu{j}\"}\nbuild: box\n";
	static const struct {
		struct limits limits;
		const char *name;
	} cases[] = {
		{{.bytes = 50}, "bytes"},   {{.nodes = 10}, "nodes"}, {{.devices = 99}, "devices"},
		{{.trunks = 1000}, "trunks"}, {{.steps = 1000}, "steps"},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct loaded l = load_with("t.yaml", text, sizeof text - 1, NULL, 0, cases[i].limits);
		char option[40];
		snprintf(option, sizeof option, "--limit %s=N", cases[i].name);
		cr_expect_eq(l.status, E_LIMIT, "%s", cases[i].name);
		cr_expect(strstr(l.messages, option), "%s: %s", cases[i].name, l.messages);
		unload(&l);
	}
	struct loaded l = load_with("t.yaml", text, sizeof text - 1, NULL, 0,
				    (struct limits){.bytes = 1000, .nodes = 100, .devices = 100, .trunks = 4950});
	cr_expect_eq(l.status, OK, "%s", l.messages);
	unload(&l);
}

static bool always(void *context, uint64_t steps)
{
	(void)context;
	(void)steps;
	return true;
}

Test(describe_errors, cancel)
{
	static const char text[] = "toponaut: 1\nlinks: {nv: {}}\ndevices: {gpu: {class: gpu}}\n"
				   "modules:\n  box:\n    parts: {gpu: {is: gpu, count: 1000}}\n"
				   "    wiring:\n      - {from: \"gpu{i}\", to: \"gpu{j}\"}\nbuild: box\n";
	struct source s = {"t.yaml", text, sizeof text - 1};
	struct describe_options o = {.tick = always};
	struct diag d = {0};
	struct fabric *f;
	cr_assert_eq(describe_load(&s, &o, &d, &f), E_CANCELLED);
	cr_assert_null(f);
	diag_free(&d);
}

/* Files cut anywhere: an answer, no crash. */
Test(describe_errors, truncated_anywhere)
{
	struct arena a = {0};
	struct diag d = {0};
	struct source s;
	cr_assert_eq(source_read(&a, "layouts/gb300-nvl72.yaml", 1 << 20, &d, &s), OK);
	for (size_t n = 0; n < s.size; n += 7) {
		struct loaded l = load_with("layouts/t.yaml", s.text, n, NULL, 0, (struct limits){0});
		cr_assert((l.status == OK) == (l.f != NULL));
		cr_assert(l.status == OK || l.messages[0]);
		unload(&l);
	}
	arena_free(&a);
}

/* YAML ends lines at more characters than editors do; places are those of editors, in bytes. */
Test(describe_errors, places_behind_rare_line_breaks)
{
	static const char *const breaks[] = {"\r", "\r\n", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9", "\n"};
	for (size_t i = 0; i < ARRAY_LEN(breaks); i++) {
		char text[200], place[20];
		bool counts = strchr(breaks[i], '\n') != NULL;
		snprintf(text, sizeof text, "\xef\xbb\xbftoponaut: 1%sname: \"\xc3\xa4\"%sx: 1\n", breaks[i], breaks[i]);
		size_t column = (size_t)(strstr(text, "x: 1") - text) + 1;
		snprintf(place, sizeof place, "t.yaml:%d:%zu:", counts ? 3 : 1, counts ? (size_t)1 : column);
		struct loaded l = load_text(text);
		cr_expect(strncmp(l.messages, place, strlen(place)) == 0, "%zu %s\n%s", i, place, l.messages);
		unload(&l);
	}
}
