/** The names that people, screen readers, and documentation rely on, as they were promised: none is read from the product. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, it } from 'mocha';
import type { NoticeCode } from '../../src/conversation/outcomes/notices.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { toFileProposal } from '../../src/review/proposals/proposal.ts';
import { commands, comments, EventEmitter, languages, Uri, window } from '../support/editorStub.ts';
import { plainControllers } from '../support/plainControllers.ts';
import { restoreAfterEach } from '../support/restoredStubs.ts';
import { withEditorStub } from '../support/withEditorStub.ts';
import {
  answer,
  completeTurn,
  DONE,
  finish,
  reasoning,
  SERVICE_ENDED,
  turnOf,
  usage,
} from './conversation/turns.ts';
import { conversation, exchange } from './history/support.ts';

const host = await withEditorStub(async () => ({
  ...(await import('../../src/editor/chatView/contextKeys.ts')),
  ...(await import('../../src/editor/findings/findingThreads.ts')),
  ...(await import('../../src/editor/problems/turnProblems.ts')),
  ...(await import('../../src/editor/proposals/proposalLenses.ts')),
  ...(await import('../../src/editor/proposals/proposalThreads.ts')),
  ...(await import('../../src/editor/usage/statusBar.ts')),
}));

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const manifest = read('package.json');
const words: Record<string, string> = read('package.nls.json');
const textOf = (text: string) => words[/^%(.*)%$/.exec(text)?.[1] ?? ''] ?? text;
const { contributes } = manifest;

const COMMANDS = {
  newConversation: 'New Conversation',
  focusChat: 'Focus Chat',
  openInEditor: 'Open Chat in Editor',
  stop: 'Stop',
  addRoute: 'Add Route…',
  switchRoute: 'Switch Route…',
  editRoutes: 'Edit Routes',
  setKey: 'Set API Key…',
  clearKey: 'Clear API Key',
  checkConnection: 'Check Connection',
  tryDemo: 'Try the Demo (No Key)',
  ask: 'Ask About Selection…',
  explain: 'Explain',
  refactor: 'Refactor…',
  fix: 'Fix',
  document: 'Document',
  test: 'Write Tests',
  reviewSelection: 'Review Selection',
  reviewFile: 'Review File',
  reviewChanges: 'Review Changes',
  commitMessage: 'Write Commit Message',
  attachFile: 'Add File to Chat',
  attachSelection: 'Add Selection to Chat',
  attachImage: 'Add Image to Chat',
  attachProblems: 'Add Problems to Chat',
  acceptHunk: 'Accept Hunk',
  rejectHunk: 'Reject Hunk',
  acceptAll: 'Accept All Hunks',
  rejectAll: 'Reject All Hunks',
  nextHunk: 'Next Hunk',
  previousHunk: 'Previous Hunk',
  sendReview: 'Send Review',
  openReasoning: 'Open Reasoning',
  copyReasoning: 'Copy Reasoning',
  compareReasoning: 'Compare Reasoning With…',
  searchConversations: 'Search Conversations…',
  renameConversation: 'Rename Conversation…',
  deleteConversation: 'Delete Conversation',
  forkConversation: 'Fork Conversation',
  exportConversation: 'Export Conversation…',
  importConversation: 'Import Conversation…',
  exportAll: 'Export All Conversations…',
  showUsage: 'Show Usage',
  showRequest: 'Show Next Request',
  showLog: 'Show Log',
  copyDiagnostics: 'Copy Diagnostics',
  editHere: 'Edit Here…',
  resolveConflict: 'Resolve with K3',
  explainTerminal: 'Explain Terminal Output',
  reviewBranch: 'Review Branch…',
  reviewCommit: 'Review Commit…',
  revertMessage: 'Revert Accepted Edits…',
  why: 'Why?',
  searchReasoning: 'Search Reasoning…',
  askElsewhere: 'Ask Again With…',
  compareAttempts: 'Compare Attempts',
  probeRoute: 'Probe Route',
  choosePreset: 'Choose Preset…',
};

/** The default of each setting, and values that its schema takes and refuses. */
const SETTINGS: Readonly<Record<string, { default: unknown; takes: unknown[]; refuses: unknown[] }>> = {
  routes: {
    default: {},
    takes: [
      { work: { kind: 'direct', baseUrl: 'https://k3.example' } },
      {
        work: {
          ...{ kind: 'gateway', baseUrl: 'https://k3.example', model: 'k3' },
          network: { proxy: 'http://proxy.example', caFile: '/ca.pem', http2: true },
        },
      },
    ],
    refuses: [
      { work: { kind: 'other', baseUrl: 'https://k3.example' } },
      { work: { kind: 'direct' } },
      { work: { kind: 'direct', baseUrl: 'https://k3.example', key: 'sk' } },
    ],
  },
  route: { default: '', takes: ['work'], refuses: [null] },
  maxCompletionTokens: { default: null, takes: [1, 1_048_576], refuses: [0, 1.5, 1_048_577, '1'] },
  reasoningEffort: { default: null, takes: ['low', 'high', 'max', null], refuses: ['medium', ''] },
  systemPrompt: { default: '', takes: ['Be brief.'], refuses: [null] },
  'reasoning.inChat': {
    default: 'collapsed',
    takes: ['collapsed', 'expanded', 'hidden'],
    refuses: [null, 'shown'],
  },
  prices: {
    default: { input: 3, cachedInput: 0.3, output: 15 },
    takes: [{ input: 0, cachedInput: 0, output: 0 }],
    refuses: [{ input: -1 }, { output: '1' }],
  },
  dailyCap: { default: null, takes: [0, 2.5], refuses: [-1, '5'] },
  timeouts: {
    default: { connecting: 1, firstByte: 15, reasoning: 10, answering: 5 },
    takes: [{ connecting: 0.5, firstByte: 1, reasoning: 1, answering: 1 }],
    refuses: [{ connecting: 0 }, { answering: '1' }],
  },
  promptCacheKey: { default: false, takes: [true], refuses: [null] },
  instructions: { default: 'on', takes: ['off', ['AGENTS.md']], refuses: ['auto'] },
  presets: {
    default: {},
    takes: [{ brief: { prompt: 'Be brief.', tools: ['read'], effort: 'low', maxCompletionTokens: 1 } }],
    refuses: [{ brief: { effort: 'medium' } }, { brief: { maxCompletionTokens: 0 } }],
  },
  prompts: { default: '', takes: ['/prompts'], refuses: [null] },
  notify: { default: 'whenHidden', takes: ['always', 'off'], refuses: ['never'] },
};

/** All of the network, secrets, and cost: a workspace can't change where a request goes. */
const OF_APPLICATION = ['routes', 'route', 'systemPrompt', 'prices', 'dailyCap', 'timeouts', 'prompts'];

describe('The interface in the manifest', () => {
  it('has the commands with their titles, in the category K3', () => {
    const found = new Map<string, { title: string; category: string }>(
      contributes.commands.map((one: { command: string }) => [one.command, one]),
    );
    for (const [id, title] of Object.entries(COMMANDS)) {
      const command = found.get(`k3.${id}`);
      assert.deepEqual([textOf(command?.title ?? ''), command?.category], [title, 'K3'], id);
    }
  });

  it('has the name, and the container with its three views, in their order and of their kinds', () => {
    assert.deepEqual([manifest.name, textOf(manifest.displayName)], ['k3-chat', 'K3 Chat']);
    const [container, ...others] = contributes.viewsContainers.activitybar;
    assert.deepEqual([container.id, textOf(container.title), others.length], ['k3', 'K3', 0]);
    const views: { id: string; name: string; type?: string }[] = contributes.views.k3;
    assert.deepEqual(
      views.map(({ id, name, type = 'tree' }) => [id, textOf(name), type]),
      [
        ['k3.chat', 'Chat', 'webview'],
        ['k3.reasoning', 'Reasoning', 'tree'],
        ['k3.conversations', 'Conversations', 'tree'],
      ],
    );
  });

  const schemas = contributes.configuration.properties;
  for (const [name, { default: value, takes, refuses }] of Object.entries(SETTINGS))
    it(`has the setting ${name} with its default, and what it takes and refuses`, () => {
      const schema = schemas[`k3.${name}`];
      assert.deepEqual(schema.default, value);
      const ajv = new Ajv({ strict: false });
      for (const one of takes) assert.ok(ajv.validate(schema, one), JSON.stringify(one));
      for (const one of refuses) assert.ok(!ajv.validate(schema, one), JSON.stringify(one));
      if (OF_APPLICATION.includes(name)) assert.equal(schema.scope, 'application');
    });

  it('has settings for tools', () => {
    assert.deepEqual(
      Object.keys(schemas).filter((name) => name.startsWith('k3.tools.')),
      ['k3.tools.enabled', 'k3.tools.alwaysAsk'],
    );
  });

  it('has the commands of the repository', () => {
    for (const name of 'start test build check test:unit test:editor test:ui bench faults fuzz pictures emulator package'.split(
      ' ',
    ))
      assert.equal(typeof manifest.scripts[name], 'string', name);
  });
});

const never = new EventEmitter<never>().event;
const collection = {
  forEach: () => undefined,
  set: () => undefined,
  delete: () => undefined,
  dispose: () => undefined,
};

describe('The interface in the editor', () => {
  restoreAfterEach(window, languages, comments, commands, Uri);

  it('has the comment controllers k3.review and k3.proposal', () => {
    const made: string[][] = [];
    const { createCommentController } = comments;
    Object.assign(comments, {
      createCommentController(...named: [string, string]) {
        made.push(named);
        return createCommentController();
      },
    });
    Object.assign(languages, { createDiagnosticCollection: () => collection });
    const controllers = plainControllers;
    host
      .registerFindingThreads({ controllers, findings: { list: () => [], onDidChange: never } } as never)
      .dispose();
    const proposals = { underReview: () => [], ofFile: () => [], onDidChange: never };
    const remarks = { list: () => [], onDidChange: never };
    const moved = { follow: never };
    host.registerProposalThreads({ controllers, proposals, remarks, moved } as never).dispose();
    assert.deepEqual(made, [
      ['k3.review', 'K3 review'],
      ['k3.proposal', 'K3 proposal'],
    ]);
  });

  it('has Accept, Reject, and Comment above each hunk, and once those for all of them', () => {
    const file = toFileProposal({
      ...{ uri: 'file:///a.ts', label: 'a.ts', isNew: false, asked: undefined, unplaced: [] },
      ...{ before: 'one\ntwo\nthree\nfour\nfive\n', after: 'ONE\ntwo\nthree\nfour\nFIVE\n' },
    });
    let provider: { provideCodeLenses(document: object): { command: { title: string } }[] } | undefined;
    Object.assign(window, { onDidChangeVisibleTextEditors: never });
    Object.assign(languages, {
      registerCodeLensProvider(_: string, provided: typeof provider) {
        provider = provided;
        return { dispose: () => undefined };
      },
    });
    const proposal = { id: 'p', files: [file] };
    const proposals = { ofFile: () => [{ proposal, file }], underReview: () => [], onDidChange: never };
    const remarks = { list: () => [], onDidChange: never };
    const registered = host.registerProposalLenses({ proposals, remarks } as never);
    const lines = ['one', 'two', 'three', 'four', 'five', ''];
    const document = {
      uri: Uri.parse('file:///a.ts'),
      lineCount: lines.length,
      getText: () => lines.join('\n'),
      positionAt: (at: number) => ({ line: lines.join('\n').slice(0, at).split('\n').length - 1 }),
    };
    const titles = provider?.provideCodeLenses(document).map(({ command }) => command.title);
    registered.dispose();
    const each = ['Accept', 'Reject', 'Comment'];
    assert.deepEqual(titles, [...each, 'Accept all', 'Reject all', 'Open Diff', ...each]);
  });

  it('has the context key k3.hasProposal while there are hunks to review', () => {
    const set: unknown[] = [];
    Object.assign(commands, { executeCommand: async (...called: unknown[]) => void set.push(called) });
    const changed = new EventEmitter<void>();
    let open: object[] = [];
    const registered = host.registerContextKeys({
      conversations: { isRunning: () => false, current: () => ({ id: 'c1' }), onDidChange: never },
      proposals: { underReview: () => open, onDidChange: changed.event },
      walkthrough: { done: () => undefined },
      log: { warn: assert.fail },
    } as never);
    open = [{}];
    changed.fire();
    open = [];
    changed.fire();
    registered.dispose();
    const ofKey = set.filter((called) => Array.isArray(called) && called[1] === 'k3.hasProposal');
    assert.deepEqual(
      ofKey,
      [false, true, false].map((value) => ['setContext', 'k3.hasProposal', value]),
    );
  });

  it('has the item of the status bar, with a warning color while the last turn has an unread problem', () => {
    const item = {
      name: '',
      command: '',
      text: '',
      backgroundColor: undefined,
      show: () => undefined,
      hide: () => undefined,
      dispose: () => undefined,
    };
    let id: string | undefined;
    Object.assign(window, {
      createStatusBarItem(named: string) {
        id = named;
        return item;
      },
    });
    let isSeen = false;
    const cut = turnOf([answer('Half'), finish('length'), usage(), DONE, SERVICE_ENDED]);
    const asked = conversation('c1', [exchange('e1', 'Why?', [cut])]);
    const show = () =>
      host
        .registerStatusBar({
          conversations: {
            ...{ front: () => asked, copies: () => new Set(), loaded: () => [asked], isSeen: () => isSeen },
            ...{ isRunning: () => false, holder: () => undefined, onDidChange: never },
          },
          routes: { active: () => undefined, named: () => undefined, onDidChange: never },
          structured: { judged: () => undefined, onDidJudge: never },
        } as never)
        .dispose();
    show();
    assert.deepEqual([id, item.name, item.command], ['k3.usage', 'K3 usage', 'k3.showUsage']);
    assert.match(item.text, /^\$\(warning\) 2\.1K tokens · 90% cached · \$0\.0019$/);
    assert.notEqual(item.backgroundColor, undefined);
    isSeen = true;
    show();
    assert.equal(item.backgroundColor, undefined);
  });

  it('has diagnostics of the source K3, on the document of the conversation, with the outcome or check as code', () => {
    const ends: Readonly<Partial<Record<NoticeCode, Turn>>> = {
      truncated: turnOf([answer('Half'), finish('length'), usage(), DONE, SERVICE_ENDED]),
      'spent-on-reasoning': turnOf([reasoning('Hm.'), finish('length'), usage(), DONE, SERVICE_ENDED]),
      'empty-answer': turnOf([finish('stop'), usage(), DONE, SERVICE_ENDED]),
      interrupted: turnOf([answer('Half'), SERVICE_ENDED]),
      'model-substituted': { ...completeTurn(), responseModel: 'cheap-1' },
      'usage-missing': turnOf([answer('So.'), finish('stop'), DONE, SERVICE_ENDED]),
      'effort-ignored': completeTurn('So.', { effort: 'low' }),
      'budget-clamped': completeTurn('So.', { clampedFrom: 2_000_000 }),
    };
    const published = new Map<string, { source: string; code: string; relatedInformation?: object[] }[]>();
    Object.assign(Uri, {
      from: ({ scheme, query }: { scheme: string; query: string }) => new Uri(`${scheme}?${query}`),
    });
    Object.assign(languages, {
      createDiagnosticCollection: () => ({
        ...collection,
        set: (uri: object, all: never) => void published.set(String(uri), all),
      }),
    });
    for (const [code, turn] of Object.entries(ends)) {
      const asked = conversation(code, [exchange('e1', 'Why?', [{ ...turn, id: 't1' }])]);
      host
        .createTurnProblems({
          conversations: {
            ...{ list: () => [], loaded: () => [asked], current: () => asked, front: () => asked },
            ...{ get: () => asked, revision: () => undefined, find: () => undefined },
            ...{ markSeen: () => undefined, onDidChange: never },
          },
          structured: { judged: () => undefined, onDidJudge: never },
          routes: { active: () => undefined, named: () => undefined, onDidChange: never },
          dismissed: { has: () => false },
        } as never)
        .dispose();
      const found = published.get(`k3-conversation?conversation=${code}`);
      assert.deepEqual(
        found?.map(({ source, code: of }) => [source, of]),
        [['K3', code]],
      );
    }
  });
});
