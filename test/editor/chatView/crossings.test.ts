/** Two features at once, in two panels of a window, or in two windows. */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toAttached } from '../../../src/editor/context/attachments.ts';
import { createFindings } from '../../../src/editor/findings/findingList.ts';
import { registerProposalCreation } from '../../../src/editor/proposals/proposalCreation.ts';
import type { Turns } from '../../../src/requests/turns.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { NO_PENDING } from '../../support/review/noPending.ts';
import { type Scripted, startScripted, startStream, streamOf, until, writeDelta } from '../scripted.ts';
import { openWindow, type Page, type TestWindow } from './window.ts';

const CUT = streamOf([{ answer: 'One and' }, { finish: 'length' }]);
const REST = streamOf([{ answer: ' two.' }, { finish: 'stop' }]);
const WHOLE = streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]);

describe('A conversation whose last answer was cut off', () => {
  let scripted: Scripted;
  let folder: string;
  let windows: TestWindow[];
  let here: TestWindow;
  let there: TestWindow;
  let id: string;
  let side: Page;
  let tab: Page;
  let elsewhere: Page;
  /** The last questions of the requests. */
  let asked: string[];
  let cut: string;

  beforeEach(async () => {
    scripted = await startScripted();
    folder = await mkdtemp(join(tmpdir(), 'k3-crossings-'));
    windows = [];
    asked = [];
    here = open('project one');
    id = here.conversations.current().id;
    answerWith(CUT);
    const first = await here.conversations.ask(id, { text: 'Count.', images: [], origin: undefined });
    assert.ok(first.ok);
    cut = first.turnId;
    await until(() => here.conversations.find(cut)?.turn.outcome);
    side = here.open(id);
    tab = here.open(id);
    there = open('project two');
    elsewhere = there.open(id);
  });
  afterEach(async () => {
    for (const window of windows) window.close();
    await scripted.close();
    await removeFolder(folder);
  });

  function open(place: string): TestWindow {
    const window = openWindow(scripted, folder, place);
    windows.push(window);
    return window;
  }

  function answerWith(...answers: Parameters<Scripted['will']>): void {
    scripted.will(
      ...answers.map((answer): typeof answer => (response, body) => {
        asked.push(JSON.parse(body).messages.at(-1).content);
        return answer(response, body);
      }),
    );
  }

  /** Answers the next request, and leaves the response open. */
  function begin(answer: string): Promise<ServerResponse> {
    return new Promise((resolve) =>
      answerWith((response) => {
        startStream(response);
        writeDelta(response, { answer });
        resolve(response);
      }),
    );
  }

  const goOn = (page: Page, turnId = cut) => page.post({ type: 'action', action: 'continue', turnId });
  /** Continues the answer, and leaves the response open. */
  function goOnWith(page: Page, answer: string, turnId = cut): Promise<ServerResponse> {
    const begun = begin(answer);
    goOn(page, turnId);
    return begun;
  }
  const turnIn = (page: Page) => page.shown().exchanges.at(-1)?.turn;
  const questions = (page: Page) => page.shown().exchanges.map(({ question }) => question.text);
  const attempts = (page: Page) => page.shown().exchanges.map((one) => one.attempts);
  const ended = (page: Page, count: number) =>
    until(() => questions(page).length === count && turnIn(page)?.outcome !== 'running' && turnIn(page));
  const pause = () => new Promise((resolve) => setTimeout(resolve, 300));

  it('is continued in a panel that was opened again, and in a window that was opened later', async () => {
    side.reload();
    assert.ok(turnIn(side)?.cards.some(({ actions }) => actions.some(({ action }) => action === 'continue')));
    const later = open('project three');
    const page = later.open(id);
    answerWith(REST);
    goOn(page);
    for (const one of [page, side, elsewhere]) {
      const { answer, parts } = await ended(one, 2);
      assert.deepEqual([answer, parts], ['One and two.', 2]);
    }
  });

  it('is continued once, when two windows offer it', async () => {
    answerWith(REST, WHOLE);
    goOn(side);
    await ended(side, 2);
    goOn(elsewhere);
    await pause();
    assert.equal(asked.length, 2);
    assert.equal(there.conversations.isRunning(id), false);
    assert.equal((await ended(elsewhere, 2)).answer, 'One and two.');
  });

  it('can still be continued after that was refused', async () => {
    const { prepare } = scripted.turns;
    const refusal = { kind: 'transport', message: 'refused by the test' } as const;
    let refused = 0;
    Object.assign(scripted.turns, {
      async prepare() {
        refused += 1;
        return { ok: false, refusal } satisfies Awaited<ReturnType<Turns['prepare']>>;
      },
    });
    goOn(side);
    await until(() => refused === 1);
    await pause();
    Object.assign(scripted.turns, { prepare });
    assert.deepEqual([questions(side).length, here.conversations.isRunning(id)], [1, false]);
    answerWith(REST);
    goOn(tab);
    assert.equal((await ended(side, 2)).answer, 'One and two.');
  });

  it('can be continued after the rest was stopped, and after it was deleted and restored during the rest', async () => {
    await goOnWith(side, ' two,');
    await until(() => turnIn(side)?.answer === 'One and two,');
    tab.post({ type: 'stop' });
    const stopped = await ended(side, 2);
    assert.equal(stopped.outcome, 'stopped');
    await goOnWith(side, ' three,', stopped.id);
    await until(() => turnIn(side)?.answer === 'One and two, three,');
    here.conversations.delete(id);
    await until(() => !here.conversations.isRunning(id));
    here.conversations.restore(id);
    const third = await ended(side, 3);
    answerWith(streamOf([{ answer: ' four.' }, { finish: 'stop' }]));
    goOn(side, third.id);
    assert.equal((await ended(side, 4)).answer, 'One and two, three, four.');
  });

  it('keeps its queue paused while it is continued, regenerated, or its question is edited', async () => {
    const response = await goOnWith(side, ' two,');
    side.type('Then this');
    side.send();
    await until(() => side.shown().surroundings.queue.length === 1);
    writeDelta(response, { finish: 'length' });
    response.end('data: [DONE]\n\n');
    const second = await ended(side, 2);
    assert.equal(second.outcome, 'truncated');
    const waits = () => [tab.shown().surroundings.queue.length, tab.shown().surroundings.queuePaused];
    const fork = here.conversations.fork(id);
    assert.deepEqual(here.conversations.queue(fork?.id ?? ''), []);
    answerWith(REST);
    goOn(side, second.id);
    const third = await ended(side, 3);
    assert.deepEqual(waits(), [1, true]);
    answerWith(REST);
    side.post({ type: 'regenerate', turnId: third.id });
    await until(() => attempts(side)[2] === 2);
    await ended(side, 3);
    assert.deepEqual(waits(), [1, true]);
    answerWith(WHOLE);
    side.post({ type: 'edit', exchangeId: side.shown().exchanges[0]?.id ?? '', text: 'Count again.' });
    await ended(side, 1);
    assert.deepEqual(waits(), [1, true]);
    answerWith(WHOLE);
    side.post({ type: 'send-queue' });
    await ended(side, 2);
    assert.deepEqual(questions(side), ['Count again.', 'Then this']);
  });

  it('is said to be answered in another window there while it is continued here', async () => {
    const response = await goOnWith(side, ' two,');
    await until(() => turnIn(side)?.phase === 'answering');
    await until(() => questions(elsewhere).length === 2);
    const shown = () => [turnIn(elsewhere)?.phase, turnIn(elsewhere)?.phaseLabel];
    assert.deepEqual(shown(), ['connecting', 'Answering in another window']);
    assert.equal(turnIn(side)?.phaseLabel, 'Answering');
    writeDelta(response, { finish: 'stop' });
    response.end('data: [DONE]\n\n');
    await ended(elsewhere, 2);
    assert.deepEqual(shown(), ['ended', 'Complete']);
  });

  it('has all attempts, when both windows regenerate it', async () => {
    answerWith(WHOLE, WHOLE);
    side.post({ type: 'regenerate', turnId: cut });
    await until(() => attempts(side)[0] === 2 && turnIn(side)?.outcome === 'complete');
    elsewhere.post({ type: 'regenerate', turnId: cut });
    await until(() => attempts(elsewhere)[0] === 3);
    await until(() => attempts(side)[0] === 3 && attempts(tab)[0] === 3);
    await until(() => asked.length === 3);
    tab.post({ type: 'show-attempt', exchangeId: tab.shown().exchanges[0]?.id ?? '', attempt: 0 });
    await until(
      () => side.shown().exchanges[0]?.attempt === 0 && elsewhere.shown().exchanges[0]?.attempt === 0,
    );
  });

  it('keeps both texts, when both windows edit its question', async () => {
    const exchangeId = side.shown().exchanges[0]?.id ?? '';
    answerWith(WHOLE, WHOLE);
    side.post({ type: 'edit', exchangeId, text: 'Count on.' });
    await until(() => questions(tab)[0] === 'Count on.' && turnIn(tab)?.outcome === 'complete');
    elsewhere.post({ type: 'edit', exchangeId, text: 'Count back.' });
    await until(() => there.composers.of(id).editing?.text === 'Count back.');
    assert.equal(elsewhere.box(), '');
    assert.deepEqual(asked, ['Count.', 'Count on.']);
    await until(() => questions(elsewhere)[0] === 'Count on.');
    assert.equal(tab.shown().exchanges[0]?.versions, 2);
    tab.post({ type: 'show-version', exchangeId: tab.shown().exchanges[0]?.id ?? '', version: 0 });
    for (const page of [side, tab, elsewhere]) await until(() => questions(page)[0] === 'Count.');
  });

  it('shows a lost connection in every panel and window, and is continued in another one', async () => {
    const response = await goOnWith(side, ' two,');
    await until(() => turnIn(side)?.answer === 'One and two,');
    response.destroy();
    for (const page of [side, tab, elsewhere]) assert.equal((await ended(page, 2)).outcome, 'interrupted');
    answerWith(streamOf([{ answer: ' three.' }, { finish: 'stop' }]));
    goOn(elsewhere, turnIn(elsewhere)?.id);
    for (const page of [elsewhere, side]) assert.equal((await ended(page, 3)).answer, 'One and two, three.');
  });

  it('has its new title in every panel and window, when another window renames it during an answer', async () => {
    const response = await goOnWith(side, ' two');
    await until(() => there.conversations.holder(id));
    there.conversations.rename(id, 'Renamed');
    assert.equal(elsewhere.shown().surroundings.title, 'Renamed');
    writeDelta(response, { answer: '.', finish: 'stop' });
    response.end('data: [DONE]\n\n');
    assert.equal((await ended(side, 2)).answer, 'One and two.');
    for (const page of [side, tab, elsewhere])
      await until(() => page.shown().surroundings.title === 'Renamed');
  });

  it('shows a waiting tool call in every panel, and runs it once when both allow it', async () => {
    const tool = { name: 'probe', description: 'Probes.', parameters: { type: 'object' }, source: 'a test' };
    const { approvals } = scripted.tools;
    let runs = 0;
    here.conversations.useTools((conversationId) => ({
      definitions: [tool],
      async run(call, signal, onState) {
        const allowed = await approvals.ask({ conversationId, call, tool }, signal, () =>
          onState?.('waiting'),
        );
        if (allowed) runs++;
        return { text: 'Probed.' };
      },
    }));
    const call = { index: 0, id: 'call-1', type: 'function', function: { name: 'probe', arguments: '{}' } };
    answerWith(streamOf([{ calls: [call] }, { finish: 'tool_calls' }]), REST);
    goOn(side);
    const callsIn = (page: Page) => turnIn(page)?.rounds.flatMap(({ calls }) => calls);
    const states = (page: Page) => callsIn(page)?.map(({ state }) => state);
    for (const page of [side, tab]) await until(() => states(page)?.[0] === 'waiting');
    const waiting = [side, tab].map((page) => ({ page, approval: callsIn(page)?.[0]?.approval ?? '' }));
    for (const { page, approval } of waiting)
      page.post({
        type: 'tool-decision',
        approval,
        decision: 'once',
      });
    assert.equal((await ended(tab, 2)).answer, 'One and two.');
    assert.deepEqual([runs, states(side), states(tab)], [1, ['done'], ['done']]);
  });

  it('is answered in the format that was chosen in another panel, which another window doesn’t have', async () => {
    let body: { readonly response_format?: { readonly type: string } } = {};
    scripted.will((response, sent) => {
      body = JSON.parse(sent);
      return WHOLE(response, sent);
    });
    here.composers.of(id).format = { kind: 'json' };
    here.composers.changed(id);
    for (const page of [side, tab]) assert.ok(await until(() => page.shown().surroundings.answerFormat));
    assert.equal(elsewhere.shown().surroundings.answerFormat, undefined);
    tab.type('As JSON?');
    tab.send();
    await ended(side, 2);
    assert.equal(body.response_format?.type, 'json_object');
  });

  it('stays as it is in another panel when it is forked, and the fork goes on', async () => {
    side.post({ type: 'fork', exchangeId: side.shown().exchanges[0]?.id ?? '' });
    const fork = await until(() => {
      const current = here.conversations.current();
      return current.id === id ? undefined : current;
    });
    side.panel.show(fork.id);
    answerWith(WHOLE);
    side.type('In the fork?');
    side.send();
    await ended(side, 2);
    assert.deepEqual([questions(tab), tab.shown().conversationId], [['Count.'], id]);
    assert.deepEqual([questions(elsewhere), turnIn(elsewhere)?.outcome], [['Count.'], 'truncated']);
  });

  it('is stopped only in the window in which it is answered', async () => {
    const response = await goOnWith(side, ' two');
    await until(() => turnIn(elsewhere)?.outcome === 'running');
    elsewhere.post({ type: 'stop' });
    await pause();
    assert.equal(here.conversations.isRunning(id), true);
    writeDelta(response, { answer: '.' });
    writeDelta(response, { finish: 'stop' });
    response.end('data: [DONE]\n\n');
    assert.equal((await ended(elsewhere, 2)).outcome, 'complete');
    assert.equal((await ended(tab, 2)).answer, 'One and two.');
  });

  it('has proposals and findings in the window that asked, in every panel, and in no other window', async () => {
    const uri = vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(),
      'crossing.txt',
    );
    await vscode.workspace.fs.writeFile(uri, Buffer.from('one\ntwo\n'));
    const path = vscode.workspace.asRelativePath(uri);
    const added: string[] = [];
    const found: string[] = [];
    const rooms = Object.entries({ here, there }).map(([name, { conversations }]) => {
      const findings = createFindings({
        conversations,
        state: { get: () => undefined, update: async () => undefined },
        storage: { purged: new Set<string>() },
        moved: { follow: () => undefined },
        pending: NO_PENDING,
        renames: {
          since: () => ({ uriNow: async (uri) => uri, withFilesNow: async (question) => question }),
        },
        log: console,
      });
      return vscode.Disposable.from(
        findings,
        findings.onDidPlace(() => void found.push(name)),
        registerProposalCreation({
          conversations,
          pending: NO_PENDING,
          proposals: {
            ...scripted.proposals,
            add: (proposal) => {
              added.push(name);
              return scripted.proposals.add(proposal);
            },
          },
          renames: {
            since: () => ({ uriNow: async (uri) => uri, withFilesNow: async (question) => question }),
          },
          log: console as never,
        }),
      );
    });
    const origin = { uri: uri.toString(), startLine: 0, endLine: 1, text: 'one\ntwo\n' };
    const edits = [{ find: 'two', replace: '2' }];
    const answerOf = (answer: object) => streamOf([{ answer: JSON.stringify(answer) }, { finish: 'stop' }]);
    answerWith(
      answerOf({ explanation: '', files: [{ path, edits }] }),
      answerOf({ summary: '', findings: [] }),
    );
    const question = { text: `## File: ${path} (plaintext, lines 1 to 2 of 2)`, images: [], origin };
    for (const [index, purpose] of (['proposal', 'findings'] as const).entries()) {
      assert.ok((await here.conversations.ask(id, { ...question, purpose })).ok);
      await ended(elsewhere, index + 2);
    }
    await until(() => found.length > 0 && added.length > 0);
    await pause();
    assert.deepEqual([added, found], [['here'], ['here']]);
    const shown = (page: Page) => page.shown().exchanges[1]?.turn?.proposals.map(({ state }) => state);
    for (const page of [side, tab]) await until(() => shown(page)?.[0] === 'open');
    const proposalId = side.shown().exchanges[1]?.turn?.proposals[0]?.proposalId ?? '';
    tab.post({ type: 'proposal', action: 'reject-all', proposalId, uri: uri.toString() });
    for (const page of [side, tab]) await until(() => shown(page)?.[0] === 'decided');
    for (const room of rooms) room.dispose();
    await vscode.workspace.fs.delete(uri);
  });

  it('shows what is attached in every panel', async () => {
    const composer = here.composers.of(id);
    composer.attachments = [{ name: 'a.png', url: 'data:image/png;base64,AA==' }];
    composer.context = [toAttached({ kind: 'file', label: 'a.ts', parts: [] })];
    here.composers.changed(id);
    for (const page of [side, tab]) {
      const { attachments, context } = page.shown().surroundings;
      assert.deepEqual([attachments.length, context.length], [1, 1]);
    }
  });
});
