import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createProxy } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { listFiles, PackageManager } from '@vscode/vsce';
import { after, before, describe, it } from 'mocha';
import { iconsOf, namedIcons } from '../../scripts/lib/iconFont.mjs';
import { compressAgain, packageInto, unpackInto } from '../../scripts/lib/packaging.mjs';
import type { createUndiciTransport } from '../../src/service/undiciTransport.ts';
import { inBackground } from '../support/inBackground.ts';
import { withEditorStub } from '../support/withEditorStub.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const MAX_BYTES = 1024 * 1024;
const wholeFiles = [
  'package.json',
  ...globSync('package.nls*.json', { cwd: root }),
  '.vscodeignore',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'SECURITY.md',
];

/** Builds into a folder, or copies what `npm test` has built from the same sources a moment ago. */
function buildInto(target: string): void {
  if (process.env['K3_BUILT'] === undefined) {
    execFileSync(process.execPath, ['esbuild.mjs', `--outdir=${target}`, '--smaller'], { cwd: root });
    return;
  }
  // What other jobs of the run and `scripts/package.mjs` write there isn't built.
  const left = ['test', 'README.md', 'building.pid', 'installing.pid'].map((name) =>
    join(root, 'dist', name),
  );
  cpSync(join(root, 'dist'), target, {
    recursive: true,
    filter: (path) => !left.includes(path) && !path.endsWith('.vsix'),
  });
}

describe('The package', () => {
  let folder: string;
  let packaged: readonly string[];
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  before(async function () {
    // Of programs that have changed since the last build, it minifies each again.
    this.timeout(300_000);
    folder = mkdtempSync(join(tmpdir(), 'k3-package-'));
    for (const file of wholeFiles) copyFileSync(join(root, file), join(folder, file));
    for (const part of ['media', 'docs', 'l10n'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    buildInto(join(folder, 'dist'));
    packaged = await listFiles({ cwd: folder, packageManager: PackageManager.None });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('contains every built file except source maps and the program of the emulator', () => {
    const built = globSync('dist/**/*.*', { cwd: folder });
    const expected = built.filter((file) => !/\.map$|emulatorCli/.test(file));
    assert.ok(expected.length > 10);
    assert.deepEqual(packaged.filter((file) => file.startsWith('dist/')).sort(), expected.sort());
  });

  it('contains the texts of all languages', () => {
    // The English texts are in the code. Their list is for translators.
    const texts = globSync('l10n/bundle.l10n.*.json', { cwd: root });
    assert.equal(texts.length, 5);
    assert.deepEqual(packaged.filter((file) => file.startsWith('l10n/')).sort(), texts.sort());
    assert.equal(packaged.filter((file) => /^package\.nls\.\S+\.json$/.test(file)).length, 5);
  });

  it('contains the main file of the extension, the license, and no sources', () => {
    for (const file of ['dist/extension.js', 'LICENSE', 'README.md', 'media/icon.png'])
      assert.ok(packaged.includes(file), file);
    assert.deepEqual(
      packaged.filter((file) => /^(src|test|scripts|node_modules|docs\/decisions)\//.test(file)),
      [],
    );
  });

  it('makes `require` in the main file once at most, though each chunk that is put into it has a line for that', () => {
    assert.ok(read('dist/extension.js').split('(import.meta.url)').length <= 2);
  });

  it('has in the main file everything that is imported from it later', () => {
    const files = ['dist/extension.js', ...globSync('dist/chunks/*.js', { cwd: folder })];
    assert.ok(files.length > 10);
    const addresses = files.map((file) => pathToFileURL(join(folder, file)).href);
    const load = `for (const file of ${JSON.stringify(addresses)}) await import(file); process.exit();`;
    const stub = pathToFileURL(join(root, 'test/bench/loadStub.mjs')).href;
    execFileSync(process.execPath, [
      '--no-warnings',
      '--import',
      stub,
      '--input-type=module',
      '--eval',
      load,
    ]);
  });

  it('has the license of every library in it', () => {
    const notices = read('dist/notices.txt');
    for (const name of ['undici', '@jsquash/webp', 'jpeg-js', 'dompurify', '@vscode/codicons'])
      assert.match(notices, new RegExp(`^${name} [\\d.]+.* \\(.+\\)$`, 'm'));
    assert.doesNotMatch(notices, /undefined/);
  });

  it('is smaller than 1 MiB, and the packager has no warning', async function () {
    // Compressing takes fifteen seconds of work.
    this.timeout(300_000);
    const file = join(folder, 'k3.vsix');
    assert.deepEqual(await packageInto(file, folder), []);
    await unpackInto(join(folder, 'unpacked'), file);
    await compressAgain(file);
    const { size } = statSync(file);
    assert.ok(size < MAX_BYTES, `${size} bytes`);
  });

  it('has the same files after it is compressed again, without the fields of package.json for development', async () => {
    await unpackInto(join(folder, 'again'), join(folder, 'k3.vsix'));
    const files = (part: string) => globSync('**/*.*', { cwd: join(folder, part) }).sort();
    const english: readonly string[] = JSON.parse(read('again/l10n/texts.json'));
    const withKeys = (list: readonly string[]) => {
      assert.equal(list.length, english.length);
      return Object.fromEntries(english.map((text, at) => [text, list[at]]));
    };
    // JSON has the same values, and the English texts of the translations once.
    const contentOf = (part: string, file: string): unknown => {
      const bytes = readFileSync(join(folder, part, file));
      if (!file.endsWith('.json')) return bytes;
      const values = JSON.parse(bytes.toString('utf8'));
      if (file.startsWith('l10n/') && part === 'again') return withKeys(values['']);
      if (file !== 'package.json' || part === 'again') return values;
      const { private: _, scripts, devDependencies, overrides, ...rest } = values;
      assert.ok(scripts && devDependencies && overrides);
      return rest;
    };
    assert.ok(files('again').length > 40);
    assert.deepEqual(files('again'), [...files('unpacked'), 'l10n/texts.json'].sort());
    for (const file of files('unpacked'))
      if (statSync(join(folder, 'again', file)).isFile())
        assert.deepEqual(contentOf('again', file), contentOf('unpacked', file), file);
    assert.ok(!readFileSync(join(folder, 'again/package.json'), 'utf8').includes('\n'));
  });

  it('has a README without pictures, which the editor shows only from addresses', () => {
    const readme = read('unpacked/readme.md');
    assert.match(readme, /## Get started/);
    assert.doesNotMatch(readme, /!\[/);
  });

  it('has a README that ends before the build from source, and pages whose links lead to other files of it', () => {
    assert.doesNotMatch(read('unpacked/readme.md'), /npm/);
    const pages = globSync('**/*.md', { cwd: join(folder, 'unpacked') });
    assert.ok(pages.length > 10);
    const names = globSync('**/*.*', { cwd: join(folder, 'unpacked') }).map((name) => name.toLowerCase());
    const links = pages.flatMap((page) =>
      [...read(`unpacked/${page}`).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) =>
        join(page, '..', link).toLowerCase(),
      ),
    );
    assert.ok(links.length > 15);
    assert.deepEqual(
      links.filter((link) => !names.includes(link)),
      [],
    );
  });

  it('has an icon and no addresses', () => {
    const manifest = JSON.parse(read('package.json'));
    assert.equal(manifest.license, 'MIT');
    assert.ok(packaged.includes(manifest.icon));
    assert.match(manifest.galleryBanner.color, /^#[\da-f]{6}$/);
    // There is no public repository, so an address could only be made up.
    for (const key of ['repository', 'homepage', 'bugs', 'qna']) assert.ok(!(key in manifest), key);
    assert.deepEqual(read('README.md').match(/https?:\/\/[^\s)"]+/g) ?? [], []);
  });

  it('has the pictures of the walkthrough', () => {
    const [{ steps }] = JSON.parse(read('package.json')).contributes.walkthroughs;
    for (const { media } of steps) assert.ok(packaged.includes(media.svg), media.svg);
  });

  it('has of undici what a route with its own network needs: a request, directly and through a proxy', async () => {
    const service = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    let tunnels = 0;
    const proxy = createProxy((socket) => {
      socket.once('data', () => {
        tunnels++;
        const onward = connect(port(service), '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          socket.pipe(onward).pipe(socket);
        });
        onward.on('error', () => socket.destroy());
      });
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
    const [chunk = ''] = globSync('dist/chunks/undiciTransport-*.js', { cwd: folder });
    // What it shares with the main file is there.
    const built: { createUndiciTransport: typeof createUndiciTransport } = await withEditorStub(
      () => import(pathToFileURL(join(folder, chunk)).href),
    );
    try {
      for (const network of [{ http2: true }, { proxy: `http://127.0.0.1:${port(proxy)}` }]) {
        const transport = built.createUndiciTransport(network, inBackground);
        const { status, body } = await transport.send({
          method: 'POST',
          url: `http://127.0.0.1:${port(service)}/v1`,
          headers: {},
          body: '{}',
          signal: new AbortController().signal,
        });
        let text = '';
        for await (const bytes of body) text += Buffer.from(bytes);
        assert.deepEqual([status, text], [200, 'hello']);
        await transport.close();
      }
      assert.equal(tunnels, 1);
    } finally {
      service.close();
      proxy.close();
    }
  });
});

describe('The icon font', () => {
  const css = '.codicon-add:before { content: "\\ea60" }\n.codicon-zap:before { content: "\\ea86" }\nb {}\n';

  it('keeps the icons that the sources name, and all other rules', () => {
    const expected = { css: '.codicon-add:before { content: "\\ea60" }\nb {}\n', characters: '\u{ea60}' };
    for (const source of ["icon: 'add'", '<i class="codicon codicon-add">', 'x ? `add` : "mic"'])
      assert.deepEqual(namedIcons(css, source), expected, source);
  });

  it('keeps the icons of both cases of a condition', () => {
    const kept = iconsOf(root).css;
    for (const name of ['chevron-down', 'chevron-right']) assert.ok(kept.includes(`.codicon-${name}:`), name);
  });

  it('does not take a part of a word for a name', () => {
    assert.equal(namedIcons(css, "'add-all', 'codicon-address', zap").characters, '');
  });

  it('has the icons of the chat and of its choices', () => {
    const { css: kept } = iconsOf(root);
    for (const name of [
      'send',
      'debug-stop',
      'tools',
      'chevron-right',
      'loading',
      'diff',
      'list-selection',
      'file',
      'symbol-method',
      'symbol-misc',
    ])
      assert.ok(kept.includes(`.codicon-${name}:before`), name);
  });
});
