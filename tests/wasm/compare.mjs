// Checks that the library in WebAssembly writes the same bytes and reports the same errors as the program.
//
//     node tests/wasm/compare.mjs LIBRARY.wasm UTFCONV
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [library, program] = process.argv.slice(2);
const { exports: wasm } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(library)));

const FROM = 0, TO = 1, SOURCE = 2, OUTPUT = 3, MESSAGE = 4;
const put = (field, bytes) => { for (const byte of Buffer.from(bytes)) wasm.put(field, byte); };
const get = field => Buffer.from(Array.from({ length: wasm.len(field) }, (_, at) => wasm.get(field, at) & 0xFF));

function inLibrary(from, to, replaces, source) {
    wasm.clear();
    put(FROM, from);
    put(TO, to);
    put(SOURCE, source);
    const status = wasm.run(replaces);
    return { status, output: get(OUTPUT), message: get(MESSAGE).toString() };
}

function inProgram(from, to, replaces, source) {
    const args = ['-f', from, '-t', to, ...(replaces ? ['--errors=replace'] : [])];
    const ran = spawnSync(program, args, { input: source });
    assert.ifError(ran.error);
    const [line] = replaces ? [''] : ran.stderr.toString().split('\n');
    // The program's message has the name of the input before the library's message, and may have advice after it.
    return { status: ran.status, output: ran.stdout, message: line };
}

const text = 'Grüße, мир: 漢字かな 한글 €\u{1F600}\r\n';
const japanese = '日本語、かなカナ\n';
const long = text.repeat(3000);
const utf16 = Buffer.from(long, 'utf16le');
const TABLE = [
    ['UTF-8', 'UTF-16LE', text],
    ['UTF-8', 'UTF-16', text],
    ['UTF-8', 'UTF-32BE', long],
    ['UTF-8', 'UTF-7', text],
    ['UTF-8', 'GB18030', text],
    ['UTF-8', 'SCSU', text],
    ['UTF-8', 'UTF-8', '\uFEFF' + long],
    ['UTF-16LE', 'UTF-8', utf16],
    ['UTF-16LE', 'UTF-16BE', utf16],
    ['UTF-16', 'UTF-8', Buffer.concat([Buffer.from([0xFF, 0xFE]), utf16])],
    ['UTF-8', 'Shift_JIS', japanese],
    ['UTF-8', 'EUC-JP', japanese],
    ['UTF-8', 'ISO-2022-JP', japanese],
    ['UTF-8', 'BIG5', '漢字\n'],
    ['UTF-8', 'EUC-KR', '한글\n'],
    ['UTF-8', 'IBM037', 'Grüße\n'],
    ['windows-1252', 'UTF-8', [0x80, 0xE9, 0x9F]],
    ['windows-1251', 'UTF-16BE', Array.from({ length: 5000 }, (_, at) => 0xC0 + at % 64)],
    ['Shift_JIS', 'UTF-8', [0x93, 0xFA, 0x96, 0x7B, 0xB1]],
    ['GB18030', 'UTF-32LE', [0x81, 0x30, 0x81, 0x30, 0x41]],
    // These texts have errors: ill-formed or truncated sequences, and characters that the output encoding lacks.
    ['UTF-8', 'UTF-16LE', Buffer.concat([Buffer.from(long), Buffer.from([0x61, 0xC0, 0xAF])])],
    ['UTF-8', 'UTF-8', [0x61, 0x0A, 0x62, 0xE2, 0x82]],
    ['UTF-8', 'UTF-8', [0xED, 0xA0, 0x80]],
    ['UTF-8', 'ISO-8859-1', text],
    ['UTF-8', 'Shift_JIS', text],
    ['UTF-16BE', 'UTF-8', [0x00, 0x61, 0xD8, 0x00, 0x00, 0x62]],
    ['UTF-32LE', 'UTF-8', [0x00, 0x00, 0x11, 0x00]],
    ['windows-1252', 'UTF-8', [0x61, 0x81]],
    ['Shift_JIS', 'UTF-8', [0x41, 0x93]],
];

let compared = 0, errors = 0;
for (const [from, to, text] of TABLE) {
    const source = Buffer.from(text);
    for (const replaces of [false, true]) {
        const found = inLibrary(from, to, replaces, source);
        const expected = inProgram(from, to, replaces, source);
        const what = `${from} to ${to}${replaces ? ', replacing' : ''}: ${expected.message}`;
        assert.notEqual(expected.status, 2, what);
        assert.deepEqual(found.output, expected.output, what);
        assert.equal(found.status, expected.message ? expected.status : 0, what);
        assert.ok(expected.message.includes(found.message), `${what}\n${found.message}`);
        compared += 1;
        errors += found.status;
    }
}
assert.equal(inLibrary('no such encoding', 'UTF-8', false, Buffer.from('a')).status, 2);
assert.ok(errors >= 9, `${errors} errors`);
console.log(`${compared} conversions are the same, ${errors} of them errors`);
