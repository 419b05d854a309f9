/** Answers about a merge conflict that name no file, or another one. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Origin } from '../../../src/conversation/question.ts';
import { aroundProposals, edits, openHidden, pathOf, scripted } from '../proposals/proposing.ts';
import { ended, streamOf, until } from '../scripted.ts';

const CONFLICT = '<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> feature\n';
const TEXT = `a\n${CONFLICT}b\n`;

const jsonOf = (...files: readonly object[]) => JSON.stringify({ explanation: 'So.', files });
const editsOf = (path: string, ...pairs: readonly (readonly [string, string])[]) => ({
  path,
  edits: pairs.map(([find, replace]) => ({ find, replace })),
});

/** Asks to resolve the conflict, and returns what came of the answer. */
async function resolve(answer: string) {
  const document = await openHidden('merge.txt', TEXT);
  scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
  await vscode.commands.executeCommand('k3.resolveConflict', { uri: document.uri, line: 1 });
  const { conversations, proposals, inPlace } = scripted;
  const turn = await until(() => conversations.current().exchanges.at(-1)?.attempts.at(-1));
  await ended(conversations, turn.id);
  const proposal = await until(() => proposals.ofTurn(turn.id)[0]);
  const thread = async () => {
    const [edit] = inPlace.list();
    assert.ok(edit);
    const bodies = () =>
      (inPlace.threads.of(edit)?.comments ?? []).map(({ body }) =>
        typeof body === 'string' ? body : body.value.replaceAll('\\', ''),
      );
    // It is drawn a moment after the proposal.
    return (await until(() => (/Not placed|Couldn’t/.test(bodies().join()) ? bodies() : undefined)))
      .slice(1)
      .join('\n');
  };
  return { proposal, thread };
}

describe('The answer to a merge conflict', () => {
  aroundProposals();
  afterEach(() => {
    for (const edit of scripted.inPlace.list()) scripted.inPlace.end(edit);
  });

  for (const [what, answer] of [
    ['has one code block', '```\nboth\n```\n'],
    ['has one code block for a file that doesn’t exist', '```ts title="src/nowhere.ts"\nboth\n```\n'],
    ['names no file', jsonOf(editsOf('', [CONFLICT, 'both\n']))],
    [
      'names no file, and changes parts',
      jsonOf(editsOf(' ', ['<<<<<<< HEAD\nmine\n', 'both\n'], ['=======\ntheirs\n>>>>>>> feature\n', ''])),
    ],
    ['names no lines', () => edits(pathOf('merge.txt'), ['', 'both'])],
    ['names no file and no lines', jsonOf(editsOf('', ['', 'both\n']))],
    ['names a file that doesn’t exist', jsonOf(editsOf('src/nowhere.txt', [CONFLICT, 'both\n']))],
    ['names a file that doesn’t exist, and no lines', jsonOf(editsOf('src/nowhere.txt', ['', 'both\n']))],
  ] as const)
    it(`replaces the conflict when it ${what}`, async () => {
      const { proposal } = await resolve(typeof answer === 'string' ? answer : answer());
      assert.deepEqual(
        proposal.files.map(({ label, isNew, after, unplaced }) => [label, isNew, after, unplaced]),
        [[pathOf('merge.txt'), false, 'a\nboth\nb\n', []]],
      );
    });

  for (const [what, answer, says] of [
    [
      'leaves a marker of it alone',
      () => edits(pathOf('merge.txt'), ['<<<<<<< HEAD\nmine\n=======\n', 'mine\n']),
      /a conflict marker would be left alone/,
    ],
    [
      'names a file that doesn’t exist, with lines that are not in the conflict',
      jsonOf(editsOf('src/nowhere.txt', ['b', 'B'])),
      /^So\.\nsrc\/nowhere\.txt: Not placed: the file doesn’t exist\.$/,
    ],
    [
      'has lines that are not in the file',
      jsonOf(editsOf('', ['elsewhere', 'B'])),
      /^So\.\n\S*merge\.txt: Not placed: these lines are not in the file\./,
    ],
    [
      'has several code blocks',
      '```\nmine\n```\n\n```\ntheirs\n```\n',
      /Couldn’t create a proposal from this answer\. The answer contains 2 code blocks but doesn’t say where they belong\./,
    ],
  ] as const)
    it(`is not placed when it ${what}, and the thread says why, once`, async () => {
      const { proposal, thread } = await resolve(typeof answer === 'string' ? answer : answer());
      assert.ok(proposal.files.every(({ hunks }) => hunks.length === 0));
      const said = await thread();
      assert.match(said, says);
      assert.doesNotMatch(said, /new file|nothing to review/);
    });
});

describe('An answer about several files', () => {
  aroundProposals();

  it('is not placed where it names none of them', async () => {
    const origins: Origin[] = [];
    for (const name of ['a.txt', 'b.txt']) {
      const { uri } = await openHidden(name, 'one\n');
      origins.push({ uri: uri.toString(), startLine: 0, endLine: 0, text: 'one\n' });
    }
    const [origin, ...more] = origins;
    const { conversations, proposals } = scripted;
    scripted.will(streamOf([{ answer: jsonOf(editsOf('', ['one', 'two'])) }, { finish: 'stop' }]));
    const question = { text: 'Change it.', images: [], origin, more, purpose: 'proposal' as const };
    const sent = await conversations.ask(conversations.current().id, question);
    assert.ok(sent.ok);
    const { id } = await ended(conversations, sent.turnId);
    const proposal = await until(() => proposals.ofTurn(id)[0]);
    assert.deepEqual(
      [proposal.files, proposal.trouble],
      [[], { kind: 'malformed', malformed: { field: 'path', expected: 'text' } }],
    );
  });
});
