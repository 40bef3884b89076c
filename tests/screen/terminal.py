#!/usr/bin/env python3
"""The explorer in a real terminal (a pty): it is always given back, nobody wakes when nothing changed, keys, paste,
mouse and sizes arrive. Waits for what it expects, never for time. usage: terminal.py PROGRAM LAYOUT-FILE
"""
import base64
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

PROGRAM, LAYOUT = sys.argv[1:3]
PATIENCE = 20
LEFT = rb"\x1b\[\?1049l"


class Session:
    def __init__(self, arguments, rows=30, cols=100):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PS1": "PROMPT "})
            os.execv(arguments[0], arguments)
        self.settings = termios.tcgetattr(self.fd)
        self.size(rows, cols)
        self.text = b""

    def size(self, rows, cols):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.text += data
        return bool(data)

    def wait(self, pattern):
        """Reads on until the pattern came, and forgets what stood up to there."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text, re.DOTALL)):
            if time.monotonic() > end or not self.read(0.5) and time.monotonic() > end:
                raise SystemExit(f"no {pattern!r} in {self.text[-600:]!r}")
        self.text = self.text[found.end():]
        self.found = found

    def quiet(self):
        while self.read(0.3):
            pass
        self.text = b""

    def send(self, keys):
        os.write(self.fd, keys)

    def end(self):
        while self.read(0.2):
            pass
        return os.waitpid(self.pid, 0)[1]


def expect(what, truth):
    if not truth:
        raise SystemExit(f"terminal: {what}")


def explorer():
    s = Session([PROGRAM, LAYOUT])
    s.wait(b"modules")
    s.quiet()
    return s


def switches(pid):
    with open(f"/proc/{pid}/status") as status:
        return [line for line in status if "ctxt" in line]


def given_back():
    for sig in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGSEGV, signal.SIGABRT):
        s = explorer()
        expect("is raw while up", termios.tcgetattr(s.fd)[3] != s.settings[3])
        os.kill(s.pid, sig)
        s.wait(LEFT)
        status = s.end()
        expect(f"settings after {sig.name}", termios.tcgetattr(s.fd) == s.settings)
        crash = (signal.SIGSEGV, signal.SIGABRT)  # a sanitizer ends the program in its own way
        expect(f"dies of {sig.name}", sig in crash and status or os.WTERMSIG(status) == sig)
    s = explorer()
    s.send(b"Q")
    s.wait(LEFT)
    expect("exit status of Q", s.end() == 0)
    expect("settings after Q", termios.tcgetattr(s.fd) == s.settings)


def keys():
    s = explorer()
    before = switches(s.pid)
    expect("nobody wakes when nothing changed", not s.read(1.0) and switches(s.pid) == before)
    s.send(b"b")
    s.wait(b"32.4 TB/s")
    s.send(b"\x1b[200~QQfff\x1b[201~:\x1b[200~select compute0\x1b[201~")
    s.wait(b"select compute0")
    s.send(b"\r")
    s.wait(b"sel 4 gpu of 6")
    s.quiet()
    s.send(b"\x1b[<0;40;6M\x1b[<0;40;6m")
    expect("a click moves the cursor", s.read(PATIENCE))
    s.quiet()
    s.send(b"\x1bOB")
    expect("an arrow moves the cursor", s.read(PATIENCE))
    for rows, cols in ((1, 1), (5, 9), (60, 200)):
        s.size(rows, cols)
        s.quiet()
    s.size(30, 100)
    s.wait(b"modules")
    s.send(b"Q")
    expect("exit status", s.end() == 0)


def sparing():
    """Only what changed is sent, nothing is when nothing did, and nobody wakes between."""
    s = explorer()
    s.send(b"1")
    s.quiet()

    def sent(keys, most):
        s.text = b""
        s.send(keys)
        while s.read(0.3):
            pass
        n = len(s.text)
        expect(f"{keys!r} sends {n} bytes, more than {most}", n <= most)
        s.text = b""
        return n

    sent(b"j", 3000)  # the inspector is written anew
    whole = sent(b"5", 30000)
    for _ in range(4):
        sent(b"j", 2500)
    expect("a step sends less than a picture", sent(b"j", 2500) * 2 < whole)
    sent(b"\x1b[<35;3;3M", 0)  # the mouse only moves
    s.send(b"b")
    s.wait(b"32.4 TB/s")
    s.quiet()
    before = switches(s.pid)
    expect("nobody wakes behind an answer", not s.read(1.5) and switches(s.pid) == before)
    s.send(b":sel")
    s.quiet()
    before = switches(s.pid)
    expect("nobody wakes in a prompt", not s.read(1.0) and switches(s.pid) == before)
    s.send(b"\x1bQ")
    s.end()


def copied():
    """The clipboard is written when that is asked for, never otherwise."""
    s = explorer()
    seen = b""
    for keys in (b"b", b"j", b" ", b"e", b"\x1b", b"f", b"?", b"\x1b", b":select @gpu\r"):
        s.send(keys)
        while s.read(0.3):
            pass
        seen += s.text
        s.text = b""
    expect("nothing is copied unasked", b"\x1b]52" not in seen)
    s.send(b"y")
    s.wait(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)\x1b\\")
    text = base64.b64decode(s.found.group(1)).decode()
    expect(f"copied {text}", text == f"toponaut analyze {LAYOUT} bisection")
    s.send(b"Q")
    s.end()


def dragged():
    """From one device to another: all between them are selected, as with v."""
    s = explorer()
    s.send(b"\x1b[<0;40;6M\x1b[<32;42;6M\x1b[<32;44;6M\x1b[<0;44;6m")
    s.wait(rb"[2-9] selected")
    s.send(b"Q")
    s.end()


def cancelled():
    """A search that takes long shows its bounds while it runs, and ends at once when it is told to."""
    wide = os.path.join(os.path.dirname(LAYOUT), "jellyfish.yaml")
    s = Session([PROGRAM, wide, "-D", "switches=96", "-D", "degree=8", "--time-limit", "0"])
    s.wait(b"modules")
    s.quiet()
    s.send(b"b")
    s.wait(rb"\[[0-9.]+ [A-Z]*B/s, ")
    s.wait(b"Esc")
    s.send(b"\x03")
    start = time.monotonic()
    s.wait(b"cancelled")
    expect("cancel is prompt", time.monotonic() - start < 2)  # 0.2 s on an idle machine
    s.send(b"Q")
    expect("exit status", s.end() == 0)


def suspended():
    s = Session(["/bin/bash", "--norc", "-i"])
    s.wait(b"PROMPT ")
    s.send(f"{PROGRAM} {LAYOUT}\r".encode())
    s.wait(b"modules")
    s.quiet()
    s.send(b"\x1a")
    s.wait(LEFT + b".*PROMPT ")
    s.send(b"fg\r")
    s.wait(b"modules")
    s.quiet()
    s.send(b"Q")
    s.wait(LEFT + b".*PROMPT ")
    s.send(b"exit\r")
    s.end()


def data_on_stdin():
    s = Session(["/bin/sh", "-c", f"{PROGRAM} - < {LAYOUT}"])
    s.wait(b"modules")
    s.send(b"Q")
    s.wait(LEFT)
    s.end()


given_back()
keys()
sparing()
copied()
dragged()
cancelled()
suspended()
data_on_stdin()
