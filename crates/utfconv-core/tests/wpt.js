// Prints the cases of WPT's tests of decoders and encoders, one per line: KIND LABEL INPUT OUTPUT. Bytes are hexadecimal,
// text is the hexadecimal of its UTF-8, and the chunks of an input are separated by commas. The argument is the directory
// `encoding` of WPT.
//
// The tests run unchanged, on objects that record what the tests ask of a browser, and what they expect of it.
const fs = require('fs'), path = require('path'), vm = require('vm');
const root = process.argv[2];
const lines = new Set();
let skipped = 0;

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const emit = (kind, label, input, output) => lines.add([kind, label.trim(), input, output].join(' '));
const percentDecoded = (text) => {
  const bytes = [];
  for (let at = 0; at < text.length; at++) {
    const digits = /^%[0-9A-Fa-f]{2}/.exec(text.slice(at, at + 3));
    bytes.push(digits ? parseInt(text.slice(at + 1, at + 3), 16) : text.charCodeAt(at));
    if (digits) at += 2;
  }
  return bytes;
};

// Calls of decoders; a mark in the returned string is the index of a call.
const calls = [];
class TextDecoder {
  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    Object.assign(this, { label: String(label), fatal, ignoreBOM, encoding: '' });
  }
  decode(view = new Uint8Array(), { stream = false } = {}) {
    const bytes = Buffer.from(view.buffer ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(view));
    calls.push({ decoder: this, bytes, stream });
    return `\u{F0000}${calls.length - 1}\u{F0001}`;
  }
}
const recorded = (value) =>
  [...String(value).matchAll(/\u{F0000}(\d+)\u{F0001}/gu)].map((found) => calls[Number(found[1])]);
// Whether the calls are all those of one text: no earlier call belongs to the text, and the last call ends it.
const isWhole = (found) => {
  const earlier = calls.slice(0, calls.indexOf(found[0])).filter((call) => call.decoder === found[0].decoder).at(-1);
  return !(earlier && earlier.stream) && found.every((call, at) => call.stream === at < found.length - 1);
};
const record = (kind, actual, output) => {
  const found = recorded(actual);
  if (!found.length) return;
  if (!isWhole(found)) return skipped++;
  const { label, ignoreBOM } = found[0].decoder;
  emit(kind + (ignoreBOM ? '-with-bom' : ''), label, found.map((call) => hex(call.bytes)).join(','), output);
};

// An element whose URL encodes the text that is assigned to it.
const link = (charset) => ({
  set href(url) { this.input = url.replace(/^[^?]*\?/, ''); },
  get search() { return { substr: () => ({ charset, input: this.input }) }; },
});

const context = (charset) => {
  const test = (run) => { try { run({}); } catch (error) { skipped++; } };
  const made = {
    test, TextDecoder, console,
    self: {}, location: { search: '' },
    async_test: () => ({ step() {}, done() {} }), promise_test() {}, setup() {}, subsetTest() {},
    document: { createElement: () => link(charset), querySelector: () => ({ getAttribute: () => charset }) },
    assert_equals(actual, expected) {
      if (actual && actual.charset) emit('encode', actual.charset, hex(actual.input), hex(percentDecoded(expected)));
      else if (typeof expected === 'string') record('decode', actual, hex(expected));
    },
    assert_throws_js(_, run) {
      const before = calls.length;
      run();
      if (calls.length === before + 1) record('error', `\u{F0000}${before}\u{F0001}`, '-');
    },
    assert_true() {}, assert_false() {}, assert_array_equals() {},
  };
  made.window = made;
  return vm.createContext(made);
};

const read = (file) => fs.readFileSync(file, 'latin1');
const run = (file, made) => vm.runInContext(fs.readFileSync(file, 'utf8'), made);
const charsetOf = (file) => {
  const headers = file + '.headers';
  const found = /charset=([\w-]+)/.exec(fs.existsSync(headers) ? read(headers) : '');
  return found ? found[1] : (/<meta charset="?([\w-]+)/.exec(read(file)) || [])[1];
};
const scripts = (html, dir) =>
  [...html.matchAll(/<script src="?([^">]+)"?>/g)].map((found) => path.join(dir, found[1]))
    .filter((file) => /index\.js$|coder\.js$|ranges\.js$/.test(file) && fs.existsSync(file));

// Prints a case for each character of a page: the bytes of its code, which the page has as an attribute, and the text
// that the test's decoder in JavaScript gives.
const decodePage = (file, html) => {
  const made = context(), dir = path.dirname(file);
  scripts(html, dir).forEach((script) => run(script, made));
  const decoder = /showNodes\((\w+)\)/.exec(html)[1];
  const page = path.join(dir, /<iframe src="([^"]+)"/.exec(html)[1]);
  const spans = read(page).matchAll(/data-cp="?[^"\s>]*"?\s+data-bytes="?([0-9A-Fa-f %]+)"?/g);
  for (const [, bytes] of spans) {
    made.bytes = bytes;
    const text = vm.runInContext(`${decoder}(bytes)`, made);
    emit('decode', charsetOf(page), hex(bytes.trim().split(/[\s%]+/).map((byte) => parseInt(byte, 16))), hex(text));
  }
};

// Prints a case for each character in the ranges of a page: the character, and the code that the test's encoder in
// JavaScript gives.
const encodePage = (file, html) => {
  const charset = charsetOf(file), made = context(charset);
  scripts(html, path.dirname(file)).forEach((script) => run(script, made));
  const inline = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map((found) => found[1]);
  inline.forEach((script) => vm.runInContext(script, made));
  if (!made.ranges) return;
  for (const [first, end] of made.ranges) {
    for (let scalar = first; scalar < end; scalar++) {
      if (scalar >= 0xD800 && scalar < 0xE000) continue;
      const text = String.fromCodePoint(scalar), code = made.encoder(text);
      if (!code === !made.errors) continue;
      emit('encode', charset, hex(text), hex(percentDecoded(made.expect(code, scalar))));
    }
  }
};

const walk = (dir) => fs.readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? walk(path.join(dir, entry.name)) : [path.join(dir, entry.name)]);

for (const file of walk(root).sort()) {
  const name = path.basename(file);
  if (/\.(any|window)\.js$/.test(name) && /decoder|textdecoder-/.test(name)) {
    const made = context(), text = fs.readFileSync(file, 'utf8');
    for (const [, script] of text.matchAll(/^\/\/ META: script=(.*)$/gm)) {
      if (!script.startsWith('/')) run(path.join(path.dirname(file), script), made);
    }
    try { vm.runInContext(text, made); } catch (error) { skipped++; }
    for (const { name, labels } of made.singleByteEncodings || []) {
      const index = made.singleByteIndexes && made.singleByteIndexes[name === 'ISO-8859-8-I' ? 'ISO-8859-8' : name];
      const all = [...Array(256).keys()];
      const text = index && String.fromCodePoint(...all.map((at) => (at < 128 ? at : index[at - 128] ?? 0xFFFD)));
      for (const label of (index && labels) || []) emit('decode', label, hex(all), hex(text));
    }
    continue;
  }
  if (!name.endsWith('.html')) continue;
  const html = fs.readFileSync(file, 'utf8');
  if (/showNodes\(\w+\)/.test(html) && /<iframe src=/.test(html)) decodePage(file, html);
  else if (/-encode-(form|href)/.test(name) && /ranges/.test(html)) encodePage(file, html);
  else if (/-encoder\.html$/.test(name)) {
    const made = context(charsetOf(file));
    for (const script of [...html.matchAll(/<script src="?([^">]+)"?>/g)]) {
      const source = path.join(path.dirname(file), script[1]);
      if (fs.existsSync(source)) run(source, made);
    }
    for (const [, script] of html.matchAll(/<script>([^]*?)<\/script>/g)) vm.runInContext(script, made);
  }
}
const labels = context();
run(path.join(root, 'resources/encodings.js'), labels);
for (const { encodings } of vm.runInContext('encodings_table', labels)) {
  for (const { name, labels } of encodings) labels.forEach((label) => lines.add(`label ${label} ${name} -`));
}
process.stdout.write([...lines].join('\n') + '\n');
process.stderr.write(`${skipped} skipped\n`);
