import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Composer } from '../../../src/editor/composer/composerState.ts';
import { createContextAttaching } from '../../../src/editor/composer/contextAttaching.ts';
import { createImageIntake } from '../../../src/editor/composer/imageIntake.ts';
import { createAllowedReads } from '../../../src/editor/workspace/allowedReads.ts';
import { makePng } from '../../support/pictures.ts';
import { aroundTools, asked, made, outside } from '../tools/toolsWorkspace.ts';

const uriOf = (name: string) => vscode.Uri.file(join(made, name));
const ID = 'conversation';

function createComposer(askToAttach: () => Promise<boolean> | undefined = () => undefined) {
  const composer: Composer = {
    draft: '',
    attachments: [],
    working: [],
    rejected: [],
    failed: [],
    waiting: false,
    context: [],
    reading: new Set(),
    instructions: { items: [], omitted: [] },
    refusal: undefined,
    refused: undefined,
    format: undefined,
    editing: undefined,
    otherEdits: [],
    sendingEdits: [],
    edit: () => undefined,
    openBox: () => false,
    leftTexts: () => [],
    dropLeft: () => undefined,
    boxOf: () => undefined,
    leaveBox: () => undefined,
    restore: () => false,
    preset: undefined,
    queue: [],
    queuePaused: true,
    sendingQueued: false,
  };
  const composers = {
    of: () => composer,
    all: () => [],
    changed: () => undefined,
    onDidOpen: () => ({ dispose: () => undefined }),
    onDidRestoreContext: () => ({ dispose: () => undefined }),
  };
  const reads = createAllowedReads();
  const images = createImageIntake({
    composers,
    reads,
    askToAttach,
    scaler: { examine: async () => ({ ok: true, url: 'data:,', thumbnail: 'data:,', scaling: undefined }) },
  });
  const attaching = createContextAttaching({
    composers,
    images,
    reads,
    terminals: { read: async () => ({ ok: false, why: '' }), describe: () => undefined },
    takeBackInstructions: () => undefined,
    lastEditor: { get: () => undefined } as Parameters<typeof createContextAttaching>[0]['lastEditor'],
    log: { warn: () => undefined },
  });
  return { composer, images, attaching };
}

const names = ({ attachments }: Composer) => attachments.map(({ name }) => name);

describe('A reference to an image, on a route that takes no images', () => {
  for (const [agrees, count] of [
    [false, 0],
    [true, 1],
  ] as const)
    it(`is attached only if the user agrees: ${agrees}`, async () => {
      const { composer, images } = createComposer(async () => agrees);
      await images.attachAddresses(ID, ['ms://file-1']);
      assert.equal(composer.attachments.length, count);
    });

  it('is not sent from the text of a message without the user, and the message is kept', async () => {
    const { composer, images } = createComposer(async () => false);
    assert.equal(await images.ready(ID, 'What is ms://file-1?'), undefined);
    assert.match(composer.refusal ?? '', /^Nothing was sent/);
    const other = createComposer(async () => true);
    assert.equal((await other.images.ready(ID, 'What is ms://file-1?'))?.images.length, 1);
  });

  it('is asked about only if there is one', async () => {
    const { images } = createComposer(() => assert.fail('asked'));
    assert.ok(await images.ready(ID, 'What is it?'));
  });
});

describe('An image of the disk', () => {
  aroundTools();

  before(async () => {
    await writeFile(join(made, 'plain.png'), makePng(3, 3));
    for (const [folder, name] of [
      [outside, 'outside.png'],
      [join(made, 'built'), 'ignored.png'],
      [join(made, '.git'), 'git.png'],
    ] as const) {
      await mkdir(folder, { recursive: true });
      await copyFile(join(made, 'plain.png'), join(folder, name));
    }
    await writeFile(join(made, 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>\n');
  });

  const hidden = () => [
    vscode.Uri.file(join(outside, 'outside.png')),
    uriOf('built/ignored.png'),
    uriOf('.git/git.png'),
  ];

  it('is attached without asking in the workspace', async () => {
    const { composer, images } = createComposer();
    await images.attachFiles(ID, [uriOf('plain.png')]);
    assert.deepEqual(names(composer), ['plain.png']);
    assert.deepEqual(asked.titles, []);
  });

  it('is asked about, once for all, when it is outside, ignored, or in .git', async () => {
    const { composer, images } = createComposer();
    await images.attachFiles(ID, [uriOf('plain.png'), ...hidden()]);
    assert.deepEqual(names(composer), ['plain.png']);
    assert.deepEqual(asked.titles, ['Allow svc-k3 to read these 3 files?']);
    assert.deepEqual(
      composer.rejected.map(({ text }) => text).toSorted(),
      ['git.png', 'ignored.png', 'outside.png'].map(
        (name) => `${name} was not attached because access was not allowed.`,
      ),
    );
  });

  it('is attached when the user allows it, and not asked about again', async () => {
    asked.answer = 'Allow in This Window';
    const { composer, images } = createComposer();
    await images.attachFiles(ID, hidden());
    await images.attachFiles(ID, hidden());
    assert.equal(names(composer).length, 6);
    assert.equal(asked.titles.length, 1);
  });

  it('is asked about once when it is added as a file', async () => {
    asked.answer = 'Allow in This Window';
    const { composer, attaching } = createComposer();
    await attaching.add(ID, [{ kind: 'file', uri: uriOf('built/ignored.png').toString() }]);
    assert.deepEqual(names(composer), ['ignored.png']);
    assert.equal(asked.titles.length, 1);
    attaching.dispose();
  });

  it('is waited for by a message while the user is asked', async () => {
    asked.answer = 'Allow in This Window';
    const { images } = createComposer();
    const attaching = images.attachFiles(ID, hidden().slice(0, 1));
    const ready = await images.ready(ID, 'text');
    assert.deepEqual(
      ready?.images.map(({ name }) => name),
      ['outside.png'],
    );
    await attaching;
  });

  it('is not attached when its link changes to lead to another image', async () => {
    const link = join(made, 'link.png');
    await symlink('built/ignored.png', link);
    asked.answer = 'Allow in This Window';
    asked.meanwhile = async () => {
      await unlink(link);
      await symlink(join(outside, 'outside.png'), link);
    };
    const { composer, images } = createComposer();
    await images.attachFiles(ID, [vscode.Uri.file(link)]);
    await rm(link);
    assert.deepEqual(names(composer), []);
  });

  it('is added as text when it is an SVG', async () => {
    const { composer, attaching } = createComposer();
    await attaching.add(ID, [{ kind: 'file', uri: uriOf('drawing.svg').toString() }]);
    assert.deepEqual(composer.rejected, []);
    assert.equal(composer.context[0]?.item.parts[0]?.text, '<svg xmlns="http://www.w3.org/2000/svg"/>\n');
    assert.deepEqual(names(composer), []);
    attaching.dispose();
  });
});
