/** An answer that asked for a change has a card, also if its changes can't be placed. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { NewProposal } from '../../../../src/editor/proposals/proposalList.ts';
import { EventEmitter } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf } from '../../conversation/turns.ts';

const { registerProposalCreation, toTroubleCards } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/proposals/proposalCreation.ts')),
  ...(await import('../../../../src/editor/proposals/proposalViews.ts')),
}));

describe('An answer whose changes can’t be placed because of an error', () => {
  it('has a card, once, and the log has the error', async () => {
    const turn = { ...completeTurn('```ts\ntest();\n```'), id: 'turn' };
    const origin = { uri: 'file:///a.ts', startLine: 0, endLine: 0, text: 'a\n' };
    const question = { text: 'Test it.', images: [], origin, purpose: 'tests' as const };
    const exchange = { id: 'exchange', question, attempts: [turn], shown: 0 };
    const conversation = conversationOf(exchange);
    const changes = new EventEmitter<unknown>();
    const [added, lines]: [NewProposal[], string[]] = [[], []];
    registerProposalCreation({
      conversations: { find: () => ({ conversation, exchange, turn }), onDidChange: changes.event },
      proposals: {
        ofFile: () => [],
        add(fresh: NewProposal) {
          added.push(fresh);
          return { ...fresh, id: 'proposal', createdAt: 0 };
        },
      },
      // The stand-in for the editor has no file systems, so looking for the file of the tests fails.
      renames: { since: () => ({ withFilesNow: async (asked: unknown) => asked }) },
      log: { warn: (line: string) => void lines.push(line) },
    } as never);
    changes.fire({ type: 'turn', turn });
    await eventually(() => assert.equal(added.length, 1));
    assert.deepEqual([added[0]?.files, added[0]?.trouble], [[], { kind: 'failed' }]);
    assert.match(lines.join('\n'), /^couldn't create a proposal: TypeError: /);
    const [card] = toTroubleCards(added.map((fresh) => ({ ...fresh, id: 'proposal', createdAt: 0 })));
    assert.equal(card?.title, 'Couldn’t create a proposal from this answer');
    assert.match(card.body.join(), /To see why, run “K3: Show Log”/);
  });
});
