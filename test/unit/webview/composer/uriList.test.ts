import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseUriList, uriListIn } from '../../../../src/webview/composer/uriList.ts';

describe('A dropped list of URIs', () => {
  it('is parsed without comments and duplicates', () => {
    assert.deepEqual(parseUriList('# two\r\nfile:///a.ts\r\n\r\nfile:///b\nfile:///a.ts'), [
      'file:///a.ts',
      'file:///b',
    ]);
  });

  it('is that of the editor, if there is one', () => {
    const dataOf = (texts: Readonly<Record<string, string>>) => ({
      getData: (type: string) => texts[type] ?? '',
    });
    const plain = { 'text/uri-list': 'file:///a' };
    assert.equal(uriListIn(dataOf({ ...plain, 'application/vnd.code.uri-list': 'file:///b' })), 'file:///b');
    assert.equal(uriListIn(dataOf(plain)), 'file:///a');
    assert.equal(uriListIn(dataOf({})), undefined);
  });
});
