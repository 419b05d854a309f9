import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { run } from '../../../scripts/lib/project.mjs';

describe('A program that a script runs', () => {
  it('has its output whole, also where a character arrives in two parts', async () => {
    const script = `const bytes = Buffer.from('ä漢');
      const write = (part, then) => process.stdout.write(part, () => setTimeout(then, 50));
      write(bytes.subarray(0, 1), () => write(bytes.subarray(1, 4), () => write(bytes.subarray(4), () => undefined)));`;
    assert.deepEqual(await run(process.execPath, ['-e', script], { quiet: true }), {
      code: 0,
      output: 'ä漢',
    });
  });
});
