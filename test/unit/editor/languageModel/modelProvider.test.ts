import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Refusal } from '../../../../src/requests/refusal.ts';
import {
  commands,
  EventEmitter,
  LanguageModelChatToolMode,
  lm,
  window,
} from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerModelProvider } = await withEditorStub(
  () => import('../../../../src/editor/languageModel/modelProvider.ts'),
);

interface Provider {
  provideLanguageModelChatInformation(options: object): Promise<readonly object[]>;
  provideLanguageModelChatResponse(...given: unknown[]): Promise<void>;
}

/** Registers the models of K3, and returns what the editor calls. */
function register(deps: Pick<Parameters<typeof registerModelProvider>[0], 'turns' | 'ask'>): Provider {
  let provider: Provider | undefined;
  Object.assign(lm, {
    registerLanguageModelChatProvider(_: string, given: Provider) {
      provider = given;
      return { dispose: () => undefined };
    },
  });
  const onDidChange = new EventEmitter<never>().event as never;
  registerModelProvider({
    routes: { onDidChange },
    keys: { onDidChange },
    probes: { onDidChange, lackOf: () => undefined },
    log: { info: () => undefined } as never,
    ...deps,
  });
  return provider ?? assert.fail('nothing is registered');
}

describe('The models of K3, when the user asks for them and there is none', () => {
  const { executeCommand } = commands;
  const { showWarningMessage } = window;
  afterEach(() => {
    Object.assign(commands, { executeCommand });
    Object.assign(window, { showWarningMessage });
    Object.assign(lm, { registerLanguageModelChatProvider: undefined });
  });

  /** What the user is led to. */
  async function ledTo(refusal: Refusal, silent = false): Promise<readonly string[]> {
    const seen: string[] = [];
    Object.assign(commands, { executeCommand: async (id: string) => void seen.push(id) });
    // The user doesn't close it.
    Object.assign(window, {
      showWarningMessage(text: string) {
        seen.push(text);
        return new Promise(() => undefined);
      },
    });
    const provider = register({
      turns: { access: async () => ({ ok: false, refusal }) },
      ask: () => assert.fail(),
    });
    assert.deepEqual(await provider.provideLanguageModelChatInformation({ silent }), []);
    return seen;
  }

  const problem = { setting: 'k3.dailyCap', problem: 'not-a-number', value: '-1' } as const;

  it('name the setting that is wrong, and ask for no key', async () => {
    assert.deepEqual(await ledTo({ kind: 'setting', problem }), [
      'k3.dailyCap must be a number of 0 or more, not -1.',
    ]);
    assert.deepEqual(await ledTo({ kind: 'setting', problem }, true), []);
  });

  it('ask for the route or the key that is missing', async () => {
    assert.deepEqual(await ledTo({ kind: 'no-route' }), ['k3.addRoute']);
    assert.deepEqual(await ledTo({ kind: 'no-key', route: {} as never, why: 'none' }), ['k3.setKey']);
  });
});

describe('A request of another chat to the model of K3', () => {
  afterEach(() => Object.assign(lm, { registerLanguageModelChatProvider: undefined }));

  it('Q12 says that a tool has to be called, where that is required', async () => {
    const wanted: unknown[] = [];
    const provider = register({
      turns: { access: () => assert.fail() },
      ask: async ({ wantsCall }) => {
        wanted.push(wantsCall);
        return { answer: '', calls: [], usage: undefined };
      },
    });
    for (const toolMode of [undefined, LanguageModelChatToolMode.Auto, LanguageModelChatToolMode.Required])
      await provider.provideLanguageModelChatResponse({}, [], { toolMode }, {}, {});
    assert.deepEqual(wanted, [false, false, true]);
  });
});
