import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { toLinkedExchanges } from '../../../src/history/branches.ts';
import { parseExport, toExport } from '../../../src/history/exportedJson.ts';
import type { History } from '../../../src/history/history.ts';
import { MAX_LEVELS } from '../../../src/service/json.ts';
import { completeTurn, failedBy, reasoning, turnOf } from '../conversation/turns.ts';
import { conversation, exchange, makeFolder, open } from './support.ts';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const whole = (): Conversation =>
  conversation(
    'c1',
    [
      {
        id: 'e1',
        question: {
          text: 'What is on it? \u0000 ☃ 😀',
          images: [{ name: 'pixel.png', url: PIXEL }],
          context: [
            {
              kind: 'selection',
              label: 'src/a.ts:2-3',
              uri: 'file:///src/a.ts',
              parts: [
                {
                  label: 'src/a.ts',
                  range: { startLine: 1, endLine: 2 },
                  language: 'typescript',
                  text: '\u0000 \ud800 ```\r\n😀',
                },
              ],
              older: true,
            },
            {
              kind: 'folder',
              label: 'src/',
              uri: 'file:///src',
              parts: [{ label: 'src/b.ts', text: '', linesInAll: 9 }],
              omitted: [{ label: 'src/dist/', why: 'ignored' }],
              omittedMore: 3,
            },
            {
              kind: 'instructions',
              label: 'AGENTS.md',
              uri: 'file:///AGENTS.md',
              parts: [{ label: 'AGENTS.md', text: 'Be brief.', appliesTo: '**/*.ts' }],
              replaces: true,
            },
          ],
          origin: { uri: 'file:///a.ts', startLine: 0, endLine: 3, text: 'lines' },
          purpose: 'findings',
          asked: 'Review File',
          effort: 'low',
          tools: ['read_file'],
          preset: { name: 'Plan', prompt: 'Plan it.', tools: [], effort: 'max', maxCompletionTokens: 9 },
        },
        attempts: [
          { ...completeTurn(), id: 't1', silences: [{ from: 5, to: 9 }] },
          { ...turnOf([reasoning('Hm'), failedBy('silent')]), id: 't2' },
        ],
        shown: 1,
      },
      {
        id: 'e2',
        question: {
          text: 'And?',
          images: [],
          origin: undefined,
          format: { kind: 'schema', name: 'boat', schema: { type: 'object', required: ['b', 'a'] } },
          continues: 't2',
        },
        attempts: [{ ...completeTurn('Bare \r\n lines'), id: 't3' }],
        shown: 0,
      },
    ],
    {
      named: true,
      workspace: 'project',
      branches: [{ after: 'e1', exchanges: [exchange('e3', 'Or?', [{ ...completeTurn(), id: 't4' }])] }],
    },
  );

function put(history: History, one: Conversation): void {
  history.putHeader(one);
  for (const linked of toLinkedExchanges(one.exchanges, one.branches))
    history.putExchange(one.id, linked, undefined);
  history.putHead(one.id, one.exchanges.at(-1)?.id);
}

function imported(text: string): readonly Conversation[] {
  const result = parseExport(text);
  assert.ok(result.ok, JSON.stringify(result));
  return result.conversations;
}

describe('An exported conversation', () => {
  it('is exported as the same bytes after it was imported into another database', async () => {
    const first = open(await makeFolder());
    put(first, whole());
    const exported = toExport(first.load('c1') ?? whole(), 2);
    const second = open(await makeFolder());
    for (const one of imported(exported)) put(second, one);
    assert.equal(toExport(second.load('c1') ?? whole(), 2), exported);
    assert.deepEqual(second.load('c1'), whole());
  });

  it('does not count its cost again', async () => {
    const history = open(await makeFolder());
    put(history, imported(toExport(whole(), 0))[0] ?? whole());
    assert.equal(history.costSince(0), 0);
  });

  it('keeps the mark of the demo', () => {
    const one = conversation('c1', [exchange('e1', 'q', [completeTurn('Demo.', { demo: true })])]);
    const [again] = imported(toExport(one, 0));
    assert.equal(again?.exchanges[0]?.attempts[0]?.request.demo, true);
    const wrong = parseExport(toExport(one, 0).replace('"demo":true', '"demo":"yes"'));
    assert.ok(!wrong.ok && /request\.demo/.test(wrong.problem.detail));
  });

  it('keeps the silences of a turn', () => {
    const [again] = imported(toExport(whole(), 0));
    assert.deepEqual(again?.exchanges[0]?.attempts[0]?.silences, [{ from: 5, to: 9 }]);
    const wrong = parseExport(toExport(whole(), 0).replace('{"from":5,', '{"from":"5",'));
    assert.ok(!wrong.ok && /silences\[0\]\.from/.test(wrong.problem.detail));
  });

  it('shows the last attempt if the file says one that it does not have', () => {
    const [first] = whole().exchanges;
    const exchanges = [{ ...(first ?? assert.fail()), shown: 7 }, exchange('e9', 'Without an answer', [], 2)];
    const [again] = imported(toExport({ ...whole(), exchanges }, 0));
    assert.deepEqual(
      again?.exchanges.map(({ shown }) => shown),
      [1, 0],
    );
  });

  it('can be one of many in a file of JSON lines', () => {
    const text = [whole(), { ...whole(), id: 'c2' }].map((one) => toExport(one, 0)).join('');
    assert.deepEqual(
      imported(text).map(({ id }) => id),
      ['c1', 'c2'],
    );
  });

  it('can begin with a byte order mark, as some editors save it', () => {
    const one = toExport(whole(), 0);
    assert.equal(imported(`\uFEFF${toExport(whole(), 2)}`).length, 1);
    assert.equal(imported(`\uFEFF${one}\uFEFF${one}`).length, 2);
  });

  it('is refused if it is nested too deeply to be stored', () => {
    const withLevels = (levels: number) =>
      parseExport(
        toExport(whole(), 0).replace(
          '"reasoningDetails":[]',
          `"reasoningDetails":[${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}]`,
        ),
      );
    // As deep as a response may have it, in which it isn't the outermost value.
    for (const levels of [100, MAX_LEVELS - 1]) assert.equal(withLevels(levels).ok, true);
    for (const levels of [1000, 20_000])
      assert.deepEqual(withLevels(levels), {
        ok: false,
        problem: { kind: 'invalid', line: undefined, detail: 'it should be nested at most 600 levels deep' },
      });
  });

  it('names the line of a file of JSON lines that is wrong', () => {
    const line = toExport(whole(), 0);
    for (const [wrong, kind] of [
      ['{"format', 'not-json'],
      ['{}', 'not-ours'],
    ])
      assert.deepEqual(parseExport(`${line}\n${wrong}\n${line}`), {
        ok: false,
        problem: { kind, line: 3, detail: '' },
      });
  });

  it('names no line of a damaged file that has one conversation over several lines', () => {
    const text = toExport(whole(), 2);
    for (const damaged of [text.slice(0, -9), text.replace('"title"', 'title'), `\r\n${text.slice(0, 500)}`])
      assert.deepEqual(parseExport(damaged), {
        ok: false,
        problem: { kind: 'not-json', line: undefined, detail: '' },
      });
  });

  const refused: readonly (readonly [string, string, string, RegExp])[] = [
    ['no JSON', 'hello', 'not-json', /^$/],
    [
      'a format without its schema',
      toExport(whole(), 0).replace(/,"schema":\{[^}]*\}/, ''),
      'invalid',
      /^conversation\.exchanges\[1\]\.question\.format\.schema should be there$/,
    ],
    [
      'context without its text',
      toExport(whole(), 0).replace('"text":"","linesInAll":9', '"linesInAll":9'),
      'invalid',
      /^conversation\.exchanges\[0\]\.question\.context\[1\]\.parts\[0\]\.text should be text$/,
    ],
    ['another kind of JSON', '{"messages":[]}', 'not-ours', /^$/],
    [
      'one of a later version',
      JSON.stringify({ format: 'k3-chat-conversation', version: 7, conversation: {} }),
      'too-new',
      /7/,
    ],
    [
      'one without a title',
      JSON.stringify({
        format: 'k3-chat-conversation',
        version: 1,
        conversation: { ...whole(), title: undefined },
      }),
      'invalid',
      /^conversation\.title should be text$/,
    ],
    [
      'one with an image that would be fetched',
      JSON.stringify({
        format: 'k3-chat-conversation',
        version: 1,
        conversation: {
          ...whole(),
          exchanges: [
            {
              ...exchange('e1', 'q', []),
              question: { text: 'q', images: [{ name: 'x', url: 'https://evil.example/x.png' }] },
            },
          ],
        },
      }),
      'invalid',
      /^conversation\.exchanges\[0\]\.question\.images\[0\]\.url should be /,
    ],
  ];
  for (const [what, text, kind, detail] of refused) {
    it(`rejects ${what}, and reports what is wrong`, () => {
      const result = parseExport(text);
      assert.ok(!result.ok);
      assert.equal(result.problem.kind, kind);
      assert.match(result.problem.detail, detail);
    });
  }
});
