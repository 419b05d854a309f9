/** The states of the page of the chat that users see, each with the messages of the host that lead to it. */
import type { Page } from 'playwright-core';
import type { CardView } from '../../src/panel/cards.ts';
import type { HostMessage } from '../../src/panel/hostMessages.ts';
import type { PanelState } from '../../src/panel/panelState.ts';
import type { Surroundings } from '../../src/panel/surroundings.ts';
import type { ToolCallView, TurnView } from '../../src/panel/views.ts';
import {
  exchangeView,
  STARTERS,
  snapshotOf,
  surroundingsView,
  TURN_MAP,
  turnView,
  type Unnumbered,
} from './views.ts';

export interface PageStateOfTest {
  readonly name: string;
  readonly messages: readonly Unnumbered<HostMessage>[];
  /** Actions of the user after the first messages. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Messages of the host after these actions. */
  readonly later?: readonly Unnumbered<HostMessage>[];
}

const route = { name: 'work', label: 'work', demo: false };
/** Colors of code in several languages. */
const CODE = `\`\`\`ts
// All of them, in cents.
const total: Money = items.reduce((sum, { price }) => sum + price, 0);
class Invoice extends Paper { name = 'x'; valid = true; }
\`\`\`

\`\`\`html
<a href="x">y</a>
\`\`\`

\`\`\`diff
-const a = 1;
+const a = 2;
\`\`\``;
const RICH = `# Summary\n\nThe **total** in \`src/invoice.ts\` is wrong, see [the issue](https://example.com).\n\n- one\n- two\n\n> Quoted.\n\n${CODE}\n\n| Name | Value |\n|---|---|\n| total | 12.50 |\n\nשלום, world.\n`;

/** A finished answer: reasoning, checks, and usage. */
const finished = (outcome: TurnView['outcome'] = 'complete', more: Partial<TurnView> = {}): TurnView =>
  turnView(outcome, {
    hasReasoning: true,
    reasoningTokens: 1234,
    reasoningSeconds: 3.2,
    checks: [
      { name: 'Model', passed: true, detail: 'svc-k3' },
      { name: 'Finish', passed: outcome === 'complete', detail: outcome },
      { name: 'Content', passed: true, detail: 'an answer' },
      { name: 'Usage', passed: true, detail: 'reported' },
    ],
    account: [
      { label: 'Input', value: '1,200 tokens' },
      { label: 'Output', value: '300 tokens' },
      { label: 'Cost', value: '$0.0081' },
    ],
    accountLine: '1,500 tokens · 80% cached · $0.0081',
    ...more,
  });

const card = (tone: CardView['tone'], title: string, more: Partial<CardView> = {}): CardView => ({
  tone,
  title,
  body: ['The service ended the answer before it was complete. What arrived is kept.'],
  facts: [{ label: 'Reasoning', value: '3,000 tokens' }],
  actions: [
    { action: 'continue', label: 'Continue' },
    { action: 'retry-larger', label: 'Retry with larger output budget' },
  ],
  serviceWords: undefined,
  ...more,
});

const call = (state: ToolCallView['state'], more: Partial<ToolCallView> = {}): ToolCallView => ({
  id: `call-${state}`,
  name: 'read_file',
  title: 'Read src/invoice.ts, lines 1–40',
  arguments: '{\n  "path": "src/invoice.ts"\n}',
  source: undefined,
  approval: state === 'waiting' ? 'a1' : undefined,
  state,
  stateLabel: state,
  result: state === 'done' || state === 'failed' ? 'const total = 0;' : undefined,
  images: [],
  startedAt: undefined,
  seconds: state === 'done' ? 0.2 : undefined,
  ...more,
});

/** One exchange with a turn. */
const withTurn = (
  turn: TurnView,
  answer = 'Because it adds up.',
  more: Partial<PanelState> = {},
  turnId = 't1',
) => {
  const exchange = exchangeView('e1', 'Why is the total wrong?', answer, turn);
  const reasoning = turn.hasReasoning ? '**First**\n\nLet me look at the prices.\n\nThey are strings.' : '';
  return snapshotOf([{ ...exchange, turn: { ...turn, id: turnId, reasoning, answer } }], more);
};
const around = (more: Partial<Surroundings>): Partial<PanelState> => ({
  surroundings: surroundingsView({
    route,
    effort: 'high',
    preset: { name: 'Plan', detail: 'Plan it.' },
    tools: 5,
    ...more,
  }),
});
const state = (
  name: string,
  messages: Unnumbered<HostMessage> | readonly Unnumbered<HostMessage>[],
  more: Pick<PageStateOfTest, 'act' | 'later'> = {},
): PageStateOfTest => ({ name, messages: Array.isArray(messages) ? messages : [messages], ...more });

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const running = (phase: TurnView['phase'], more: Partial<TurnView> = {}) =>
  turnView('running', { phase, phaseLabel: phase, startedAt: Date.now() - 5000, ...more });

const EMPTY: readonly PageStateOfTest[] = [
  state('no route', snapshotOf([], { surroundings: surroundingsView({ route: undefined }) })),
  state('empty', snapshotOf([], around({}))),
  state(
    'suggestions',
    snapshotOf(
      [],
      around({
        starters: STARTERS,
      }),
    ),
  ),
];

const RUNNING: readonly PageStateOfTest[] = [
  state('connecting', withTurn(running('connecting'), '', around({ running: true }))),
  state(
    'waiting to try again',
    withTurn(running('waiting', { waitUntil: Date.now() + 9000 }), '', around({ running: true })),
  ),
  state(
    'running, in the reasoning',
    withTurn(
      running('reasoning', {
        hasReasoning: true,
        liveLine: 'Let me look at the prices.',
        reasoningTokens: 120,
        reasoningTokensEstimated: true,
      }),
      '',
      around({ running: true, reasoningInChat: 'collapsed' }),
    ),
  ),
  state(
    'running, in the answer',
    withTurn(running('answering', { hasReasoning: true }), RICH, around({ running: true })),
  ),
];

const OUTCOMES: readonly PageStateOfTest[] = [
  state('complete', withTurn(finished(), RICH, around({})), {
    act: (page) => page.locator('code[data-highlighted]').nth(2).waitFor(),
  }),
  state('usage and checks opened', withTurn(finished(), 'Yes.', around({})), { act: click(/^Details/) }),
  ...(['truncated', 'spent-on-reasoning', 'empty', 'filtered', 'interrupted', 'stalled'] as const).map(
    (outcome) =>
      state(
        `outcome ${outcome}`,
        withTurn(finished(outcome, { cards: [card('problem', outcome)] }), 'Part.', around({})),
      ),
  ),
  state(
    'outcome stopped',
    withTurn(finished('stopped', { cards: [card('note', 'Stopped')] }), 'Part.', around({})),
  ),
  state(
    'outcome failed, with the response of the service',
    withTurn(
      finished('failed', {
        cards: [
          card('problem', 'The key was refused (401)', {
            serviceWords: `{"error": {"message": "${'Incorrect API key provided. '.repeat(20)}"}}`,
          }),
          card('note', 'The model was another one'),
        ],
      }),
      '',
      around({}),
    ),
    { act: click('Service response') },
  ),
];

const rounds = (...calls: readonly ToolCallView[]) => [{ answer: 'Let me look.', calls }];
const PARTS: readonly PageStateOfTest[] = [
  state(
    'tool call that waits',
    withTurn(
      running('answering', {
        rounds: rounds(
          call('waiting', {
            source: 'MCP server files',
            changed: 'The description of this tool has changed since you allowed it.',
          }),
          call('running'),
        ),
      }),
      '',
      around({ running: true }),
    ),
  ),
  state(
    'tool calls that ended',
    withTurn(
      finished('complete', {
        rounds: rounds(call('done'), call('refused'), call('failed'), call('not-run')),
      }),
      'Done.',
      around({}),
    ),
  ),
  ...(['open', 'decided', 'replaced'] as const).map((proposal) =>
    state(
      `proposal ${proposal}`,
      withTurn(
        finished('complete', {
          proposals: [
            {
              proposalId: 'p1',
              uri: 'file:///w/src/invoice.ts',
              file: 'src/invoice.ts',
              state: proposal,
              summary: '3 open, 1 accepted, 0 rejected',
              open: 3,
              accepted: 1,
              restorable: true,
              revises: true,
              unplaced: [
                { why: 'The text was not found.', find: `const old = ${'1 + '.repeat(40)}0;`, replace: 'x' },
              ],
              displaced: [{ proposalId: 'p0', summary: 'It replaced an earlier proposal with 2 hunks.' }],
            },
          ],
        }),
        'A proposal.',
        around({}),
      ),
    ),
  ),
];

const JSON_ANSWER = JSON.stringify(
  { findings: Array.from({ length: 40 }, (_, n) => ({ line: n, severity: 'high', text: 'wrong' })) },
  undefined,
  2,
);
const structured = (
  name: 'fits' | 'differs' | 'not-json',
  errors: readonly { readonly pointer: string; readonly message: string }[] = [],
) =>
  finished('complete', {
    structured: {
      name: 'findings',
      state: name,
      summary: 'Matches the schema findings.',
      errors,
      brokenAt: name === 'not-json' ? 12 : undefined,
      repairable: name !== 'fits',
    },
  });
const ERRORS = Array.from({ length: 12 }, (_, n) => ({ pointer: `/findings/${n}/line`, message: 'is 0' }));
const STRUCTURED: readonly PageStateOfTest[] = [
  // The page keeps the expanded parts of a turn, and still shows the answer as text.
  state('JSON tree', withTurn(structured('fits'), JSON_ANSWER, around({ answerFormat: 'findings' }), 't42')),
  state('JSON tree with errors', withTurn(structured('differs', ERRORS), JSON_ANSWER, around({}), 't43')),
  state('JSON as text', withTurn(structured('fits'), JSON_ANSWER, around({}), 't41'), { act: click('Text') }),
  state('not JSON', withTurn(structured('not-json'), '{"findings": oops', around({}), 't44')),
];

const file = (name: string, more: Partial<Surroundings['context'][number]> = {}) =>
  ({
    id: name,
    kind: 'file',
    name,
    size: 'about 1,200 tokens',
    omitted: [],
    omittedCount: 0,
    changed: undefined,
    ...more,
  }) as const;
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const COMPOSER: readonly PageStateOfTest[] = [
  state(
    'queue that is paused',
    withTurn(
      finished(),
      'Yes.',
      around({
        queuePaused: true,
        queue: [
          { id: 'q1', text: 'And then?' },
          { id: 'q2', text: 'And after?' },
        ],
      }),
    ),
  ),
  state(
    'attachments',
    withTurn(
      finished(),
      'Yes.',
      around({
        attachments: [
          { name: 'shot.png', url: PIXEL, note: '3000 × 2000', detail: '1.2 MB', busy: false },
          { name: 'next.png', url: undefined, note: '', detail: '', busy: true },
        ],
        context: [
          file('src', {
            kind: 'folder',
            omitted: Array.from({ length: 60 }, (_, n) => `src/large${n}.bin`),
            omittedCount: 60,
          }),
          file('src/invoice.ts', { changed: 'Changed since it was added' }),
        ],
        instructions: file('Instructions', {
          kind: 'instructions',
          size: '1 file, about 20 tokens',
          files: [{ path: 'AGENTS.md', note: 'about 20 tokens' }],
        }),
      }),
    ),
    {
      async act(page) {
        await click('60 omitted')(page);
        await click('1 file, about 20 tokens')(page);
      },
    },
  ),
  state(
    'refusals',
    withTurn(
      finished(),
      'Yes.',
      around({
        refusal: 'Route “work” has no API key. Run “K3: Set API Key…”.',
        rejectedImages: [{ text: 'The image is too large.', offersFile: true }],
      }),
    ),
  ),
  state('edit box', [withTurn(finished(), 'Yes.', around({}))], {
    act: async (page) => {
      await page.locator('article.you').first().hover();
      await page.getByRole('button', { name: 'Edit' }).first().click();
      await page.locator('textarea.edit').waitFor();
    },
  }),
  state('mentions, searching', withTurn(finished(), 'Yes.', around({})), {
    act: (page) => page.getByRole('textbox', { name: 'Message' }).pressSequentially('@in'),
  }),
  state('mentions', withTurn(finished(), 'Yes.', around({})), {
    act: (page) => page.getByRole('textbox', { name: 'Message' }).pressSequentially('@'),
    later: [
      {
        type: 'choices',
        query: 1,
        choices: Array.from({ length: 30 }, (_, n) => ({
          label: `invoice${n}.ts`,
          description: 'src',
          icon: 'file',
          reference: { kind: 'file', uri: `file:///w/src/invoice${n}.ts` },
        })),
      },
    ],
  }),
  state(
    'context meter that is high',
    withTurn(finished(), 'Yes.', around({ meter: { value: 90, max: 100, text: 'About 90%, $0.02' } })),
  ),
];

const AROUND: readonly PageStateOfTest[] = [
  state('find bar', [withTurn(finished(), 'Because it adds up.', around({})), { type: 'open-find' }], {
    act: (page) => page.getByRole('textbox', { name: 'Find' }).fill('adds'),
    later: [
      {
        type: 'found',
        words: 'adds',
        places: [{ exchangeId: 'e1', part: 'answer', occurrence: 0 }],
      },
    ],
  }),
  state('steps that mention words', withTurn(finished(), 'The prices are strings.', around({})), {
    act: (page) => page.getByText('The prices are strings.').selectText(),
    later: [{ type: 'why', turnId: 't1', words: 'look at the prices, they are strings' }],
  }),
  state(
    'map of a turn',
    withTurn(
      finished('complete', { rounds: [{ answer: '', calls: [call('done'), call('done')] }] }),
      'Because it adds up.',
      around({}),
    ),
    {
      act: (page) => page.getByRole('button', { name: 'Map' }).click(),
      later: [{ type: 'map', turnId: 't1', map: TURN_MAP }],
    },
  ),
  state('no step that mentions words', [
    withTurn(finished(), 'The prices are strings.', around({})),
    { type: 'why', turnId: 't1', words: 'The currency' },
  ]),
  state(
    'banners',
    withTurn(
      finished(),
      'Yes.',
      around({
        banners: [
          { tone: 'problem', text: 'The disk is full.', actions: [] },
          {
            tone: 'note',
            text: 'The conversation was deleted.',
            actions: [{ action: 'restore', label: 'Restore' }],
          },
        ],
        deleted: true,
      }),
    ),
  ),
  state(
    'attempts, versions, and more before and after',
    snapshotOf(
      [
        {
          ...exchangeView('e1', 'Why?', 'So.', finished()),
          attempt: 1,
          attempts: 3,
          version: 0,
          versions: 2,
        },
        exchangeView('e2', 'A line.\n'.repeat(20), 'Well.', finished()),
      ],
      { ...around({}), earlier: 40, later: 3 },
    ),
  ),
  state(
    'question of a command, with context and images',
    snapshotOf(
      [
        {
          ...exchangeView('e1', 'Refactor this code:\n\nconst a = 1;', 'So.', finished()),
          question: {
            text: 'Refactor this code:\n\nconst a = 1;',
            preset: { name: 'Plan', detail: 'Plan it.' },
            asked: 'Refactor · use const',
            typed: undefined,
            images: [
              { name: 'shot.png', url: PIXEL, omitted: false },
              { name: 'old.png', url: PIXEL, omitted: true },
              { name: 'older.png', url: undefined, omitted: true },
            ],
            context: [file('src/invoice.ts')],
            origin: 'src/invoice.ts:10-20',
          },
        },
      ],
      around({}),
    ),
    { act: click('Details') },
  ),
];

export const CHAT_STATES: readonly PageStateOfTest[] = [
  ...EMPTY,
  ...RUNNING,
  ...OUTCOMES,
  ...PARTS,
  ...STRUCTURED,
  ...COMPOSER,
  ...AROUND,
];
