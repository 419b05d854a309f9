/**
 * The script of a day: what a user asks from morning to evening, in one conversation, with the prompts that the commands
 * make. A commit message has a conversation of its own.
 */
import assert from 'node:assert/strict';
import { toContinuingQuestion } from '../../../src/conversation/continuingQuestion.ts';
import {
  type CodeTask,
  NOT_ACCEPTED_YET,
  toCodePrompt,
} from '../../../src/conversation/prompts/codePrompts.ts';
import { toReviewPrompt } from '../../../src/conversation/prompts/reviewPrompts.ts';
import type { Question } from '../../../src/conversation/question.ts';
import { toAsked } from '../../../src/conversation/shownQuestion.ts';
import type { Outcome, Turn } from '../../../src/conversation/turn.ts';
import { estimateTokens } from '../../../src/conversation/usage/tokens.ts';
import { fillPrompt, parsePrompt } from '../../../src/instructions/promptFile.ts';
import { OWN_PRESETS } from '../../../src/requests/presets.ts';
import { toCommitMessageQuestion } from '../../../src/review/questions/commitQuestion.ts';
import { toCodeReviewQuestion } from '../../../src/review/questions/reviewQuestion.ts';
import { attached, FARES, linesOfFares, PROMPT_FILE, type Project, ROOT } from './project.ts';
import type { DayService } from './services.ts';
import type { DayWindow } from './window.ts';

/** A request as it arrived, with the step of the script that sent it. */
export interface DayRequest {
  readonly step: string;
  readonly body: string;
}

export interface DayDeps {
  readonly service: DayService;
  readonly project: Project;
  open(): DayWindow;
  /** Called before each step, with its name. */
  before?(step: string): void;
}

export interface Day {
  /** The requests of the conversation, and those of conversations that commands open. */
  readonly requests: readonly DayRequest[];
  readonly aside: readonly DayRequest[];
  /** The request in a fork, and the last request before the fork. */
  readonly forked: readonly DayRequest[];
  /** The turns of the conversation, in their order. */
  readonly turns: readonly Turn[];
}

const plain = (text: string, more: Partial<Question> = {}): Question => ({
  text,
  images: [],
  origin: undefined,
  ...more,
});

/** A command on code, or an edit in the code. */
function onCode(
  task: CodeTask,
  [start, end]: readonly [number, number],
  instruction = '',
  more: Partial<Question> = {},
): Question {
  const note = more.revises === undefined ? {} : { note: NOT_ACCEPTED_YET };
  const { code, around } = linesOfFares(start, end);
  const text = toCodePrompt({ task, code, around, instruction, diagnostics: [], ...note });
  const origin = { uri: `${ROOT}${code.path}`, startLine: start, endLine: end, text: code.text };
  return plain(text, { asked: toAsked(task, instruction), origin, ...more });
}

const PROPOSAL = { purpose: 'proposal' } as const;

function sendReview(): Question {
  const { code } = linesOfFares(7, 13);
  const remark = {
    path: code.path,
    startLine: 9,
    endLine: 9,
    diff: '-  const single = age < 11 ? 121 : 241;\n+  const single = priceFor(age);',
    quote: '  const single = age < 11 ? 121 : 241;',
    text: 'Name it after the zone.',
  };
  const text = toReviewPrompt({
    remarks: [remark],
    open: [],
    accepted: [`${code.path}:3: const all`],
    rejected: [],
    code: [code],
  });
  return plain(text, { asked: toAsked('Send Review', remark.text), revises: 'p1', ...PROPOSAL });
}

function prompted(): Question {
  const prompt = parsePrompt('release', PROMPT_FILE) ?? assert.fail();
  const text = fillPrompt(prompt.text, new Map([['input:version', '2.0']]));
  const { effort, tools } = prompt;
  return plain(text, { asked: '/release', ...(effort && { effort }), ...(tools && { tools }) });
}

function review(): Question {
  const lines = FARES.split('\n').length;
  const code = {
    path: 'src/fares.ts',
    language: 'typescript',
    text: FARES,
    startLine: 0,
    lineCount: lines,
  };
  return plain(toCodeReviewQuestion(code, 10_000, estimateTokens).text, {
    asked: 'Review File',
    purpose: 'findings',
  });
}

function commitMessage(): Question {
  const diff = '@@ -1 +1 @@\n-  const single = age < 11 ? 121 : 241;\n+  const single = priceOfZone1(age);';
  const file = { path: 'src/fares.ts', change: 'modified', diff, text: FARES };
  const { text } = toCommitMessageQuestion({ files: [file], draft: '', earlier: [] }, 10_000, estimateTokens);
  return plain(text, { purpose: 'commit-message' });
}

const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** In characters of the answer. */
const STOP_AFTER = 40;
const CONTINUE =
  'Continue exactly where your answer was cut off, in the same form. Begin by repeating its last few words, and don’t open a code block again.';

export async function playDay({ service, project, open, before }: DayDeps): Promise<Day> {
  let window = open();
  const { id } = window.conversations.create();
  const [requests, aside, turns]: [DayRequest[], DayRequest[], Turn[]] = [[], [], []];
  const forked: DayRequest[] = [];

  async function ask(step: string, question: Question, outcome: Outcome = 'complete'): Promise<Turn> {
    before?.(step);
    const known = service.bodies().length;
    const turn = await window.ask(id, question, outcome === 'stopped' ? STOP_AFTER : undefined);
    assert.equal(turn.outcome, outcome, step);
    requests.push(
      ...service
        .bodies()
        .slice(known)
        .map((body) => ({ step, body })),
    );
    turns.push(turn);
    return turn;
  }

  async function reload(): Promise<void> {
    window.close();
    window = open();
    window.conversations.open(id);
  }

  await ask('ask', plain('How are fares made?', { context: [attached('src/fares.ts', FARES)] }));
  await ask('ask again', plain('Which of these functions round more than once?'));
  await ask('explain', onCode('explain', [0, 6]));
  await ask('edit here', onCode('edit', [14, 20], 'Take the discount from a table.', PROPOSAL));
  await ask('edit here, again', onCode('edit', [14, 20], 'Name the table.', { ...PROPOSAL, revises: 'p0' }));
  await ask('refactor', onCode('refactor', [7, 13], '', PROPOSAL));
  await ask('send review', sendReview());
  for (const question of service.toolQuestions) await ask('tools', plain(question));
  project.write('AGENTS.md', '# Fares\n\n- Amounts are whole cents.\n- Say which zone a test is about.\n');
  await ask('ask, with changed instructions', plain('Which tests are missing?'));
  await ask('prompt', prompted());
  await ask('ask with a preset', plain('Which zones should be joined?', { preset: OWN_PRESETS.Plan }));
  await ask('review', review());
  await ask('answer as JSON', plain('Name the zones.', { format: { kind: 'json' } }));
  const { outcome, mark } = service.unfinished;
  const long = plain(`Compare the zones with each other.${mark}`);
  const unfinished = await ask('unfinished answer', long, outcome);
  await ask('continued answer', toContinuingQuestion(long, unfinished, CONTINUE));
  await reload();
  await ask('ask after a reload', plain('Which zone is the cheapest?'));
  await ask('image', plain('What is on this picture?', { images: [{ name: 'a.png', url: IMAGE }] }));
  window.leaveInstructionsOut(id);
  project.write('AGENTS.md', '# Fares\n');
  await ask('ask without instructions', plain('And for two children?'));
  await askInFork();
  await askAside();
  await askInOtherWindow();
  await ask('ask', plain('What should be done tomorrow?'));
  window.close();
  return { requests, aside, forked, turns };

  /** The requests that a question in another conversation causes. */
  async function askIn(step: string, conversationId: string, question: Question): Promise<DayRequest[]> {
    const known = service.bodies().length;
    await window.ask(conversationId, question);
    const bodies = service.bodies().slice(known);
    return bodies.map((body) => ({ step, body }));
  }

  async function askAside(): Promise<void> {
    const own = window.conversations.createAside('Commit message');
    aside.push(...(await askIn('commit message', own.id, commitMessage())));
  }

  async function askInFork(): Promise<void> {
    const fork = window.conversations.fork(id) ?? assert.fail();
    forked.push(...requests.slice(-1), ...(await askIn('fork', fork.id, plain('And for ten?'))));
    window.conversations.open(id);
  }

  async function askInOtherWindow(): Promise<void> {
    const first = window;
    window = open();
    window.conversations.open(id);
    await ask('ask in another window', plain('Is anything left of the review?'));
    window.close();
    window = first;
  }
}
