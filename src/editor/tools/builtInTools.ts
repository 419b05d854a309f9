/** The list of the built-in tools. Their descriptions for the user are in `builtInToolWords.ts`. */
import type { Log } from '../base/log.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { createCodeTools } from './codeTools.ts';
import { createEditTool, type EditToolDeps } from './editTool.ts';
import { createFileTools } from './fileTools.ts';
import { createGitTools } from './gitTools.ts';
import { createPlanTool } from './planTool.ts';
import type { BuiltInTool } from './toolDefinitions.ts';

export interface BuiltInToolsDeps {
  readonly conversations: Pick<Conversations, 'get' | 'find'>;
  readonly proposals: EditToolDeps['proposals'];
  readonly log: Pick<Log, 'warn'>;
}

/** Creates all built-in tools. A new one is added here. */
export function createBuiltInTools({
  conversations,
  proposals,
  log,
}: BuiltInToolsDeps): readonly BuiltInTool[] {
  return [
    ...createFileTools(),
    ...createCodeTools(),
    ...createGitTools(),
    createPlanTool(),
    createEditTool({ proposals, runningTurn: (id) => runningTurn(conversations, id), log }),
  ];
}

function runningTurn(conversations: BuiltInToolsDeps['conversations'], id: string): Found | undefined {
  // Not the shown turn: the user may have switched to another attempt, or regenerated an earlier answer.
  const turns = conversations.get(id)?.exchanges.flatMap(({ attempts }) => attempts) ?? [];
  const running = turns.find(({ outcome }) => outcome === undefined);
  return running && conversations.find(running.id);
}
