/* Messages: place, source line, caret, trail, hint; limits; reading files. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toponaut/base.h"

static const struct source source = {.name = "rack.yaml", .text = "toponaut: 1\nname: \xc3\xbc  50 GBs\n", .size = 31};

static char *only_message(struct diag *d)
{
	struct strbuf b = STRBUF_INIT;

	diag_put(&b, d, false);
	diag_free(d);
	return b.text;
}

Test(diag, caret_stands_under_the_column_not_the_byte)
{
	struct diag d = {0};
	char *text;

	diag_add(&d, LEVEL_ERROR, (struct mark){&source, 2, 11, 6}, "in link `x`", "write 50 GB/s", "`%s` is no rate", "50 GBs");
	text = only_message(&d);
	cr_expect_str_eq(text, "rack.yaml:2:11: error: `50 GBs` is no rate\n"
			       "    name: \xc3\xbc  50 GBs\n"
			       "             ^~~~~~\n"
			       "  in link `x`\n"
			       "  hint: write 50 GB/s\n");
	free(text);
}

Test(diag, hostile_text_is_shown_not_sent)
{
	struct diag d = {0};
	char *text;

	diag_error(&d, (struct mark){0}, NULL, "name %s", "\x1b[2J\xe2\x80\xae");
	text = only_message(&d);
	cr_expect_null(strchr(text, 0x1b));
	cr_expect_null(strstr(text, "\xe2\x80\xae"));
	cr_expect_not_null(strstr(text, "\\u202e"));
	free(text);
}

Test(diag, long_lines_are_cut_around_the_column)
{
	struct diag d = {0};
	char *line = malloc(5001), *text;
	struct source s = {.name = "x", .text = line, .size = 5000};

	memset(line, 'a', 5000);
	line[5000] = '\0';
	line[3000] = 'B';
	diag_error(&d, ((struct mark){&s, 1, 3001, 1}), NULL, "here");
	text = only_message(&d);
	cr_expect_lt(strlen(text), 400);
	cr_expect_not_null(strchr(text, 'B'));
	free(text);
	free(line);
}

Test(diag, errors_beyond_the_limit_are_counted)
{
	struct diag d = {.error_limit = 3};
	char *text;

	for (int i = 0; i < 10; i++)
		diag_error(&d, (struct mark){0}, NULL, "error %d", i);
	cr_expect_eq(d.errors, 10);
	cr_expect_eq(d.messages.n, 3);
	text = only_message(&d);
	cr_expect_not_null(strstr(text, "7 more errors"));
	free(text);
}

Test(source, refuses_what_is_no_file)
{
	struct arena a = {0};
	struct diag d = {0};
	struct source s;

	cr_expect_eq(source_read(&a, "/nonexistent/x.yaml", 100, &d, &s), E_IO);
	cr_expect_eq(source_read(&a, "/tmp", 100, &d, &s), E_IO);
	cr_expect_eq(source_read(&a, "/dev/zero", 1000, &d, &s), E_LIMIT);
	cr_expect_eq(d.errors, 3);
	arena_free(&a);
	diag_free(&d);
}
