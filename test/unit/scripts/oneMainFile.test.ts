import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { oneMainFile } from '../../../scripts/lib/oneMainFile.mjs';

const FILES = {
  'main.js': `
    import { counter, later } from './shared.js';
    import { setUp } from './setUp.js';
    export async function activate() {
      setUp();
      counter.count++;
      const { first } = await import('./first.js');
      const { second } = await import('./second.js');
      return [first(), second(), await later()];
    }`,
  'shared.js': `
    export const counter = { count: 0 };
    export const later = async () => (await import('./third.js')).third();`,
  'setUp.js': 'export const setUp = () => { globalThis.isSetUp = true; };',
  'first.js': `import { counter } from './shared.js'; import './setUp.js'; export const first = () => ++counter.count;`,
  'second.js': `import { setUp } from './setUp.js'; export const second = () => setUp.name.length > 0;`,
  'third.js': `import { counter } from './shared.js'; export const third = () => ++counter.count;`,
};

describe('The main file', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'k3-main-')));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, 'src', name), text);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const built = (entry: string, others: Partial<BuildOptions> = {}) =>
    build({
      absWorkingDir: folder,
      entryPoints: { main: 'src/main.js' },
      outdir: 'dist',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      sourcemap: 'linked',
      chunkNames: 'chunks/[name]-[hash]',
      logLevel: 'silent',
      plugins: [oneMainFile(entry)],
      ...others,
    });
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');

  it('has everything that it always loads, and shares it with what is loaded later', async () => {
    await built('src/main.js');
    assert.doesNotMatch(read('dist/main.js'), /(?:from|import) ?["']\.\//);
    const show = `console.log(JSON.stringify(await (await import('./dist/main.js')).activate()))`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', show], { cwd: folder });
    assert.deepEqual(JSON.parse(String(printed)), [2, true, 3]);
  });

  it('has a source map that leads to the sources, and the chunks that are in it are gone', async () => {
    const { metafile } = await built('src/main.js');
    const code = read('dist/main.js');
    const map = new SourceMap(JSON.parse(read('dist/main.js.map')));
    const line = code.split('\n').findIndex((text) => text.includes('isSetUp'));
    const column = code.split('\n')[line]?.indexOf('isSetUp') ?? -1;
    const entry = map.findEntry(line, column);
    assert.ok('originalSource' in entry);
    assert.equal(join(folder, 'dist', entry.originalSource), join(folder, 'src/setUp.js'));
    const files = globSync('dist/**/*.*', { cwd: folder }).map((file) => file.replaceAll('\\', '/'));
    // Those of another checkout are the same.
    for (const file of files.filter((one) => one.endsWith('.map')))
      assert.ok(!read(file).includes(folder), file);
    assert.deepEqual(Object.keys(metafile?.outputs ?? {}).sort(), files.sort());
    assert.deepEqual(
      files.filter((one) => one.includes('chunk-')),
      [],
    );
    const [first] = globSync('dist/chunks/first-*.js', { cwd: folder });
    const ofFirst = new SourceMap(JSON.parse(read(`${first}.map`)));
    const lines = read(first ?? '').split('\n');
    const at = lines.findIndex((text) => text.includes('++'));
    const found = ofFirst.findEntry(at, lines[at]?.indexOf('++') ?? -1);
    assert.ok('originalSource' in found);
    assert.equal(join(folder, 'dist/chunks', found.originalSource), join(folder, 'src/first.js'));
  });

  it('gives what is loaded later nothing else when an update has replaced the files and it is still running', async () => {
    const write = (name: string, text: string) => writeFileSync(join(folder, 'src', name), text);
    const uses = (names: string) => `
      import { part as b } from './b.js';
      import { part as c } from './c.js';
      export const activate = async () => [b, c, (await import('./first.js')).first, ${names}];`;
    for (const name of ['a', 'b', 'c']) write(`${name}.js`, `export const part = ['${name}'];`);
    write('first.js', `import { part } from './b.js'; export const first = part;`);
    write('second.js', `import { part } from './c.js'; export const second = part;`);
    write('third.js', `import { part } from './a.js'; export const third = part;`);
    write('main.js', uses(`(await import('./second.js')).second`));
    await built('src/main.js', { minify: true });
    const running = read('dist/main.js');
    // It shares one more part, which comes before the others.
    write(
      'main.js',
      `import { part } from './a.js'; ${uses(`part, (await import('./second.js')).second, (await import('./third.js')).third`)}`,
    );
    await built('src/main.js', { minify: true });
    writeFileSync(join(folder, 'dist/main.js'), running);
    const show = `const { activate } = await import('./dist/main.js'); console.log(JSON.stringify(await activate()));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', show], { cwd: folder });
    assert.deepEqual(JSON.parse(String(printed)), [['b'], ['c'], ['b'], ['c']]);
  });

  it('stays as it is when nothing is shared', async () => {
    for (const name of ['first.js', 'second.js', 'third.js'])
      writeFileSync(join(folder, 'src', name), `export const ${name.slice(0, -3)} = () => 1;`);
    await built('src/main.js');
    assert.match(read('dist/main.js'), /first-[A-Z0-9]+\.js/);
  });

  it('has to be there', () => assert.rejects(built('src/other.js'), /no program is built of src\/other\.js/));
});
