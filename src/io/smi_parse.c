/* Parsing `nvidia-smi topo -m` as people paste it: tabs or blanks, markdown tables, escape sequences, indented,
 * wrapped or cut. Cells are counted against the devices of the header; columns mean nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "io/smi_internal.h"

enum { MATRIX_MAX = 4096 }; /* devices: the matrix is square */

const char *const smi_kind_names[SMI_RELATION_COUNT] = {
	[SMI_NV] = "nvlink", [SMI_PIX] = "pix", [SMI_PSB] = "psb",   [SMI_PXB] = "pxb",
	[SMI_PHB] = "phb",   [SMI_NODE] = "node", [SMI_SYS] = "sys",
};

/* ---- words of a line ------------------------------------------------------------------------- */

struct word {
	const char *at;
	size_t n;
};
typedef VEC(struct word) word_list;

static bool word_is(struct word w, const char *text)
{
	return w.n == strlen(text) && !memcmp(w.at, text, w.n);
}

/* "\033[4m": past the final byte. */
static const char *skip_escape(const char *s, const char *end)
{
	s++;
	if (s < end && *s == '[')
		for (s++; s < end && !(*s >= '@' && *s <= '~');)
			s++;
	return s < end ? s + 1 : end;
}

static bool all_digits(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] < '0' || s[i] > '9')
			return false;
	return n > 0;
}

static bool is_gpu(struct word w)
{
	return w.n > 3 && !memcmp(w.at, "GPU", 3) && all_digits(w.at + 3, w.n - 3);
}

static bool parse_cell(struct word w, struct smi_cell *out)
{
	static const struct {
		const char *text;
		enum smi_relation relation;
	} words[] = {
		{"X", SMI_SELF},   {"PIX", SMI_PIX},   {"PSB", SMI_PSB}, {"PXB", SMI_PXB},
		{"PHB", SMI_PHB},  {"NODE", SMI_NODE}, {"SYS", SMI_SYS}, {"SOC", SMI_SYS},
	};
	*out = (struct smi_cell){0};
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (word_is(w, words[i].text)) {
			out->relation = (uint8_t)words[i].relation;
			return true;
		}
	if (w.n < 3 || w.n > 5 || memcmp(w.at, "NV", 2) || !all_digits(w.at + 2, w.n - 2))
		return false;
	for (size_t i = 2; i < w.n; i++)
		out->links = (uint16_t)(out->links * 10 + (w.at[i] - '0'));
	out->relation = SMI_NV;
	return out->links > 0;
}

static bool separates(char c)
{
	return c == ' ' || c == '\t' || c == '|' || c == '\r' || c == '\033';
}

/* The length of the word of a matrix that t begins with, 0 without one. Numbers end with it or with the word. */
static size_t token_length(struct word t)
{
	static const char *const words[] = {"PIX", "PSB", "PXB", "PHB", "NODE", "SYS", "SOC", "X", "CPU", "NUMA", "Affinity", "ID"};
	static const char *const numbered[] = {"GPU", "NIC", "NV", "mlx4_", "mlx5_"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (t.n >= strlen(words[i]) && !memcmp(t.at, words[i], strlen(words[i])))
			return strlen(words[i]);
	for (size_t i = 0; i < ARRAY_LEN(numbered); i++) {
		size_t n = strlen(numbered[i]), digits = 0;

		if (t.n <= n || memcmp(t.at, numbered[i], n) != 0)
			continue;
		while (n + digits < t.n && t.at[n + digits] >= '0' && t.at[n + digits] <= '9')
			digits++;
		return digits ? n + digits : 0;
	}
	return word_is(t, "GPU") ? t.n : 0; /* of "GPU NUMA ID" */
}

/* "NV12NV12PXB" where TABs were deleted. A list of CPUs may hang at the end; behind an NV its digits cannot be told from the
 * number of links, and the word stays as it is. False when nothing was taken apart. */
static bool unglue(struct word w, word_list *out)
{
	size_t before = out->n, tokens = 0;

	while (w.n) {
		struct word t = {w.at, token_length(w)};
		bool digit_next = t.n < w.n && w.at[t.n] >= '0' && w.at[t.n] <= '9';

		if (!t.n || (t.n == w.n && !tokens))
			break;
		if (t.n < w.n && !memcmp(t.at, "NV", 2) && (w.at[t.n] == '-' || w.at[t.n] == ','))
			break;
		vec_push(out, t);
		tokens++;
		w = (struct word){w.at + t.n, w.n - t.n};
		if (digit_next)
			break;
	}
	if (tokens && w.n && ((*w.at >= '0' && *w.at <= '9') || *w.at == 'N'))
		vec_push(out, w);
	else if (w.n)
		out->n = before;
	return out->n > before;
}

/* *glued (may be NULL) when words stuck together. */
static void split_words(const char *s, const char *end, word_list *out, bool *glued)
{
	out->n = 0;
	while (s < end) {
		if (*s == '\033') {
			s = skip_escape(s, end);
		} else if (separates(*s)) {
			s++;
		} else {
			struct word w = {.at = s};
			while (s < end && !separates(*s))
				s++;
			w.n = (size_t)(s - w.at);
			if (!unglue(w, out))
				vec_push(out, w);
			else if (glued)
				*glued = true;
		}
	}
}

/* The words of `topo -p2p`. */
static bool is_p2p_cell(struct word w)
{
	static const char *const words[] = {"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (word_is(w, words[i]))
			return true;
	return false;
}

/* ---- header ---------------------------------------------------------------------------------- */

/* Takes the headings of the affinity columns away; they hold blanks. */
static size_t drop_headings(word_list *w)
{
	size_t kept = 0, dropped = 0;
	for (size_t i = 0; i < w->n; i++) {
		bool next = i + 1 < w->n;
		if (next && (word_is(w->at[i], "CPU") || word_is(w->at[i], "NUMA")) &&
		    word_is(w->at[i + 1], "Affinity")) {
			i++;
			dropped++;
		} else if (i + 2 < w->n && word_is(w->at[i], "GPU") && word_is(w->at[i + 1], "NUMA") &&
			   word_is(w->at[i + 2], "ID")) {
			i += 2;
			dropped++;
		} else {
			w->at[kept++] = w->at[i];
		}
	}
	w->n = kept;
	return dropped;
}

static bool is_label(struct word w)
{
	struct smi_cell c;
	if (parse_cell(w, &c) || is_p2p_cell(w))
		return false;
	for (size_t i = 0; i < w.n; i++)
		if (!(w.at[i] == '_' || w.at[i] == '-' || w.at[i] == '.' || (w.at[i] >= '0' && w.at[i] <= '9') ||
		      (w.at[i] >= 'a' && w.at[i] <= 'z') || (w.at[i] >= 'A' && w.at[i] <= 'Z')))
			return false;
	return w.at[w.n - 1] >= '0' && w.at[w.n - 1] <= '9';
}

/* A header lists devices, a GPU first, and has no cell. */
static bool is_header(word_list *words)
{
	drop_headings(words);
	if (!words->n || !is_gpu(words->at[0]))
		return false;
	for (size_t i = 0; i < words->n; i++)
		if (!is_label(words->at[i]))
			return false;
	return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct scan {
	struct smi_matrix *m;
	struct strtab labels; /* ids are the devices' */
	size_t row;           /* being read, or SIZE_MAX */
	size_t p2p;           /* cells that only -p2p has */
};

static const char *line_end(const char *s, const char *end)
{
	const char *newline = memchr(s, '\n', (size_t)(end - s));
	return newline ? newline : end;
}

static size_t find_label(const struct scan *x, const word_list *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (strtab_find(&x->labels, w->at[i].at, w->at[i].n) != NONE)
			return i;
	return SIZE_MAX;
}

static int64_t numa_of(struct word w)
{
	if (!all_digits(w.at, w.n) || w.n > 4)
		return -1;
	int64_t value = 0;
	for (size_t i = 0; i < w.n; i++)
		value = value * 10 + (w.at[i] - '0');
	return value;
}

/* Cells from words[i] on; returns the first word behind them. */
static size_t read_cells(struct scan *x, const word_list *w, size_t i)
{
	struct smi_matrix *m = x->m;
	struct smi_device *row = &m->devices.at[x->row];
	size_t n = m->devices.n;
	for (; i < w->n && row->cells < n; i++, row->cells++) {
		struct smi_cell c;
		if (!parse_cell(w->at[i], &c)) {
			x->p2p += is_p2p_cell(w->at[i]);
			if (!is_p2p_cell(w->at[i]) && !word_is(w->at[i], "N/A") && !word_is(w->at[i], "?"))
				break;
		}
		m->cells[x->row * n + row->cells] = c;
	}
	return i;
}

/* A row whose X is not on the diagonal has lost or gained a cell: nothing in it can be trusted. */
static bool is_aligned(const struct smi_matrix *m, size_t row)
{
	size_t n = m->devices.n;
	for (size_t i = 0; i < m->devices.at[row].cells; i++)
		if ((m->cells[row * n + i].relation == SMI_SELF) != (i == row))
			return false;
	return true;
}

static void finish_row(struct scan *x)
{
	struct smi_matrix *m = x->m;
	size_t n = m->devices.n;
	if (x->row == SIZE_MAX)
		return;
	if (is_aligned(m, x->row)) {
		m->rows++;
	} else {
		memset(&m->cells[x->row * n], 0, n * sizeof *m->cells);
		m->devices.at[x->row].cells = 0;
		m->devices.at[x->row].line = 0;
		m->skipped++;
	}
	x->row = SIZE_MAX;
}

static void read_row(struct scan *x, const word_list *w, uint32_t line)
{
	struct smi_matrix *m = x->m;
	struct smi_cell c;
	size_t label = find_label(x, w), next;
	bool continues = x->row != SIZE_MAX && m->devices.at[x->row].cells < m->devices.n && w->n &&
			 parse_cell(w->at[0], &c);
	if (continues) {
		m->wrapped = true;
		next = read_cells(x, w, 0);
		label = 0;
	} else {
		finish_row(x);
		if (label == SIZE_MAX || label + 1 >= w->n)
			return;
		size_t row = strtab_find(&x->labels, w->at[label].at, w->at[label].n);
		if (m->devices.at[row].line || (!parse_cell(w->at[label + 1], &c) && !is_p2p_cell(w->at[label + 1])))
			return; /* a second row of that name, or a line of the legend */
		x->row = row;
		m->devices.at[row].line = line;
		next = read_cells(x, w, label + 1);
	}
	struct smi_device *device = &m->devices.at[x->row];
	if (label >= 2)
		device->numa = numa_of(w->at[label - 1]); /* affinity columns first */
	else if (next + 1 < w->n && device->cells == m->devices.n)
		device->numa = numa_of(w->at[next + 1]);
}

/* "NIC0: mlx5_2" */
static void read_legend(struct scan *x, const word_list *w)
{
	if (w->n != 2 || w->at[0].n < 2 || w->at[0].at[w->at[0].n - 1] != ':')
		return;
	uint32_t id = strtab_find(&x->labels, w->at[0].at, w->at[0].n - 1);
	if (id != NONE && !x->m->devices.at[id].is_gpu)
		x->m->devices.at[id].legend = label_clean(&x->m->arena, w->at[1].at, w->at[1].n);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static enum status take_header(struct scan *x, const word_list *w, struct mark mark, struct diag *d)
{
	struct smi_matrix *m = x->m;
	strtab_free(&x->labels);
	m->devices.n = 0;
	if (w->n > MATRIX_MAX) {
		diag_error(d, mark, NULL, "a matrix of %zu devices is larger than the limit of %d", w->n, MATRIX_MAX);
		return E_LIMIT;
	}
	for (size_t i = 0; i < w->n; i++) {
		if (strtab_find(&x->labels, w->at[i].at, w->at[i].n) != NONE) {
			diag_error(d, mark, NULL, "the header names `%.*s` twice", (int)w->at[i].n, w->at[i].at);
			return E_INPUT;
		}
		strtab_intern(&x->labels, w->at[i].at, w->at[i].n);
		vec_push(&m->devices, (struct smi_device){.name = label_clean(&m->arena, w->at[i].at, w->at[i].n),
							  .is_gpu = is_gpu(w->at[i]), .numa = -1});
	}
	m->cells = arena_alloc(&m->arena, w->n * w->n * sizeof *m->cells);
	m->rows = 0;
	x->row = SIZE_MAX;
	x->p2p = 0;
	return OK;
}

static bool has_topology(const struct scan *x)
{
	return x->m->rows > 0 && !x->p2p;
}

static enum status scan_lines(struct scan *x, const struct source *s, struct diag *d)
{
	word_list words = {0};
	const char *end = s->text + s->size;
	uint32_t line = 0;
	enum status status = OK;
	for (const char *at = s->text; at < end && status == OK; at = line_end(at, end) + 1) {
		line++;
		bool glued = false;
		split_words(at, line_end(at, end), &words, &glued);
		struct mark mark = {.source = s, .line = line};
		if (is_header(&words)) {
			finish_row(x);
			if (has_topology(x))
				break; /* a second matrix: -p2p pasted behind it, or another node */
			status = take_header(x, &words, mark, d);
			x->m->glued = glued;
		} else if (x->m->devices.n) {
			x->m->glued |= glued && find_label(x, &words) == 0;
			read_row(x, &words, line);
			read_legend(x, &words);
		}
	}
	finish_row(x);
	vec_free(&words);
	return status;
}

enum status smi_parse(const struct source *s, struct diag *d, struct smi_matrix *out)
{
	*out = (struct smi_matrix){0};
	struct scan x = {.m = out, .row = SIZE_MAX};
	struct mark mark = {.source = s};
	enum status status = scan_lines(&x, s, d);
	if (status == OK && x.p2p) {
		diag_error(d, mark, "paste the output of `nvidia-smi topo -m`",
			   "this is a matrix of `nvidia-smi topo -p2p`: it tells which GPUs may reach each other, "
			   "not how they are wired");
		status = E_INPUT;
	} else if (status == OK && !out->rows) {
		diag_error(d, mark, "paste the output of `nvidia-smi topo -m`", "no row of a topology matrix was found");
		status = E_INPUT;
	}
	strtab_free(&x.labels);
	return status;
}

void smi_free(struct smi_matrix *m)
{
	arena_free(&m->arena);
	vec_free(&m->devices);
}

/* ---- recognition ------------------------------------------------------------------------------ */

/* Cells of both kinds in rows below a header, within the first part of the file. */
static void count_cells(const struct source *s, size_t *topology, size_t *p2p)
{
	word_list words = {0};
	const char *end = s->text + (s->size < RECOGNISE_BYTES ? s->size : RECOGNISE_BYTES);
	bool headed = false;
	*topology = *p2p = 0;
	for (const char *at = s->text; at < end && !(headed && *topology); at = line_end(at, end) + 1) {
		split_words(at, line_end(at, end), &words, NULL);
		if (is_header(&words)) {
			headed = true;
			continue;
		}
		size_t label = 0;
		struct smi_cell c;
		while (label < words.n && !is_gpu(words.at[label]))
			label++;
		bool first = headed && label + 1 < words.n;
		if (first && parse_cell(words.at[label + 1], &c))
			for (size_t i = label + 1; i < words.n; i++) {
				*p2p += is_p2p_cell(words.at[i]);
				*topology += parse_cell(words.at[i], &c) && c.relation != SMI_SELF;
			}
		if (first && words.n - label <= 5 && word_is(words.at[label + 1], "X") && !*p2p)
			*topology += 1; /* a single GPU has no other cell */
	}
	vec_free(&words);
}

int smi_recognise(const struct source *s)
{
	size_t topology, p2p;
	count_cells(s, &topology, &p2p);
	return topology ? 95 : 0;
}

bool smi_is_p2p(const struct source *s)
{
	size_t topology, p2p;
	count_cells(s, &topology, &p2p);
	return p2p && !topology;
}
