import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { findGit, type Repository, refreshState } from '../../../src/editor/workspace/git.ts';
import { createRepository, type TestRepository } from '../repositories.ts';

describe('The state of a repository', () => {
  let folder: TestRepository;
  /** The Git extension has more than K3 uses. */
  let repository: Repository & { setConfig(key: string, value: string): Promise<string> };
  before(async () => {
    folder = createRepository('state');
    folder.write('a.js', 'let one = 1;\n');
    folder.commit('Begin');
    await folder.open();
    const found = (await findGit())?.getRepository(folder.uriOf('a.js'));
    assert.ok(found && 'setConfig' in found);
    repository = found as typeof repository;
  });
  after(() => folder.close());

  it('has what is on the disk also when the Git extension begins to read it again meanwhile', async () => {
    for (let time = 0; time < 10; time++) {
      const name = `new${time}.js`;
      // Another reading, of the state before, may end meanwhile.
      const earlier = repository.status();
      await new Promise((resolve) => setTimeout(resolve, 10 * time));
      folder.write(name, 'let two = 2;\n');
      const refreshed = refreshState(repository);
      const interrupting = repository.setConfig('k3.time', String(time));
      await refreshed;
      const { workingTreeChanges, untrackedChanges = [] } = repository.state;
      const names = [...workingTreeChanges, ...untrackedChanges].map(({ uri }) => uri.path.split('/').at(-1));
      await Promise.all([earlier, interrupting]);
      assert.ok(names.includes(name), names.join());
    }
  });
});
