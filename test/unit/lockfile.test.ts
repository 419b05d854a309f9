import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
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

  it('calls each package optional that `npm ci` leaves out (each run would install all of them again)', async () => {
    const installed = await locked('node_modules/.package-lock.json');
    const missing = Object.entries(await locked()).flatMap(([path, one]) =>
      path === '' || one.optional || one.devOptional || one.peer || installed[path] ? [] : path,
    );
    assert.deepEqual(missing, []);
  });
});

async function locked(file = 'package-lock.json'): Promise<Readonly<Record<string, Locked>>> {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(text);
  return lock.packages;
}
