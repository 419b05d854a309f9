/** Windows of one workspace, each with its own copy of the editor's workspace state. */
import assert from 'node:assert/strict';
import { createSharedState, type SharedState } from '../../src/editor/storage/sharedState.ts';

/** The workspace state as the editor has stored it. */
export interface StoredState {
  state: Record<string, unknown>;
}

/** The workspace state of a window: a copy from its start. What the window writes replaces all of the stored state. */
export function mementoOf(disk: StoredState) {
  const copy = { ...disk.state };
  return {
    get: (name: string) => copy[name],
    async update(name: string, value: unknown) {
      if (value === undefined) delete copy[name];
      else copy[name] = value;
      disk.state = { ...copy };
    },
  } as unknown as Pick<SharedState, 'get' | 'update'>;
}

/** Starts windows that store in a folder. */
export function sharedWindows(home: string): () => SharedState {
  const disk: StoredState = { state: {} };
  return () => createSharedState({ home }, mementoOf(disk), { warn: assert.fail });
}
