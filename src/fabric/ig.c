/* See ig.h. */
#include "fabric/ig.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void quiet_handler(const char *reason, const char *file, int line, igraph_error_t status)
{
	(void)reason;
	(void)file;
	(void)line;
	(void)status;
	IGRAPH_FINALLY_FREE();
}

static void ig_setup(void)
{
	static bool done;

	if (done)
		return;
	done = true;
#if IGRAPH_VERSION_MAJOR >= 1
	igraph_setup();
#endif
	igraph_set_error_handler(quiet_handler);
}

void ig_check(igraph_error_t status)
{
	if (status == IGRAPH_SUCCESS)
		return;
	if (mem_on_exhaustion)
		mem_on_exhaustion();
	fprintf(stderr, "toponaut: igraph: %s\n", igraph_strerror(status));
	_exit(70);
}

/* Fabrics may be read on several threads, and igraph's state is one for all. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

struct ig *ig_new(uint32_t n, const uint32_t *a, const uint32_t *b, size_t m)
{
	struct ig *g = mem_alloc(sizeof *g);
	igraph_vector_int_t edges;

	pthread_mutex_lock(&one_at_a_time);
	ig_setup();
	ig_check(igraph_vector_int_init(&edges, (igraph_integer_t)(2 * m)));
	for (size_t i = 0; i < m; i++) {
		VECTOR(edges)[2 * i] = a[i];
		VECTOR(edges)[2 * i + 1] = b[i];
	}
	ig_check(igraph_create(&g->graph, &edges, n, IGRAPH_UNDIRECTED));
	igraph_vector_int_destroy(&edges);
	pthread_mutex_unlock(&one_at_a_time);
	return g;
}

void ig_free(struct ig *g)
{
	if (!g)
		return;
	igraph_destroy(&g->graph);
	free(g);
}

uint32_t ig_components(const struct ig *g, uint32_t *component)
{
	igraph_vector_int_t membership;
	igraph_integer_t count = 0;

	ig_check(igraph_vector_int_init(&membership, 0));
	ig_check(igraph_connected_components(&g->graph, &membership, NULL, &count, IGRAPH_WEAK));
	for (igraph_integer_t v = 0; v < igraph_vector_int_size(&membership); v++)
		component[v] = (uint32_t)VECTOR(membership)[v];
	igraph_vector_int_destroy(&membership);
	return (uint32_t)count;
}
