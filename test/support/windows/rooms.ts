/** The rooms of the editor that ask and queue, with a stub in place of the editor. */
import { withEditorStub } from '../withEditorStub.ts';

export const { createConversations, createComposers, createIntents, createPanelReceiver, createChatPanel } =
  await withEditorStub(async () => ({
    ...(await import('../../../src/editor/conversations/conversationList.ts')),
    ...(await import('../../../src/editor/composer/composers.ts')),
    ...(await import('../../../src/editor/chatView/intents.ts')),
    ...(await import('../../../src/editor/chatView/panelReceiver.ts')),
    ...(await import('../../../src/editor/chatView/chatPanel.ts')),
  }));
