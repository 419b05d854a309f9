import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { kept } from '../../../scripts/lib/buildCache.mjs';
import { makeSmaller } from '../../../scripts/lib/smallerCode.mjs';

const CODE = `import { a } from './chunks/part-ABCD2345.js';
function twice(text) { if (false) console.log('never'); return text + text; }
export const word = twice(a) + 'ä…';
`;

describe('A program that is minified again', () => {
  let folder: string;
  let cache: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-smaller-'));
    cache = join(folder, 'cache');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const smaller = async (code: string, name = 'program.js') => {
    const file = join(folder, name);
    writeFileSync(file, code);
    await makeSmaller(file, { isModule: true, folder: cache });
    return readFileSync(file, 'utf8');
  };

  it('loads the same chunks, and has characters of ASCII only', async () => {
    const made = await smaller(CODE);
    assert.ok(made.length < CODE.length);
    assert.match(made, /from"\.\/chunks\/part-ABCD2345\.js"/);
    assert.doesNotMatch(made, /never|_K3_|[^\0-\x7f]/);
  });

  it('is the one from the last time if nothing but the hashes of chunks has changed', async () => {
    const first = await smaller(CODE);
    const [name = ''] = readdirSync(cache);
    const known = JSON.parse(readFileSync(join(cache, name), 'utf8'));
    writeFileSync(join(cache, name), JSON.stringify({ ...known, code: `${known.code}/* kept */` }));
    assert.equal(await smaller(CODE, 'other.js'), `${first}/* kept */`);
    assert.equal(
      await smaller(CODE.replace('ABCD2345', 'XYZW6789')),
      `${first.replace('ABCD2345', 'XYZW6789')}/* kept */`,
    );
    assert.doesNotMatch(await smaller(CODE.replace('ä', 'ö')), /kept/);
    assert.equal(readdirSync(cache).length, 2);
  });

  it('is made again if what was kept is damaged or gone', async () => {
    const first = await smaller(CODE);
    const [name = ''] = readdirSync(cache);
    for (const damaged of ['', '{"code":""}', '{"co']) {
      writeFileSync(join(cache, name), damaged);
      assert.equal(await smaller(CODE), first, damaged);
    }
    rmSync(cache, { recursive: true });
    assert.equal(await smaller(CODE), first);
  });

  it('has a source map that leads to the sources, in whichever folder it is built', async () => {
    const source = fileURLToPath(new URL('../../../src/text/fences.ts', import.meta.url));
    for (const name of ['a', 'b/c/d']) {
      const outdir = join(folder, name);
      mkdirSync(outdir, { recursive: true });
      const options = { bundle: true, minify: true, format: 'esm', sourcemap: 'linked' } as const;
      await build({ ...options, entryPoints: [source], outdir, sourcesContent: false });
      const file = join(outdir, 'fences.js');
      await makeSmaller(file, { isModule: true, hasMap: true, folder: cache });
      const code = readFileSync(file, 'utf8');
      assert.match(code, /\n\/\/# sourceMappingURL=fences\.js\.map\n$/);
      const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
      const [line = ''] = code.split('\n');
      const entry = map.findEntry(0, line.indexOf('repeat'));
      assert.ok('originalSource' in entry);
      assert.equal(join(outdir, entry.originalSource), source);
      const original = readFileSync(source, 'utf8').split('\n')[entry.originalLine] ?? '';
      assert.ok(original.slice(entry.originalColumn).startsWith('repeat'), original);
    }
    assert.equal(readdirSync(cache).length, 1);
  });

  it('is not left half written', async () => {
    await assert.rejects(
      kept(cache, ['x'], () => Promise.reject(new Error('cannot be read'))),
      /cannot be read/,
    );
    assert.deepEqual(await kept(cache, ['x'], async () => ({ code: 'x' })), { code: 'x' });
  });

  it('is removed when many others were used since', async () => {
    const make = (name: number) => kept(cache, [name], async () => ({ code: `${name}` }), 30);
    for (let name = 0; name < 40; name++) await make(name);
    assert.equal(readdirSync(cache).length, 30);
    let isMade = false;
    const made = async () => {
      isMade = true;
      return { code: 'made' };
    };
    await kept(cache, [39], made);
    assert.equal(isMade, false);
    await kept(cache, [0], made);
    assert.equal(isMade, true);
  });

  it('is made, and not kept, where the folder can’t be written', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const { code } = await kept(join(file, 'cache'), ['a'], async () => ({ code: 'made' }));
    assert.equal(code, 'made');
  });

  it('works like the one before', async () => {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    mkdirSync(join(folder, 'chunks'));
    writeFileSync(join(folder, 'chunks/part-ABCD2345.js'), "export const a = 'b';");
    await smaller(CODE);
    const show = `console.log((await import('./program.js')).word)`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', show], { cwd: folder });
    assert.equal(String(printed).trim(), 'bbä…');
  });
});
