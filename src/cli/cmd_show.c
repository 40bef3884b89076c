/* toponaut show: one picture, with results on it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_internal.h"

enum { SIDE_MAX = 2000 };

enum status cli_size(struct cli *c, int *cols, int *rows)
{
	const char *text = cli_value(c, OPT_SIZE);
	char *end;
	if (!text)
		return OK;
	long w = strtol(text, &end, 10), h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
	if (*end || w < 1 || h < 1 || w > SIDE_MAX || h > SIDE_MAX)
		return cli_refuse(c, "like 120x40, at most 2000x2000", "--size: columns x rows were expected, not `%s`",
				  text);
	*cols = (int)w;
	*rows = (int)h;
	return OK;
}

static enum status choose_view(struct cli *c, const struct fabric *f, const struct view **out)
{
	const char *names[16], *name = cli_value(c, OPT_VIEW);
	size_t n = view_count < ARRAY_LEN(names) ? view_count : ARRAY_LEN(names);
	uint32_t which;
	for (size_t i = 0; i < n; i++)
		names[i] = views[i].name;
	enum status s = cli_word(c, OPT_VIEW, names, n, &which);
	if (s == OK)
		*out = name ? &views[which] : view_default(f);
	if (s == OK && name && (*out)->refuses(f))
		return cli_refuse(c, NULL, "the view %s does not apply: %s", name, (*out)->refuses(f));
	return s;
}

static enum status read_scene(struct cli *c, const struct question *q, struct idset *unfolded, struct scene *s)
{
	const char *unfold = cli_value(c, OPT_UNFOLD);
	uint32_t color;
	enum status status = cli_word(c, OPT_COLOR_BY, color_mode_names, COLOR_MODE_COUNT, &color);
	struct idset devices = {0};
	s->overlay = q->request.overlay;
	s->selected = q->request.project.selection;
	s->color = color == NONE ? COLOR_AUTO : (enum color_mode)color;
	s->cursor.kind = TARGET_NONE;
	if (status == OK && unfold)
		status = select_eval(&q->context, unfold, (struct mark){0}, &c->diag, &devices);
	if (status == OK && unfold) {
		*unfolded = idset_new((uint32_t)q->fabric->modules.n);
		for (uint32_t m = 0; m < q->fabric->modules.n; m++) {
			const struct module *x = &q->fabric->modules.at[m];
			uint32_t first = idset_next(&devices, x->first_device);
			if (first != NONE && first < x->end_device)
				idset_add(unfolded, m);
		}
		s->unfolded = unfolded;
	}
	idset_free(&devices);
	return status;
}

/* The command line that gives the same in text: every option that says what is asked. */
static const char *command_of(struct cli *c, const struct asked *x)
{
	struct strbuf b = STRBUF_INIT;
	strbuf_puts(&b, "toponaut analyze ");
	put_shell_word(&b, c->operands.at[0]);
	for (int id = 0; id < OPT_COUNT; id++) {
		bool asks = (options[id].commands & FOR_ANALYZE) && !(options[id].commands & FOR_LAYOUTS) &&
			    id != OPT_EXPLAIN && id != OPT_REQUIRE && id != OPT_JOBS;
		for (size_t i = 0; asks && i < c->values[id].n; i++) {
			if (options[id].letter)
				strbuf_printf(&b, " -%c", options[id].letter);
			else
				strbuf_printf(&b, " --%s", options[id].name);
			if (!options[id].arg)
				continue;
			strbuf_putc(&b, ' ');
			put_shell_word(&b, c->values[id].at[i]);
		}
	}
	strbuf_printf(&b, " %s", x->analysis->name);
	for (size_t i = 0; i < ARRAY_LEN(x->operand) && x->operand[i]; i++) {
		strbuf_putc(&b, ' ');
		put_shell_word(&b, x->operand[i]);
	}
	const char *text = arena_strdup(&c->arena, strbuf_str(&b));
	strbuf_free(&b);
	return text;
}

/* Texts of the results for the picture: what was asked, and how. */
static void caption(struct cli *c, const struct asked *x, const struct result *r, struct shown_result *out)
{
	struct strbuf what_if = STRBUF_INIT;
	const char *selection = cli_value(c, OPT_SELECT);
	for (int derate = 0; derate <= 1; derate++)
		for (size_t i = 0; i < c->values[derate ? OPT_DERATE : OPT_FAIL].n; i++)
			strbuf_printf(&what_if, "%s%s%s", what_if.n ? ", " : "",
				      c->values[derate ? OPT_DERATE : OPT_FAIL].at[i], derate ? "" : " down");
	*out = (struct shown_result){.result = r, .what_if = arena_strdup(&c->arena, strbuf_str(&what_if))};
	if (x->operand[0])
		out->subject = arena_printf(&c->arena, "%s%s%s", x->operand[0], x->operand[1] ? " to " : "",
					    x->operand[1] ? x->operand[1] : "");
	else
		out->subject = selection ? selection : "all";
	out->command = command_of(c, x);
	strbuf_free(&what_if);
}

static bool has_ending(const char *path, const char *ending)
{
	size_t n = path ? strlen(path) : 0, m = strlen(ending);
	return n > m && !strcmp(path + n - m, ending);
}

/* A name without an ending is text; one that promises something else would be no picture. */
static enum status check_output(struct cli *c)
{
	const char *path = cli_value(c, OPT_OUTPUT), *slash = path ? strrchr(path, '/') : NULL;
	if (!path || !strchr(slash ? slash : path, '.') || has_ending(path, ".svg") || has_ending(path, ".txt") || has_ending(path, ".ansi"))
		return OK;
	return cli_refuse(c, "analyze and diff write numbers: toponaut analyze gb300-nvl72 bisection -f json",
			  "--output %s: pictures are written as .svg, .txt or .ansi", path);
}

static enum status write_picture(struct cli *c, const struct canvas *canvas, const char *title)
{
	const char *path = cli_value(c, OPT_OUTPUT);
	struct strbuf b = STRBUF_INIT;
	if (has_ending(path, ".svg"))
		canvas_put_svg(canvas, title, &b);
	else if (has_ending(path, ".ansi") || (!path && cli_color(c, STDOUT_FILENO)))
		canvas_put_ansi(canvas, SCHEME_16, &b);
	else
		canvas_put_text(canvas, &b);
	enum status s = OK;
	if (path)
		s = cli_write_file(c, path, &b);
	else
		strbuf_add(&c->out, strbuf_str(&b), b.n);
	c->out_cols = path ? 0 : canvas->cols;
	strbuf_free(&b);
	return s;
}

/* The first result with marks is drawn on the picture. */
static const struct result *drawn(const struct result *results, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (result_is_drawn(&results[i]))
			return &results[i];
	return NULL;
}

/* What the drawn result is about: the operands, else the selection; empty for all. */
static struct idset concerned(struct cli *c, const struct question *q, const asked_list *list, const struct result *results)
{
	struct idset all = {0};
	const struct result *r = drawn(results, list->n);
	const struct asked *x = r ? &list->at[r - results] : NULL;
	if (!x || !x->operand[0] || !x->operand[1])
		return q->request.project.selection ? idset_copy(q->request.project.selection) : all;
	for (size_t i = 0; i < ARRAY_LEN(x->operand); i++) {
		struct idset one = {0};
		if (select_eval(&q->context, x->operand[i], (struct mark){0}, &c->diag, &one) == OK) {
			if (!all.size)
				all = idset_new(q->fabric->device_count);
			idset_union(&all, &one);
		}
		idset_free(&one);
	}
	return all;
}

static const struct result_mark *first_mark(const struct result *results, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!results[i].failed && result_mark(&results[i], name))
			return result_mark(&results[i], name);
	return NULL;
}

static enum status draw(struct cli *c, const struct question *q, const asked_list *list, const struct result *results)
{
	struct scene scene = scene_of(q->fabric);
	struct idset unfolded = {0};
	const struct view *view = NULL;
	struct shown_result *shown = mem_array(list->n + 1, sizeof *shown);
	int cols = 0, rows = 0;
	for (size_t i = 0; i < list->n; i++)
		caption(c, &list->at[i], &results[i], &shown[i]);
	scene.results = shown;
	scene.result_count = list->n;
	scene.marks = drawn(results, list->n);
	struct idset concerns = concerned(c, q, list, results);
	scene.asked = concerns.size ? &concerns : NULL;
	scene.tiers = first_mark(results, list->n, "tier");
	scene.full = first_mark(results, list->n, "saturated");
	enum status s = choose_view(c, q->fabric, &view);
	if (s == OK)
		s = read_scene(c, q, &unfolded, &scene);
	if (s == OK)
		picture_size(view, &scene, &cols, &rows);
	if (s == OK)
		s = cli_size(c, &cols, &rows);
	if (s == OK) {
		cols = cols > SIDE_MAX ? SIDE_MAX : cols;
		rows = rows > SIDE_MAX ? SIDE_MAX : rows;
		struct canvas canvas = canvas_new(cols, rows, cli_ascii(c));
		picture_draw(view, &scene, &canvas);
		s = write_picture(c, &canvas, q->fabric->title ? q->fabric->title : q->fabric->source_name);
		canvas_free(&canvas);
	}
	idset_free(&unfolded);
	idset_free(&concerns);
	free(shown);
	return s;
}

static void put_explained(struct cli *c, const asked_list *list, const struct result *results)
{
	for (size_t i = 0; cli_has(c, OPT_EXPLAIN) && i < list->n; i++)
		if (list->at[i].analysis->explain) {
			strbuf_putc(&c->out, '\n');
			list->at[i].analysis->explain(results[i].json, &c->out);
		}
}

int cmd_show(struct cli *c)
{
	asked_list list = {0};
	struct fabric *f;
	struct question q;
	if (!c->operands.n)
		return cli_exit(cli_refuse(c, "for instance: toponaut show gb300-nvl72 bisection",
					   "show needs a file or a layout"));
	enum status s = check_output(c);
	if (s == OK)
		s = asked_parse(c, 1, &list);
	if (s == OK)
		s = cli_open(c, c->operands.at[0], &f);
	if (s == OK) {
		struct result *results = mem_array(list.n + 1, sizeof *results);
		s = question_new(c, f, &q);
		if (s == OK)
			s = asked_run(c, &q, &list, results);
		if (s == OK)
			s = draw(c, &q, &list, results);
		if (s == OK)
			put_explained(c, &list, results);
		for (size_t i = 0; i < list.n; i++)
			result_free(&results[i]);
		free(results);
		question_free(&q);
		fabric_free(f);
	}
	vec_free(&list);
	return cli_exit(s);
}
