import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createConversationEdits } from '../../../../src/editor/conversations/conversationEdits.ts';
import type { ConversationStore } from '../../../../src/history/conversationStore.ts';
import { window } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, FACTS } from '../../conversation/turns.ts';
import { conversation, exchange, makeFolder, onFullDisk, open, storeOn } from '../../history/support.ts';

const { toToldChanges } = await withEditorStub(
  () => import('../../../../src/editor/conversations/toldChanges.ts'),
);

const image = { name: 'a.png', url: 'data:image/png;base64,AAAA' };
const again = {
  ...completeTurn(),
  id: 't2',
  request: { ...FACTS, chosen: { route: { name: 'gateway', insteadOf: '' } } },
};
const first = exchange('e1', 'Why?', [completeTurn(), again]);
const asked = conversation('c1', [{ ...first, question: { ...first.question, images: [image] } }]);

const CHANGES = {
  showAttempt: (changes) => changes.showAttempt('c1', 'e1', 1),
  omitImages: (changes) => changes.omitImages('c1', 'e1'),
  omitImage: (changes) => changes.omitImage('c1', 'e1', 0, true),
  keepResults: (changes) => changes.keepResults('c1', ['e1'], true),
  leaveRoute: (changes) => changes.leaveRoute('c1', 't2'),
} satisfies Record<string, (changes: ReturnType<typeof toToldChanges>) => boolean>;

describe('A change of a conversation that another window has changed or deleted', () => {
  const original = { ...window };
  let told: string[];
  let there: ConversationStore;
  let here: ConversationStore;
  let disk: ReturnType<typeof onFullDisk>;
  let branch: boolean;

  beforeEach(async () => {
    told = [];
    branch = true;
    Object.assign(window, { showWarningMessage: async (message: string) => void told.push(message) });
    const folder = await makeFolder();
    there = storeOn(open(folder));
    there.put(asked);
    disk = onFullDisk(open(folder), 'load', 'removed');
    disk.full = false;
    here = storeOn(disk.history, [], () => undefined);
    here.get('c1');
  });
  afterEach(() => void Object.assign(window, original));

  const changes = () =>
    toToldChanges({
      ...createConversationEdits({ store: here, untitled: '', fire: () => undefined }),
      ...{ get: here.get, deleted: here.removed, isUnread: here.isUnread, showBranch: () => branch },
    });

  for (const [name, change] of Object.entries(CHANGES))
    it(`says that it can’t be read, or was deleted: ${name}`, () => {
      there.put({ ...asked, title: 'Renamed there', named: true });
      here.poll();
      disk.full = true;
      assert.equal(change(changes()), false);
      assert.deepEqual(told.splice(0), ['The conversation can’t be read now. Try again later.']);
      disk.full = false;
      here.poll();
      assert.equal(change(changes()), true);
      assert.deepEqual(told, []);
      there.poll();
      there.remove('c1');
      assert.equal(change(changes()), false);
      assert.deepEqual(told, ['“Renamed there” was deleted.']);
    });

  it('says that another version can’t be shown because it can’t be read, and nothing while an answer runs', () => {
    branch = false;
    assert.equal(changes().showBranch('c1', 'e1'), false);
    assert.deepEqual(told, []);
    there.put({ ...asked, title: 'Renamed there', named: true });
    here.poll();
    disk.full = true;
    here.get('c1');
    assert.equal(changes().showBranch('c1', 'e1'), false);
    assert.deepEqual(told, ['The conversation can’t be read now. Try again later.']);
  });
});
