import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isSlowGlob } from '../../../../src/conversation/toolCalls/globs.ts';

describe('A glob pattern of a tool call', () => {
  it('can have alternatives and some wildcards', () => {
    for (const glob of [
      '**/*.ts',
      'src/**/{test,spec}/**/*.{ts,tsx}',
      '{**/*.ts,**/*.js,**/*.json,**/*.md,**/*.css}',
      'src/**/a*/**/*.test.*',
    ])
      assert.equal(isSlowGlob(glob), false, glob);
  });

  it('is refused with so many wildcards that the editor matches it for minutes', () => {
    for (const glob of [
      '**/{*a*a*a*a*b,*}',
      `{${'**/a/'.repeat(6)}b,**/*}`,
      '{*a,x}'.repeat(6),
      '{x,{y,*a*}}'.repeat(3),
      '{*,x}'.repeat(6),
      '*?'.repeat(6),
      '{'.repeat(1e6),
    ])
      assert.equal(isSlowGlob(glob), true, glob.slice(0, 50));
  });
});
