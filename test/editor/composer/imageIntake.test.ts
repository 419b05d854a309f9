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
    context: [],
    instructions: { items: [], omitted: [] },
    refusal: undefined,
    refused: undefined,
    format: undefined,
    editing: undefined,
    preset: undefined,
    queue: [],
    queuePaused: true,
    sendingQueued: false,
  };
  const composers = {
    of: () => composer,
    changed: () => undefined,
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
    terminals: { read: async () => ({ ok: false, why: '' }) },
    takeBackInstructions: () => undefined,
    lastEditor: { get: () => undefined } as Parameters<typeof createContextAttaching>[0]['lastEditor'],
    log: { warn: () => undefined },
  });
  return { composer, images, attaching };
}

const names = ({ attachments }: Composer) => attachments.map(({ name }) => name);

describe('An image that is referred to, for a route that takes none', () => {
  it('is asked about when it is dropped, and when the message that names it is sent', async () => {
    let answer: boolean | undefined = false;
    let asked = 0;
    const { composer, images } = createComposer(() => {
      asked++;
      return answer === undefined ? undefined : Promise.resolve(answer);
    });
    assert.equal(await images.ready(ID, 'What is in ms://f1?'), undefined);
    assert.equal(composer.refusal, 'Nothing was sent. Your message is kept.');
    await images.attachAddresses(ID, ['ms://f1']);
    assert.deepEqual(composer.attachments, []);
    assert.equal(asked, 2);
    answer = true;
    await images.attachAddresses(ID, ['ms://f1']);
    // What was attached was asked about, and a message without an image isn't.
    assert.equal((await images.ready(ID, 'What is in ms://f1?'))?.images.length, 1);
    assert.equal(asked, 3);
    assert.equal((await images.ready(ID, 'What is in ms://f2?'))?.images.length, 2);
    composer.attachments = [];
    assert.ok(await images.ready(ID, 'What is it?'));
    assert.equal(asked, 4);
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
