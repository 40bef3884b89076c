/* terminal: taking the terminal and giving it back on every way out. After a fatal signal nothing but write,
 * tcsetattr and raise is called: the bytes that undo our modes are put together when we start.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "tui/tui_internal.h"

/* What a signal handler needs; it cannot be handed anything, hence the file scope. */
static struct {
	volatile sig_atomic_t up;
	int fd;
	struct termios settings;
	char bytes[512];
	size_t n;
} undo;

/* Stopping from outside, going on and another size wake the loop through a pipe: they are no work for a handler, and
 * one that comes just before the loop sleeps must not be slept over. */
static int wake[2] = {-1, -1};
static struct sigaction curses_resize;

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGHUP, SIGINT, SIGQUIT};
static struct sigaction previous[ARRAY_LEN(fatal_signals)];

static void give_back(void)
{
	if (!undo.up)
		return;
	undo.up = 0;
	ssize_t written = write(undo.fd, undo.bytes, undo.n);
	(void)written; /* there is no one to tell */
	tcsetattr(undo.fd, TCSANOW, &undo.settings);
}

static void on_fatal(int sig)
{
	give_back();
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		if (fatal_signals[i] == sig)
			sigaction(sig, &previous[i], NULL);
	raise(sig);
}

/* Appends a capability without its padding ("$<5>"). */
static void undo_with(const char *bytes)
{
	while (bytes && *bytes && undo.n < sizeof undo.bytes) {
		const char *end = bytes[0] == '$' && bytes[1] == '<' ? strchr(bytes, '>') : NULL;
		if (end)
			bytes = end + 1;
		else
			undo.bytes[undo.n++] = *bytes++;
	}
}

static const char *capability(const char *name)
{
	const char *text = tigetstr(name);
	return text == (const char *)-1 ? NULL : text;
}

static void prepare_undo(const struct terminal *t)
{
	undo.n = 0;
	if (capability("kmous"))
		undo_with("\033[?1006l\033[?1002l\033[?1000l");
	if (t->paste)
		undo_with("\033[?2004l");
	undo_with(capability("sgr0"));
	undo_with(capability("cnorm"));
	undo_with(capability("rmkx"));
	undo_with(capability("rmcup"));
	undo.up = 1;
}

/* Before curses starts: it puts handlers of its own where there are none, which are not safe. */
static void remember_signals(void)
{
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		sigaction(fatal_signals[i], NULL, &previous[i]);
}

static void catch_signals(void)
{
	static char stack[65536]; /* for a fault by overflow of the stack */
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_handler = on_fatal, .sa_flags = SA_ONSTACK};
	sigaltstack(&alternate, NULL);
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		sigaction(fatal_signals[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static void on_job_control(int sig)
{
	int was = errno;
	const char byte = sig == SIGTSTP ? TERMINAL_STOP : sig == SIGCONT ? TERMINAL_GOES_ON : TERMINAL_RESIZED;
	if (sig == SIGWINCH && curses_resize.sa_handler != SIG_DFL && curses_resize.sa_handler != SIG_IGN)
		curses_resize.sa_handler(sig); /* it sets a flag, and the size arrives as a key */
	(void)!write(wake[1], &byte, 1);
	errno = was;
}

/* Behind newterm: curses has handlers of its own that know nothing of our modes. */
static void catch_job_control(void)
{
	struct sigaction action = {.sa_handler = on_job_control};
	if (pipe(wake) != 0)
		return;
	for (int i = 0; i < 2; i++) {
		fcntl(wake[i], F_SETFL, O_NONBLOCK);
		fcntl(wake[i], F_SETFD, FD_CLOEXEC);
	}
	sigemptyset(&action.sa_mask);
	sigaction(SIGTSTP, &action, NULL);
	sigaction(SIGCONT, &action, NULL);
	sigaction(SIGWINCH, &action, &curses_resize);
}

static void release_job_control(void)
{
	signal(SIGTSTP, SIG_DFL);
	signal(SIGCONT, SIG_DFL);
	signal(SIGWINCH, SIG_DFL);
	for (int i = 0; i < 2; i++)
		if (wake[i] >= 0)
			close(wake[i]);
	wake[0] = wake[1] = -1;
}

int terminal_wake_fd(void)
{
	return wake[0];
}

int terminal_woken(void)
{
	char byte;
	return wake[0] >= 0 && read(wake[0], &byte, 1) == 1 ? byte : 0;
}

static void release_signals(void)
{
	release_job_control();
	for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++)
		sigaction(fatal_signals[i], &previous[i], NULL);
}

bool locale_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void send(const struct terminal *t, const char *bytes)
{
	fputs(bytes, t->out);
	fflush(t->out);
}

/* OSC 52: the terminal puts it on the clipboard, or does not. */
void terminal_copy(const struct terminal *t, const char *text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct strbuf b = STRBUF_INIT;
	size_t n = strlen(text);
	strbuf_puts(&b, "\033]52;c;");
	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = 0;
		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (i + k < n ? (unsigned char)text[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			strbuf_putc(&b, i + k > n ? '=' : digits[v >> (18 - 6 * k) & 63]);
	}
	strbuf_puts(&b, "\033\\");
	send(t, strbuf_str(&b));
	strbuf_free(&b);
}

/* Curses asks for clicks only; what is dragged is reported in mode 1002. */
void terminal_mouse(struct terminal *t, bool on)
{
	t->mouse = on && capability("kmous");
	const mmask_t buttons = BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED | REPORT_MOUSE_POSITION;
	mousemask(on ? buttons : 0, NULL);
	if (capability("kmous"))
		send(t, on ? "\033[?1002h" : "\033[?1002l");
}

enum scheme terminal_scheme(const struct terminal *t, int asked)
{
	if (asked < 0 || t->scheme == SCHEME_MONO || asked == SCHEME_16)
		return asked == SCHEME_16 && t->scheme != SCHEME_MONO ? SCHEME_16 : t->scheme;
	return t->scheme == SCHEME_16 && asked != SCHEME_MONO ? SCHEME_16 : (enum scheme)asked;
}

static void choose_scheme(struct terminal *t, const struct tui_options *o)
{
	t->scheme = SCHEME_MONO;
	if (o->mono || !has_colors())
		return;
	start_color();
	use_default_colors();
	t->scheme = COLORS > 0xffff ? SCHEME_TRUE : COLORS >= 256 ? SCHEME_256 : SCHEME_16;
}

/* Chatter of libraries must not scribble on the screen: it is kept and printed at the end. */
static void divert_stderr(struct terminal *t)
{
	fflush(stderr);
	t->notes = tmpfile();
	t->saved_stderr = t->notes ? dup(STDERR_FILENO) : -1;
	if (t->saved_stderr >= 0)
		dup2(fileno(t->notes), STDERR_FILENO);
}

static void restore_stderr(struct terminal *t)
{
	char bytes[4096];
	size_t n;
	if (t->saved_stderr < 0)
		return;
	fflush(stderr);
	dup2(t->saved_stderr, STDERR_FILENO);
	close(t->saved_stderr);
	t->saved_stderr = -1;
	rewind(t->notes);
	while ((n = fread(bytes, 1, sizeof bytes, t->notes)) > 0)
		fwrite(bytes, 1, n, stderr);
	fclose(t->notes);
	t->notes = NULL;
}

bool terminal_start(struct terminal *t, const struct tui_options *o)
{
	*t = (struct terminal){.out = stdout, .saved_stderr = -1};
	int copy = dup(o->input);
	t->in = copy >= 0 ? fdopen(copy, "r") : NULL;
	undo.fd = STDOUT_FILENO;
	if (tcgetattr(undo.fd, &undo.settings) != 0)
		tcgetattr(o->input, &undo.settings);
	remember_signals();
	if (t->in)
		t->screen = newterm(NULL, t->out, t->in);
	if (!t->screen) {
		fputs("toponaut: this terminal (TERM) is not known; `toponaut show` draws without one\n", stderr);
		if (t->in)
			fclose(t->in);
		return false;
	}
	set_term(t->screen);
	set_escdelay(25);
	raw();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	mouseinterval(0);
	choose_scheme(t, o);
	t->paste = capability("kmous") != NULL;
	define_key("\033[200~", KEY_PASTE_BEGIN);
	define_key("\033[201~", KEY_PASTE_END);
	prepare_undo(t);
	catch_signals();
	catch_job_control();
	mem_on_exhaustion = give_back;
	if (t->paste)
		send(t, "\033[?2004h");
	divert_stderr(t);
	return true;
}

void terminal_stop(struct terminal *t)
{
	if (t->paste)
		send(t, "\033[?2004l");
	terminal_mouse(t, false);
	endwin();
	undo.up = 0;
	mem_on_exhaustion = NULL;
	release_signals();
	restore_stderr(t);
	delscreen(t->screen);
	fclose(t->in);
}

void terminal_suspend(struct terminal *t)
{
	struct sigaction ours, goes_on, plain = {.sa_handler = SIG_DFL};
	if (t->paste)
		send(t, "\033[?2004l");
	if (t->mouse)
		send(t, "\033[?1002l");
	def_prog_mode();
	endwin();
	restore_stderr(t);
	undo.up = 0; /* the terminal is not ours: whoever ends us now leaves it alone */
	sigemptyset(&plain.sa_mask);
	sigaction(SIGTSTP, &plain, &ours);
	sigaction(SIGCONT, &plain, &goes_on);
	kill(0, SIGTSTP); /* the whole job: what started us may be waiting for us */
	sigaction(SIGTSTP, &ours, NULL);
	sigaction(SIGCONT, &goes_on, NULL);
	divert_stderr(t);
	terminal_resume(t);
}

/* Modes and picture anew: after a stop the terminal is as the shell had it. */
void terminal_resume(struct terminal *t)
{
	undo.up = 1;
	reset_prog_mode();
	clearok(curscr, TRUE);
	refresh();
	if (t->paste)
		send(t, "\033[?2004h");
	if (t->mouse)
		send(t, "\033[?1002h");
}
