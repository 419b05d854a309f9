/** What goes wrong with status 200, and what is refused, in the ways of asking that show no turn: each names it and the next step. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createAskTool } from '../../../src/editor/languageModel/askTool.ts';
import { createOtherChats } from '../../../src/editor/languageModel/otherChats.ts';
import { createRequestHandler } from '../../../src/editor/participant/chatParticipant.ts';
import { QUIET } from '../chatView/window.ts';
import { leaveOutPreviews } from '../leftOut.ts';
import { type Asking, watchModals } from '../modals.ts';
import { reportText } from '../reports.ts';
import { createRepository, type TestRepository } from '../repositories.ts';
import {
  type Answer,
  type Scripted,
  startScripted,
  startStream,
  streamOf,
  USAGE,
  until,
} from '../scripted.ts';

const token = new vscode.CancellationTokenSource().token;

/** Streams these lines, each an event. */
const linesOf =
  (...lines: readonly string[]): Answer =>
  (response) => {
    startStream(response);
    response.end([...lines, 'data: [DONE]', ''].join('\n\n'));
  };
const refusal =
  (error: object, status: number): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
const chunk = (choices: readonly object[], more: object = {}) =>
  `data: ${JSON.stringify({ id: 'r-1', object: 'chat.completion.chunk', model: 'svc-k3', choices, ...more })}`;
const delta = (content: string, index = 0) => ({ index, delta: { content }, finish_reason: null });
const STOP = { index: 0, delta: {}, finish_reason: 'stop' };
const REPORT = chunk([], { usage: USAGE });

interface Row {
  readonly answer: Answer;
  /** What is said, with the next step where there is one. */
  readonly told: RegExp;
  /** There is a complete answer of svc-k3. */
  readonly works?: true;
  /** There is a complete answer, of another model. */
  readonly other?: true;
}

const ROWS: Readonly<Record<string, Row>> = {
  'a cut off answer (F2)': {
    answer: streamOf([{ answer: 'Half' }, { finish: 'length' }]),
    told: /cut off.*k3\.maxCompletionTokens/,
  },
  'a budget spent on reasoning (F1)': {
    answer: streamOf([{ reasoning: 'Hm.' }, { finish: 'length' }]),
    told: /all output tokens.*400 reasoning tokens.*Billed: 2,500 tokens.*k3\.maxCompletionTokens/,
  },
  'an empty answer (F7)': {
    answer: streamOf([{ reasoning: 'Hm.' }, { finish: 'stop' }]),
    told: /answer is empty.*Billed: 2,500 tokens.*Ask again/,
  },
  'an answer stopped by the filter': {
    answer: streamOf([{ answer: 'Half' }, { finish: 'content_filter' }]),
    told: /content filter.*rephrasing/,
  },
  'an answer without a finish reason (R9)': {
    answer: linesOf(chunk([delta('Half')])),
    told: /interrupted.*without a finish reason.*Ask again/,
  },
  'another model (F5)': {
    answer: linesOf(chunk([delta('Whole.')], { model: 'cheap-1' }), chunk([STOP]), REPORT),
    told: /Another model answered.*from cheap-1.*Check the model name in k3\.routes\.scripted/,
    other: true,
  },
  'usage of zeros (F6)': {
    answer: linesOf(chunk([delta('Whole.')]), chunk([STOP]), chunk([], { usage: { total_tokens: 0 } })),
    told: /Usage not reported.*not zero/,
    works: true,
  },
  'a damaged event': {
    answer: linesOf(
      chunk([delta('Who')]),
      'data: {"choices":[{"ind',
      chunk([delta('le.')]),
      chunk([STOP]),
      REPORT,
    ),
    told: /couldn’t be read.*text may be missing.*Ask again/,
    works: true,
  },
  'a second answer (R7)': {
    answer: linesOf(chunk([delta('Whole.'), delta('Other.', 1)]), chunk([STOP]), REPORT),
    told: /more than one answer.*may be billed/,
    works: true,
  },
  'a finish reason that nobody documents (R5)': {
    answer: streamOf([{ answer: 'Whole.' }, { finish: 'banana' }]),
    told: /Unknown finish reason.*“banana”/,
    works: true,
  },
  'an unknown model on the direct route (E2)': {
    answer: refusal({ message: 'Not found.', type: 'resource_not_found_error' }, 404),
    told: /not available.*run “K3: Check Connection”.*Check the model name in k3\.routes\.scripted/,
  },
  'an unknown model on a gateway (E3)': {
    answer: refusal({ message: 'Permanent.', code: 'model_not_found', did_you_mean: 'svc-k3-x' }, 404),
    told: /suggests “svc-k3-x”.*Check the model name in k3\.routes\.scripted.*Service response: Permanent/s,
  },
};

describe('What an answer of the service must not hide', () => {
  leaveOutPreviews();
  let scripted: Scripted;
  let asking: Asking;
  let repository: TestRepository;
  before(async () => {
    repository = createRepository('told');
    repository.write('a.txt', 'one\n');
    repository.commit('Begin');
    repository.write('a.txt', 'two\n');
    await repository.open();
  });
  after(() => repository.close());
  beforeEach(async () => {
    scripted = await startScripted();
    asking = watchModals();
    // The repository is outside the workspace.
    asking.answer = 'Allow in This Window';
  });
  afterEach(async () => {
    asking.restore();
    await scripted.close();
  });
  const notes = () => asking.notes.join('\n');

  for (const [name, { answer, told, works, other }] of Object.entries(ROWS)) {
    describe(name, () => {
      it('is said below the answer to @k3', async () => {
        let shown = '';
        const stream = {
          markdown(text: unknown) {
            shown += String(text);
          },
          progress: () => undefined,
          button: () => undefined,
        };
        scripted.will(answer);
        const handle = createRequestHandler({ ...QUIET, conversations: scripted.conversations });
        const request = { prompt: 'Q?', references: [] };
        const { errorDetails } = await handle(request, { history: [] }, stream, token);
        assert.match((works ? shown : errorDetails?.message)?.replaceAll('\\', '') ?? '', told);
        assert.equal(errorDetails === undefined, works === true);
      });

      it('is said to the chat that asks by the tool, or to the user if there is an answer', async () => {
        const { conversations, turns } = scripted;
        const warned: string[] = [];
        const log = { warn: (line: string) => void warned.push(line) };
        const otherChats = createOtherChats({ conversations, turns, log });
        const tool = createAskTool({ otherChats, routes: { active: () => undefined }, turns });
        const invoke = async () =>
          tool.invoke({ input: { question: 'Q?' }, toolInvocationToken: undefined }, token);
        scripted.will(answer, answer);
        if (works) {
          await invoke();
          await invoke();
          assert.match(notes(), told);
          assert.equal(asking.notes.length, 1, 'once for each route');
          assert.equal(warned.length, 2, 'each time in the log');
        } else await assert.rejects(invoke, told);
      });

      it('is at the head of the report of Check Connection', async () => {
        scripted.willList((response) => void response.writeHead(404).end());
        scripted.will(answer);
        await vscode.commands.executeCommand('k3.checkConnection');
        const plain = (text: string) => text.replaceAll(/[\\*>]|\n/g, '');
        const report = plain(await reportText('Connection to scripted', (text) => told.test(plain(text))));
        assert.equal(report.includes('Route “scripted” works.'), works === true);
        if (name.startsWith('usage')) assert.match(report, /Reports usage \| no/);
        if (works)
          assert.match(report, /Response checks: [✓✗] Model · [✓✗] Finish · /, 'the words of the chat');
      });

      it('is said with the commit message, and stays in Problems', async () => {
        const extension = vscode.extensions.getExtension('vscode.git') ?? assert.fail('no Git extension');
        const api = (await extension.activate()).getAPI(1);
        const { inputBox, rootUri } = await until<{ inputBox: { value: string }; rootUri: vscode.Uri }>(
          () => api.getRepository(vscode.Uri.file(repository.folder)) ?? undefined,
        );
        inputBox.value = '';
        scripted.will(answer);
        await vscode.commands.executeCommand('k3.commitMessage', { rootUri });
        // An unknown cost alone is said by the usage page: on a route that reports no usage, each message would say so.
        const isOnlyUsage = name.startsWith('usage');
        assert.match(notes(), isOnlyUsage ? /^$/ : told);
        assert.equal(inputBox.value, works || other ? 'Whole.' : '');
        const problems = vscode.languages
          .getDiagnostics()
          .flatMap(([uri, all]) => (uri.path.startsWith('/Commit message') ? all : []));
        // Next steps are quick fixes there.
        const [what = ''] = isOnlyUsage ? ['^$'] : told.source.split('.*');
        assert.match(problems.map(({ message }) => message).join('\n'), new RegExp(what));
      });
    });
  }

  it('has in Problems what was billed, and what the service wrote', async () => {
    const messages = () =>
      vscode.languages
        .getDiagnostics()
        .flatMap(([, all]) => all.flatMap((one) => (one.source === 'K3' ? one.message : [])));
    scripted.will(streamOf([{ reasoning: 'Hm.' }, { finish: 'length' }]));
    await scripted.ask('Q?');
    assert.match(messages().join('\n'), /400 reasoning tokens.*Billed: 2,500 tokens, about \$0\.011/);
    scripted.conversations.create();
    scripted.will(refusal({ message: 'No such field: x', type: 'invalid_request_error' }, 400));
    await scripted.ask('Q?');
    assert.match(messages().join('\n'), /The service returned 400\. Service response: No such field: x/);
  });

  it('is not that the network on this machine wrote something', async () => {
    scripted.will((response) => {
      startStream(response);
      response.write(`${chunk([delta('Half')])}\n\n`);
      setTimeout(() => response.destroy(), 50);
    });
    await scripted.ask('Q?');
    const messages = vscode.languages
      .getDiagnostics()
      .flatMap(([, all]) => all.map(({ message }) => message));
    assert.match(messages.join('\n'), /connection was lost during the answer/);
    assert.doesNotMatch(messages.join('\n'), /Service response/);
  });
});
