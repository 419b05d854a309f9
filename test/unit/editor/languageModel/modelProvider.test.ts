import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Refusal } from '../../../../src/requests/refusal.ts';
import {
  commands,
  EventEmitter,
  LanguageModelChatToolMode,
  lm,
  window,
  workspace,
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

describe('The limits of the model of K3', () => {
  const { getConfiguration } = workspace;
  afterEach(() => {
    Object.assign(workspace, { getConfiguration });
    Object.assign(lm, { registerLanguageModelChatProvider: undefined });
  });

  it('Q7 Q8 are those of requests with k3.maxCompletionTokens', async () => {
    const limits = async (budget: number | undefined) => {
      Object.assign(workspace, {
        getConfiguration: () => ({
          get: (_: string, otherwise?: unknown) => otherwise,
          inspect: (name: string) => (name === 'maxCompletionTokens' ? { globalValue: budget } : undefined),
        }),
      });
      const access = async () => ({ ok: true, active: { route: { name: 'direct', model: 'svc-k3' } } });
      const provider = register({ turns: { access } as never, ask: () => assert.fail() });
      const [model] = await provider.provideLanguageModelChatInformation({ silent: true });
      const { maxInputTokens, maxOutputTokens } = model as Record<string, unknown>;
      return [maxInputTokens, maxOutputTokens];
    };
    assert.deepEqual(await limits(undefined), [1_048_576 - 131_072, 131_072]);
    assert.deepEqual(await limits(4096), [1_048_576 - 4096, 4096]);
    // More is sent as the ceiling, and messages still have their place.
    assert.deepEqual(await limits(2_000_000), [1_048_576 - 131_072, 1_048_576]);
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
