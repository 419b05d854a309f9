/** Everything that a walk may do, by room. */
import type { Action } from './action.ts';
import { chatActions } from './chatActions.ts';
import { codeActions } from './codeActions.ts';
import { composerActions } from './composerActions.ts';
import { conversationActions } from './conversationActions.ts';
import { crossingActions } from './crossingActions.ts';
import { hunkActions } from './hunkActions.ts';
import { reasoningActions } from './reasoningActions.ts';
import { serviceActions } from './serviceActions.ts';
import { toolActions } from './toolActions.ts';
import { windowActions } from './windowActions.ts';

export const ACTIONS: readonly Action[] = [
  ...chatActions,
  ...codeActions,
  ...composerActions,
  ...conversationActions,
  ...crossingActions,
  ...hunkActions,
  ...reasoningActions,
  ...serviceActions,
  ...toolActions,
  ...windowActions,
];
