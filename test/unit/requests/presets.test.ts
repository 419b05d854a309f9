import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createConversation } from '../../../src/conversation/conversation.ts';
import type { Question } from '../../../src/conversation/question.ts';
import type { Toolbox } from '../../../src/conversation/toolCalls/tools.ts';
import { toConversationContent } from '../../../src/requests/conversationRequest.ts';
import { chosenPreset, OWN_PRESETS, parsePresets } from '../../../src/requests/presets.ts';
import { completeTurn } from '../conversation/turns.ts';
import { conversation, exchange } from '../history/support.ts';
import { SETTINGS } from './support.ts';

const names = (value: unknown) => parsePresets(value).map(({ name }) => name);

describe('The presets of the settings', () => {
  it('are ours and those of the user, who replaces ours by their name and removes them with null', () => {
    assert.deepEqual(names({}), ['Ask', 'Plan', 'Review']);
    assert.deepEqual(names({ Terse: { prompt: 'Be brief.' }, Review: null }), ['Ask', 'Plan', 'Terse']);
    const own = parsePresets({ Plan: { effort: 'low' } }).find(({ name }) => name === 'Plan');
    assert.deepEqual(own, { name: 'Plan', preset: { name: 'Plan', effort: 'low' }, problems: [] });
  });

  it('can leave everything out, and have tools, none of them, and a budget', () => {
    const written = { A: {}, B: { tools: [], maxCompletionTokens: 9, prompt: ' ', effort: null } };
    const [a, b] = parsePresets({ Ask: null, Plan: null, Review: null, ...written });
    assert.deepEqual(a?.preset, { name: 'A' });
    assert.deepEqual(b?.preset, { name: 'B', tools: [], maxCompletionTokens: 9 });
  });

  it('name the field that is wrong', () => {
    const problemsOf = (fields: unknown) =>
      parsePresets({ X: fields })
        .find(({ name }) => name === 'X')
        ?.problems.map(({ setting, problem }) => `${setting} ${problem}`);
    assert.deepEqual(problemsOf({ effort: 'huge' }), ['k3.presets.X.effort none-of-the-choices']);
    assert.deepEqual(problemsOf({ tools: 'read_file' }), ['k3.presets.X.tools not-a-list-of-text']);
    assert.deepEqual(problemsOf({ tools: [1] }), ['k3.presets.X.tools not-a-list-of-text']);
    assert.deepEqual(problemsOf({ maxCompletionTokens: 0.5, prompt: 3 }), [
      'k3.presets.X.prompt not-text',
      'k3.presets.X.maxCompletionTokens not-a-positive-integer',
    ]);
    assert.deepEqual(problemsOf('high'), ['k3.presets.X not-an-object']);
    assert.deepEqual(problemsOf({ promt: 'Typo' }), ['k3.presets.X.promt unknown-field']);
    // What is no object at all takes nothing away from ours.
    for (const wrong of [undefined, null, 'Ask', ['Ask']])
      assert.equal(names(wrong).length, 3, String(wrong));
    assert.deepEqual(names(JSON.parse('{"__proto__": {"effort": "low"}}')).at(-1), '__proto__');
  });

  it('are looked up when a question is asked, and one that is gone or wrong is not left out in silence', () => {
    assert.deepEqual(chosenPreset(undefined, {}), { ok: true, preset: undefined });
    assert.deepEqual(chosenPreset('Terse', { Terse: { prompt: 'Be brief.' } }), {
      ok: true,
      preset: { name: 'Terse', prompt: 'Be brief.' },
    });
    for (const presets of [{}, { Terse: null }, { Brief: { prompt: 'Be brief.' } }])
      assert.deepEqual(chosenPreset('Terse', presets), {
        ok: false,
        refusal: {
          kind: 'setting',
          problem: { setting: 'k3.presets', problem: 'unknown-preset', value: 'Terse' },
        },
      });
    const wrong = chosenPreset('Terse', { Terse: { effort: 'huge' } });
    assert.equal(wrong.ok ? '' : wrong.refusal.kind, 'setting');
  });
});

/** A toolbox that says which of its tools ran. */
function toolsWith(ran: string[]): Toolbox {
  const definitions = ['mcp_a', 'mcp_b', 'propose_edit', 'read_file'].map((name) => ({
    name,
    description: name,
    parameters: { type: 'object' },
    source: 'K3',
  }));
  return {
    definitions,
    async run({ name }) {
      ran.push(name);
      return { text: 'done' };
    },
  };
}

const PLAN = OWN_PRESETS.Plan;

describe('A question with a preset', () => {
  const ask = (question: Partial<Question>, options = {}, ran: string[] = []) =>
    toConversationContent(
      { ...SETTINGS, effort: 'high', maxCompletionTokens: 100 },
      {
        conversation: createConversation('c', 0, 'C', undefined),
        exchange: undefined,
        question: { text: 'Why?', images: [], origin: undefined, ...question },
      },
      options,
      () => toolsWith(ran),
    );

  async function running(question: Partial<Question>): Promise<readonly string[]> {
    const ran: string[] = [];
    const { toolbox } = ask(question, {}, ran);
    const { signal } = new AbortController();
    for (const { name } of toolbox?.definitions ?? []) {
      const call = { id: name, name, arguments: {} };
      await toolbox?.run(call, signal, () => undefined);
    }
    return ran;
  }

  it('has its instruction between the context and the text, its effort, and its budget', () => {
    const preset = { name: 'X', prompt: 'Be brief.', effort: 'low', maxCompletionTokens: 7 } as const;
    const context = [{ kind: 'file', label: 'a.ts', parts: [{ label: 'a.ts', text: 'let a;' }] }] as const;
    const { request } = ask({ preset, context });
    assert.deepEqual(request.messages.at(-1), {
      role: 'user',
      content: 'File a.ts:\n```\nlet a;\n```\n\nBe brief.\n\nWhy?',
    });
    assert.deepEqual([request.effort, request.maxCompletionTokens], ['low', 7]);
    // A prompt file, which may be one of the workspace, can ask for less and not for more.
    assert.equal(ask({ preset, effort: 'max' }).request.effort, 'low');
    assert.equal(ask({ preset: { name: 'Y', effort: 'max' }, effort: 'high' }).request.effort, 'high');
    assert.equal(ask({ preset: { name: 'Z' }, effort: 'max' }).request.effort, 'max');
    // What was chosen for one attempt comes first.
    assert.equal(ask({ preset }, { effort: 'max' }).request.effort, 'max');
    assert.equal(ask({ preset }, { effort: 'max', budget: 8 }).request.maxCompletionTokens, 8);
    assert.deepEqual(
      [ask({ preset }), ask({ preset }, { budget: 8 }), ask({ preset }, { preset: 'none' }), ask({})].map(
        ({ budgetPreset }) => budgetPreset,
      ),
      ['X', 'X', undefined, undefined],
      'whose budget the next attempts have',
    );
    assert.equal(ask({ preset }, { effort: 'default' }).request.effort, undefined);
  });

  it('changes nothing before its own message, so that the rest stays cached', () => {
    const plain = ask({}).request;
    const planned = ask({ preset: PLAN }).request;
    assert.deepEqual(planned.tools, plain.tools);
    assert.deepEqual(planned.messages.slice(0, -1), plain.messages.slice(0, -1));
  });

  it('runs the tools that it names, also by the beginning of their names, and no others', async () => {
    const of = (...tools: string[]) => running({ preset: { name: 'X', tools } });
    assert.deepEqual(await of('read_file'), ['read_file']);
    assert.deepEqual(await of('mcp_*', 'unknown'), ['mcp_a', 'mcp_b']);
    assert.deepEqual(await of('*'), ['mcp_a', 'mcp_b', 'propose_edit', 'read_file']);
    assert.deepEqual(await of(), []);
    assert.equal((await running({ preset: { name: 'X' } })).length, 4);
    for (const preset of Object.values(OWN_PRESETS))
      assert.deepEqual(await running({ preset }), ['read_file'], preset.name);
  });

  it('runs no tool that it leaves out because a prompt file names it', async () => {
    assert.deepEqual(await running({ preset: PLAN, tools: ['propose_edit', 'read_file'] }), ['read_file']);
    assert.deepEqual(await running({ preset: { name: 'X' }, tools: ['mcp_b'] }), ['mcp_b']);
    assert.deepEqual(await running({ preset: PLAN, tools: [] }), []);
  });

  it('can be asked again with another preset or none, and is sent later as it was asked', () => {
    const asked = { text: 'Why?', images: [], origin: undefined, preset: { name: 'X', prompt: 'Be brief.' } };
    const content = (options = {}) => {
      const { request, preset } = ask(asked, options);
      return [request.messages.at(-1)?.content, request.effort, preset] as const;
    };
    assert.deepEqual(content(), ['Be brief.\n\nWhy?', 'high', undefined]);
    assert.deepEqual(content({ preset: 'none' }), ['Why?', 'high', 'none']);
    const other = { name: 'Y', prompt: 'Go deep.', effort: 'max' } as const;
    assert.deepEqual(content({ preset: other }), ['Go deep.\n\nWhy?', 'max', other]);
    const turn = completeTurn('Because.');
    const later = (preset: typeof other | 'none') => {
      const again = { ...turn, request: { ...turn.request, preset } };
      const one = { ...exchange('e', 'Why?', [again]), question: asked };
      return toConversationContent(
        SETTINGS,
        {
          conversation: conversation('c', [one]),
          exchange: undefined,
          question: { text: 'And?', images: [], origin: undefined },
        },
        {},
        () => undefined,
      ).request.messages[1]?.content;
    };
    assert.deepEqual([later(other), later('none')], ['Go deep.\n\nWhy?', 'Why?']);
  });
});
