/* What-ifs of every kind, taken back in part and as a whole; the way back to selections; marks. */
#include "session.h"

Test(changing, devices_links_trays_and_planes_fail)
{
	struct session s = session_start(two_trays);
	expect(&s, ":fail tray0/gpu0--sw1\nstate\n", "what-if tray0/gpu0--sw1 down\n");
	expect(&s, ":fail tray0\nstate\n", "tray0/gpu0--sw1 down, tray0 down\n");
	expect(&s, ":derate sw0=25%\nstate\n", "tray0 down, sw0=25%\n");
	expect(&s, "u\nu\nu\nstate\n", "what-if \n");
	session_end(&s);
}

/* The amount alone is about what is under the cursor. */
Test(changing, an_amount_alone_is_about_the_cursor)
{
	struct session s = session_start(two_trays);
	expect(&s, "/\ntype gpu2\nEnter\n:derate 30%\nstate\n", "what-if tray0/gpu2=30%\n");
	expect(&s, ":derate 120%\nstate\n", "a percentage was expected");
	expect(&s, "6\nw\ng\n:fail =1\nstate\n", "what-if tray0/gpu2=30%, tray0/gpu0--sw0=1 down\n");
	session_end(&s);
}

Test(changing, restore_takes_back_the_whole)
{
	struct session s = session_start(two_trays);
	expect(&s, ":fail tray0\n:fail sw1\n:restore tray0\nstate\n", "what-if sw1 down\n");
	expect(&s, ":restore tray1\nstate\n", "message nothing is down or slower here\n");
	expect(&s, "u\nstate\n", "what-if tray0 down, sw1 down\n"); /* restoring is a step too */
	expect(&s, "C-r\nstate\n", "what-if sw1 down\n");
	expect(&s, "C-r\nstate\n", "nothing to redo");
	session_end(&s);
}

Test(changing, restore_takes_back_a_part)
{
	struct session s = session_start(two_trays);
	expect(&s, ":fail tray0\n:restore tray0/gpu[1-2]\nstate\n", "what-if tray0/gpu[0,3] down\n");
	expect(&s, "u\nu\n:fail @gpu--sw0\n:restore tray1\nstate\n", "what-if (tray0)--(sw0) down\n");
	expect(&s, "u\nu\n:derate sw0=40%\n:restore tray0/gpu0--sw0\nstate\n", "what-if (tray0/gpu[1-3],tray1)--(sw0)=40%\n");
	expect(&s, "b\nstate\n", "answer bisection [] [(tray0/gpu[1-3],tray1)--(sw0)=40%]\n");
	session_end(&s);
}

Test(changing, restored_is_as_never_failed)
{
	struct session s = session_start(two_trays);
	char *healthy = run(&s, "b\ndump\n");
	expect(&s, ":fail tray0/gpu[0-1]\n:derate tray1--sw1=10%\n:fail sw0\nb\n:restore **\nstate\n", "what-if \n");
	char *again = run(&s, "Esc\nb\ndump\n");
	char *told = strstr(healthy, "400 GB/s"), *retold = strstr(again, "400 GB/s");
	cr_assert(told && retold);
	free(healthy);
	free(again);
	session_end(&s);
}

/* What only this session knows is written out: a reload or a command line would not find it. */
Test(changing, what_is_kept_means_the_same_elsewhere)
{
	struct session s = session_start(two_trays);
	expect(&s, ":select tray0/gpu[0-1]\n:name pair\n:fail @pair\nstate\n", "what-if tray0/gpu[0,1] down\n");
	expect(&s, "u\n:fail %sel--sw0=1\nstate\n", "what-if tray0/gpu[0,1]--sw0=1 down\n");
	expect(&s, "u\n:bisection @pair\ndump\n", "bisection -s 'tray0/gpu[0,1]'");
	session_end(&s);
}

Test(changing, the_list_takes_single_ones_back)
{
	struct session s = session_start(two_trays);
	expect(&s, "O\ndump\n", "nothing is failed or derated");
	expect(&s, "Esc\n:fail tray0\n:fail sw1\n:derate tray1--sw0=50%\nO\ndump\n", "4 devices down, 8 links gone");
	expect(&s, "dump\n", "4 links slower");
	expect(&s, "j\nr\nstate\n", "what-if tray0 down, tray1--sw0=50%\n");
	expect(&s, "u\nstate\n", "what-if tray0 down, sw1 down, tray1--sw0=50%\n");
	expect(&s, "g\nO\nEnter\nstate\n", "selected 4 tray0\n");
	session_end(&s);
}

Test(changing, faults_of_the_file_are_listed_and_stay)
{
	char *text = mem_printf("%sfaults:\n  - {remove: tray0/gpu0}\n", two_trays);
	struct session s = session_start(text);
	expect(&s, "O\ndump\n", "by the file");
	expect(&s, "Esc\n:restore tray0\nstate\n", "its faults stay");
	free(text);
	session_end(&s);
}

Test(changing, selections_and_hiding_have_their_own_way_back)
{
	struct session s = session_start(two_trays);
	expect(&s, ":select tray0\n:fail sw0\n:select tray1\nx\nEsc\nstate\n", "selected 0 ");
	expect(&s, "U\nstate\n", "selected 4 tray1\n");
	expect(&s, "U\nstate\n", "hidden 0\n");
	expect(&s, "U\nstate\n", "selected 4 tray0\n");
	expect(&s, "state\n", "what-if sw0 down\n"); /* no number is changed by it */
	expect(&s, "C-u\nstate\n", "selected 4 tray1\n");
	expect(&s, "U\nU\nU\nstate\n", "nothing was selected or hidden before\n");
	expect(&s, ":set trays=3\nU\nstate\n", "nothing was selected or hidden before\n"); /* its ids are gone */
	session_end(&s);
}

Test(changing, marks_lead_back)
{
	struct session s = session_start(two_trays);
	expect(&s, "/\ntype tray1/gpu2\nEnter\n\"\na\n6\ng\nstate\n", "view table");
	expect(&s, "'\na\nstate\n", "cursor tray1/gpu2\n");
	expect(&s, "'\n'\nstate\n", "view table");
	expect(&s, "'\nz\nstate\n", "there is no mark z\n");
	expect(&s, ":set trays=3\n:jump a\nstate\n", "cursor tray1/gpu2\n");
	expect(&s, ":set trays=1\n:jump a\nstate\n", "tray1/gpu2 is not there any more\n");
	session_end(&s);
}

Test(changing, what_is_alike_is_selected)
{
	struct session s = session_start(two_trays);
	expect(&s, "/\ntype gpu2\nEnter\n*\nstate\n", "same type, g: 8 devices");
	expect(&s, "*\nstate\n", "same class, gpu: 8 devices");
	expect(&s, ":alike rail\nstate\n", "this has no rail\n");
	expect(&s, ":alike tier\nstate\n", "tiers are not known yet");
	expect(&s, "B\n:alike tier\nstate\n", "same tier");
	session_end(&s);
}

Test(changing, small_letters_find_capitals_too)
{
	struct session s = session_start("toponaut: 1\nname: x\ndevices:\n  g: {class: gpu}\nmodules:\n  r: {kind: rack, parts: {Big: {is: g}, "
					 "big: {is: g}, Small: {is: g}}}\nbuild: r\n");
	expect(&s, "/\ntype big\nEnter\nstate\n", "found 2 ");
	expect(&s, "/\ntype Big\nEnter\nstate\n", "found 1 ");
	expect(&s, "/\ntype BIG\nEnter\nstate\n", "small letters find capitals too");
	session_end(&s);
}

/* Four of eight GPUs with two links of 50 GB/s each on either side; with one switch less, half of it. */
Test(changing, two_results_stand_side_by_side)
{
	struct session s = session_start(two_trays);
	expect(&s, "C\nstate\n", "two results are needed");
	expect(&s, "b\n:fail sw0\nb\nC\ndump\n", "result 400 GB/s → 200 GB/s (−50 %)");
	expect(&s, "dump\n", "B  sw0 down");
	expect(&s, ":blocking\nC\nC\n[\n[\ndump\n", "A  sw0 down"); /* the newest has none before it: the next one is kept */
	expect(&s, "dump\n", "B  healthy");
	expect(&s, "[\nstate\n", "no older result");
	expect(&s, ":set trays=3\ndump\n", "before the reload"); /* numbers stay readable, pictures are gone */
	expect(&s, "Esc\ndump\n", "bisection");
	session_end(&s);
}

Test(changing, a_prompt_says_how_much_it_would_be)
{
	struct session s = session_start(two_trays);
	expect(&s, ":\ntype select @gpu\ndump\n", "8 devices");
	expect(&s, "type !tray1\ndump\n", "4 devices");
	expect(&s, "Esc\n:\ntype fail sw0\ndump\n", "1 device");
	expect(&s, "Esc\n/\ntype gpu\ndump\n", "8 found");
	expect(&s, "type zz\ndump\n", "0 found");
	expect(&s, "Esc\nstate\n", "found 0 "); /* looking ahead finds nothing yet */
	session_end(&s);
}

/* What was worked out in a session is there for the next one, and for others. */
Test(changing, names_and_what_ifs_are_written_and_read)
{
	struct session s = session_start(two_trays);
	char *path = mem_printf("%s/out.yaml", s.folder);
	char *script = mem_printf(":select tray1/gpu[0-1]\n:name pair\n:fail sw0\n:derate tray0/gpu3--sw1=25%%\n:write %s\nb\ndump\n", path);
	free(run(&s, script));
	struct session again = session_start("toponaut: 1\nname: x\ndevices: {g: {class: gpu}}\nmodules: {r: {kind: rack, parts: {g: {is: g}}}}\n"
					     "build: r\n");
	char *open_it = mem_printf(":open %s\n:select @pair\nstate\n", path);
	expect(&again, open_it, "selected 2 tray1/gpu[0,1]\n");
	expect(&again, "O\ndump\n", "by the file");
	expect(&again, "Esc\n:bisection @gpu\ndump\n", "162.5 GB/s"); /* the four weakest of one link each: 3 x 50 + 12.5 */
	expect(&s, ":name gpu\nstate\n", "not that of a class");
	expect(&s, ":name two words\nstate\n", "a name is letters");
	unlink(path);
	session_end(&again);
	session_end(&s);
	free(open_it);
	free(script);
	free(path);
}
