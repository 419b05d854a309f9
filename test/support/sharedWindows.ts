/** Windows of one workspace, each with what the editor keeps for it. */
import assert from 'node:assert/strict';
import { createSharedState, type SharedState } from '../../src/editor/storage/sharedState.ts';

/** What the editor has stored of the workspace state. */
export interface StoredState {
  state: Record<string, unknown>;
}

/** The workspace state of a window: a copy from when it began. What is written replaces all of it. */
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

/** Begins windows that save in a folder. */
export function sharedWindows(home: string): () => SharedState {
  const disk: StoredState = { state: {} };
  return () => createSharedState({ home }, mementoOf(disk), { warn: assert.fail });
}
