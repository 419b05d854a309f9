import type * as vscode from 'vscode';

const KEY = 'k3.openConversation';

/** The conversation that this workspace had open last, so that a reload comes back to it. */
export interface Remembered {
  get(): string | undefined;
  set(conversationId: string): void;
}

export function createRemembered(state: Pick<vscode.Memento, 'get' | 'update'>): Remembered {
  return {
    get: () => state.get<string>(KEY),
    set: (conversationId) => void state.update(KEY, conversationId),
  };
}
