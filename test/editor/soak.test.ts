/** A long run in the extension host, for `npm run bench -- soak`. Left out of the tests. */
import assert from 'node:assert/strict';
import { appendFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { MAX_ROUNDS } from '../../src/conversation/toolCalls/planCalls.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import { describeLevels, levelsOff, toLevels } from '../support/levels.ts';
import { type Delta, type Scripted, startScripted, streamOf, until } from './scripted.ts';

const CONVERSATIONS = 100;
/** 20 turns of 10 rounds with 5 calls each. */
const [TURNS, ROUNDS, CALLS] = [20, 10, 5];
const LONGEST_TOKENS = 131_072;
const MANY_TURNS = 1000;
/** How much memory a conversation may take, in its own bytes. */
const MOST_COPIES = 4;
const ANSWER = 'A line of an answer that is neither short nor long.\n'.repeat(2000);

const say = (text: string) => appendFileSync(process.env['K3_TEST_OUTPUT'] ?? '/dev/stdout', `${text}\n`);

v8.setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const count = (made: abstract new (...args: never[]) => object) =>
  v8.queryObjects(made as never, { format: 'count' }) as unknown as number;

/** Figures after a garbage collection, when nothing runs. */
async function sample(): Promise<Readonly<Record<string, number>>> {
  await sleep(2000);
  for (let i = 0; i < 3; i++) {
    collect();
    await sleep(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  return {
    'heap, MB': heapUsed / 1024 / 1024,
    'external memory, MB': external / 1024 / 1024,
    'file handles': readdirSync('/proc/self/fd').length,
    timers: resources.filter((name) => name === 'Timeout').length,
    'disposables, listeners among them': count(vscode.Disposable),
    'emitters of the extension': count(vscode.EventEmitter),
    'abort signals': count(AbortSignal),
  };
}

/**
 * Most of the heap is the editor's own, which hides what a call leaves behind: 5 % of it are 8 MB. Of about ten timers, all
 * are the editor's own or repeated, and one or two more are there by chance.
 */
const ratioOf = (name: string) => {
  if (/^heap/.test(name)) return 1.005;
  if (/MB$/.test(name)) return 1.05;
  if (/^timers/.test(name)) return 1.25;
  return /^file/.test(name) ? 1.1 : 1.02;
};

function conclude(title: string, samples: Awaited<ReturnType<typeof sample>>[]): void {
  const levels = toLevels(samples, ratioOf);
  say(describeLevels(title, levels));
  assert.deepEqual(
    levels.filter((level) => !levelsOff(level)).map(({ name }) => name),
    [],
  );
}

if (process.env['K3_TEST_SOAK'] !== undefined)
  describe('A long run', function () {
    this.timeout(1_200_000);
    let scripted: Scripted;
    before(async () => {
      scripted = await startScripted();
      await vscode.commands.executeCommand('k3.focusChat');
    });
    after(() => scripted.close());

    it('of conversations that are asked, opened in a tab, and closed, levels off', async () => {
      const samples = [];
      const answer: Delta[] = [{ reasoning: ANSWER.slice(0, 5000) }];
      for (let at = 0; at < ANSWER.length; at += 1000) answer.push({ answer: ANSWER.slice(at, at + 1000) });
      for (let n = 1; n <= CONVERSATIONS; n++) {
        const { id } = scripted.conversations.create();
        scripted.will(streamOf([...answer, { finish: 'stop' }]));
        assert.equal((await scripted.ask(`Question ${n}`)).outcome, 'complete');
        await vscode.commands.executeCommand('k3.openInEditor', id);
        await until(() => vscode.window.tabGroups.activeTabGroup.tabs.length === 1);
        await sleep(300);
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        await until(() => vscode.window.tabGroups.activeTabGroup.tabs.length === 0);
        if (n % (CONVERSATIONS / 4) === 0) samples.push(await sample());
      }
      conclude(`${CONVERSATIONS} conversations`, samples);
    });

    /** 50 calls on a busy machine take longer than other tests wait. */
    async function ask(text: string): Promise<Turn> {
      const { conversations } = scripted;
      const { id } = conversations.current();
      const asked = await conversations.ask(id, { text, images: [], origin: undefined });
      assert.ok(asked.ok);
      return until(() => {
        const turn = conversations.find(asked.turnId)?.turn;
        return turn?.outcome === undefined ? undefined : turn;
      }, 120_000);
    }

    /** The heap after a garbage collection, when nothing runs. In bytes. */
    async function heap(): Promise<number> {
      const { 'heap, MB': megabytes = Number.NaN } = await sample();
      return megabytes * 1024 * 1024;
    }

    /** Prints by how much the heap grew while a conversation did, and fails if that is too much. */
    function concludeGrowth(title: string, grown: number, bytes: number): void {
      const copies = grown / bytes;
      say(
        `${title}: ${bytes} bytes of text, ${(grown / 1024).toFixed(0)} KiB of heap, × ${copies.toFixed(2)}`,
      );
      assert.ok(copies <= MOST_COPIES, `${copies} × the text`);
    }

    it('of an answer with all tokens that the service can write takes a few times its text', async () => {
      const deltas = Array.from({ length: LONGEST_TOKENS }, (_, at) => ({
        answer: at % 40 === 39 ? 'end.\n\n' : ` w${at % 997}`,
      }));
      const bytes = deltas.reduce((sum, { answer }) => sum + answer.length, 0);
      // Modules are loaded, and code is compiled.
      for (const last of [false, true]) {
        scripted.conversations.create();
        const before = await heap();
        scripted.will(streamOf([{ reasoning: 'Think.' }, ...deltas, { finish: 'stop' }]));
        const turn = await ask('All of it');
        assert.equal(turn.answer.length, bytes);
        scripted.forgetRequests();
        if (last) concludeGrowth(`An answer of ${LONGEST_TOKENS} tokens`, (await heap()) - before, bytes);
      }
    });

    it('of a thousand turns in one conversation takes a few times their text', async () => {
      const answer = ANSWER.slice(0, 4000);
      scripted.conversations.create();
      let before = 0;
      for (let n = 1; n <= MANY_TURNS + 50; n++) {
        scripted.will(streamOf([{ reasoning: answer }, { answer }, { finish: 'stop' }]));
        assert.equal((await ask(`Question ${n}`)).outcome, 'complete');
        scripted.forgetRequests();
        if (n === 50) before = await heap();
      }
      concludeGrowth(`${MANY_TURNS} turns`, (await heap()) - before, MANY_TURNS * 2 * answer.length);
    });

    /** Asks a question with rounds of calls, and checks that all were run. */
    async function askWithCalls(name: string, rounds: number, perRound: number): Promise<void> {
      for (let round = 0; round < rounds; round++) {
        const calls = Array.from({ length: perRound }, (_, index) => ({
          index,
          id: `call_${name}_${round}_${index}`,
          type: 'function',
          function: { name: 'read_file', arguments: '{"path":"src/timetable.ts"}' },
        }));
        scripted.will(streamOf([{ reasoning: 'Let me look.' }, { calls }, { finish: 'tool_calls' }]));
      }
      scripted.will(streamOf([{ answer: 'Done.' }, { finish: 'stop' }]));
      const turn = await ask(`Look ${name}`);
      assert.equal(turn.outcome, 'complete');
      const done = turn.rounds.flatMap(({ toolCalls }) => toolCalls.filter(({ state }) => state === 'done'));
      assert.equal(done.length, rounds * perRound);
      // The service of the tests keeps the bodies of all requests.
      scripted.forgetRequests();
    }

    it('of 200 calls in one turn takes as long for each call as one of 24', async () => {
      const figures = new Map<number, number[]>();
      for (let run = 0; run < 4; run++)
        for (const rounds of [3, MAX_ROUNDS]) {
          scripted.conversations.create();
          const before = process.cpuUsage();
          await askWithCalls(`${rounds}-${run}`, rounds, 8);
          const { user, system } = process.cpuUsage(before);
          // The first run compiles.
          if (run > 0)
            figures.set(rounds, [...(figures.get(rounds) ?? []), (user + system) / 1000 / rounds / 8]);
        }
      const [few = 0, many = 0] = [...figures.values()].map((all) => all.toSorted((a, b) => a - b)[1]);
      say(
        `A call of 24: ${few.toFixed(1)} ms CPU; of 200: ${many.toFixed(1)} ms, × ${(many / few).toFixed(2)}`,
      );
      assert.ok(many < few * 3, `${many} ms for each of 200, ${few} ms for each of 24`);
    });

    it('of tool calls levels off', async () => {
      const samples = [];
      for (let n = 1; n <= TURNS; n++) {
        scripted.conversations.create();
        await askWithCalls(`${n}`, ROUNDS, CALLS);
        if (n % (TURNS / 4) === 0) samples.push(await sample());
      }
      conclude(`${TURNS * ROUNDS * CALLS} tool calls`, samples);
    });
  });
