/** The rooms of the editor that ask and queue, with a stub in place of the editor. */
import { registerHooks } from 'node:module';

const stub = new URL('./editorStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: stub, shortCircuit: true } : next(specifier, context),
});

export const { createConversations } = await import('../../../src/editor/conversations/conversationList.ts');
export const { createComposers } = await import('../../../src/editor/composer/composers.ts');
export const { createIntents } = await import('../../../src/editor/chatView/intents.ts');
export const { createPanelReceiver } = await import('../../../src/editor/chatView/panelReceiver.ts');
hooks.deregister();
