import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { imagesIn, readImages } from '../../../src/webview/imageDrop.ts';

const transfer = (texts: Readonly<Record<string, string>>, files: readonly File[] = []) => ({
  files,
  getData: (type: string) => texts[type] ?? '',
});
const file = (name: string, type = '') => new File(['bytes'], name, { type });

describe('what is pasted or dropped', () => {
  it('is an image by its type or by its name', () => {
    const dropped = [file('a', 'image/png'), file('b.jpg'), file('c.svg'), file('d.ts')];
    assert.deepEqual(
      imagesIn(transfer({}, dropped)).files.map(({ name }) => name),
      ['a', 'b.jpg', 'c.svg'],
    );
  });

  it('gives bytes where there are any, and addresses only where not', () => {
    const texts = { 'text/uri-list': 'https://host.example/a.png' };
    assert.deepEqual(imagesIn(transfer(texts, [file('a.png', 'image/png')])).addresses, []);
    assert.deepEqual(imagesIn(transfer(texts)).addresses, ['https://host.example/a.png']);
  });

  it('is the images among the files of an explorer, by their addresses', () => {
    const list = '# from the explorer\r\nfile:///w/a.png\r\nfile:///w/b.ts\r\n';
    assert.deepEqual(imagesIn(transfer({ 'text/uri-list': list })).addresses, ['file:///w/a.png']);
  });

  it('is an image of a page, whatever its address looks like', () => {
    const markup = '<meta charset="utf-8"><img alt="x" src="https://host.example/i?a=1&amp;b=2">';
    assert.deepEqual(imagesIn(transfer({ 'text/html': markup })).addresses, [
      'https://host.example/i?a=1&b=2',
    ]);
  });

  it('is no image when words or a link to a page are', () => {
    for (const texts of [
      { 'text/html': '<p>Words <img src="https://host.example/i.png"></p>', 'text/plain': 'Words' },
      { 'text/uri-list': 'https://host.example/page' },
      { 'text/plain': 'https://host.example/a.png' },
    ])
      assert.deepEqual(imagesIn(transfer(texts)), { files: [], addresses: [] });
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
