import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { copiedWords, exportedWords, importedWords } = await withEditorStub(
  () => import('../../../../src/editor/wording/countWords.ts'),
);

describe('Messages with a number of conversations', () => {
  it('are in the singular for one', () => {
    assert.equal(exportedWords(1), '1 conversation was exported.');
    assert.equal(importedWords(1), '1 conversation was imported.');
    assert.equal(copiedWords(1, 1), '1 conversation was copied to a new database. 1 part couldn’t be read.');
  });

  it('are in the plural for several, and for none', () => {
    assert.equal(exportedWords(2), '2 conversations were exported.');
    assert.equal(importedWords(2), '2 conversations were imported.');
    assert.equal(
      copiedWords(0, 2),
      '0 conversations were copied to a new database. 2 parts couldn’t be read.',
    );
    assert.equal(copiedWords(3, 0), '3 conversations were copied to a new database.');
  });
});
