#!/usr/bin/env python3
"""The explorer in tmux, which knows what a terminal was told: on every way out the settings (`stty -a`), the screen, the
cursor, the mouse and the keypad are as before; sizes that change all the time end in the right picture.
usage: tmux.py PROGRAM LAYOUT-FILE        without tmux, nothing is tested and that is said
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, LAYOUT = (os.path.realpath(a) for a in sys.argv[1:3])
PATIENCE = 30
MODES = "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{mouse_button_flag} #{mouse_sgr_flag} #{keypad_flag} #{keypad_cursor_flag}"
OURS = "1 0 1 1"  # while it is up: other screen, no cursor, the mouse with what is dragged


class Terminal:
    def __init__(self, folder):
        self.base = ["tmux", "-S", f"{folder}/socket", "-f", "/dev/null"]
        self.folder = folder
        self.n = 0
        env = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8", "PS1": "$ ", "TERM": "tmux-256color",
               "ASAN_OPTIONS": "handle_segv=0:handle_abort=0:detect_leaks=0"}
        subprocess.run(self.base + ["new-session", "-d", "-x", "100", "-y", "30", "exec bash --norc --noprofile -i"],
                       env=env, check=True)
        self.run("set", "-g", "window-size", "manual")
        self.run("set", "-g", "default-terminal", "tmux-256color")

    def run(self, *words):
        return subprocess.run(self.base + list(words), capture_output=True, text=True, check=True).stdout

    def keys(self, *words):
        self.run("send-keys", *words)

    def modes(self):
        return self.run("display-message", "-p", MODES).strip()

    def screen(self):
        return self.run("capture-pane", "-p")

    def until(self, what, truth):
        end = time.monotonic() + PATIENCE
        while not truth():
            if time.monotonic() > end:
                raise SystemExit(f"tmux: {what}\n{self.modes()}\n{self.screen()}")
            time.sleep(0.02)

    def shell(self, line):
        """Runs a line and returns what it wrote; the prompt is there again."""
        self.n += 1
        name = f"{self.folder}/out{self.n}"
        self.keys(f"{line} > {name} 2>&1; echo done > {name}.done", "Enter")
        self.until(line, lambda: os.path.exists(f"{name}.done"))
        with open(name, encoding="utf-8") as f:
            return f.read()

    def settings(self):
        return self.shell("stty -a")

    def explore(self, *options):
        """Starts it and returns its process id, when the first picture stands."""
        pid = f"{self.folder}/pid"
        if os.path.exists(pid):
            os.unlink(pid)
        # Below a shell that mends nothing: the settings it is left with are kept.
        run = f'echo \\$\\$ > {pid}; exec {PROGRAM} {" ".join(options)} {LAYOUT}'
        self.left = f"{self.folder}/left"
        if os.path.exists(self.left):
            os.unlink(self.left)
        self.keys(f"""sh -c 'sh -c "{run}"; stty -a > {self.left}.new; mv {self.left}.new {self.left}'""", "Enter")
        self.up()
        with open(pid, encoding="utf-8") as f:
            return int(f.read())

    def up(self):
        self.until("it is up", lambda: self.modes().startswith(OURS) and " modules " in self.screen())

    def close(self):
        subprocess.run(self.base + ["kill-server"], capture_output=True, check=False)


def ways_out(t):
    """Each leaves the terminal as it was."""
    settings, modes = t.settings(), t.modes()

    def given_back(how, ended=True):
        if ended:
            t.until(f"the end by {how}", lambda: os.path.exists(t.left))
            with open(t.left, encoding="utf-8") as f:
                left = f.read()
            if left != settings:
                raise SystemExit(f"tmux: settings after {how}\n{settings}\n{left}")
        t.until(f"modes after {how}", lambda: t.modes() == modes)
        t.until(f"settings after {how}\n{settings}", lambda: t.settings() == settings)  # bash puts its own back first

    t.explore()
    t.keys("Q")
    given_back("Q")
    for sig in ("TERM", "HUP", "INT", "QUIT", "SEGV", "BUS", "FPE", "ILL", "ABRT"):
        pid = t.explore()
        if sig in ("INT", "SEGV"):  # with a prompt, and its cursor
            t.keys("b", ":", "s", "e", "l")
            t.until("a prompt", lambda: "sel" in t.screen().rstrip().splitlines()[-1])
        os.kill(pid, getattr(signal, f"SIG{sig}"))
        given_back(f"SIG{sig}")
    # Stopped by the key, and from outside; what the shell sees meanwhile, and what comes back.
    for how in ("C-z", "TSTP"):
        pid = t.explore()
        picture = t.screen()
        if how == "C-z":
            t.keys("C-z")
        else:
            os.kill(pid, signal.SIGTSTP)
        given_back(f"a stop by {how}", ended=False)
        t.keys("fg", "Enter")
        t.up()
        t.until(f"the picture after {how}", lambda: t.screen() == picture)
        t.keys("Q")
        given_back(f"{how} and Q")
    # Ended while it is stopped.
    pid = t.explore()
    t.keys("C-z")
    given_back("a stop", ended=False)
    os.kill(pid, signal.SIGTERM)
    t.keys("fg", "Enter")
    given_back("an end while stopped")
    # Stopped without being asked: whoever goes on has its modes and its picture again.
    pid = t.explore()
    picture = t.screen()
    os.killpg(os.getpgid(pid), signal.SIGSTOP)
    t.until("the shell is there", lambda: "Stopped" in t.screen())
    t.keys("fg", "Enter")
    t.until("the picture after SIGSTOP", lambda: t.modes().startswith(OURS) and t.screen() == picture)
    t.keys("Q")
    given_back("SIGSTOP and Q")


def storm(t):
    """Sizes that change faster than pictures are drawn, with keys between them."""
    t.explore()
    sizes = [(1, 1), (20, 5), (240, 80), (80, 24), (3, 60), (200, 2), (9, 9), (160, 50)]
    for i in range(60):
        w, h = sizes[i % len(sizes)]
        t.run("resize-window", "-x", str(w), "-y", str(h))
        if i % 3 == 0:
            t.keys(*"jjk")
    t.run("resize-window", "-x", "100", "-y", "30")
    t.keys("g", "Escape")
    t.until("a whole picture", lambda: " modules " in t.screen())
    time.sleep(0.2)
    after = t.screen()
    t.keys("Q")
    t.until("the end", lambda: t.modes().startswith("0"))
    t.explore()
    t.keys("g", "Escape")
    t.until("the same picture as without a storm", lambda: t.screen() == after)
    t.keys("Q")
    t.until("the end", lambda: t.modes().startswith("0"))


def mouse(t):
    """M gives the mouse to the terminal and takes it again."""
    t.explore()
    t.keys("M")
    t.until("the mouse is the terminal's", lambda: t.modes().split()[2:4] == ["0", "0"])
    t.keys("M")
    t.until("the mouse is ours", lambda: t.modes().split()[2:4] == ["1", "1"])
    t.keys("Q")
    t.until("the end", lambda: t.modes().startswith("0"))


def main():
    if not shutil.which("tmux"):
        print("tmux is not installed: how terminals are left is tested with a pty only")
        return
    folder = tempfile.mkdtemp()
    t = Terminal(folder)
    try:
        t.until("a shell", lambda: t.screen().strip())
        ways_out(t)
        storm(t)
        mouse(t)
    finally:
        t.close()
        shutil.rmtree(folder, ignore_errors=True)  # what ends may still write its history there


if __name__ == "__main__":
    main()
