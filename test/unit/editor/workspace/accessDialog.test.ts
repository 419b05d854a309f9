import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { HiddenCharacter } from '../../../../src/text/hiddenCharacters.ts';
import { window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { askAccess } = await withEditorStub(() => import('../../../../src/editor/workspace/accessDialog.ts'));

describe('The access dialog', () => {
  const original = { ...window };
  let detail = '';
  let title = '';
  beforeEach(() => {
    const showWarningMessage = async (message: string, options: { readonly detail: string }) => {
      [title, detail] = [message, options.detail];
    };
    Object.assign(window, { showWarningMessage });
  });
  afterEach(() => void Object.assign(window, original));

  const ask = (path: string, adds: readonly HiddenCharacter[] = []) =>
    askAccess({
      purpose: 'write',
      places: [{ realPath: path, requested: path, reasons: ['outside', 'hidden-characters'] }],
      adds,
      lasts: 'once',
    });

  it('shows a path in full up to 400 characters, and of a longer one the beginning and the end', async () => {
    const path = `/home/${'a'.repeat(380)}/b.txt`;
    await ask(path);
    assert.ok(detail.includes(path));
    await ask(`/home/${'a/'.repeat(2000)}secret.txt`);
    assert.match(detail, /^Resolved path: \/home\/(?:a\/)+a? … (?:a|\/)+secret\.txt$/m);
    assert.ok(detail.length < 1000, `${detail.length} characters`);
    await ask(`/home/${'\u202E'.repeat(200)}.txt`);
    assert.ok(detail.length < 1000 && title.length < 500, `${detail.length} and ${title.length} characters`);
  });

  it('shows what is not seen at the end of a name', async () => {
    await ask('/home/notes\n/a\tb.txt\u00a0');
    assert.match(detail, /^Resolved path: \/home\/notes⟦U\+000A⟧\/a⟦U\+0009⟧b\.txt⟦U\+00A0⟧$/m);
  });

  it('asks about all files, 12 at a time, which are allowed or refused together', async () => {
    const places = Array.from({ length: 30 }, (_, at) => ({
      realPath: `/outside/${at}.txt`,
      requested: `${at}.txt`,
      reasons: ['outside'] as const,
    }));
    const shown: string[] = [];
    const left: (string | undefined)[] = [];
    let last = 'Allow Once';
    Object.assign(window, {
      showWarningMessage: async (_: string, options: { readonly detail: string }) => {
        left.push(/asked about (\d+) more/.exec(options.detail)?.[1]);
        shown.push(...(options.detail.match(/^\d+\.txt → .+$/gm) ?? []));
        return shown.length === places.length ? last : 'Allow Once';
      },
    });
    const askAll = () => askAccess({ purpose: 'read', places, adds: [], lasts: 'once' });
    assert.equal(await askAll(), true);
    assert.deepEqual(
      shown,
      places.map(({ requested, realPath }) => `${requested} → ${realPath}`),
    );
    assert.deepEqual(left, ['18', '6', undefined]);
    [last, shown.length] = ['Refuse', 0];
    assert.equal(await askAll(), false);
  });

  it('names 12 of the hidden characters that a change adds, and how many others there are', async () => {
    const adds = Array.from({ length: 500 }, (_, at) => ({
      kind: 'invisible' as const,
      offset: at,
      length: 2,
      code: `U+${(0xe0100 + at).toString(16).toUpperCase()}`,
    }));
    await ask('/x.txt', adds);
    assert.match(detail, /It adds invisible characters: U\+E0100, .*U\+E010B, … and 488 more$/m);
  });
});
