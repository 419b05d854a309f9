import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

describe('The lock file', () => {
  it('has the binaries of all platforms, which `npm ci` requires (node scripts/lock.mjs adds them)', async () => {
    const packages = await locked();
    const missing = Object.entries(packages).flatMap(([path, one]) =>
      Object.keys(one.optionalDependencies ?? {}).filter(
        (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
      ),
    );
    assert.deepEqual(missing, []);
  });

  it('names no registry', async () => {
    const resolved = Object.values(await locked()).flatMap((one) => one.resolved ?? []);
    assert.deepEqual(resolved, []);
  });
});

async function locked(): Promise<Readonly<Record<string, Locked>>> {
  const text = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8');
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(text);
  return lock.packages;
}
