import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toRoutePlace } from '../../../../src/conversation/routePlace.ts';
import type { PresetPickerDeps } from '../../../../src/editor/composer/presetPicker.ts';
import type { Refusal } from '../../../../src/requests/refusal.ts';
import { commands, registered, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf, exchangeOf } from '../../conversation/turns.ts';
import { conversation } from '../../history/support.ts';
import { ROUTE } from '../../service/wire.ts';

const { createAnswerFormats, describeRefusal, registerPresetPicker } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/composer/presetPicker.ts')),
  ...(await import('../../../../src/editor/structured/answerFormats.ts')),
  ...(await import('../../../../src/editor/wording/refusalWords.ts')),
}));

describe('Why a message was not sent, when another preset is chosen', () => {
  const originals = [{ ...commands }, { ...window }] as const;
  let run: (argument: unknown) => Promise<unknown>;
  const composer: { preset?: string; refused?: Refusal; refusal?: string | undefined } = {};

  beforeEach(() => {
    Object.assign(commands, {
      registerCommand(_: string, registered: typeof run) {
        run = registered;
        return { dispose: () => undefined };
      },
    });
    Object.assign(window, { showQuickPick: async ([none]: readonly unknown[]) => none });
    registerPresetPicker({
      conversations: {
        ...{ front: () => conversation('c1', []), get: () => conversation('c1', []) },
        toolboxOf: () => undefined,
      },
      composers: { of: () => composer, changed: () => undefined },
      routes: { active: () => undefined },
    } as unknown as PresetPickerDeps);
  });
  afterEach(() => {
    Object.assign(commands, originals[0]);
    Object.assign(window, originals[1]);
  });

  async function leftOf(refused: Refusal, refusal = describeRefusal(refused)): Promise<string | undefined> {
    Object.assign(composer, { refused, refusal });
    assert.equal(await run('c1'), true);
    return composer.refusal;
  }

  it('goes away if it was the preset, and stays if it is another setting', async () => {
    const unknown = { setting: 'k3.presets', problem: 'unknown-preset', value: 'Gone' } as const;
    const wrong = { ...unknown, setting: 'k3.presets.Bad.tools', problem: 'not-a-list-of-text' } as const;
    const cap = { setting: 'k3.dailyCap', problem: 'not-a-number', value: 'x' } as const;
    assert.equal(await leftOf({ kind: 'setting', problem: unknown }), undefined);
    assert.equal(await leftOf({ kind: 'setting', problem: wrong }), undefined);
    for (const other of [{ kind: 'setting', problem: cap }, { kind: 'no-route' }] as const)
      assert.equal(await leftOf(other), describeRefusal(other));
    const file = 'a.bin is not a text file and was not added.';
    assert.equal(await leftOf({ kind: 'setting', problem: unknown }, file), file, 'it is said since');
  });
});

describe('What the list of presets says about the cache', () => {
  const originals = [{ ...commands }, { ...window }] as const;
  afterEach(() => {
    Object.assign(commands, originals[0]);
    Object.assign(window, originals[1]);
  });

  it('is about the active route: nothing of the conversation is cached on another one', async () => {
    const answered = conversationOf(
      exchangeOf('e1', completeTurn('Because.', { routePlace: toRoutePlace(ROUTE) })),
    );
    let placeHolder = '';
    let run: (argument: unknown) => Promise<unknown> = async () => undefined;
    Object.assign(commands, {
      registerCommand(_: string, registered: typeof run) {
        run = registered;
        return { dispose: () => undefined };
      },
    });
    Object.assign(window, {
      showQuickPick: async (_: unknown, options: { placeHolder: string }) => {
        placeHolder = options.placeHolder;
      },
    });
    const saidOn = async (route: Partial<typeof ROUTE>, names: readonly string[] = []) => {
      registerPresetPicker({
        conversations: { front: () => answered, get: () => answered, toolboxOf: () => undefined },
        composers: { of: () => ({}), changed: () => undefined },
        routes: {
          active: () => ({ route: { ...ROUTE, ...route } }),
          named: (name: string) => (names.includes(name) ? {} : undefined),
        },
      } as unknown as PresetPickerDeps);
      await run('c1');
      return placeHolder;
    };
    assert.match(await saidOn({}), /stay cached/);
    assert.match(await saidOn({ name: 'renamed' }), /stay cached/);
    assert.doesNotMatch(await saidOn({ name: 'second' }, [ROUTE.name]), /cached/);
    assert.doesNotMatch(await saidOn({ root: 'https://other.example/v1' }), /cached/);
    assert.doesNotMatch(await saidOn({ model: 'other' }), /cached/);
  });
});

describe('What the list of presets says about tools', () => {
  restoreAfterEach(window);

  it('is how many of those that are offered the preset has, such as none where no folder is open', async () => {
    let items: readonly { readonly label: string; readonly description?: string }[] = [];
    const showQuickPick = async (shown: typeof items) => {
      items = shown;
    };
    Object.assign(window, { showQuickPick });
    const toolsWith = async (...names: readonly string[]) => {
      registerPresetPicker({
        conversations: {
          ...{ front: () => conversation('c1', []), get: () => undefined },
          toolboxOf: () => ({ definitions: names.map((name) => ({ name })) }),
        },
        composers: { of: () => ({}), changed: () => undefined },
        routes: { active: () => undefined },
      } as unknown as PresetPickerDeps);
      await registered.get('k3.choosePreset')?.();
      return items
        .find(({ label }) => label === 'Plan')
        ?.description?.split(' · ')
        .at(-1);
    };
    assert.equal(await toolsWith(), 'no tools');
    assert.equal(await toolsWith('read_file', 'propose_edit', 'find_files'), '2 tools');
  });
});

describe('A preset and an answer format in a tab whose conversation another window has deleted', () => {
  restoreAfterEach(window, workspace);

  it('are chosen for that one, which can be restored, not for the one in front', async () => {
    Object.assign(workspace, { findFiles: async () => [] });
    const chosen: string[] = [];
    const deps = {
      conversations: {
        ...{ front: () => conversation('front', []), get: () => undefined },
        toolboxOf: () => undefined,
      },
      composers: { of: (id: string) => ({ id }), changed: (id: string) => void chosen.push(id) },
      routes: { active: () => undefined },
      probes: { lackOf: () => undefined },
    } as unknown as PresetPickerDeps & Parameters<typeof createAnswerFormats>[0];
    Object.assign(window, {
      showQuickPick: async (items: PromiseLike<readonly unknown[]>) => (await items)[0],
    });
    registerPresetPicker(deps);
    const choose = registered.get('k3.choosePreset') ?? assert.fail();
    assert.equal(await Reflect.apply(choose, undefined, ['deleted']), true);
    assert.equal(await createAnswerFormats(deps)('deleted'), true);
    assert.deepEqual(chosen, ['deleted', 'deleted']);
  });
});

describe('Why something was not added to a message, when an answer format is chosen', () => {
  restoreAfterEach(window, workspace);

  it('stays, and only why a schema was refused goes away', async () => {
    const file = 'a.bin is not a text file and was not added.';
    const composer: { refusal?: string | undefined } = { refusal: file };
    const choose = createAnswerFormats({
      conversations: { front: () => conversation('c1', []) },
      composers: { of: () => composer, changed: () => undefined },
      probes: { lackOf: () => undefined },
    } as unknown as Parameters<typeof createAnswerFormats>[0]);
    let label = 'JSON';
    Object.assign(workspace, { findFiles: async () => [] });
    Object.assign(window, {
      showQuickPick: async (items: PromiseLike<readonly { label: string }[]>) =>
        (await items).find((one) => one.label === label),
      showInputBox: async () => '[]',
    });
    await choose('c1');
    assert.equal(composer.refusal, file);
    label = 'Paste a Schema…';
    await choose('c1');
    assert.notEqual(composer.refusal, file);
    label = 'Text';
    await choose('c1');
    assert.equal(composer.refusal, undefined);
  });
});
