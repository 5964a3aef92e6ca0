"""Makes random calls from 8 threads for a given number of seconds. No call may crash, and memory must not grow."""

import codecs
import io
import os
import random
import resource
import signal
import sys
import threading
import time

import utfconv

utfconv.register()
NAMES = list(utfconv.encodings())
HANDLERS = ["strict", "ignore", "replace", "backslashreplace", "surrogateescape", "xmlcharrefreplace"]
POLICIES = ["stop", "replace", "omit", "escape", "surrogateescape", "pua", "fallback=latin1", "raw", "nonsense"]
# The exceptions that wrong arguments may cause; any other exception fails the test.
EXPECTED = (UnicodeError, LookupError, ValueError, TypeError, io.UnsupportedOperation)
SHARED = bytearray(os.urandom(5000))


def data(rng):
    size = rng.choice([0, 1, 7, 100, 5000, 70_000])
    made = rng.choice([rng.randbytes(size), ("日本é😀 text\n" * (size // 10)).encode(), SHARED])
    return rng.choice([made, bytearray(made), memoryview(made)])


def text(rng):
    return "".join(chr(rng.choice([rng.randrange(0x80), rng.randrange(0x10000), rng.randrange(0x110000)])) for _ in range(rng.randrange(200)))


def stream(rng):
    codec = "utfconv-" + rng.choice(NAMES)
    decoder = codecs.getincrementaldecoder(codec)(rng.choice(HANDLERS))
    encoder = codecs.getincrementalencoder(codec)(rng.choice(HANDLERS))
    for _ in range(rng.randrange(6)):
        decoder.decode(bytes(data(rng)), rng.random() < 0.2)
        decoder.setstate(decoder.getstate())
        encoder.encode(text(rng), rng.random() < 0.2)
        encoder.setstate(encoder.getstate())


def file(rng):
    source = io.BytesIO(bytes(data(rng)))
    utfconv.reader(source, rng.choice([*NAMES, "auto"])).read(rng.randrange(1000))


def calls(rng):
    name, other = rng.choice(NAMES), rng.choice([*NAMES, "nonsense"])
    yield lambda: utfconv.convert(data(rng), name, other, ill_formed=rng.choice(POLICIES), unmappable=rng.choice(POLICIES))
    yield lambda: utfconv.decode(data(rng), name, ill_formed=rng.choice(POLICIES), newline=rng.choice([None, "lf"]))
    yield lambda: utfconv.encode(text(rng), name, unmappable=rng.choice(POLICIES), normalize=rng.choice([None, "nfd"]))
    yield lambda: utfconv.detect(data(rng))
    yield lambda: list(zip(range(100), utfconv.check(data(rng), name)))
    yield lambda: utfconv.repair(rng.choice([data(rng), "Ã©tÃ© " * 50]))
    yield lambda: stream(rng)
    yield lambda: file(rng)


def work(seed, end, counts, failures):
    rng = random.Random(seed)
    while time.monotonic() < end and not failures:
        call = rng.choice(list(calls(rng)))
        try:
            call()
        except EXPECTED:
            pass
        except BaseException as error:
            failures.append(repr(error))
            raise
        counts[seed] += 1


def run(seconds, seeds):
    counts, failures = dict.fromkeys(seeds, 0), []
    end = time.monotonic() + seconds
    threads = [threading.Thread(target=work, args=(seed, end, counts, failures)) for seed in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures
    return sum(counts.values())


def forked():
    """A process that is forked while another thread uses an encoding for the first time can use the encoding, too."""
    source, target = os.urandom(9000), "日本é текст ".encode() * 900
    now = NAMES[0]

    def use(name):
        utfconv.convert(source, name, "UTF-8", ill_formed="replace", unmappable="replace")
        utfconv.convert(target, "UTF-8", name, unmappable="replace")

    def use_all():
        nonlocal now
        for now in NAMES:
            use(now)

    thread = threading.Thread(target=use_all)
    thread.start()
    while thread.is_alive():
        name = now
        child = os.fork()
        if child == 0:
            # A signal ends a process that waits forever.
            signal.alarm(30)
            use(name)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0, f"forked while {name} was used"
    thread.join()


def forked_together():
    """Two threads fork at the same time, while a hook of another module lets them alternate, and converts."""
    code = """if 1:
        import os, signal, threading, time
        hook = lambda: (time.sleep(0.01), utfconv.convert(b"a", "GBK", "UTF-8"))
        os.register_at_fork(before=hook, after_in_child=hook)
        import utfconv
        signal.alarm(30)
        def fork():
            for _ in range(10):
                child = os.fork()
                if child == 0:
                    utfconv.convert(b"\\xb0\\xa1", "GBK", "UTF-8")
                    os._exit(0)
                assert os.waitpid(child, 0)[1] == 0
        threads = [threading.Thread(target=fork) for _ in range(2)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    """
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", code]) == 0


def ended():
    """The interpreter ends while a thread converts."""
    code = "import threading, utfconv\nd = b'\\xb0' * 50_000_000\nthreading.Thread(target=lambda: utfconv.convert(d, 'GBK', 'UTF-8', ill_formed='replace'), daemon=True).start()"
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", code]) == 0


def subinterpreter():
    """In a subinterpreter, the import is refused with an ImportError, or the module works."""
    try:
        import _xxsubinterpreters as interpreters
    except ImportError:
        return
    found = interpreters.create()
    code = """if 1:
        try:
            import utfconv
        except ImportError:
            pass
        else:
            assert utfconv.decode(b"\\xe9", "latin1") == "é"
    """
    interpreters.run_string(found, code)


if __name__ == "__main__":
    seconds = float(sys.argv[1])
    # Run these tests first, while no encoding has been used.
    forked()
    forked_together()
    subinterpreter()
    ended()
    warm = run(seconds / 2, range(8))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    more = run(seconds / 2, range(8, 16))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{warm + more} calls from 8 threads in {seconds:.0f} s; at most {after / 1024:.0f} MB, {(after - before) / 1024:+.0f} in the second half")
    assert after < 1.5 * before, "memory grows"
