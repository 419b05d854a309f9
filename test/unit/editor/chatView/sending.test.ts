import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ContextItem } from '../../../../src/conversation/context/context.ts';
import { type Conversation, createConversation } from '../../../../src/conversation/conversation.ts';
import type { Question } from '../../../../src/conversation/question.ts';
import type { QueuedQuestion } from '../../../../src/conversation/queue.ts';
import type { SendingDeps } from '../../../../src/editor/chatView/sending.ts';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import type { Expanded, Prompts } from '../../../../src/editor/composer/prompts.ts';
import { toAttached } from '../../../../src/editor/context/attachments.ts';
import type { AskResult } from '../../../../src/editor/conversations/turnStart.ts';
import type { ContextReference } from '../../../../src/panel/context.ts';
import { refuse } from '../../../../src/requests/refusal.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { commands, window, workspace } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { ROUTE } from '../../service/wire.ts';

const { createSending } = await withEditorStub(() => import('../../../../src/editor/chatView/sending.ts'));
const { createWaitingMessages } = await withEditorStub(
  () => import('../../../../src/editor/chatView/waitingMessages.ts'),
);
const { createImageIntake } = await withEditorStub(
  () => import('../../../../src/editor/composer/imageIntake.ts'),
);

const question = { text: 'One?', images: [], origin: undefined };
const ASKED: Conversation = {
  ...createConversation('c1', 0, 'One?', undefined),
  exchanges: [{ id: 'e1', question, attempts: [], shown: 0 }],
};

const FILE: ContextItem = {
  kind: 'file',
  label: 'a.ts',
  uri: 'file:///a.ts',
  parts: [{ label: 'a.ts', text: 'let a = 1;' }],
};

let composer: Pick<
  Composer,
  | 'draft'
  | 'editing'
  | 'otherEdits'
  | 'sendingEdits'
  | 'edit'
  | 'refusal'
  | 'refused'
  | 'attachments'
  | 'working'
  | 'context'
  | 'failed'
  | 'rejected'
  | 'waiting'
  | 'queue'
  | 'preset'
>;
let ask: () => Promise<AskResult>;
let shown: Conversation | undefined;
let queue: readonly QueuedQuestion[];
let asked: string[];
let last: Question | undefined;
let enqueue: (question: Question) => void;
let expand: Prompts['expand'];
let add: (added: readonly ContextReference[]) => Promise<unknown>;
let collect: () => ReturnType<SendingDeps['attaching']['collect']>;
let problems: readonly string[];
let running: boolean;
let readForEdit: () => ReturnType<SendingDeps['attaching']['read']>;
let sending: ReturnType<typeof createSending>;

function prepare(): void {
  composer = {
    draft: '',
    editing: undefined,
    otherEdits: [],
    sendingEdits: [],
    edit: (_, editing) => Object.assign(composer, { editing }),
    refusal: undefined,
    refused: undefined,
    attachments: [],
    working: [],
    context: [],
    failed: [],
    rejected: [],
    waiting: false,
    preset: undefined,
    get queue() {
      return queue;
    },
  };
  shown = ASKED;
  queue = [];
  asked = [];
  expand = async () => ({ kind: 'plain' });
  add = async () => undefined;
  collect = async () => composer.context.map((from) => ({ from, newest: from.item }));
  problems = [];
  running = false;
  readForEdit = async () => ({ context: [FILE], problems });
  ask = async () => refuse({ kind: 'no-route' });
  const deps = {
    conversations: {
      get: () => shown,
      isRunning: () => running,
      holder: () => undefined,
      queue: () => queue,
      onDidChange: () => ({ dispose: () => undefined }),
      async ask(_: string, question: Question, __: object, left: () => Question | undefined) {
        asked.push(question.text);
        // As when its instructions are read.
        last = left();
        return last === undefined ? refuse({ kind: 'stopped' }) : ask();
      },
      async askQueued(_: string, queued: QueuedQuestion) {
        asked.push(`queued: ${queued.question.text}`);
        queue = [];
        return { ok: true, turnId: 't1' };
      },
      askInstead(_: string, __: string, question: Question) {
        last = question;
        return ask();
      },
    },
    composers: {
      of: () => composer,
      changed: () => undefined,
      enqueue: (_: string, next: Question) => enqueue(next),
      compose(_: string, text: string) {
        composer.draft = [composer.draft, text].filter((one) => one !== '').join('\n');
      },
    },
    images: createImageIntake({
      composers: { of: () => composer as Composer, changed: () => undefined },
      scaler: {} as never,
      reads: {} as never,
      askToAttach: () => undefined,
    }),
    proposals: { ofTurn: () => [] },
    renames: { since: () => ({ withFilesNow: () => new Promise(() => undefined) }) },
    prompts: { expand: (...message: Parameters<Prompts['expand']>) => expand(...message) },
    attaching: {
      add: async (_: string, added: readonly ContextReference[]) => (await add(added)) !== false,
      collect: () => collect(),
      refreshAll: async () => [],
      read: () => readForEdit(),
    },
    waiting: createWaitingMessages({ of: () => composer as Composer, changed: () => undefined }),
    log: { warn: () => undefined },
  };
  const plain = createSending(deps as unknown as SendingDeps);
  sending = {
    ...plain,
    dispose: () => plain.dispose(),
    // As the panel does.
    send(id, composer, text, inputClosed) {
      composer.draft = text;
      return plain.send(id, composer, text, inputClosed);
    },
  };
}

const { executeCommand } = commands;
const restore = () => void Object.assign(commands, { executeCommand });

/** Runs commands, and returns those that were run, with what they got. */
function runs(run: () => Promise<true | string>): readonly unknown[] {
  const ran: unknown[] = [];
  Object.assign(commands, {
    executeCommand(...all: readonly unknown[]) {
      ran.push(all);
      return run();
    },
  });
  return ran;
}

describe('An edited question that names a prompt', () => {
  beforeEach(prepare);
  const edit = (text: string) => sending.edit('c1', 'e1', text);
  const prompt: Expanded = {
    kind: 'prompt',
    asked: { text: 'Find races in a.ts.', asked: '/races', effort: 'low' },
    references: [{ kind: 'file', uri: 'file:///a.ts' }],
  };

  it('is asked as its prompt, with what the prompt is about', async () => {
    ask = async () => ({ ok: true, turnId: 't1' });
    expand = async (text) => (text === '/races' ? prompt : { kind: 'plain' });
    assert.deepEqual(await edit('/races'), {});
    assert.deepEqual(last, {
      text: 'Find races in a.ts.',
      images: [],
      context: [FILE],
      origin: undefined,
      asked: '/races',
      effort: 'low',
    });
    // Of a question that a command made, it is words for that command.
    const ofCommand = { ...question, text: 'Explain.', asked: 'Explain' };
    shown = { ...ASKED, exchanges: [{ id: 'e1', question: ofCommand, attempts: [], shown: 0 }] };
    expand = () => assert.fail('it is not looked up');
    await edit('Explain.');
    assert.equal(last?.text, 'Explain.');
  });

  it('has the images that its text names, also if it names no prompt', async () => {
    ask = async () => ({ ok: true, turnId: 't1' });
    const [old, added] = ['ms://old', 'ms://new'].map((url) => ({ name: url, url }));
    assert.ok(old && added);
    const asked = { ...question, images: [old] };
    shown = { ...ASKED, exchanges: [{ id: 'e1', question: asked, attempts: [], shown: 0 }] };
    await edit('What is in ms://old?\nms://new');
    assert.deepEqual([last?.text, last?.images], ['What is in ms://old?', [old, added]]);
    const named = { text: 'Compare it with ms://new.', asked: '/races' };
    expand = async () => ({ kind: 'prompt', asked: named, references: [] });
    await edit('/races');
    assert.deepEqual([last?.text, last?.images], ['Compare it with ms://new.', [old, added]]);
    // The lines of a command are sent as they are.
    const ofCommand = { ...question, text: 'Explain.\n\nms://new', asked: 'Explain' };
    shown = { ...ASKED, exchanges: [{ id: 'e1', question: ofCommand, attempts: [], shown: 0 }] };
    await edit('Explain.\n\nms://new');
    assert.deepEqual([last?.text, last?.images], ['Explain.\n\nms://new', []]);
  });

  it('keeps other lines of the same file, and nothing of what a command asked for', async () => {
    ask = async () => ({ ok: true, turnId: 't1' });
    expand = async () => prompt;
    const lines = { ...FILE, kind: 'selection' as const, label: 'a.ts:1-5' };
    const ofCommand = { ...question, text: 'Fix it.', purpose: 'proposal' as const, revises: 'p1' };
    const old = { ...ofCommand, context: [FILE, lines] };
    shown = { ...ASKED, exchanges: [{ id: 'e1', question: old, attempts: [], shown: 0 }] };
    await edit('/races');
    assert.deepEqual(last?.context, [lines, FILE]);
    assert.deepEqual([last?.purpose, last?.revises], [undefined, undefined]);
  });

  it('goes back to its place, and it is said why, when that can’t be asked', async () => {
    ask = () => assert.fail('nothing is asked');
    const back = { edit: { exchangeId: 'e1', text: '/races' }, isReturned: true };
    const said: string[] = [];
    const { showWarningMessage } = window;
    Object.assign(window, { showWarningMessage: async (text: string) => void said.push(text) });
    expand = async () => ({ kind: 'missing', why: 'No editor is open.' });
    assert.deepEqual(await edit('/races'), back);
    expand = async () => ({ kind: 'command', command: 'k3.explain', words: '' });
    assert.deepEqual(await edit('/races'), back);
    expand = async () => prompt;
    problems = ['a.ts is gone.'];
    assert.deepEqual(await edit('/races'), back);
    Object.assign(window, { showWarningMessage });
    const command = 'A command can’t take the place of a question. Send “/races” as a new message.';
    assert.deepEqual(said, ['No editor is open.', command, 'a.ts is gone.']);
  });

  it('goes back to its place without a word when the user closes an input of the prompt', async () => {
    ask = () => assert.fail('nothing is asked');
    const { showWarningMessage } = window;
    Object.assign(window, { showWarningMessage: (text: string) => assert.fail(text) });
    expand = async () => ({ kind: 'canceled' });
    assert.deepEqual(await edit('/races'), { edit: { exchangeId: 'e1', text: '/races' }, isReturned: true });
    assert.deepEqual(composer.editing, { exchangeId: 'e1', text: '/races' });
    Object.assign(window, { showWarningMessage });
  });

  it('stays in the message box without a word when the user closes an input of the prompt', async () => {
    ask = () => assert.fail('nothing is asked');
    expand = async () => ({ kind: 'canceled' });
    composer.refusal = 'This file is empty.';
    assert.deepEqual(await sending.send('c1', composer as Composer, '/races'), {});
    assert.deepEqual([composer.draft, composer.refusal], ['/races', undefined]);
  });
});

describe('An edited question that is not sent', () => {
  beforeEach(prepare);

  const TWO = { exchangeId: 'e1', text: 'Two?' };
  const edit = () => sending.edit('c1', 'e1', 'Two?');

  it('goes back to the place where it was edited, not to the message box, so that Enter does not add it', async () => {
    assert.deepEqual(await edit(), { edit: TWO, isReturned: true });
    assert.deepEqual(composer.editing, TWO, 'it is there after a reload');
  });

  it('goes back to its place also while another panel edits another question', async () => {
    composer.edit(undefined, { exchangeId: 'e2', text: 'Other?' });
    assert.deepEqual(await edit(), { edit: TWO, isReturned: true });
    assert.deepEqual(composer.editing, TWO);
  });

  it('is kept at each moment on its way back to its place', async () => {
    const kept: boolean[] = [];
    const edits: Pick<Composer, 'editing' | 'sendingEdits'> = { editing: undefined, sendingEdits: [] };
    const isKept = () => [edits.editing, ...edits.sendingEdits].some((one) => one !== undefined);
    const put = (next: Partial<typeof edits>) => {
      Object.assign(edits, next);
      kept.push(isKept());
    };
    Object.defineProperties(composer, {
      editing: { get: () => edits.editing },
      sendingEdits: { get: () => edits.sendingEdits, set: (sendingEdits) => put({ sendingEdits }) },
      edit: { value: (_: unknown, editing: Composer['editing']) => put({ editing }) },
    });
    await edit();
    assert.deepEqual([edits, new Set(kept)], [{ editing: TWO, sendingEdits: [] }, new Set([true])]);
  });

  it('goes to the message box when its place is gone, or another panel edits the same question', async () => {
    const same = { exchangeId: 'e1', text: 'Three?' };
    composer.edit(undefined, same);
    assert.deepEqual(await edit(), { compose: 'Two?' });
    assert.deepEqual(composer.editing, same);
    composer.edit(undefined, undefined);
    Object.assign(composer, { otherEdits: [same] });
    assert.deepEqual(await edit(), { compose: 'Two?' });
    Object.assign(composer, { otherEdits: [] });
    ask = async () => {
      shown = { ...ASKED, exchanges: [] };
      return refuse({ kind: 'changed' });
    };
    assert.deepEqual(await edit(), { compose: 'Two?' });
    assert.equal(composer.editing, undefined);
  });

  it('is kept for a reload while it is on its way, and so is another one that is being edited then', async () => {
    const kept: (readonly unknown[])[] = [];
    ask = async () => {
      kept.push([composer.sendingEdits, composer.editing]);
      return { ok: true, turnId: 't1' };
    };
    await edit();
    const [sent, other] = [
      { exchangeId: 'e1', text: 'Two?' },
      { exchangeId: 'e2', text: 'Other?' },
    ];
    composer.edit(undefined, other);
    await edit();
    assert.deepEqual(kept, [
      [[sent], undefined],
      [[sent], other],
    ]);
    assert.deepEqual([composer.sendingEdits, composer.editing], [[], other]);
    ask = () => Promise.reject(new Error('the disk is gone'));
    await edit();
    expand = () => Promise.reject(new Error('the file is gone'));
    await edit();
    assert.deepEqual(composer.sendingEdits, []);
  });

  it('has the preset of the attempt that is shown, which may allow fewer tools than the question', async () => {
    const preset = { name: 'Plan', tools: ['read_file'] };
    const turn = completeTurn();
    const attempts = [turn, { ...turn, request: { ...turn.request, preset } }];
    shown = { ...ASKED, exchanges: [{ id: 'e1', question, attempts, shown: 1 }] };
    await edit();
    assert.deepEqual(last?.preset, preset);
    shown = { ...ASKED, exchanges: [{ id: 'e1', question, attempts, shown: 0 }] };
    await edit();
    assert.equal(last?.preset, undefined);
  });

  it('leaves nothing behind when it is sent', async () => {
    ask = async () => ({ ok: true, turnId: 't1' });
    composer.edit(undefined, { exchangeId: 'e1', text: 'Two?' });
    assert.deepEqual(await edit(), {});
    assert.equal(composer.editing, undefined);
  });
});

describe('A message that is sent again after it was refused', () => {
  beforeEach(prepare);

  it('shows the earlier reason no longer while it is on its way, and leaves the box', async () => {
    await sending.send('c1', composer as Composer, 'Why?');
    assert.match(composer.refusal ?? '', /route/);
    const reasons: (string | undefined)[] = [];
    ask = async () => {
      reasons.push(composer.refusal);
      return { ok: true, turnId: 't1' };
    };
    assert.deepEqual(await sending.send('c1', composer as Composer, 'Why?'), { taken: true });
    assert.deepEqual([reasons, composer.draft], [[undefined], '']);
  });
});

describe('A message that waits while another one is sent', () => {
  beforeEach(prepare);

  const send = (text: string) => sending.send('c1', composer as Composer, text);

  it('is in the box again, with the reason, when it can’t be sent: the other one is in its place', async () => {
    ask = async () => ({ ok: true, turnId: 't1' });
    const drive = createDeferred<void>();
    collect = async () => {
      collect = async () => [];
      await drive.promise;
      composer.failed = ['a.bin is not a text file.'];
      return [];
    };
    const both = [send('One?'), send('Two?')];
    drive.resolve();
    assert.deepEqual(await Promise.all(both), [{}, { taken: true }]);
    assert.deepEqual(
      [composer.draft, composer.refusal, asked],
      ['One?', 'a.bin is not a text file.', ['Two?']],
    );
  });

  it('is in the box again, below the other one, when both are stopped, and not when the user has only changed it', async () => {
    collect = () => new Promise(() => undefined);
    let all = [send('One?'), send('Two?')];
    await new Promise(setImmediate);
    sending.stopWaiting('c1');
    assert.deepEqual(await Promise.all(all), [{}, {}]);
    assert.deepEqual([composer.draft, composer.refusal], ['Two?\nOne?', undefined]);
    all = [send('Three?')];
    composer.draft = 'Four?';
    await new Promise(setImmediate);
    sending.stopWaiting('c1');
    await Promise.all(all);
    assert.equal(composer.draft, 'Four?');
  });
});

describe('A message for which the user is asked for a key', () => {
  beforeEach(prepare);
  afterEach(restore);

  it('is sent without what the user removes meanwhile, and with what they add once more', async () => {
    const [one, two] = ['b.ts', 'c.ts'].map((label) =>
      toAttached({ ...FILE, label, uri: `file:///${label}` }),
    );
    assert.ok(one && two);
    composer.attachments = ['a', 'b'].map((name) => ({ name, url: `data:,${name}` }));
    composer.context = [toAttached(FILE), one, two];
    ask = async () => refuse({ kind: 'no-key', why: 'none', route: ROUTE });
    runs(async () => {
      composer.attachments = composer.attachments.slice(1);
      composer.context = [toAttached(FILE), two];
      ask = async () => ({ ok: true, turnId: 't1' });
      return true;
    });
    assert.deepEqual(await sending.send('c1', composer as Composer, 'Why?'), { taken: true });
    assert.deepEqual(
      [last?.images.map(({ name }) => name), last?.context?.map(({ label }) => label)],
      [['b'], ['a.ts', 'c.ts']],
    );
  });

  it('is not sent when the user removes all that it has', async () => {
    composer.attachments = [{ name: 'a', url: 'data:,a' }];
    ask = async () => refuse({ kind: 'no-key', why: 'none', route: ROUTE });
    runs(async () => {
      composer.attachments = [];
      ask = async () => ({ ok: true, turnId: 't1' });
      return true;
    });
    assert.deepEqual(await sending.send('c1', composer as Composer, ''), {});
    assert.deepEqual([last, composer.refused], [undefined, { kind: 'stopped' }]);
  });
});

describe('A message that is sent while something is still being added to it', () => {
  beforeEach(prepare);

  const send = () => sending.send('c1', composer as Composer, 'Why?');

  it('has the image that a file of the list was', async () => {
    ask = async () => ({ ok: true, turnId: 't1' });
    add = async () => {
      composer.attachments = [{ name: 'a.png', url: 'data:image/png;base64,AA==' }];
    };
    assert.deepEqual(await send(), { taken: true });
    assert.deepEqual(
      last?.images.map(({ name }) => name),
      ['a.png'],
    );
    assert.deepEqual(composer.attachments, []);
  });

  it('stays in the box with the reason when that can’t be added', async () => {
    ask = () => assert.fail('nothing is asked');
    add = async () => {
      composer.refusal = 'src/a.bin is not a text file and was not added.';
    };
    assert.deepEqual(await send(), {});
    assert.deepEqual(
      [composer.draft, composer.refusal],
      ['Why?', 'src/a.bin is not a text file and was not added.'],
    );
    const rejected = { text: 'a.png is damaged.', offersFile: false };
    add = async () => {
      composer.rejected = [rejected];
    };
    assert.deepEqual(await send(), {});
    assert.deepEqual(
      [composer.draft, composer.refusal, composer.rejected],
      ['Why?', 'Nothing was sent. Your message is kept.', [rejected]],
    );
    // The user knows of it then.
    ask = async () => ({ ok: true, turnId: 't1' });
    add = async () => undefined;
    assert.deepEqual(await send(), { taken: true });
  });

  it('stays in the box with the reason also when that was chosen in a dialog, and can’t be added', async () => {
    ask = () => assert.fail('nothing is asked');
    collect = async () => {
      composer.refusal = 'src/a.bin is not a text file and was not added.';
      return [];
    };
    assert.deepEqual(await send(), {});
    assert.deepEqual(
      [composer.draft, composer.refusal],
      ['Why?', 'src/a.bin is not a text file and was not added.'],
    );
    ask = async () => ({ ok: true, turnId: 't1' });
    collect = async () => [];
    assert.deepEqual(await send(), { taken: true });
  });

  it('stays in the box also when the user types on while its other files are read', async () => {
    ask = () => assert.fail('nothing is asked');
    const done = new Promise(setImmediate).then(() => {
      composer.working = [];
      composer.refusal = 'src/a.bin is not a text file and was not added.';
    });
    composer.working = [{ name: 'src/a.bin', isContext: true, cancel: () => undefined, done }];
    collect = async () => {
      // As the panel does with each key.
      composer.refusal = undefined;
      return [];
    };
    assert.deepEqual(await send(), {});
    assert.match(composer.refusal ?? '', /not a text file/);
  });

  it('is sent without the image that the user removes while its files are read', async () => {
    composer.attachments = ['a', 'b'].map((name) => ({ name, url: `data:image/png;base64,${name}` }));
    ask = async () => ({ ok: true, turnId: 't1' });
    collect = async () => {
      composer.attachments = composer.attachments.filter(({ name }) => name !== 'a');
      return [];
    };
    assert.deepEqual(await send(), { taken: true });
    assert.deepEqual(
      last?.images.map(({ name }) => name),
      ['b'],
    );
  });

  it('is sent once, also if another panel with the same text sends it meanwhile', async () => {
    const added = createDeferred<undefined>();
    add = () => added.promise;
    const both = [send(), send()];
    added.resolve(undefined);
    assert.deepEqual(await Promise.all(both), [{}, {}]);
    assert.deepEqual([asked, composer.draft], [['Why?'], 'Why?'], 'it was refused');
    ask = async () => ({ ok: true, turnId: 't1' });
    assert.deepEqual(await Promise.all([send(), send()]), [{ taken: true }, {}]);
    assert.deepEqual([asked.length, composer.draft], [2, '']);
    // The user may well ask the same again.
    assert.deepEqual(await send(), { taken: true });
  });
});

describe('A message that another panel sends while one of its conversation is on its way', () => {
  const sent: Question[] = [];
  let first: ReturnType<typeof createDeferred<AskResult>>;
  beforeEach(() => {
    prepare();
    sent.length = 0;
    first = createDeferred();
    composer.attachments = [{ name: 'a.png', url: 'data:image/png;base64,AA==' }];
    composer.context = [toAttached(FILE)];
    ask = async () => {
      sent.push(last ?? assert.fail());
      return sent.length === 1 ? first.promise : { ok: true, turnId: `t${sent.length}` };
    };
  });

  const send = (text: string) => sending.send('c1', composer as Composer, text);
  const withAttached = () =>
    sent.map(({ text, images, context }) => [text, images.length, context?.length ?? 0]);

  it('has nothing of what that one has, which keeps it when it is refused', async () => {
    const one = send('Why?');
    await new Promise(setImmediate);
    assert.deepEqual(await send('And?'), { taken: true });
    first.resolve(refuse({ kind: 'no-route' }));
    assert.deepEqual(await one, {});
    assert.deepEqual(await send('Why?'), { taken: true });
    assert.deepEqual(withAttached(), [
      ['Why?', 1, 1],
      ['And?', 0, 0],
      ['Why?', 1, 1],
    ]);
    assert.deepEqual([composer.attachments, composer.context], [[], []]);
  });

  it('stays in the box with the reason why it was refused, also when that one is sent then', async () => {
    const one = send('Why?');
    await new Promise(setImmediate);
    expand = async () => ({ kind: 'missing', why: 'No editor is open.' });
    assert.deepEqual(await send('/races'), {});
    first.resolve({ ok: true, turnId: 't1' });
    assert.deepEqual(await one, { taken: true });
    assert.deepEqual([composer.draft, composer.refusal], ['/races', 'No editor is open.']);
  });

  it('has nothing of what that one has while its files are being read, either', async () => {
    first.resolve({ ok: true, turnId: 't1' });
    const now = collect;
    const read = createDeferred<undefined>();
    collect = () => read.promise.then(now);
    const both = [send('Why?'), send('And?')];
    await new Promise(setImmediate);
    read.resolve(undefined);
    assert.deepEqual(await Promise.all(both), [{ taken: true }, { taken: true }]);
    assert.deepEqual(withAttached(), [
      ['Why?', 1, 1],
      ['And?', 0, 0],
    ]);
  });
});

describe('A message that waits for a file on a drive that doesn’t answer', () => {
  let now: typeof collect;
  beforeEach(() => {
    prepare();
    ask = async () => ({ ok: true, turnId: 't1' });
    composer.context = [toAttached(FILE)];
    now = collect;
    collect = () => new Promise(() => undefined);
  });

  const send = (text: string) => sending.send('c1', composer as Composer, text);
  const isShown = () => eventually(async () => assert.equal(composer.waiting, true));

  it('is shown to wait, and stays in the box without a word when it is stopped, so that it can be sent again', async () => {
    const both = [send('Why?'), send('And?')];
    await isShown();
    sending.stopWaiting('c1');
    assert.deepEqual(await Promise.all(both), [{}, {}]);
    assert.deepEqual([composer.waiting, composer.refusal, asked], [false, undefined, []]);
    collect = now;
    assert.deepEqual(await send('Why?'), { taken: true });
    assert.equal(last?.context?.length, 1);
  });

  it('is shown to wait for its prompt as well, and stays in its box when that is stopped', async () => {
    expand = async (_, __, about) => {
      await about?.waits?.(() => new Promise(() => undefined));
      return { kind: 'canceled' };
    };
    const both = [send('/races'), sending.edit('c1', 'e1', '/races')];
    await isShown();
    sending.stopWaiting('c1');
    assert.deepEqual(await Promise.all(both), [
      {},
      { edit: { exchangeId: 'e1', text: '/races' }, isReturned: true },
    ]);
    assert.deepEqual([composer.waiting, composer.refusal, asked], [false, undefined, []]);
  });

  it('goes on when an answer is stopped that is still running', async () => {
    running = true;
    const read = createDeferred<undefined>();
    collect = () => read.promise.then(now);
    const one = send('Why?');
    await isShown();
    sending.stopWaiting('c1');
    running = false;
    read.resolve(undefined);
    assert.deepEqual(await one, { taken: true });
    assert.equal(composer.waiting, false);
  });

  it('goes back to its place when it is stopped, if it is an edited question', async () => {
    const prompt: Expanded = {
      kind: 'prompt',
      asked: { text: 'Find races in a.ts.', asked: '/races' },
      references: [{ kind: 'file', uri: 'file:///a.ts' }],
    };
    expand = async () => prompt;
    readForEdit = () => new Promise(() => undefined);
    const edited = sending.edit('c1', 'e1', '/races');
    await isShown();
    sending.stopWaiting('c1');
    assert.deepEqual(await edited, { edit: { exchangeId: 'e1', text: '/races' }, isReturned: true });
    assert.deepEqual([composer.waiting, composer.sendingEdits, asked], [false, [], []]);
  });

  it('goes back to its place also when it waits for the lines that it is about', async () => {
    const origin = { uri: 'file:///a.ts', startLine: 0, endLine: 0, text: 'let a;' };
    const about = { ...question, text: 'Explain.', origin };
    shown = { ...ASKED, exchanges: [{ id: 'e1', question: about, attempts: [completeTurn()], shown: 0 }] };
    const edited = sending.edit('c1', 'e1', 'Explain it.');
    await isShown();
    sending.stopWaiting('c1');
    assert.deepEqual(await edited, { edit: { exchangeId: 'e1', text: 'Explain it.' }, isReturned: true });
    assert.deepEqual([composer.waiting, composer.sendingEdits, asked], [false, [], []]);
  });
});

describe('A message without text, images, and context', () => {
  beforeEach(prepare);

  const send = (text: string) => sending.send('c1', composer as Composer, text);

  it('sends the first message of the queue, and leaves the box, so that Enter can be pressed again', async () => {
    queue = [{ id: 'q1', question }];
    assert.deepEqual(await send(''), { taken: true });
    assert.deepEqual(asked, ['queued: One?']);
  });

  it('leaves the queue as it is when the user has removed all that it had while that was read', async () => {
    queue = [{ id: 'q1', question }];
    composer.context = [toAttached(FILE)];
    collect = async () => {
      composer.context = [];
      return [];
    };
    assert.deepEqual(await send(''), { taken: true });
    assert.deepEqual(asked, []);
    await send('');
    assert.deepEqual(asked, ['queued: One?']);
  });

  it('is not asked when the queue has just been sent by another panel or window', async () => {
    for (const text of ['', ' \n']) {
      assert.deepEqual(await send(text), { taken: true });
      assert.deepEqual([asked, composer.draft], [[], '']);
    }
  });
});

describe('A message that begins with a slash', () => {
  beforeEach(prepare);
  afterEach(restore);

  const send = (text: string) => sending.send('c1', composer as Composer, text);
  const PROMPT: Extract<Expanded, { kind: 'prompt' }> = {
    kind: 'prompt',
    asked: { text: 'Find races in src/a.ts.', asked: '/races', effort: 'low', tools: ['read_file'] },
    references: [{ kind: 'file', uri: 'file:///w/src/a.ts' }],
  };

  it('is sent as its prompt, with what the prompt is about, and shown as it was written', async () => {
    const added: unknown[] = [];
    expand = async () => PROMPT;
    add = async (references) => void added.push(...references);
    ask = async () => ({ ok: true, turnId: 't1' });
    assert.deepEqual(await send('/races'), { taken: true });
    assert.deepEqual(added, PROMPT.references);
    const { text, asked, effort, tools } = last ?? assert.fail();
    assert.deepEqual({ text, asked, effort, tools }, PROMPT.asked);
    assert.equal(composer.draft, '');
  });

  it('stays in the box when an input was canceled, or what it is about can’t be added', async () => {
    expand = async () => ({ kind: 'missing', why: 'No editor is open.' });
    assert.deepEqual(await send('/races'), {});
    assert.deepEqual([composer.draft, composer.refusal, asked], ['/races', 'No editor is open.', []]);
    expand = async () => PROMPT;
    add = async () => {
      composer.refusal = 'src/a.ts is too large to add.';
    };
    assert.deepEqual(await send('/races'), {});
    assert.deepEqual(
      [composer.draft, composer.refusal, asked],
      ['/races', 'src/a.ts is too large to add.', []],
    );
  });

  it('stays in the box when the user doesn’t allow the file that it is about', async () => {
    expand = async () => PROMPT;
    add = async () => false;
    ask = () => assert.fail('nothing is asked');
    assert.deepEqual(await send('/races'), {});
    assert.deepEqual(
      [composer.draft, composer.refusal],
      ['/races', 'Nothing was sent. Your message is kept.'],
    );
  });

  it('is asked about what is selected then, not about what was when it was refused before', async () => {
    composer.context = [toAttached(FILE)];
    const other = toAttached({ ...FILE, uri: 'file:///b.ts', label: 'b.ts' });
    for (const label of ['a.ts:1', 'a.ts:2']) {
      const item = { ...FILE, kind: 'selection' as const, label };
      const selection = {
        kind: 'selection' as const,
        uri: 'file:///a.ts',
        read: { ok: true as const, item },
      };
      const file = { kind: 'file' as const, uri: 'file:///a.ts' };
      expand = async () => ({ ...PROMPT, references: [file, selection] });
      add = async () => {
        // What the user has attached stays, also what is read only now, or again.
        const kept = composer.context.filter(({ item }) => item.kind === 'selection');
        composer.context = [toAttached(FILE), other, ...kept, toAttached(item)];
      };
      assert.deepEqual(await send('/races'), {});
    }
    ask = async () => ({ ok: true, turnId: 't1' });
    assert.deepEqual(await send('/races'), { taken: true });
    assert.deepEqual(
      last?.context?.map(({ label }) => label),
      ['a.ts', 'b.ts', 'a.ts:2'],
    );
  });

  it('is asked with what was typed in its inputs before, until it is sent', async () => {
    const before: (readonly string[])[] = [];
    expand = async (_, __, about) => {
      before.push([...(about?.typed?.values() ?? [])]);
      about?.typed?.set('greet input:name', 'Ada');
      return { kind: 'prompt', asked: { text: 'Greet Ada.', asked: '/greet' }, references: [] };
    };
    const edit = () => sending.edit('c1', 'e1', '/greet');
    for (const way of [() => send('/greet'), edit]) {
      ask = async () => refuse({ kind: 'no-route' });
      await way();
      ask = async () => ({ ok: true, turnId: 't1' });
      await way();
      await way();
      assert.deepEqual(before.splice(0), [[], ['Ada'], []]);
    }
  });

  it('is asked with it also when a message of another conversation was sent meanwhile', async () => {
    let before: readonly string[] = [];
    expand = async (text, _, about) => {
      before = [...(about?.typed?.values() ?? [])];
      if (text === '/greet') about?.typed?.set('greet input:name', 'Ada');
      return { kind: 'prompt', asked: { text: 'Greet Ada.', asked: text }, references: [] };
    };
    ask = async () => refuse({ kind: 'no-route' });
    await send('/greet');
    ask = async () => ({ ok: true, turnId: 't1' });
    await sending.send('c2', { ...composer } as Composer, '/other');
    assert.deepEqual(before, []);
    await send('/greet');
    assert.deepEqual(before, ['Ada']);
  });

  it('is sent when the user confirms its input, which has closed the input of another panel', async () => {
    ask = async () => ({ ok: true, turnId: 't1' });
    const [first, second] = [createDeferred<Expanded>(), createDeferred<Expanded>()];
    expand = (text) => (text === '/races' ? first.promise : second.promise);
    const [one, other] = [send('/races'), send('/leaks')];
    first.resolve({ kind: 'canceled' });
    assert.deepEqual(await one, {});
    second.resolve({ kind: 'prompt', asked: { text: 'Find leaks.', asked: '/leaks' }, references: [] });
    assert.deepEqual(await other, { taken: true });
    assert.deepEqual([asked, composer.refusal], [['Find leaks.'], undefined]);
  });

  it('stays in the box until the setting of its folder is right, which is what refuses it', async () => {
    const problem = { setting: 'k3.prompts', problem: 'relative-path' as const, value: 'prompts' };
    expand = async () => ({ kind: 'missing', why: 'It is relative. Nothing was sent.', problem });
    assert.deepEqual(await send('/races'), {});
    // With it, the reason goes away when the setting is changed.
    assert.deepEqual(composer.refused, { kind: 'setting', problem });
    assert.match(composer.refusal ?? '', /^k3\.prompts: “prompts” is a relative path\./);
  });

  it('runs a command with the words behind its name, which asks by itself', async () => {
    const ran = runs(async () => true);
    expand = async () => ({ kind: 'command', command: 'k3.explain', words: 'Why?' });
    assert.deepEqual(await send('/explain Why?'), { taken: true });
    assert.deepEqual([ran, composer.draft, asked], [[['k3.explain', { words: 'Why?' }]], '', []]);
  });

  it('stays in the box until its command has asked, and when that can’t ask, which is said', async () => {
    expand = async () => ({ kind: 'command', command: 'k3.explain', words: 'Why?' });
    const drafts: string[] = [];
    runs(async () => {
      drafts.push(composer.draft);
      return 'This file is empty.';
    });
    assert.deepEqual(await send('/explain Why?'), {});
    assert.deepEqual(drafts, ['/explain Why?']);
    assert.deepEqual([composer.draft, composer.refusal], ['/explain Why?', 'This file is empty.']);
    // The user has canceled it, and knows why.
    runs(async () => '');
    assert.deepEqual(await send('/explain Why?'), {});
    assert.deepEqual(
      [composer.draft, composer.refusal],
      ['/explain Why?', 'Nothing was sent. Your message is kept.'],
    );
    runs(() => Promise.reject(new Error('the file is gone')));
    assert.deepEqual(await send('/explain Why?'), {});
    assert.equal(composer.draft, '/explain Why?');
    assert.match(composer.refusal ?? '', /the file is gone/);
  });

  it('gives the focus back after the inputs of its prompt or of its command', async () => {
    const closed: unknown[] = [];
    const sendWatched = (text: string) =>
      sending.send('c1', composer as Composer, text, (chosen) => void closed.push(chosen));
    expand = async (_, inputClosed) => {
      inputClosed?.(false);
      return { kind: 'canceled' };
    };
    await sendWatched('/greet');
    assert.deepEqual(closed, [false], 'an input of the prompt');
    expand = async () => ({ kind: 'command', command: 'k3.refactor', words: '' });
    runs(async () => {
      assert.equal(closed.length, 1, 'not before');
      return '';
    });
    await sendWatched('/refactor');
    assert.deepEqual(closed, [false, false], 'an input of the command');
  });

  it('leaves in the box what was written there while its command asked', async () => {
    expand = async () => ({ kind: 'command', command: 'k3.explain', words: '' });
    runs(async () => {
      composer.draft = 'And';
      return true;
    });
    assert.deepEqual(await send('/explain'), { taken: true });
    assert.equal(composer.draft, 'And');
  });
});

describe('A message with a preset', () => {
  const { getConfiguration } = workspace;
  let presets: unknown;
  beforeEach(() => {
    prepare();
    composer.preset = 'Terse';
    presets = { Terse: { prompt: 'Be brief.', tools: [] } };
    Object.assign(workspace, {
      getConfiguration: () => ({ inspect: () => ({ globalValue: presets }), get: () => undefined }),
    });
    ask = async () => ({ ok: true, turnId: 't1' });
  });
  afterEach(() => {
    Object.assign(workspace, { getConfiguration });
    restore();
  });

  const send = (text: string) => sending.send('c1', composer as Composer, text);

  it('is asked with the preset as the settings have it then, and the next one, too', async () => {
    await send('Why?');
    assert.deepEqual(last?.preset, { name: 'Terse', prompt: 'Be brief.', tools: [] });
    presets = { Terse: { prompt: 'Be very brief.' } };
    await send('And?');
    assert.deepEqual([last?.text, last?.preset], ['And?', { name: 'Terse', prompt: 'Be very brief.' }]);
    composer.preset = undefined;
    await send('And now?');
    assert.deepEqual([last?.text, last && 'preset' in last], ['And now?', false]);
  });

  it('is asked with the one that the user has chosen while its files were read', async () => {
    presets = { Terse: { prompt: 'Be brief.' }, Safe: { prompt: 'Look only.', tools: [] } };
    collect = async () => {
      composer.preset = 'Safe';
      return [];
    };
    await send('Why?');
    assert.deepEqual(last?.preset, { name: 'Safe', prompt: 'Look only.', tools: [] });
    collect = async () => {
      composer.preset = undefined;
      return [];
    };
    await send('And?');
    assert.deepEqual([last?.text, last?.preset], ['And?', undefined]);
    collect = async () => {
      composer.preset = 'Gone';
      return [];
    };
    await send('And now?');
    assert.deepEqual([last?.text, composer.draft], ['And?', 'And now?']);
    assert.match(composer.refusal ?? '', /no preset “Gone”/);
  });

  it('keeps the effort and the tools of a prompt file beside it', async () => {
    expand = async () => ({
      kind: 'prompt',
      asked: { text: 'Find races.', asked: '/races', effort: 'low', tools: ['read_file'] },
      references: [],
    });
    await send('/races');
    assert.deepEqual([last?.effort, last?.tools, last?.preset?.name], ['low', ['read_file'], 'Terse']);
  });

  it('stays in the box when the preset is gone or wrong, and says which field to look at', async () => {
    for (const [now, refusal] of [
      [{}, 'k3.presets has no preset “Terse”. Run “K3: Choose Preset…”.'],
      [{ Terse: { tools: 'read_file' } }, 'k3.presets.Terse.tools must be a list of strings.'],
    ] as const) {
      presets = now;
      assert.deepEqual(await send('Why?'), {});
      assert.deepEqual([composer.draft, composer.refusal, asked], ['Why?', refusal, []]);
      // Nothing of a prompt is added either.
      add = () => assert.fail('it would stay attached');
      expand = async () => ({ kind: 'missing', why: refusal });
      assert.deepEqual(await send('/races'), {});
      assert.equal(composer.refusal, refusal);
      expand = async () => ({ kind: 'plain' });
    }
    runs(async () => true);
    expand = async () => ({ kind: 'command', command: 'k3.explain', words: '' });
    assert.deepEqual(await send('/explain'), { taken: true }, 'a command asks without a preset');
  });

  it('has it in the queue as it was then', async () => {
    queue = [{ id: 'q1', question }];
    const added: Question[] = [];
    Object.assign(composer, { queuePaused: true });
    enqueue = (next) => void added.push(next);
    await send('Later?');
    presets = {};
    assert.deepEqual(
      added.map(({ text, preset }) => [text, preset?.name]),
      [['Later?', 'Terse']],
    );
  });
});
