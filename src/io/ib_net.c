/* What all InfiniBand readers collect: nodes by id, ends of cables by port, rates of widths and speeds. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/ib_internal.h"

/* ---- rates ------------------------------------------------------------------------------------ */

/* Slowest first, so that the lower index is the slower one. Rates are nominal: SDR counts as 2.5 Gb/s a lane, as its
 * name does, and not as the 2 Gb/s that 8b/10b leaves of it. */
static const struct {
	const char *name;
	uint64_t lane; /* Mb/s */
	uint64_t signalling; /* kb/s */
} speeds[] = {
	{"SDR", 2500, 2500000},     {"DDR", 5000, 5000000},     {"QDR", 10000, 10000000},    {"FDR10", 10000, 10312500},
	{"FDR", 14000, 14062500},   {"EDR", 25000, 25781250},   {"HDR", 50000, 53125000},    {"NDR", 100000, 106250000},
	{"XDR", 200000, 212500000},
};
static const unsigned widths[] = {1, 2, 4, 8, 12};

bool ib_width_parse(const char *text, size_t n, uint8_t *out)
{
	unsigned lanes = 0;

	if (n < 2 || n > 3 || (text[n - 1] != 'x' && text[n - 1] != 'X'))
		return false;
	for (size_t i = 0; i + 1 < n; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		lanes = lanes * 10 + (unsigned)(text[i] - '0');
	}
	*out = 0;
	for (size_t i = 0; i < ARRAY_LEN(widths); i++)
		if (widths[i] == lanes)
			*out = (uint8_t)(i + 1);
	return *out != 0;
}

bool ib_speed_parse(const char *text, size_t n, uint8_t *out)
{
	*out = 0;
	for (size_t i = 0; i < ARRAY_LEN(speeds); i++)
		if (strlen(speeds[i].name) == n && !memcmp(speeds[i].name, text, n))
			*out = (uint8_t)(i + 1);
	return *out != 0 || (n == 3 && !memcmp(text, "???", 3));
}

bool ib_rate_parse(const char *text, size_t n, struct ib_rate *out)
{
	const char *x = memchr(text, 'x', n);
	size_t at = x ? (size_t)(x - text) + 1 : 0;

	*out = (struct ib_rate){0};
	return x && ib_width_parse(text, at, &out->width) && ib_speed_parse(text + at, n - at, &out->speed);
}

uint8_t ib_speed_of_lane(uint64_t kbit)
{
	for (size_t i = 0; i < ARRAY_LEN(speeds); i++)
		if (speeds[i].signalling == kbit || (speeds[i].signalling / 10000) * 10000 == kbit)
			return (uint8_t)(i + 1);
	for (size_t i = 0; i < ARRAY_LEN(speeds); i++)
		if (speeds[i].lane * 1000 == kbit)
			return (uint8_t)(i + 1);
	return 0;
}

uint64_t ib_rate_value(struct ib_rate r)
{
	return r.width && r.speed ? widths[r.width - 1] * speeds[r.speed - 1].lane * 1000000u : UNKNOWN;
}

void ib_rate_put(struct strbuf *b, struct ib_rate r)
{
	if (r.width && r.speed)
		strbuf_printf(b, "%ux%s", widths[r.width - 1], speeds[r.speed - 1].name);
	else
		strbuf_puts(b, "ib");
}

static unsigned highest_bit(unsigned mask)
{
	unsigned bit = 0;

	for (; mask > 1; mask >>= 1)
		bit++;
	return bit;
}

/* Of ibsim's masks: bits 1x 4x 8x 12x 2x; SDR DDR QDR; FDR EDR HDR NDR. */
static struct ib_rate from_masks(unsigned w, unsigned s, unsigned e)
{
	static const uint8_t width[] = {1, 3, 4, 5, 2}, speed[] = {1, 2, 3}, extended[] = {5, 6, 7, 8};
	struct ib_rate r = {0};
	unsigned order[] = {8, 4, 2, 16, 1}; /* widest first */

	for (size_t i = 0; i < ARRAY_LEN(order) && !r.width; i++)
		if (w & order[i])
			r.width = width[highest_bit(order[i])];
	if (e & 15)
		r.speed = extended[highest_bit(e & 15)];
	else if (s & 7)
		r.speed = speed[highest_bit(s & 7)];
	return r;
}

static bool is_masked(struct ib_rate r)
{
	return !r.width && !r.speed && (r.w || r.s || r.e);
}

struct ib_rate ib_rate_join(struct ib_rate a, struct ib_rate b, bool *disagree)
{
	uint64_t rate_a, rate_b;

	*disagree = false;
	if (is_masked(a) || is_masked(b)) { /* an end without masks has those of the default: 4x SDR */
		unsigned wa = a.w ? a.w : 2, wb = b.w ? b.w : 2, sa = a.s ? a.s : 1, sb = b.s ? b.s : 1;

		return from_masks(wa & wb, sa & sb, (unsigned)a.e & b.e);
	}
	rate_a = ib_rate_value(a);
	rate_b = ib_rate_value(b);
	if (rate_a == UNKNOWN || rate_b == UNKNOWN)
		return rate_a == UNKNOWN ? b : a;
	*disagree = a.width != b.width || a.speed != b.speed;
	return rate_b < rate_a ? b : a;
}

/* ---- nodes ------------------------------------------------------------------------------------ */

static uint64_t guid_of(const char *s, size_t n)
{
	uint64_t guid = 0;

	if (n > 2 && s[0] == '0' && s[1] == 'x') {
		s += 2;
		n -= 2;
	}
	if (!n || n > 16)
		return UNKNOWN;
	for (size_t i = 0; i < n; i++) {
		char c = s[i];
		unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0')
			       : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
			       : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
						      : 16;

		if (digit > 15)
			return UNKNOWN;
		guid = guid << 4 | digit;
	}
	return guid;
}

static uint32_t add_node(struct ib_net *n, const char *id, enum ib_type type, uint64_t guid)
{
	struct ib_node node = {.type = type, .id = id, .guid = guid};

	vec_push(&n->nodes, node);
	return (uint32_t)n->nodes.n - 1;
}

uint32_t ib_node_find(struct ib_net *n, const char *id, size_t length, enum ib_type type)
{
	bool prefixed = length > 2 && id[1] == '-' && strchr("SHR", id[0]);
	uint64_t guid = prefixed ? guid_of(id + 2, length - 2) : length > 2 && id[1] == 'x' ? guid_of(id, length) : UNKNOWN;
	char *text;
	uint32_t node;

	if (prefixed)
		type = id[0] == 'S' ? IB_SWITCH : id[0] == 'H' ? IB_CA : IB_ROUTER;
	text = guid == UNKNOWN ? mem_strndup(id, length) : mem_printf("%c-%016llx", "SHR"[type], (unsigned long long)guid);
	node = strtab_intern(&n->ids, text, strlen(text));
	free(text);
	return node == n->nodes.n ? add_node(n, strtab_text(&n->ids, node), type, guid) : node;
}

uint32_t ib_node_new(struct ib_net *n, enum ib_type type)
{
	char *text = mem_printf("%c-unnamed%zu", "SHR"[type], n->nodes.n);
	uint32_t node = ib_node_find(n, text, strlen(text), type);

	free(text);
	return node;
}

void ib_describe(struct ib_net *n, uint32_t node, const char *text, size_t length)
{
	struct ib_node *x = &n->nodes.at[node];

	while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
		length--;
	while (length && (*text == ' ' || *text == '\t')) {
		text++;
		length--;
	}
	if (length && !x->description)
		x->description = arena_strndup(&n->arena, text, length);
}

bool ib_is_aggregation(const char *description)
{
	return description && strstr(description, "Aggregation Node");
}

bool ib_is_product(const char *d)
{
	size_t word = d ? strcspn(d, " ;:") : 0;

	if (!d || strstr(d, "Mellanox Technologies") || strstr(d, "Voltaire"))
		return true;
	return word > 3 && !strncmp(d, "MT", 2) && strspn(d + 2, "0123456789") == word - 2;
}

/* ---- ends ------------------------------------------------------------------------------------- */

static bool same_peer(const struct ib_end *a, const struct ib_end *b)
{
	return a->peer == b->peer && a->peer_port == b->peer_port;
}

void ib_end_add(struct ib_net *n, const struct ib_end *end)
{
	uint64_t key = (uint64_t)end->node << 20 | end->port;
	uint32_t before = keymap_get(&n->at, key);

	if (before == NONE) {
		keymap_put(&n->at, key, (uint32_t)n->ends.n);
		vec_push(&n->ends, *end);
	} else if (same_peer(&n->ends.at[before], end)) {
		n->repeated++;
	} else {
		n->conflicting++;
	}
}

void ib_free(struct ib_net *n)
{
	strtab_free(&n->ids);
	keymap_free(&n->at);
	vec_free(&n->nodes);
	vec_free(&n->ends);
	arena_free(&n->arena);
}
