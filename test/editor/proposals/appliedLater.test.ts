/** Apply on a code block whose file was renamed, deleted, or created since the answer. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Question } from '../../../src/conversation/question.ts';
import { createCodeBlockActions } from '../../../src/editor/proposals/codeBlockActions.ts';
import { ended, streamOf } from '../scripted.ts';
import { aroundProposals, document, open, pathOf, run, scripted, shownOf, uriOf } from './proposing.ts';

/** An answer in the chat with one code block, which is applied each time. */
async function answered(info: string, code: string, origin?: Question['origin']) {
  const { conversations, proposals, renames } = scripted;
  const { id } = conversations.current();
  scripted.will(streamOf([{ answer: `\`\`\`${info}\n${code}\`\`\`\n` }, { finish: 'stop' }]));
  const sent = await conversations.ask(id, { text: 'And?', images: [], origin });
  assert.ok(sent.ok);
  await ended(conversations, sent.turnId);
  const exchangeId = conversations.current().exchanges.at(-1)?.id ?? '';
  const lastEditor = { get: () => undefined } as never;
  const blocks = createCodeBlockActions({ conversations, proposals, renames, lastEditor });
  return {
    apply: () => blocks.perform('apply', id, { exchangeId, text: code, info }),
    made: () => proposals.ofTurn(sent.turnId),
    shown: () => shownOf(sent.turnId),
  };
}

const diffOf = (name: string) => `--- a/${pathOf(name)}\n+++ b/${pathOf(name)}\n@@ -2 +2 @@\n-two\n+TWO\n`;
const askedLines = () => ({ uri: document.uri.toString(), startLine: 1, endLine: 1, text: 'two\n' });

async function rename(from: string, to: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(uriOf(from), uriOf(to));
  assert.ok(await vscode.workspace.applyEdit(edit));
}

async function remove(name: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uriOf(name));
  assert.ok(await vscode.workspace.applyEdit(edit));
}

describe('Apply on a code block, after its file', () => {
  aroundProposals({ shown: true });

  for (const [name, info, code] of [
    ['code', () => 'txt', () => 'TWO\n'],
    ['a diff', () => 'diff', () => diffOf('code.txt')],
    ['code that names it', () => `txt ${pathOf('code.txt')}`, () => 'TWO\n'],
  ] as const)
    it(`was renamed, changes it under its new name, and shows that again: ${name}`, async () => {
      const { apply, made, shown } = await answered(info(), code(), askedLines());
      await rename('code.txt', 'named.txt');
      await apply();
      assert.deepEqual(shown(), [[['named.txt', 'open TWO']]]);
      await run('k3.acceptAll', made()[0]);
      await apply();
      await rename('named.txt', 'again.txt');
      await apply();
      assert.deepEqual(shown(), [[['again.txt', 'accepted TWO']]]);
    });

  it('was renamed, changes it also if the question was not about it', async () => {
    await open('a.txt', 'one\ntwo\n');
    const { apply, made, shown } = await answered('diff', diffOf('a.txt'));
    await rename('a.txt', 'b.txt');
    await apply();
    assert.deepEqual(shown(), [[['b.txt', 'open TWO']]]);
    await run('k3.acceptAll', made()[0]);
    await rename('b.txt', 'c.txt');
    await apply();
    assert.deepEqual(shown(), [[['c.txt', 'accepted TWO']]]);
  });

  it('was deleted, creates none', async () => {
    const diff = await answered('diff', diffOf('code.txt'), askedLines());
    const code = await answered('txt', 'TWO\n', askedLines());
    await remove('code.txt');
    for (const { apply } of [diff, code]) await apply();
    assert.deepEqual([diff.shown(), code.shown()], [[], []]);
  });

  it('was created with the proposed text, shows that proposal', async () => {
    const { apply, made, shown } = await answered(`txt ${pathOf('fresh.txt')}`, 'x\n');
    await apply();
    await run('k3.acceptAll', made()[0]);
    await apply();
    assert.deepEqual(shown(), [[['fresh.txt', 'accepted x']]]);
  });
});
