import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  isReference,
  publicImageIn,
  referencesIn,
  takeReferenceLines,
} from '../../../src/panel/imageAddress.ts';

describe('A reference to an image', () => {
  it('consists of ms:// and the id of a file', () => {
    assert.ok(isReference('ms://abc') && isReference('ms://file-1_2.x'));
    for (const other of ['ms://', 'ms://a b', ' ms://abc', 'https://abc', 'ms://abc/../x', 'xms://abc'])
      assert.equal(isReference(other), false, other);
  });

  it('is removed from the text when it is alone on its line', () => {
    assert.deepEqual(takeReferenceLines('What is this?\n ms://abc \nAnd this: ms://def?'), {
      text: 'What is this?\nAnd this: ms://def?',
      references: ['ms://abc'],
    });
    assert.deepEqual(takeReferenceLines('ms://abc'), { text: '', references: ['ms://abc'] });
    assert.deepEqual(takeReferenceLines('as it\n\nwas \n'), { text: 'as it\n\nwas \n', references: [] });
  });

  it('is found as a word of a sentence, once, but not within other words', () => {
    assert.deepEqual(referencesIn('Compare ms://a with (ms://b-2), and ms://a.'), ['ms://a', 'ms://b-2']);
    assert.deepEqual(referencesIn('forms://a ms://a/b ms://'), []);
  });
});

describe('The public URL of an image', () => {
  it('is found when the complete text is one', () => {
    const address = 'https://host.example/a/b.PNG?size=1';
    assert.equal(publicImageIn(` ${address}\n`), address);
    assert.equal(publicImageIn('![A cat](https://host.example/cat)'), 'https://host.example/cat');
    assert.equal(publicImageIn('http://host.example/x.svg'), 'http://host.example/x.svg');
  });

  it('is normal text within a sentence or when it leads to a page', () => {
    for (const text of ['See https://h.example/a.png', 'https://h.example/', 'https://h.example/a.ts', ''])
      assert.equal(publicImageIn(text), undefined, text);
  });
});
