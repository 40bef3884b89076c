/* Allocation that never fails to its callers: when memory runs out the program ends here. */
#include "toponaut/base.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void (*mem_on_exhaustion)(void);

static void *or_die(void *p)
{
	static const char text[] = "toponaut: out of memory\n";

	if (p)
		return p;
	if (mem_on_exhaustion)
		mem_on_exhaustion();
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		_exit(71);
	_exit(70);
}

void *mem_alloc(size_t size)
{
	return or_die(calloc(1, size ? size : 1));
}

void *mem_array(size_t n, size_t size)
{
	return or_die(calloc(n ? n : 1, size ? size : 1));
}

void *mem_resize(void *p, size_t n, size_t size)
{
	return or_die(reallocarray(p, n ? n : 1, size ? size : 1));
}

char *mem_strndup(const char *s, size_t n)
{
	char *copy = mem_alloc(n + 1);

	if (n)
		memcpy(copy, s, n);
	return copy;
}

char *mem_strdup(const char *s)
{
	return mem_strndup(s, strlen(s));
}

char *mem_printf(const char *fmt, ...)
{
	struct strbuf b = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	return b.text ? b.text : mem_alloc(1);
}

/* ---- arena: blocks in a list, the newest first ------------------------------------------------ */

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(max_align_t) char data[];
};

#define BLOCK_SIZE (64 * 1024 - sizeof(struct arena_block))

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *block = a->blocks;
	size_t aligned = (size + 15) & ~(size_t)15;
	void *p;

	if (!block || block->size - block->used < aligned) {
		size_t room = aligned > BLOCK_SIZE / 4 ? aligned : BLOCK_SIZE;

		block = mem_alloc(sizeof *block + room);
		block->size = room;
		/* A block for one big thing goes second, so that the newest keeps its free room. */
		if (a->blocks && room == aligned && room != BLOCK_SIZE) {
			block->next = a->blocks->next;
			a->blocks->next = block;
		} else {
			block->next = a->blocks;
			a->blocks = block;
		}
	}
	p = block->data + block->used;
	block->used += aligned;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_alloc(a, n + 1);

	if (n)
		memcpy(copy, s, n);
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	struct strbuf b = STRBUF_INIT;
	va_list ap;
	char *copy;

	va_start(ap, fmt);
	strbuf_vprintf(&b, fmt, ap);
	va_end(ap);
	copy = arena_strndup(a, strbuf_str(&b), b.n);
	strbuf_free(&b);
	return copy;
}

void arena_free(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *next = a->blocks->next;

		free(a->blocks);
		a->blocks = next;
	}
}
