/** A window for the work of a day, with the real database, conversations, instructions, and requests. */

import assert from 'node:assert/strict';
import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Question } from '../../../src/conversation/question.ts';
import type { ReadyCall, Toolbox } from '../../../src/conversation/toolCalls/tools.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import type { Conversations } from '../../../src/editor/conversations/conversationList.ts';
import { createConversationStore } from '../../../src/history/conversationStore.ts';
import { openHistory } from '../../../src/history/history.ts';
import type { TurnSettings } from '../../../src/requests/turnSettings.ts';
import { createTurns } from '../../../src/requests/turns.ts';
import { createDeferred } from '../../../src/service/deferred.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';
import { PRICES } from '../../unit/history/support.ts';
import { SETTINGS } from '../../unit/requests/support.ts';
import { withEditorStub } from '../withEditorStub.ts';
import type { Project } from './project.ts';
import type { DayService } from './services.ts';

const rooms = await withEditorStub(async () => ({
  ...(await import('../../../src/editor/conversations/conversationList.ts')),
  ...(await import('../../../src/editor/composer/composers.ts')),
  ...(await import('../../../src/editor/composer/instructions.ts')),
  ...(await import('../../../src/editor/tools/fileTools.ts')),
  ...(await import('../../../src/editor/tools/codeTools.ts')),
  ...(await import('../../../src/editor/tools/gitTools.ts')),
  ...(await import('../../../src/editor/tools/editTool.ts')),
}));

export interface DayWindow {
  readonly conversations: Conversations;
  leaveInstructionsOut(conversationId: string): void;
  /** Asks, and waits for the end of the answer. With `stopAfter`, the answer is stopped after this number of characters. */
  ask(conversationId: string, question: Question, stopAfter?: number): Promise<Turn>;
  close(): void;
}

export interface DayWindowDeps {
  readonly folder: string;
  readonly service: DayService;
  readonly project: Project;
  settings?(): Partial<TurnSettings>;
}

export function openDayWindow({ folder, service, project, settings }: DayWindowDeps): DayWindow {
  const opened = openHistory({
    folder,
    place: 'the day',
    now: Date.now,
    onSetAside: () => assert.fail('the database was set aside'),
    onWrong: assert.fail,
  });
  assert.ok(opened.ok);
  const store = createConversationStore({
    history: opened.history,
    prices: () => PRICES,
    onTrouble: (trouble, error) => assert.equal(trouble, undefined, String(error)),
    onFailure: assert.fail,
  });
  const log = { info: () => undefined, warn: assert.fail };
  const conversations = rooms.createConversations({
    turns: createTurns({
      settings: () => ({ ...SETTINGS, ...settings?.() }),
      routes: { named: () => undefined, active: () => ({ route: routeTo(service), demoKey: undefined }) },
      keys: { find: async () => ({ found: true, key: service.key, source: 'stored' }) },
      transports: { for: async () => nodeTransport },
      spentToday: () => 0,
      confirm: async () => true,
      putSpend: store.putSpend,
      beginSpend: store.beginSpend,
      log,
    }),
    log,
    store,
    untitled: 'New conversation',
    workspace: undefined,
    lastConversation: { get: () => undefined, set: () => undefined },
  });
  const toolbox = createToolbox();
  conversations.useTools(() => toolbox);
  const composers = rooms.createComposers(conversations, { get: () => undefined, set: () => undefined });
  const instructions = rooms.createInstructions({
    conversations,
    composers,
    read: project.instructionsFor,
    onDidTouch: () => ({ dispose: () => undefined }),
    log,
  });
  conversations.useInstructions(instructions.due);

  return {
    conversations,
    leaveInstructionsOut: (conversationId) => instructions.leaveOut(conversationId, true),
    async ask(conversationId, question, stopAfter = Infinity) {
      const ended = createDeferred<Turn>();
      const listening = conversations.onDidChange((change) => {
        if (change.type !== 'turn') return;
        if (change.turn.outcome !== undefined) ended.resolve(change.turn);
        else if (change.turn.answer.length > stopAfter) conversations.stop(conversationId);
      });
      const asked = await conversations.ask(conversationId, question);
      assert.ok(asked.ok, JSON.stringify(asked));
      const turn = await ended.promise;
      listening.dispose();
      while (conversations.isRunning(conversationId)) await nextLoop();
      return turn;
    },
    close() {
      instructions.dispose();
      composers.dispose();
      conversations.dispose();
    },
  };
}

const routeTo = ({ url }: DayService) =>
  ({ name: 'day', kind: 'direct', root: `${url}/v1`, origin: url, model: 'svc-k3' }) as const;

/** The tools of the extension with their real definitions, and results of some length. */
function createToolbox(): Toolbox {
  const proposals = { add: assert.fail, ofTurn: () => [] } as never;
  const tools = [
    ...rooms.createFileTools(),
    ...rooms.createCodeTools(),
    ...rooms.createGitTools(),
    rooms.createEditTool({ proposals, runningTurn: () => undefined, log: { warn: assert.fail } }),
  ];
  return {
    definitions: tools.map(({ definition }) => definition),
    run: async ({ name }: ReadyCall) => ({ text: `${name}: ${'a line of the result\n'.repeat(30)}` }),
  };
}
