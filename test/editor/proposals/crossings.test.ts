/** Proposals whose conversation is forked, deleted, renamed, edited, or asked again. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { toEditedQuestion } from '../../../src/conversation/continuingQuestion.ts';
import { ended, streamOf, until } from '../scripted.ts';
import {
  aroundProposals,
  CODE,
  document,
  edits,
  pathOf,
  propose,
  run,
  scripted,
  states,
} from './proposing.ts';

describe('A proposal whose conversation changes', () => {
  aroundProposals();

  const underReview = () => scripted.proposals.ofFile(document.uri.toString()).at(-1)?.proposal.id;
  const change = (to: string) => edits(pathOf('code.txt'), ['two', to]);
  const current = () => scripted.conversations.current();
  const will = (answer: string) => scripted.will(streamOf([{ answer }, { finish: 'stop' }]));

  it('is hidden while that is deleted, stays when it is renamed, and isn’t copied to a fork', async () => {
    const proposal = await propose(change('TWO'));
    const { conversations, proposals } = scripted;
    const { id } = current();
    const fork = conversations.fork(id);
    assert.deepEqual(proposals.ofTurn(fork?.exchanges[0]?.attempts[0]?.id ?? ''), []);
    conversations.rename(id, 'Renamed');
    assert.equal(underReview(), proposal?.id);
    conversations.delete(id);
    assert.equal(underReview(), undefined);
    conversations.restore(id);
    assert.equal(underReview(), proposal?.id);
    conversations.delete(fork?.id ?? '');
    await run('k3.acceptAll', proposal);
    assert.equal(document.getText(), CODE.replace('two', 'TWO'));
  });

  it('stays under review when its question is edited and the answer proposes nothing, and when its branch is shown', async () => {
    const proposal = await propose(change('TWO'));
    const { id, exchanges } = current();
    const [exchange] = exchanges;
    assert.ok(exchange);
    will('It is fine as it is.');
    const edited = toEditedQuestion(exchange.question, 'Only if needed, change it.');
    const asked = await scripted.conversations.askInstead(id, exchange.id, edited);
    assert.ok(asked.ok);
    await ended(scripted.conversations, asked.turnId);
    await until(() => scripted.proposals.ofTurn(asked.turnId)[0]);
    assert.equal(underReview(), proposal?.id);
    scripted.conversations.showBranch(id, exchange.id);
    assert.equal(underReview(), proposal?.id);
    assert.deepEqual(states(proposal), ['open']);
  });

  it('is replaced by that of an edited question, and of another attempt', async () => {
    const first = await propose(change('TWO'));
    const { id, exchanges } = current();
    const [exchange] = exchanges;
    assert.ok(exchange);
    will(change('Two'));
    const edited = toEditedQuestion(exchange.question, 'Change it less.');
    const asked = await scripted.conversations.askInstead(id, exchange.id, edited);
    assert.ok(asked.ok);
    const second = await until(() => scripted.proposals.ofTurn(asked.turnId)[0]);
    assert.equal(underReview(), second.id);
    will(change('2'));
    const again = await scripted.conversations.askAgain(asked.turnId);
    assert.ok(again.ok);
    const third = await until(() => scripted.proposals.ofTurn(again.turnId)[0]);
    assert.equal(underReview(), third.id);
    await run('k3.acceptAll', first);
    await run('k3.acceptAll', second);
    assert.equal(document.getText(), CODE);
    await run('k3.acceptAll', third);
    assert.equal(document.getText(), CODE.replace('two', '2'));
  });

  it('doesn’t replace another one when that was deleted in the moment in which the answer was complete', async () => {
    const first = await propose(change('TWO'));
    const { conversations, proposals } = scripted;
    const { id } = conversations.create();
    const listening = conversations.onDidChange((event) => {
      if (event.type === 'turn' && event.conversationId === id && event.turn.outcome === 'complete')
        conversations.delete(id);
    });
    will(change('Two'));
    const origin = { uri: document.uri.toString(), startLine: 1, endLine: 3, text: 'two\nthree\nfour\n' };
    const asked = await conversations.ask(id, {
      text: 'Change it.',
      images: [],
      origin,
      purpose: 'proposal',
    });
    assert.ok(asked.ok);
    await until(() => proposals.ofTurn(asked.turnId)[0]);
    listening.dispose();
    assert.equal(underReview(), first?.id);
    await vscode.commands.executeCommand('k3.acceptAll', { proposalId: first?.id });
    assert.equal(document.getText(), CODE.replace('two', 'TWO'));
  });
});
