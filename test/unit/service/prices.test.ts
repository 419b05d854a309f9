import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';

describe('Default prices', () => {
  it('R10 are the documented ones', () => {
    assert.deepEqual(DEFAULT_PRICES, { input: 3, cachedInput: 0.3, output: 15 });
  });

  it('R10 are also the default of the setting k3.prices', async () => {
    const manifest = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
    assert.deepEqual(manifest.contributes.configuration.properties['k3.prices'].default, DEFAULT_PRICES);
  });
});
