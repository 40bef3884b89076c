/* Words for a shell: what the shell reads back is the text. */
#include <criterion/criterion.h>

#include "toponaut/base.h"

static void expect_word(const char *text, const char *want)
{
	struct strbuf b = STRBUF_INIT;
	put_shell_word(&b, text);
	cr_expect_str_eq(strbuf_str(&b), want);
	strbuf_free(&b);
}

Test(text, shell_words)
{
	expect_word("compute0/gpu1--switch0/sw0=1", "compute0/gpu1--switch0/sw0=1");
	expect_word("compute[0-3]/gpu*", "'compute[0-3]/gpu*'");
	expect_word("@gpu", "@gpu");
	expect_word("", "''");
	expect_word("it's", "'it'\\''s'");
	expect_word("~a & b; $(c)", "'~a & b; $(c)'");
}
