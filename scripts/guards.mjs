/**
 * Shows that each guard in test/support/hostile/guards.json is needed: in a copy of the checkout, a switch is put into the
 * line of the guard. The tests of the hostile workspaces run with one guard off at a time, and the rows of the guard have to
 * fail with the message in the list. If another guard protects as well, the rows have to pass with one guard off, and to fail
 * with both off. Arguments: --grep and the name of a guard.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, main, root, run } from './lib/project.mjs';

const list = join(root, 'test/support/hostile/guards.json');

await main(import.meta.url, async () => {
  const copy = await mkdtemp(join(tmpdir(), 'k3-guards-'));
  try {
    const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
    for (const name of String(stdout).split('\0').filter(Boolean))
      await cp(join(root, name), join(copy, name), { verbatimSymlinks: true });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
    for (const { name, file, line, without } of JSON.parse(await readFile(list, 'utf8'))) {
      const path = join(copy, file);
      const text = await readFile(path, 'utf8');
      if (text.split(line).length !== 2) throw new Failure(`${name}: ${file} doesn't have the line once.`);
      const isOff = `(Reflect.get(globalThis, 'k3Without') ?? []).includes(${JSON.stringify(name)})`;
      await writeFile(
        path,
        text.replace(line, () => without.replace('REMOVED', isOff)),
      );
    }
    const { code } = await run(
      process.execPath,
      ['scripts/testEditor.mjs', '--hostile', ...process.argv.slice(2)],
      {
        cwd: copy,
        env: { ...process.env, K3_TEST_GUARDS: list },
      },
    );
    process.exitCode = code;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});
