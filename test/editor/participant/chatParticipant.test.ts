import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { ContextItem } from '../../../src/conversation/context/context.ts';
import { MAX_ROUNDS } from '../../../src/conversation/toolCalls/planCalls.ts';
import { readInstructions } from '../../../src/editor/composer/instructionFiles.ts';
import type { Expanded } from '../../../src/editor/composer/prompts.ts';
import {
  type ChatParticipantDeps,
  createRequestHandler,
} from '../../../src/editor/participant/chatParticipant.ts';
import { PARTICIPANT } from '../../../src/editor/participant/participantId.ts';
import { readReferences } from '../../../src/editor/participant/references.ts';
import { createAllowedReads } from '../../../src/editor/workspace/allowedReads.ts';
import { dueInstructions, filesOf, sentInstructions } from '../../../src/instructions/dueInstructions.ts';
import { QUIET } from '../chatView/window.ts';
import { watchModals } from '../modals.ts';
import { type Scripted, startScripted, startStream, streamOf, until, writeDelta } from '../scripted.ts';

/** The instructions of the workspace for a question, as the message box reads them. */
const dueNow: ChatParticipantDeps['instructions']['due'] = async (_, earlier, question) => {
  const { items, ended } = await readInstructions(
    filesOf(question),
    createAllowedReads(),
    sentInstructions(earlier),
  );
  return dueInstructions(earlier, items, ended);
};

describe('@k3 in the chat of the editor', () => {
  let scripted: Scripted;
  let shown: string;
  let steps: string[];
  let buttons: vscode.Command[];
  beforeEach(async () => {
    scripted = await startScripted();
    shown = '';
    steps = [];
    buttons = [];
  });
  afterEach(() => scripted.close());

  const stream = {
    markdown: (text: string | vscode.MarkdownString) => {
      assert.equal(typeof text, 'string', 'text of a model is never trusted Markdown');
      shown += String(text);
    },
    progress: (step: string) => void steps.push(step),
    button: (button: vscode.Command) => void buttons.push(button),
  };
  const NEVER = new vscode.CancellationTokenSource().token;
  const ask = (prompt: string, token = new vscode.CancellationTokenSource().token) =>
    createRequestHandler({ ...QUIET, conversations: scripted.conversations })(
      { prompt, references: [] },
      { history: [] },
      stream,
      token,
    );

  it('streams the answer, and offers to open the conversation in K3', async () => {
    scripted.will(streamOf([{ reasoning: 'Hm.' }, { answer: 'Fo' }, { answer: 'ur.' }, { finish: 'stop' }]));
    const result = await ask('Two and two?');
    assert.equal(shown, 'Four.');
    assert.equal(result.errorDetails, undefined);
    const id = result.metadata?.['conversationId'];
    const [exchange] = scripted.conversations.get(id)?.exchanges ?? [];
    assert.equal(exchange?.question.text, 'Two and two?');
    // So the Chat view doesn't count it as an answer that nobody has seen.
    assert.ok(scripted.conversations.isSeen(exchange.attempts[0]?.id ?? ''));
    const [button] = buttons;
    assert.ok(button);
    await vscode.commands.executeCommand(button.command, ...(button.arguments ?? []));
    assert.equal(scripted.conversations.current().id, id);
  });

  it('sends a prompt file by its name, with its tools, and nothing when its input is canceled', async () => {
    const asked = { text: 'Name the races.', asked: '/races · now', tools: ['read_file'] };
    const handle = (expanded: Expanded) =>
      createRequestHandler({
        ...QUIET,
        conversations: scripted.conversations,
        prompts: { expand: async () => expanded },
      })({ prompt: '/races now', references: [] }, { history: [] }, stream, NEVER);
    scripted.will(streamOf([{ answer: 'None.' }, { finish: 'stop' }]));
    const { metadata } = await handle({ kind: 'prompt', asked, references: [] });
    assert.equal(JSON.parse(scripted.requests[0]?.body ?? '').messages.at(-1).content, 'Name the races.');
    const question = scripted.conversations.get(metadata?.['conversationId'])?.exchanges[0]?.question;
    // As it was written, so that the chat finds it again.
    assert.deepEqual([question?.asked, question?.tools], ['/races now', ['read_file']]);
    const before = scripted.conversations.list().length;
    const missing = await handle({ kind: 'missing', why: 'No editor is open.' });
    assert.equal(missing.errorDetails?.message, 'No editor is open.');
    const canceled = await handle({ kind: 'canceled' });
    assert.equal(canceled.errorDetails?.message, 'Nothing was sent.');
    assert.deepEqual([scripted.requests.length, scripted.conversations.list().length], [1, before]);
  });

  it('sends what the variables of a prompt file mean, and says what could not be read', async () => {
    const item: ContextItem = {
      kind: 'file',
      label: 'notes.txt',
      parts: [{ label: 'notes.txt', text: 'A note.' }],
    };
    const reference = { kind: 'file' as const, uri: 'file:///notes.txt' };
    scripted.will(streamOf([{ answer: 'None.' }, { finish: 'stop' }]));
    await createRequestHandler({
      ...QUIET,
      conversations: scripted.conversations,
      prompts: {
        expand: async () => ({
          kind: 'prompt',
          asked: { text: 'Read it.', asked: '/read' },
          references: [reference],
        }),
      },
      attaching: {
        async read(_, references) {
          assert.deepEqual(references, [reference]);
          return { context: [item], problems: ['b.txt is gone.'] };
        },
      },
    })({ prompt: '/read', references: [] }, { history: [] }, stream, NEVER);
    assert.match(
      JSON.parse(scripted.requests[0]?.body ?? '').messages.at(-1).content,
      /A note\.[\s\S]*Read it\.$/,
    );
    assert.ok(steps.includes('b.txt is gone.'));
  });

  it('sends a file once that is attached and that a prompt file is about, and says once what is not sent', async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const [file, gone] = ['twice.txt', 'gone.txt'].map((name) => vscode.Uri.joinPath(root.uri, name));
    assert.ok(file && gone);
    await vscode.workspace.fs.writeFile(file, Buffer.from('only once\n'));
    scripted.will(streamOf([{ answer: 'None.' }, { finish: 'stop' }]));
    const read = await readReferences([{ value: file }, { value: gone }], createAllowedReads());
    const meant = read.context[0] ?? assert.fail();
    const other = { ...meant, uri: `${file}.other`, label: 'other.txt' };
    await createRequestHandler({
      ...QUIET,
      conversations: scripted.conversations,
      prompts: {
        expand: async () => ({
          kind: 'prompt',
          asked: { text: 'Read it.', asked: '/read' },
          references: [{ kind: 'file', uri: file.toString() }],
        }),
      },
      attaching: { read: async () => ({ context: [meant, other], problems: read.problems }) },
    })(
      { prompt: '/read', references: [file, gone].map((value) => ({ id: 'x', value })) },
      { history: [] },
      stream,
      NEVER,
    );
    await vscode.workspace.fs.delete(file);
    const sent: string = JSON.parse(scripted.requests[0]?.body ?? '').messages.at(-1).content;
    assert.equal(sent.split('only once').length - 1, 2, 'once for each of two files');
    assert.equal(steps.filter((step) => step.includes('gone.txt')).length, 1);
  });

  it('asks with the preset that is chosen for its conversation in K3, says so, and refuses one that is gone', async () => {
    scripted.will(streamOf([{ answer: 'Four.' }, { finish: 'stop' }]));
    const result = await ask('Two and two?');
    const { conversationId } = result.metadata ?? {};
    scripted.conversations.putUnsent(conversationId, { preset: 'Plan' });
    const again = (prompt: string) =>
      createRequestHandler({ ...QUIET, conversations: scripted.conversations })(
        { prompt, references: [] },
        { history: toHistory({ prompt: 'Two and two?', result, text: 'Four.' }) },
        stream,
        NEVER,
      );
    scripted.will(streamOf([{ answer: 'A plan.' }, { finish: 'stop' }]));
    const planned = await again('And three?');
    assert.equal(planned.metadata?.['conversationId'], conversationId);
    assert.match(
      JSON.parse(scripted.requests[1]?.body ?? '').messages.at(-1).content,
      /^Make a plan[\s\S]*And three\?$/,
    );
    assert.ok(steps.includes('Preset: Plan'));
    scripted.conversations.putUnsent(conversationId, { preset: 'Gone' });
    const gone = await again('And four?');
    assert.match(gone.errorDetails?.message ?? '', /k3\.presets has no preset “Gone”/);
    assert.equal(scripted.requests.length, 2);
  });

  it('names the budget of the preset, not that of the settings, when the answer is cut off', async () => {
    const presets = (value: unknown) =>
      vscode.workspace.getConfiguration('k3').update('presets', value, vscode.ConfigurationTarget.Global);
    await presets({ Terse: { maxCompletionTokens: 400 } });
    try {
      scripted.will(streamOf([{ answer: 'Four.' }, { finish: 'stop' }]));
      const result = await ask('Two and two?');
      const { conversationId } = result.metadata ?? {};
      const again = () =>
        createRequestHandler({ ...QUIET, conversations: scripted.conversations })(
          { prompt: 'And three?', references: [] },
          { history: toHistory({ prompt: 'Two and two?', result, text: 'Four.' }) },
          stream,
          NEVER,
        );
      scripted.conversations.putUnsent(conversationId, { preset: 'Terse' });
      scripted.will(streamOf([{ reasoning: 'Hm. ' }, { finish: 'length' }]));
      const cut = await again();
      assert.match(
        cut.errorDetails?.message ?? '',
        / Increase k3\.presets\.Terse\.maxCompletionTokens or ask a smaller question\./,
      );
      assert.doesNotMatch(cut.errorDetails?.message ?? '', /k3\.maxCompletionTokens/);
    } finally {
      await presets(undefined);
    }
  });

  it('sends attached files and lines as context, and says what is not sent', async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const at = (name: string) => vscode.Uri.joinPath(root.uri, name);
    await vscode.workspace.fs.writeFile(at('attached.txt'), Buffer.from('one\ntwo\nthree\n'));
    await vscode.workspace.fs.writeFile(at('.env'), Buffer.from('KEY=1\n'));
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    const lines = new vscode.Location(at('attached.txt'), new vscode.Range(1, 0, 2, 0));
    const modals = watchModals();
    const values = [at('attached.txt'), lines, at('gone.txt'), at('.env'), at('picture.png'), 'a text'];
    const result = await createRequestHandler({ ...QUIET, conversations: scripted.conversations })(
      { prompt: 'Is it so?', references: values.map((value) => ({ id: 'x', value })) },
      { history: [] },
      stream,
      new vscode.CancellationTokenSource().token,
    );
    modals.restore();
    await vscode.workspace.fs.delete(at('attached.txt'));
    await vscode.workspace.fs.delete(at('.env'));
    assert.equal(result.errorDetails, undefined);
    assert.equal(modals.titles.length, 1, 'asked about .env, and canceled');
    const sent = JSON.parse(scripted.requests.at(-1)?.body ?? '').messages.at(-1).content;
    assert.match(
      sent,
      /^File attached\.txt:\n```[a-z]*\none\ntwo\nthree\n```\n\n.*attached\.txt.*\n```[a-z]*\ntwo\n```\n\nIs it so\?$/,
    );
    const problems = steps.filter((step) => /sent|gone/.test(step));
    assert.equal(problems.length, 4, problems.join('\n'));
    for (const name of ['gone.txt', '.env', 'picture.png', 'not a file'])
      assert.ok(
        problems.some((step) => step.includes(name)),
        `${name}: ${problems.join(' ')}`,
      );
  });

  it('leaves out instructions that K3 sends itself, once, and sends others that were attached', async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const at = (name: string) => vscode.Uri.joinPath(root.uri, name);
    await vscode.workspace.fs.writeFile(at('AGENTS.md'), Buffer.from('Answer briefly.\n'));
    const forCss = at('.github/instructions/css.instructions.md');
    await vscode.workspace.fs.writeFile(
      forCss,
      Buffer.from('---\napplyTo: "**/*.css"\n---\nUse variables.\n'),
    );
    // The id that the editor gives to an instruction file that it found.
    const found = (kind: string, uri: vscode.Uri) => ({
      id: `vscode.instructions.file.${kind}__${uri}`,
      value: uri,
    });
    const handle = (prompt: string, references: readonly vscode.ChatPromptReference[], expanded?: Expanded) =>
      createRequestHandler({
        ...QUIET,
        instructions: { due: dueNow },
        conversations: scripted.conversations,
        ...(expanded && { prompts: { expand: async () => expanded } }),
      })({ prompt, references }, { history: [] }, stream, NEVER);
    const sent = (): string => JSON.parse(scripted.requests.at(-1)?.body ?? '').messages.at(-1).content;
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    await handle('Is it so?', [found('root', at('AGENTS.md'))]);
    const once = '```md\nAnswer briefly.\n```\n\n';
    assert.equal(sent(), `Project instructions in AGENTS.md:\n${once}Is it so?`);
    assert.deepEqual(
      steps.filter((step) => /sent/.test(step)),
      [],
    );
    // Otherwise it would be the attached file that is explained.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const explained = await handle('/explain', [found('root', at('AGENTS.md'))], {
      kind: 'command',
      command: 'k3.explain',
      words: '',
    });
    assert.match(explained.errorDetails?.message ?? '', /^Open a file and select the code/);
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    await handle('What is in it?', [{ id: 'vscode.file', value: at('AGENTS.md') }]);
    assert.ok(sent().endsWith(`\n\nFile AGENTS.md:\n${once}What is in it?`), sent());
    // The user can pick any of them as instructions, and that looks the same.
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    await handle('Is it so?', [found('root', at('AGENTS.md')), found('root', forCss)]);
    assert.equal(sent().split('Answer briefly.').length, 2);
    assert.match(
      sent(),
      /File \.github\/instructions\/css\.instructions\.md:\n[\s\S]*Use variables\.[\s\S]*Is it so\?$/,
    );
    await vscode.workspace.fs.delete(at('AGENTS.md'));
    await vscode.workspace.fs.delete(at('.github'), { recursive: true });
  });

  it('leaves no conversation when what it needs can’t be read', async () => {
    const created: string[] = [];
    const { conversations } = scripted;
    const watched = {
      ...conversations,
      createAside(...values: Parameters<typeof conversations.createAside>) {
        const conversation = conversations.createAside(...values);
        created.push(conversation.id);
        return conversation;
      },
    };
    const expand = async () => Promise.reject(new Error('unreadable'));
    const handle = createRequestHandler({ ...QUIET, conversations: watched, prompts: { expand } });
    await assert.rejects(
      handle({ prompt: 'Hi', references: [] }, { history: [] }, stream, NEVER),
      /unreadable/,
    );
    assert.deepEqual(
      created.map((id) => conversations.get(id)),
      [undefined],
    );
  });

  describe('that names a command', () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    const uri = vscode.Uri.joinPath(root?.uri ?? vscode.Uri.file('/'), 'commanded.ts');
    const expand = async (prompt: string): Promise<Expanded> => {
      const [, command = '', words = ''] = /^\/(\w+) ?(.*)$/.exec(prompt) ?? [];
      return { kind: 'command', command: `k3.${command}`, words };
    };
    const handle = (prompt: string, ...values: readonly unknown[]) =>
      createRequestHandler({ ...QUIET, conversations: scripted.conversations, prompts: { expand } })(
        { prompt, references: values.map((value) => ({ id: 'x', value })) },
        { history: [] },
        stream,
        NEVER,
      );
    const sent = (): string => JSON.parse(scripted.requests.at(-1)?.body ?? '').messages.at(-1).content;
    beforeEach(() =>
      vscode.workspace.fs.writeFile(uri, Buffer.from('let one = 1;\nlet two = 2;\nlet three = 3;\n')),
    );
    afterEach(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(uri);
    });

    it('explains the attached lines, the attached file, or the code in the editor, with the words', async () => {
      const lines = new vscode.Location(uri, new vscode.Range(1, 0, 2, 0));
      scripted.will(streamOf([{ answer: 'So.' }, { finish: 'stop' }]));
      const { metadata } = await handle('/explain why two?', lines);
      assert.equal(shown, 'So.');
      assert.match(sent(), /^Explain what this code does.* why two\?\n\n/);
      assert.match(
        sent(),
        /The code, commanded\.ts, line 2 \(typescript\):\n\n```typescript\nlet two = 2;\n```$/,
      );
      assert.doesNotMatch(sent(), /^Lines|^Selection|^File/m, 'not as context, too');
      const question = scripted.conversations.get(metadata?.['conversationId'])?.exchanges[0]?.question;
      assert.deepEqual([question?.asked, question?.origin?.startLine], ['/explain why two?', 1]);

      scripted.will(streamOf([{ answer: 'So.' }, { finish: 'stop' }]));
      await handle('/explain', uri);
      assert.match(sent(), /The code, commanded\.ts, lines 1–3 /);

      await vscode.window.showTextDocument(uri, { selection: new vscode.Range(2, 0, 2, 5) });
      scripted.will(streamOf([{ answer: 'So.' }, { finish: 'stop' }]));
      await handle('/explain');
      assert.match(sent(), /The code, commanded\.ts, line 3 /);
    });

    it('says that the others are in K3, and what code is missing, and sends nothing', async () => {
      const before = scripted.conversations.list().length;
      const fix = await handle('/fix the leak', uri);
      assert.match(
        fix.errorDetails?.message ?? '',
        /^“\/fix” can’t be used in this chat.*Nothing was sent\.$/,
      );
      const explain = await handle('/explain why?');
      assert.match(explain.errorDetails?.message ?? '', /^Open a file and select the code/);
      assert.deepEqual([scripted.requests.length, scripted.conversations.list().length], [0, before]);
    });
  });

  it('shows what failed, and keeps the partial answer', async () => {
    scripted.will(streamOf([{ answer: 'Half an ans' }, { finish: 'length' }]));
    const result = await ask('Two and two?');
    assert.equal(shown, 'Half an ans');
    assert.match(result.errorDetails?.message ?? '', /cut off/);
    assert.equal(buttons.length, 1);
  });

  const looking = (id: string, deltas: Parameters<typeof streamOf>[0] = []) =>
    streamOf([
      ...deltas,
      { calls: [{ index: 0, id, type: 'function', function: { name: 'get_diagnostics', arguments: '{}' } }] },
      { finish: 'tool_calls' },
    ]);

  it('shows the complete text before and after a tool call', async () => {
    const first = 'Let me look at the file first.';
    const last = 'No. Do not delete it: the table is still used by billing.';
    scripted.will(
      looking('a', [{ reasoning: 'Hm.' }, { answer: first }]),
      streamOf([{ answer: last }, { finish: 'stop' }]),
    );
    const result = await ask('May I delete it?');
    assert.equal(shown, `${first}\n\n${last}`);
    assert.equal(result.errorDetails, undefined);
  });

  it('shows that a call is waiting for approval, with a button to review it', async () => {
    const { set, approvals } = scripted.tools;
    const foreign = set
      .all()
      .find(({ source, parameters }) => source !== 'k3' && parameters['required'] === undefined);
    assert.ok(foreign);
    set.choose({ without: [], others: [foreign.name] });
    const call = { index: 0, id: 'a', type: 'function', function: { name: foreign.name, arguments: '{}' } };
    scripted.will(
      streamOf([{ calls: [call] }, { finish: 'tool_calls' }]),
      streamOf([{ answer: 'Then not.' }, { finish: 'stop' }]),
    );
    const asked = ask('May I?');
    const [waiting] = await until(() => approvals.waiting().length > 0 && approvals.waiting());
    await until(() => steps.includes('Waiting for approval of a tool call'));
    assert.deepEqual(
      buttons.map(({ command }) => command),
      ['k3.decideToolCall'],
    );
    assert.ok(waiting && approvals.decide(waiting.approval, 'refuse'));
    assert.equal((await asked).errorDetails, undefined);
    assert.equal(shown, 'Then not.');
    set.choose({ without: [], others: [] });
  });

  it('shows that the maximum number of rounds was reached', async () => {
    scripted.will(...Array.from({ length: MAX_ROUNDS + 1 }, (_, round) => looking(`call-${round}`)));
    const result = await ask('May I delete it?');
    assert.match(result.errorDetails?.message ?? '', /Stopped after 25 rounds of tool calls.*Ask again/);
  });

  it('stops the turn when the request is canceled', async () => {
    const source = new vscode.CancellationTokenSource();
    scripted.will((response) => {
      startStream(response);
      writeDelta(response, { answer: 'A beginning' });
    });
    const asked = ask('Two and two?', source.token);
    await until(() => shown !== '');
    source.cancel();
    const id = (await asked).metadata?.['conversationId'];
    assert.equal(scripted.conversations.get(id)?.exchanges[0]?.attempts[0]?.outcome, 'stopped');
  });

  it('sends nothing when the request is canceled while a dialog asks about its attachments or its cost', async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const secret = vscode.Uri.joinPath(root.uri, '.env');
    await vscode.workspace.fs.writeFile(secret, Buffer.from('KEY=1\n'));
    const settings = vscode.workspace.getConfiguration('k3');
    const before = scripted.conversations.list().length;
    const canceledIn = async (references: readonly vscode.Uri[], answer: string) => {
      const source = new vscode.CancellationTokenSource();
      const modals = watchModals();
      modals.answer = answer;
      modals.meanwhile = async () => source.cancel();
      const result = await createRequestHandler({ ...QUIET, conversations: scripted.conversations })(
        { prompt: 'Is it so?', references: references.map((value) => ({ id: 'x', value })) },
        { history: [] },
        stream,
        source.token,
      );
      modals.restore();
      assert.equal(modals.titles.length, 1);
      assert.equal(result.metadata, undefined);
      assert.deepEqual([scripted.requests.length, scripted.conversations.list().length], [0, before]);
    };
    await canceledIn([secret], 'Allow in This Window');
    await settings.update('dailyCap', 0.000001, vscode.ConfigurationTarget.Global);
    await canceledIn([], 'Send Anyway');
    await settings.update('dailyCap', undefined, vscode.ConfigurationTarget.Global);
    await vscode.workspace.fs.delete(secret);
  });

  /** A chat of the editor: its user can retry and edit, which removes that request and all after it. */
  function openChat(handle = createRequestHandler({ ...QUIET, conversations: scripted.conversations })) {
    const turns: Answered[] = [];
    const bodies: string[][] = [];
    const result = async (prompt: string, token: vscode.CancellationToken) => {
      const history = turns.flatMap(toHistory);
      return handle({ prompt, references: [] }, { history }, stream, token);
    };
    /** Sends a request in place of the one at an index; without an index, at the end. */
    async function say(prompt: string, at = turns.length): Promise<string> {
      turns.splice(at);
      scripted.will((response, body) => {
        bodies.push(questionsIn(body));
        return streamOf([{ answer: `To ${prompt}` }, { finish: 'stop' }])(response, body);
      });
      const answered = await result(prompt, new vscode.CancellationTokenSource().token);
      assert.equal(answered.errorDetails, undefined, JSON.stringify(answered));
      turns.push({ prompt, result: answered, text: `To ${prompt}` });
      return answered.metadata?.['conversationId'];
    }
    /** Sends a request and stops it, without waiting for its end. The editor drops the result. */
    async function stop(prompt: string, text = 'A beginning'): Promise<void> {
      const source = new vscode.CancellationTokenSource();
      shown = '';
      let started = false;
      scripted.will((response) => {
        startStream(response);
        if (text !== '') writeDelta(response, { answer: text });
        started = true;
      });
      const answered = result(prompt, source.token);
      await until(() => started && shown === text);
      source.cancel();
      answered.catch(assert.fail);
      turns.push({ prompt, result: {}, text });
    }
    /** A request whose response has no result, and another text. */
    const refuse = (prompt: string, text: string) => void turns.push({ prompt, result: {}, text });
    return { say, stop, refuse, bodies };
  }
  const shownIn = (id: string) =>
    scripted.conversations.get(id)?.exchanges.map(({ question }) => question.text);

  it('continues a conversation', async () => {
    const chat = openChat();
    const id = await chat.say('One?');
    assert.equal(await chat.say('Two?'), id);
    assert.deepEqual(chat.bodies.at(-1), ['One?', 'To One?', 'Two?']);
  });

  it('asks what is retried or edited after what the chat still has, and keeps the rest as branches', async () => {
    const chat = openChat();
    const id = await chat.say('One?');
    await chat.say('Two?');
    await chat.say('Three?');
    assert.equal(await chat.say('Three?', 2), id);
    assert.deepEqual(chat.bodies.at(-1), ['One?', 'To One?', 'Two?', 'To Two?', 'Three?']);
    assert.equal(await chat.say('Three?', 2), id);
    assert.deepEqual(chat.bodies.at(-1), ['One?', 'To One?', 'Two?', 'To Two?', 'Three?']);
    assert.equal(await chat.say('Two again?', 1), id);
    assert.deepEqual(chat.bodies.at(-1), ['One?', 'To One?', 'Two again?']);
    await chat.say('And?');
    assert.deepEqual(chat.bodies.at(-1), ['One?', 'To One?', 'Two again?', 'To Two again?', 'And?']);
    assert.deepEqual(shownIn(id), ['One?', 'Two again?', 'And?']);
    assert.equal(scripted.conversations.get(id)?.branches.flatMap(({ exchanges }) => exchanges).length, 4);
  });

  it('starts a new conversation when the first request is retried or edited', async () => {
    const chat = openChat();
    const id = await chat.say('One?');
    assert.notEqual(await chat.say('One?', 0), id);
    assert.deepEqual(chat.bodies.at(-1), ['One?']);
  });

  it('shows the branch that the chat has when K3 shows another one', async () => {
    const chat = openChat();
    const id = await chat.say('One?');
    await chat.say('Two?');
    const first = scripted.conversations.get(id)?.exchanges[1]?.id ?? '';
    await chat.say('Two again?', 1);
    scripted.conversations.showBranch(id, first);
    assert.deepEqual(shownIn(id), ['One?', 'Two?']);
    await chat.say('Three?');
    assert.deepEqual(chat.bodies.at(-1), ['One?', 'To One?', 'Two again?', 'To Two again?', 'Three?']);
  });

  it('continues after a stopped answer, and waits for its end when it is retried at once', async () => {
    const chat = openChat();
    await chat.stop('One?');
    const id = await chat.say('Two?');
    assert.deepEqual(chat.bodies.at(-1), ['One?', 'A beginning', 'Two?']);
    await chat.stop('Three?');
    assert.equal(await chat.say('Three?', 2), id);
    assert.deepEqual(chat.bodies.at(-1), ['One?', 'A beginning', 'Two?', 'To Two?', 'Three?']);
    assert.deepEqual(shownIn(id), ['One?', 'Two?', 'Three?']);
  });

  it('continues each of several chats that began with the same question and were stopped', async () => {
    const handle = createRequestHandler({ ...QUIET, conversations: scripted.conversations });
    const texts = ['A beginning', 'A', 'Another', '', ''];
    const chats = texts.map(() => openChat(handle));
    for (const [index, chat] of chats.entries()) await chat.stop('One?', texts[index]);
    const ids = new Set<string>();
    for (const [index, chat] of chats.entries()) {
      const id = await chat.say('Two?');
      ids.add(id);
      const answer = texts[index] || '[no answer: stopped by the user]';
      assert.deepEqual(chat.bodies.at(-1), ['One?', answer, 'Two?'], `${index}`);
      assert.equal(await chat.say('Three?'), id);
    }
    assert.equal(ids.size, chats.length, 'each has a conversation of its own');
  });

  it('continues the one that is left of two that look the same, when the other was deleted', async () => {
    const handle = createRequestHandler({ ...QUIET, conversations: scripted.conversations });
    const ids = () => scripted.conversations.loaded().map(({ id }) => id);
    const before = ids();
    await openChat(handle).stop('One?', '');
    const [deleted = assert.fail()] = ids().filter((id) => !before.includes(id));
    const chat = openChat(handle);
    await chat.stop('One?', '');
    scripted.conversations.delete(deleted);
    await chat.say('Two?');
    assert.deepEqual(chat.bodies.at(-1), ['One?', '[no answer: stopped by the user]', 'Two?']);
  });

  it('is not continued by another chat whose first request has no answer', async () => {
    const handle = createRequestHandler({ ...QUIET, conversations: scripted.conversations });
    const chat = openChat(handle);
    await chat.stop('One?', 'A secret');
    for (const text of ['It was refused.', '']) {
      const other = openChat(handle);
      other.refuse('One?', text);
      await other.say('Two?');
      assert.deepEqual(other.bodies.at(-1), ['Two?']);
    }
    await chat.say('Two?');
    assert.deepEqual(chat.bodies.at(-1), ['One?', 'A secret', 'Two?']);
  });
});

interface Answered {
  readonly prompt: string;
  readonly result: vscode.ChatResult;
  /** What the chat shows of the answer. */
  readonly text: string;
}

/** A request and its response as the editor puts them into the history. Extensions may not construct them. */
function toHistory({ prompt, result, text }: Answered): vscode.ChatContext['history'] {
  const Request = vscode.ChatRequestTurn as unknown as new (...args: unknown[]) => vscode.ChatRequestTurn;
  const Response = vscode.ChatResponseTurn as unknown as new (...args: unknown[]) => vscode.ChatResponseTurn;
  const kept = JSON.parse(JSON.stringify(result)) as vscode.ChatResult;
  const parts = text === '' ? [] : [new vscode.ChatResponseMarkdownPart(text)];
  return [new Request(prompt, undefined, [], PARTICIPANT, []), new Response(parts, kept, PARTICIPANT)];
}

/** The questions and answers of a request. */
function questionsIn(body: string): string[] {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
  return messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
}
