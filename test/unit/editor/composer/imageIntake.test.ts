import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ImageIntake, ImageIntakeDeps } from '../../../../src/editor/composer/imageIntake.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createImageIntake } = await withEditorStub(
  () => import('../../../../src/editor/composer/imageIntake.ts'),
);

const image = (name: string, url = `data:image/png;base64,${name}`) => ({ name, url });

describe('An image that is removed', () => {
  const cancelled: string[] = [];
  const working = (name: string) => ({
    name,
    cancel: () => void cancelled.push(name),
    done: Promise.resolve(),
  });
  const composer = {
    attachments: [] as { name: string; url: string }[],
    working: [] as object[],
    rejected: [],
  };
  const images = createImageIntake({
    composers: { of: () => composer, changed: () => undefined },
  } as unknown as ImageIntakeDeps);
  const left = () =>
    [...composer.attachments, ...(composer.working as { name: string }[])].map((one) => one.name);

  beforeEach(() => {
    cancelled.length = 0;
    composer.attachments = ['a.png', 'secret.png', 'c.png'].map((name) => image(name));
    composer.working = [working('d.png')];
  });

  it('is the one that the page has shown, although an earlier one was just removed', () => {
    images.remove('c1', 'a.png', 0);
    images.remove('c1', 'secret.png', 1);
    assert.deepEqual(left(), ['c.png', 'd.png']);
  });

  it('is removed once, also when it is selected twice', () => {
    images.remove('c1', 'a.png', 0);
    images.remove('c1', 'a.png', 0);
    assert.deepEqual(left(), ['secret.png', 'c.png', 'd.png']);
  });

  it('is no longer processed, and is removed when it has just been processed', () => {
    images.remove('c1', 'd.png', 3);
    assert.deepEqual([left(), cancelled], [['a.png', 'secret.png', 'c.png'], ['d.png']]);
    composer.attachments = [image('a.png'), image('d.png')];
    composer.working = [];
    images.remove('c1', 'd.png', 3);
    assert.deepEqual([left(), cancelled], [['a.png'], ['d.png']]);
  });

  it('is the second one of two with the same name, which two windows have attached', () => {
    composer.attachments = [image('a.png', 'first'), image('a.png', 'second')];
    images.remove('c1', 'a.png', 1);
    assert.deepEqual(composer.attachments, [image('a.png', 'first')]);
  });
});

describe('A message that waits for an image', () => {
  it('is sent without it when the image is removed, however long reading it takes', async () => {
    const composer = { attachments: [] as object[], working: [], rejected: [] };
    const images = createImageIntake({
      composers: { of: () => composer, changed: () => undefined },
      // As on a network drive that doesn’t answer.
      scaler: { examine: () => new Promise(() => undefined) },
      askToAttach: () => undefined,
    } as unknown as ImageIntakeDeps);
    const bytes = Buffer.from('slow');
    const attaching = images.attachBytes('c1', [{ name: 'slow.png', size: 4, bytes, error: undefined }]);
    const ready = images.ready('c1', 'Go on.');
    await new Promise(setImmediate);
    images.remove('c1', 'slow.png', 0);
    await attaching;
    assert.deepEqual(await ready, { text: 'Go on.', images: [], attached: [] });
  });
});

describe('Images that are scaled down further', () => {
  it('are scaled no longer after that is stopped', async () => {
    const examine: ImageIntakeDeps['scaler']['examine'] = (_bytes, _limits, signal) =>
      new Promise((resolve) => {
        const end = () => resolve({ ok: false, refusal: { kind: 'cancelled' } });
        signal.addEventListener('abort', end);
      });
    const images = createImageIntake({ scaler: { examine } } as unknown as ImageIntakeDeps);
    const stopping = new AbortController();
    const scaled = images.shrink([image('a.png')], stopping.signal);
    stopping.abort();
    assert.deepEqual(await scaled, [image('a.png')]);
  });
});

describe('The address of an image that is dropped', () => {
  restoreAfterEach(workspace);
  const { parse } = Uri;
  afterEach(() => void Object.assign(Uri, { parse }));

  it('is shown while it isn’t known yet whether it is in the workspace, and not waited for when it is removed', async () => {
    const composer = {
      ...{ attachments: [], working: [] as { name: string }[] },
      ...{ rejected: [] as object[], failed: [] },
    };
    const images = createImageIntake({
      composers: { of: () => composer, changed: () => undefined },
      askToAttach: () => undefined,
      reads: { ask: async () => new Set() },
    } as unknown as ImageIntakeDeps);
    const toUri = (path: string) => Object.assign(new Uri(path), { scheme: 'vscode-vfs', authority: '' });
    Object.assign(Uri, { parse: (address: string) => toUri(new URL(address).pathname) });
    Object.assign(workspace, {
      getWorkspaceFolder: ({ path }: Uri) => (path.startsWith('/w/') ? {} : undefined),
      // As on a network drive that doesn’t answer.
      fs: { stat: () => new Promise(() => undefined) },
    });
    const attaching = images.attachAddresses('c1', ['vscode-vfs:/w/slow.png', 'vscode-vfs:/other/out.png']);
    const ready = images.ready('c1', 'Go on.');
    await new Promise(setImmediate);
    assert.deepEqual([composer.working.map(({ name }) => name), composer.rejected.length], [['slow.png'], 1]);
    images.remove('c1', 'slow.png', 0);
    await attaching;
    assert.equal(await ready, undefined, 'the other one was refused');
    assert.deepEqual((await images.ready('c1', 'Go on.'))?.images, []);
  });
});

describe('Images of which one is on a drive that doesn’t answer', () => {
  restoreAfterEach(workspace);
  const { parse } = Uri;
  afterEach(() => void Object.assign(Uri, { parse }));

  const toUri = (path: string) => Object.assign(new Uri(path), { scheme: 'vscode-vfs', authority: '' });
  const never = () => new Promise<never>(() => undefined);
  const isSlow = ({ path }: { readonly path: string }) => path.includes('slow');

  /** Adds two images, removes the one that is slow, and returns which ones are attached. */
  async function addBoth(add: (images: ImageIntake) => Promise<void>, ask: ImageIntakeDeps['reads']['ask']) {
    const composer = {
      attachments: [] as { name: string }[],
      working: [] as { name: string }[],
      rejected: [],
    };
    const images = createImageIntake({
      composers: { of: () => composer, changed: () => undefined },
      askToAttach: () => undefined,
      reads: { ask, allows: async () => true },
      scaler: { examine: async () => ({ ok: true, url: 'data:,', thumbnail: 'data:,' }) },
    } as unknown as ImageIntakeDeps);
    const adding = add(images);
    await new Promise(setImmediate);
    const working = () => composer.working.map(({ name }) => name);
    assert.deepEqual(working(), ['slow.png', 'b.png']);
    images.remove('c1', 'slow.png', 0);
    await new Promise(setImmediate);
    if (working().length === 0) await adding;
    return [composer.attachments.map(({ name }) => name), working()];
  }

  it('don’t wait for that one when it is removed, also if they were dropped together', async () => {
    Object.assign(Uri, { parse: (address: string) => toUri(new URL(address).pathname) });
    Object.assign(workspace, {
      getWorkspaceFolder: () => ({}),
      workspaceFolders: [{ uri: toUri('/w') }],
      fs: {
        stat: async (uri: Uri) => (isSlow(uri) ? never() : { type: 1, size: 1 }),
        readFile: async () => new Uint8Array(1),
      },
    });
    const ask = async (uris: readonly object[]) => new Set(uris);
    const add = (images: ImageIntake) =>
      images.attachAddresses('c1', ['vscode-vfs:/w/slow.png', 'vscode-vfs:/w/b.png']);
    assert.deepEqual(await addBoth(add, ask as never), [['b.png'], []]);
  });

  it('don’t wait for that one when it is removed, also if they were selected together', async () => {
    Object.assign(workspace, {
      fs: { stat: async () => ({ type: 1, size: 1 }), readFile: async () => new Uint8Array(1) },
    });
    const ask = async (uris: readonly Uri[]) => (uris.some(isSlow) ? never() : new Set(uris));
    const files = ['/w/slow.png', '/w/b.png'].map(toUri);
    const add = (images: ImageIntake) => images.attachFiles('c1', files as never);
    assert.deepEqual(await addBoth(add, ask as never), [['b.png'], []]);
  });
});

describe('A message that is sent right after an address was added to it', () => {
  it('has the image of that address', async () => {
    const composer = { attachments: [] as object[], working: [], rejected: [] };
    const images = createImageIntake({
      composers: { of: () => composer, changed: () => undefined },
      askToAttach: () => undefined,
      reads: { ask: async () => new Set() },
    } as unknown as ImageIntakeDeps);
    const attaching = images.attachAddresses('c1', ['ms://abc']);
    const ready = await images.ready('c1', 'What is this?');
    assert.deepEqual(ready?.images, [{ name: 'ms://abc', url: 'ms://abc' }]);
    await attaching;
  });
});

describe('A message that is sent while the user is asked whether images are attached for a route that drops them', () => {
  for (const [answer, names] of [
    [true, ['a.png']],
    [false, []],
  ] as const)
    it(`has the images only if the user agrees: ${answer}`, async () => {
      const composer = { attachments: [] as object[], working: [], rejected: [] };
      const asking = createDeferred<boolean>();
      let isAsked = false;
      const images = createImageIntake({
        composers: { of: () => composer, changed: () => undefined },
        scaler: { examine: async () => ({ ok: true, url: 'data:,', thumbnail: 'data:,' }) },
        askToAttach() {
          if (isAsked) return undefined;
          isAsked = true;
          return asking.promise;
        },
      } as unknown as ImageIntakeDeps);
      const bytes = Buffer.from('a');
      const attaching = images.attachBytes('c1', [{ name: 'a.png', size: 1, bytes, error: undefined }]);
      const ready = images.ready('c1', 'Go on.');
      await new Promise(setImmediate);
      asking.resolve(answer);
      await attaching;
      assert.deepEqual(
        (await ready)?.images.map(({ name }) => name),
        names,
      );
    });
});

describe('A file that is dropped among images and is none', () => {
  it('is refused with a button that attaches it as a file', async () => {
    const composer = {
      ...{ attachments: [], working: [], failed: [] },
      rejected: [] as { offersFile: boolean }[],
    };
    const images = createImageIntake({
      composers: { of: () => composer, changed: () => undefined },
      scaler: { examine: async () => ({ ok: false, refusal: { kind: 'other-type', type: undefined } }) },
      askToAttach: () => undefined,
    } as unknown as ImageIntakeDeps);
    const bytes = Buffer.from('const a = 1;');
    await images.attachBytes('c1', [{ name: 'a.ts', size: bytes.length, bytes, error: undefined }]);
    assert.deepEqual(
      composer.rejected.map(({ offersFile }) => offersFile),
      [true],
    );
  });
});

describe('Images that are added together', () => {
  it('keep their order, whichever is ready first', async () => {
    const composer = { attachments: [] as { name: string }[], working: [], rejected: [] };
    const ready = new Map<string, () => void>();
    const examine = (bytes: Uint8Array) =>
      new Promise((resolve) =>
        ready.set(Buffer.from(bytes).toString(), () =>
          resolve({ ok: true, url: 'data:,', thumbnail: 'data:,', scaling: undefined }),
        ),
      );
    const images = createImageIntake({
      composers: { of: () => composer, changed: () => undefined },
      scaler: { examine },
      askToAttach: () => undefined,
    } as unknown as ImageIntakeDeps);
    const all = ['one', 'two', 'three'];
    const done = images.attachBytes(
      'c1',
      all.map((name) => ({
        name: `${name}.png`,
        size: name.length,
        bytes: Buffer.from(name),
        error: undefined,
      })),
    );
    for (const name of ['three', 'one', 'two']) {
      await new Promise(setImmediate);
      ready.get(name)?.();
    }
    await done;
    assert.deepEqual(
      composer.attachments.map(({ name }) => name),
      ['one.png', 'two.png', 'three.png'],
    );
  });
});
