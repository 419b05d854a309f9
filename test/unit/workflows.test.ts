import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map((file) => ({
  file,
  text: read(file),
}));
const { scripts } = JSON.parse(read('package.json'));

describe('The workflows', () => {
  it('test on Linux, macOS, and Windows', () => {
    const text = workflows.find(({ file }) => file.endsWith('test.yml'))?.text ?? '';
    for (const system of ['ubuntu-latest', 'macos-latest', 'windows-latest'])
      assert.ok(text.includes(system));
  });

  it('run scripts of package.json', () => {
    for (const { file, text } of workflows) {
      const named = [...text.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name);
      for (const name of named)
        if (name !== 'ci') assert.ok(name in scripts || name === 'npm', `${file}: ${name}`);
    }
  });

  it('use actions of one version, not of a branch', () => {
    const used = workflows.flatMap(({ text }) =>
      [...text.matchAll(/uses: (\S+)/g)].map(([, name = '']) => name),
    );
    assert.ok(used.length > 0);
    for (const name of used) assert.match(name, /^[\w-]+\/[\w-]+@(?:v\d+(?:\.\d+)*|[\da-f]{40})$/);
  });

  it('give each job only the rights that it needs', () => {
    for (const { file, text } of workflows) {
      assert.match(text, /^permissions:(?: \{\}|\n {2}contents: read)$/m, file);
      assert.doesNotMatch(text, /write-all|pull_request_target/, file);
    }
  });

  it('publish the file that was tested and attested', () => {
    const text = workflows.find(({ file }) => file.endsWith('publish.yml'))?.text ?? '';
    const order = ['npm test', 'npm run package', 'attest-build-provenance', 'vsce publish --packagePath'];
    const places = order.map((step) => text.indexOf(step));
    assert.deepEqual(
      places.toSorted((one, other) => one - other),
      places,
    );
    assert.ok(places.every((place) => place >= 0));
  });
});
