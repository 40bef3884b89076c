/* toponaut FILE: the explorer; without a terminal the same as info. */
#include <unistd.h>

#include "cli/cli_internal.h"

int cmd_explore(struct cli *c)
{
	if (!c->operands.n) {
		struct strbuf b = STRBUF_INIT;
		usage_short(&b);
		fwrite(b.text, 1, b.n, stderr);
		strbuf_free(&b);
		return EXIT_USAGE;
	}
	if (c->operands.n > 1) {
		VEC(const char *) names = {0};
		for (size_t i = 1; i < command_count; i++)
			vec_push(&names, commands[i].name);
		const char *hint = nearest_word(c->operands.at[0], names.at, names.n);
		enum status s = cli_refuse(c, hint ? arena_printf(&c->arena, "did you mean the command %s?", hint)
						   : "`toponaut --help` lists the commands",
					   "`%s` is no command, and the explorer opens one file", c->operands.at[0]);
		vec_free(&names);
		return cli_exit(s);
	}
	return info_of(c, c->operands.at[0]);
}
