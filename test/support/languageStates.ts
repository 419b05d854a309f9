/** The states of the page of the chat, in any language. The data has no Latin letters, so that untranslated texts can be found. */
import { ENGLISH, readTexts, translationOf } from '../../scripts/lib/l10n.mjs';
import type { CardView } from '../../src/panel/cards.ts';
import type { HostMessage } from '../../src/panel/hostMessages.ts';
import { fillPlaceholders } from '../../src/panel/placeholders.ts';
import type { Surroundings } from '../../src/panel/surroundings.ts';
import type { ExchangeView, ToolCallView, TurnView } from '../../src/panel/views.ts';
import { PANEL_WORDS, type PanelWord } from '../../src/panel/words.ts';
import { exchangeView, snapshotOf, surroundingsView, turnView, type Unnumbered } from './views.ts';

/** Translates an English text of the code, and fills in its values. */
export type Translate = (english: string, ...values: readonly (string | number)[]) => string;

/** @param language a language with translation files. Throws if a text is missing in them. */
export function translatorOf(language: string): Translate {
  const code = readTexts(translationOf(ENGLISH.code, language));
  const manifest = readTexts(translationOf(ENGLISH.manifest, language));
  const titles = Object.entries(readTexts(ENGLISH.manifest)).map(([key, text]) => [text, manifest[key]]);
  const all: Readonly<Record<string, string>> = { ...Object.fromEntries(titles), ...code };
  return (english, ...values) => {
    const text = all[english];
    if (text === undefined) throw new Error(`There is no text “${english}” in ${language}.`);
    return fillPlaceholders(text, language, values);
  };
}

type Message = Unnumbered<HostMessage>;

/** The states of the page by their names, each by the messages of the host that lead to it. */
export function languageStates(t: Translate): Readonly<Record<string, readonly Message[]>> {
  const words = Object.fromEntries(PANEL_WORDS.map((word) => [word, t(word)])) as Record<PanelWord, string>;
  const around = (more: Partial<Surroundings> = {}) =>
    surroundingsView({
      route: { name: '路', label: '路', demo: false },
      title: '题',
      effortHint: t('The service accepts effort “{0}” but may ignore it.', 'high'),
      effort: 'high',
      preset: { name: '计划'.repeat(9), detail: '计划' },
      tools: 12,
      meter: {
        value: 0.4,
        max: 1,
        text: t(
          'Next request: about {0} of {1} tokens ({2}), {4} probably cached; input cost about {3}',
          1,
          2,
          3,
          4,
          5,
        ),
      },
      ...more,
    });
  const state = (exchanges: readonly ExchangeView[], more: Partial<Surroundings> = {}, panel = {}) =>
    snapshotOf(exchanges, { words, surroundings: around(more), ...panel });
  const turn = (outcome: TurnView['outcome'], more: Partial<TurnView> = {}) =>
    turnView(outcome, {
      phaseLabel: t('Waiting for the service'),
      accountLine: [
        t('{0, plural, one {# token} other {# tokens}}', 12_345),
        t('{0} cached', '95%'),
        '$0.01',
      ].join(' · '),
      account: [
        { label: t('Time to first reasoning'), value: '21' },
        { label: t('Cached input tokens'), value: t('not reported') },
      ],
      ...more,
    });
  const one = (more: Partial<TurnView> = {}, outcome: TurnView['outcome'] = 'complete') => [
    { ...exchangeView('e1', '问？', '答。', turn(outcome, more)), attempts: 2, versions: 2 },
  ];
  const call = (callState: ToolCallView['state'], more: Partial<ToolCallView> = {}): ToolCallView => ({
    id: callState,
    name: '工具',
    title: t('Read {0}', 1),
    arguments: '{"1": 2}',
    source: t('Built-in ({0})', 9),
    changed: t('The description and the parameters of this tool have changed since you allowed it.'),
    approval: callState === 'waiting' ? 'a' : undefined,
    state: callState,
    stateLabel: t('Waiting for approval'),
    result: callState === 'done' ? Array.from({ length: 20 }, () => '行').join('\n') : undefined,
    images: [],
    startedAt: callState === 'running' ? Date.now() - 5000 : undefined,
    seconds: callState === 'done' ? 1.2 : undefined,
    ...more,
  });
  const card: CardView = {
    tone: 'problem',
    title: t('The API key was not accepted'),
    body: [
      t('Route “{0}” has no API key. Run “K3: Set API Key…” or set the environment variable {1}.', '路', 1),
    ],
    facts: [{ label: t('Reasoning tokens'), value: '1' }],
    actions: [
      { action: 'set-key', label: t('Set API Key…') },
      { action: 'check-connection', label: t('Check Connection') },
      { action: 'retry-larger', label: t('Retry with a larger budget') },
    ],
    serviceWords: '401',
  };
  const context = [
    {
      id: 'k1',
      kind: 'folder' as const,
      name: '夹',
      size: t('{0}, about {1} of at most {2} tokens', '12', '1,200', '50,000'),
      omitted: [t('ignored by Git')],
      omittedCount: 3,
      changed: t('changed; the current text is sent'),
    },
  ];
  const CHECKS = ['Model', 'Finish', 'Content', 'Usage', 'Parameters'].map((name, at) => ({
    name: t(name),
    passed: at < 3,
    detail: t('not reported'),
  }));
  const proposal = (more: Partial<TurnView['proposals'][number]> = {}) => ({
    proposalId: 'p',
    uri: 'u',
    file: '文',
    state: 'open' as const,
    summary: [t('{0} open', 3), t('{0} accepted', 2), t('{0} rejected', 1)].reduce((before, next) =>
      t('{0}, {1}', before, next),
    ),
    open: 3,
    accepted: 2,
    restorable: true,
    revises: true,
    unplaced: [{ why: t('Not placed: these lines are not in the file.'), find: '1', replace: '2' }],
    displaced: [
      {
        proposalId: 'q',
        summary: t(
          '{0, plural, one {It replaced an earlier proposal with # hunk that you had not reviewed.} other {It replaced an earlier proposal with # hunks that you had not reviewed.}}',
          2,
        ),
      },
    ],
    ...more,
  });
  const structured = (outcome: 'fits' | 'differs') => ({
    name: '表',
    state: outcome,
    summary: t('Doesn’t match the schema: {0, plural, one {# error} other {# errors}}', 12),
    errors: outcome === 'fits' ? [] : [{ pointer: '/1', message: t('must be of type {0}', 1) }],
    brokenAt: undefined,
    repairable: true,
  });
  const many = (answer: string, more: Partial<TurnView>) => [
    exchangeView('e1', '问？', answer, turn('complete', more)),
  ];
  return {
    'no route': [state([], { route: undefined, meter: { value: 0, max: 1, text: '' } })],
    'an empty conversation': [state([])],
    'a banner, and messages that are not shown': [
      state(
        one(),
        {
          banners: [
            {
              tone: 'problem',
              text: t(
                'Couldn’t save; retrying. Your latest changes are in memory only until they are saved.',
              ),
              actions: [{ action: 'export', label: t('Export All Conversations…') }],
            },
          ],
        },
        { earlier: 12, later: 3 },
      ),
    ],
    'a request that waits': [
      state(one({ waitUntil: Date.now() + 30_000, phase: 'waiting' }, 'running'), { running: true }),
    ],
    'reasoning that arrives': [
      state(
        one(
          {
            phase: 'reasoning',
            hasReasoning: true,
            reasoningTokens: 1234,
            liveLine: '想',
            startedAt: Date.now() - 60_000,
            lastProgressAt: Date.now() - 50_000,
          },
          'running',
        ),
        { running: true, reasoningInChat: 'collapsed' },
      ),
    ],
    'an answer with its checks': [
      state(
        one({
          hasReasoning: true,
          reasoningTokens: 1234,
          reasoningTokensEstimated: true,
          reasoningSeconds: 75,
          checks: CHECKS,
          parts: 3,
        }),
      ),
    ],
    'an answer whose checks all passed': [
      state(one({ checks: CHECKS.map((check) => ({ ...check, passed: true })) })),
    ],
    'a part of an answer': [state(one({ continued: true }))],
    'code, a table, and a footnote': [
      state(many('```\n1\n```\n\n| 1 | 2 |\n|---|---|\n| 3 | 4 |\n\n- [ ] 一\n\n一[^1]\n\n[^1]: 二\n', {})),
    ],
    'a failure': [state(one({ cards: [card, { ...card, tone: 'note' }] }, 'failed'))],
    'tool calls': [
      state(
        one(
          {
            rounds: [
              {
                answer: '',
                calls: [call('waiting'), call('running'), call('done'), call('refused'), call('failed')],
              },
            ],
            toolCalls: [call('not-run')],
          },
          'running',
        ),
        { running: true },
      ),
    ],
    proposals: [
      state(one({ proposals: [proposal(), proposal({ state: 'decided', uri: 'v', revises: false })] })),
    ],
    'a structured answer': [state(many('{"1": [2, {"3": 4}]}', { structured: structured('fits') }))],
    'a structured answer with errors': [
      state(
        many(`{"1": [${Array.from({ length: 400 }, (_, at) => at)}]}`, { structured: structured('differs') }),
      ),
    ],
    'a full message box': [
      state(one(), {
        answerFormat: t('JSON with a schema'),
        queue: [{ id: 'q', text: '再问？' }],
        queuePaused: true,
        attachments: [
          {
            name: '图',
            url: undefined,
            note: t('about {0, plural, one {# token} other {# tokens}}', 1200),
            detail: t(
              'Scaled from {0} × {1} pixels, {2}, to {3} × {4} pixels, {5}; {6}.',
              1,
              2,
              3,
              4,
              5,
              6,
              7,
            ),
            busy: false,
          },
        ],
        rejectedImages: [
          {
            text: t(
              '{0} is a PDF. The service accepts PNG, JPEG, GIF, and WebP. Attach a screenshot of the page.',
              1,
            ),
            offersFile: true,
          },
        ],
        context,
        refusal: t(
          '{0, plural, one {# tool is selected, but the service accepts at most {1}. Run “K3: Choose Tools…” and clear some.} other {# tools are selected, but the service accepts at most {1}. Run “K3: Choose Tools…” and clear some.}}',
          130,
          128,
        ),
      }),
    ],
    'a running turn with a queue': [
      state(one({}, 'running'), { running: true, queue: [{ id: 'q', text: '再问？' }] }),
    ],
    'an edited question': [state(one(), {}, { editing: { exchangeId: 'e1', text: '问' } })],
    'a search': [state(one()), { type: 'open-find' }],
    'a deleted conversation': [state(one(), { deleted: true })],
    'a question with images and context': [
      state([
        {
          ...exchangeView('e1', '问'.repeat(2000), '答', turn('complete')),
          question: {
            text: '问'.repeat(2000),
            preset: { name: '计划'.repeat(9), detail: '计划' },
            asked: '改',
            typed: undefined,
            images: [{ name: '图', url: undefined, omitted: true }],
            context,
            origin: '文:1-2',
          },
        },
      ]),
    ],
  };
}
