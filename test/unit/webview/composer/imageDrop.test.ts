import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import type { WebviewMessage } from '../../../../src/panel/webviewMessages.ts';
import type { ComposerContext } from '../../../../src/webview/composer/composerContext.ts';
import { imagesIn, onPaste } from '../../../../src/webview/composer/imageDrop.ts';
import {
  attachFiles,
  readImages,
  stopReading,
  whenRead,
} from '../../../../src/webview/composer/imageReads.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

const transfer = (texts: Readonly<Record<string, string>>, files: readonly File[] = []) => ({
  files,
  getData: (type: string) => texts[type] ?? '',
});
const file = (name: string, type = '') => new File(['bytes'], name, { type });

describe('Pasted and dropped images', () => {
  it('are recognized by type or file name', () => {
    for (const image of [file('a', 'image/png'), file('b.jpg'), file('c.svg')])
      assert.deepEqual(imagesIn(transfer({}, [image])).files, [image]);
    assert.deepEqual(imagesIn(transfer({}, [file('d.ts')])).files, []);
  });

  it('come with the files that were dropped with them, so that the host says that these are no images', () => {
    const dropped = [file('a.png', 'image/png'), file('b.ts'), file('c.pdf', 'application/pdf')];
    assert.deepEqual(imagesIn(transfer({}, dropped)).files, dropped);
    // What has an address is added as context.
    const listed = transfer({ 'text/uri-list': 'file:///w/b.ts' }, dropped);
    assert.deepEqual(imagesIn(listed).files, dropped.slice(0, 1));
  });

  it('are taken as bytes if possible, otherwise by address', () => {
    const texts = { 'text/uri-list': 'https://host.example/a.png' };
    assert.deepEqual(imagesIn(transfer(texts, [file('a.png', 'image/png')])).addresses, []);
    assert.deepEqual(imagesIn(transfer(texts)).addresses, ['https://host.example/a.png']);
  });

  it('are taken by address from files dragged out of the Explorer', () => {
    const list = '# from the explorer\r\nfile:///w/a.png\r\nfile:///w/b.ts\r\n';
    assert.deepEqual(imagesIn(transfer({ 'text/uri-list': list })).addresses, ['file:///w/a.png']);
  });

  it('do not include an SVG file of the Explorer, which is added as text', () => {
    const list = 'file:///w/a.svg\r\nfile:///w/b.SVG\r\nfile:///w/c.png\r\nhttps://host.example/d.svg';
    assert.deepEqual(imagesIn(transfer({ 'text/uri-list': list })).addresses, [
      'file:///w/c.png',
      'https://host.example/d.svg',
    ]);
  });

  it('are taken from a web page whatever their address looks like', () => {
    const markup = '<meta charset="utf-8"><img alt="x" src="https://host.example/i?a=1&amp;b=2">';
    assert.deepEqual(imagesIn(transfer({ 'text/html': markup })).addresses, [
      'https://host.example/i?a=1&b=2',
    ]);
  });

  it('do not include text or a link to a page', () => {
    for (const texts of [
      { 'text/html': '<p>Words <img src="https://host.example/i.png"></p>', 'text/plain': 'Words' },
      { 'text/uri-list': 'https://host.example/page' },
      { 'text/plain': 'https://host.example/a.png' },
    ])
      assert.deepEqual(imagesIn(transfer(texts)), { files: [], addresses: [] });
  });

  it('are found beside comments and other tags', () => {
    const image = '<img src="https://host.example/i.png">';
    for (const [markup, expected] of [
      [`<!-- Words > <p> --><A href="x">\n${image}</A>`, 1],
      [`<!-- never closed ${image}`, 0],
      [`<img data-src="https://host.example/j.png">${image}`, 1],
      [`${image} < 3`, 0],
      ['<!--><img src="https://host.example/i.png">-->', 0],
    ] as const)
      assert.equal(imagesIn(transfer({ 'text/html': markup })).addresses.length, expected, markup);
  });

  it('are found in time in proportion to the markup', () => {
    for (const part of ['<', '<!--', '<img ', '<img src="https:', ' src="https:', '<!-- -->', '<p>', ' '])
      assert.ok(
        growthOf(
          (length) => `<img ${part.repeat(length)}`,
          (markup) => imagesIn(transfer({ 'text/html': markup })),
          4000,
        ) < LINEAR,
        part,
      );
  });
});

describe('Reading dropped images', () => {
  it('reports a file that cannot be read, and reads the others', async () => {
    const deleted = {
      name: 'deleted.png',
      size: 5,
      arrayBuffer: () => Promise.reject(new Error('The file could not be found.')),
    };
    assert.deepEqual(await readImages([file('a.png'), deleted]), [
      { name: 'a.png', size: 5, bytes: new TextEncoder().encode('bytes'), error: undefined },
      { name: 'deleted.png', size: 5, bytes: undefined, error: 'The file could not be found.' },
    ]);
  });
});

describe('A pasted image', () => {
  it('is attached with the other copied files, whose names come as text', async () => {
    const posted: WebviewMessage[] = [];
    const clipboardData = {
      files: [file('a.png', 'image/png'), file('b.pdf', 'application/pdf')],
      getData: (type: string) => (type === 'text/plain' ? 'a.png\n/tmp/b.pdf' : ''),
    };
    const event = { clipboardData, preventDefault: () => undefined } as unknown as ClipboardEvent;
    const context: Pick<ComposerContext, 'post' | 'conversationId'> = {
      conversationId: () => 'c1',
      post: (message) => posted.push(message),
    };
    onPaste(event, { ...context, draft: () => '' } as ComposerContext, assert.fail);
    await setImmediate();
    const [message] = posted;
    assert.ok(message?.type === 'attach-images');
    assert.deepEqual(
      message.images.map(({ name }) => name),
      ['a.png', 'b.pdf'],
    );
  });

  it('is attached where it was pasted, when another conversation is shown before it is read', async () => {
    const posted: (readonly [id: string | undefined, type: string])[] = [];
    let shown = 'c1';
    let read: (bytes: ArrayBuffer) => void = () => assert.fail();
    const held = {
      ...{ name: 'a.png', type: 'image/png', size: 5 },
      arrayBuffer: () => new Promise<ArrayBuffer>((resolve) => (read = resolve)),
    };
    const context: Pick<ComposerContext, 'post' | 'conversationId'> = {
      conversationId: () => shown,
      post: (message, id = shown) => posted.push([id, message.type]),
    };
    const clipboardData = { files: [held], getData: () => '' };
    const event = { clipboardData, preventDefault: () => undefined } as unknown as ClipboardEvent;
    onPaste(event, context as ComposerContext, assert.fail);
    shown = 'c2';
    const reading = whenRead('c1')?.then(() => posted.push(['c1', 'send']));
    assert.equal(whenRead('c2'), undefined, 'a message of another conversation doesn’t wait for it');
    read(new ArrayBuffer(5));
    await reading;
    assert.deepEqual(posted, [
      ['c1', 'attach-images'],
      ['c1', 'send'],
    ]);
    assert.equal(whenRead('c1'), undefined);
  });

  it('is not waited for when the user stops that, and is attached if its drive answers later', async () => {
    const posted: WebviewMessage[] = [];
    let read: (bytes: ArrayBuffer) => void = () => assert.fail();
    const held = Object.assign(file('a.png'), {
      arrayBuffer: () => new Promise<ArrayBuffer>((resolve) => (read = resolve)),
    });
    attachFiles([held], (message) => posted.push(message), 'c1');
    const reading = whenRead('c1');
    stopReading('c2');
    assert.notEqual(whenRead('c1'), undefined);
    stopReading('c1');
    assert.deepEqual([await reading, whenRead('c1'), posted], [false, undefined, []]);
    read(new ArrayBuffer(5));
    await setImmediate();
    assert.deepEqual(
      posted.map(({ type }) => type),
      ['attach-images'],
    );
  });

  it('holds up a message that waits for it when it can’t be read', async () => {
    const deleted = Object.assign(file('a.png'), { arrayBuffer: async () => assert.fail('it is gone') });
    for (const [files, isRead] of [
      [[file('b.png'), deleted], false],
      [[file('b.png')], true],
    ] as const) {
      attachFiles(files, () => undefined, 'c1');
      assert.equal(await whenRead('c1'), isRead);
    }
  });
});
