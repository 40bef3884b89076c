/* memo: what views worked out, kept from one picture to the next. A plan is kept under a fingerprint of all that it
 * depends on, so nobody has to say when it is stale. Making a fingerprint is O(sets in words), far below a picture.
 */
#include <stdlib.h>

#include "view/view_internal.h"

static void mix(uint64_t *h, uint64_t x)
{
	*h = (*h ^ x) * 0x9e3779b97f4a7c15ull;
	*h ^= *h >> 29;
}

static void mix_set(uint64_t *h, const struct idset *s)
{
	mix(h, s ? s->size : 1);
	for (size_t i = 0; s && i < (s->size + 63) / 64; i++)
		mix(h, s->words[i]);
}

static void mix_array(uint64_t *h, const uint32_t *a, size_t n)
{
	mix(h, a != NULL);
	for (size_t i = 0; a && i < n; i++)
		mix(h, a[i]);
}

static void mix_mark(uint64_t *h, const struct result_mark *m, size_t n)
{
	mix(h, m != NULL);
	if (m) {
		mix_set(h, &m->set);
		mix_array(h, m->values, m->values ? n : 0);
	}
}

uint64_t fabric_fingerprint(const struct scene *s)
{
	uint64_t h = 1469598103934665603ull;
	mix(&h, (uint64_t)(uintptr_t)s->fabric);
	mix(&h, s->generation);
	mix(&h, s->fabric->device_count * 31ull + s->fabric->trunk_count);
	return h;
}

uint64_t scene_fingerprint(const struct scene *s)
{
	const struct fabric *f = s->fabric;
	if (s->fingerprint)
		return s->fingerprint;
	uint64_t h = fabric_fingerprint(s);
	mix(&h, s->revision);
	mix(&h, (uint64_t)s->color * 8 + (uint64_t)(s->zoom + 1));
	if (s->overlay && !s->revision) {
		mix_set(&h, &s->overlay->failed);
		mix_array(&h, s->overlay->lost, f->trunk_count);
		mix_array(&h, s->overlay->keep_ppm, f->trunk_count);
	}
	mix_set(&h, s->unfolded);
	mix_set(&h, s->hidden);
	mix_set(&h, s->asked);
	for (size_t i = 0; s->marks && i < s->marks->marks.n; i++)
		mix_mark(&h, &s->marks->marks.at[i], s->marks->marks.at[i].on_trunks ? f->trunk_count : f->device_count);
	mix_mark(&h, s->tiers, f->device_count);
	mix_mark(&h, s->full, f->trunk_count);
	return h ? h : 1;
}

uint64_t fingerprint_more(uint64_t h, uint64_t x)
{
	mix(&h, x);
	return h;
}

uint64_t fingerprint_set(uint64_t h, const struct idset *s)
{
	mix_set(&h, s);
	return h;
}

uint64_t fingerprint_text(uint64_t h, const char *text)
{
	mix(&h, text != NULL);
	for (; text && *text; text++)
		mix(&h, (uint8_t)*text);
	return h;
}

void *memo_get(const struct scene *s, enum memo_slot slot, uint64_t key)
{
	return s->memo && s->memo->at[slot].key == key ? s->memo->at[slot].what : NULL;
}

void memo_put(const struct scene *s, enum memo_slot slot, uint64_t key, void *what, void (*release)(void *))
{
	if (!s->memo)
		return;
	if (s->memo->at[slot].what)
		s->memo->at[slot].release(s->memo->at[slot].what);
	s->memo->at[slot].key = key;
	s->memo->at[slot].what = what;
	s->memo->at[slot].release = release;
}

void scene_prepare(struct scene *s)
{
	const struct fabric *f = s->fabric;
	if (!s->memo)
		return;
	s->fingerprint = scene_fingerprint(s);
	uint32_t *glyphs = memo_get(s, MEMO_GLYPHS, s->fingerprint);
	if (!glyphs) {
		glyphs = mem_array(f->device_count + 1, sizeof *glyphs);
		for (uint32_t d = 0; d < f->device_count; d++)
			glyphs[d] = device_glyph(s, d);
		memo_put(s, MEMO_GLYPHS, s->fingerprint, glyphs, free);
	}
	s->glyphs = glyphs;
}

void memo_clear(struct memo *m)
{
	for (size_t i = 0; i < MEMO_SLOTS; i++) {
		if (m->at[i].what)
			m->at[i].release(m->at[i].what);
		m->at[i].what = NULL;
		m->at[i].key = 0;
	}
}
