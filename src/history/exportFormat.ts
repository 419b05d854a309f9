/**
 * Conversations as files. JSON keeps everything: reasoning, attempts, branches, images, ids, usage, timings. One
 * conversation is a file of JSON; many are lines of the same, so that no file has to fit into memory.
 */
import type { Conversation, Exchange } from '../chat/turn.ts';
import { fromTurnRecord, toWholeQuestion } from './records.ts';

/** What the first key of each object says, so that a file tells what it is. */
export const EXPORT_FORMAT = 'k3-chat-conversation';
export const EXPORT_VERSION = 1;

export interface ExportedConversation {
  readonly format: typeof EXPORT_FORMAT;
  readonly version: number;
  readonly conversation: Conversation;
}

/** @param indent spaces a level; 0 puts the conversation on one line */
export function toExport(conversation: Conversation, indent: number): string {
  const exported: ExportedConversation = { format: EXPORT_FORMAT, version: EXPORT_VERSION, conversation };
  return `${JSON.stringify(exported, undefined, indent)}\n`;
}

/** What is wrong with a file: where in it, and what. */
export interface ImportProblem {
  readonly kind: 'not-json' | 'not-ours' | 'too-new' | 'invalid';
  /** Line of the file, counted from 1, when it has one conversation a line. */
  readonly line: number | undefined;
  /** The field and what it should be, like `conversation/exchanges/0/id must be string`. */
  readonly detail: string;
}

export type Imported =
  | { readonly ok: true; readonly conversations: readonly Conversation[] }
  | { readonly ok: false; readonly problem: ImportProblem };

/** Says what is wrong with an exported conversation, or undefined when nothing is. */
export type ImportCheck = (exported: unknown) => string | undefined;

/** Reads an exported file. All or nothing: one bad conversation refuses the file, and says where. */
export function parseExport(text: string, check: ImportCheck): Imported {
  const whole = tryParse(text);
  if (whole !== undefined) {
    const read = readOne(whole.value, undefined, check);
    return 'kind' in read ? { ok: false, problem: read } : { ok: true, conversations: [read] };
  }
  const conversations: Conversation[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = tryParse(line);
    const read =
      parsed === undefined
        ? ({ kind: 'not-json', line: index + 1, detail: '' } as const)
        : readOne(parsed.value, index + 1, check);
    if ('kind' in read) return { ok: false, problem: read };
    conversations.push(read);
  }
  return { ok: true, conversations };
}

function readOne(value: unknown, line: number | undefined, check: ImportCheck): Conversation | ImportProblem {
  const { format, version } = Object(value);
  if (format !== EXPORT_FORMAT) return { kind: 'not-ours', line, detail: '' };
  if (typeof version === 'number' && version > EXPORT_VERSION)
    return { kind: 'too-new', line, detail: String(version) };
  const detail = check(value);
  if (detail !== undefined) return { kind: 'invalid', line, detail };
  return toWhole((value as ExportedConversation).conversation);
}

/** JSON leaves out what is undefined; the types of the chat want it said. */
function toWhole(conversation: Conversation): Conversation {
  return {
    id: conversation.id,
    createdAt: conversation.createdAt,
    title: conversation.title,
    named: conversation.named,
    pinned: conversation.pinned,
    workspace: conversation.workspace,
    forkedFrom: conversation.forkedFrom,
    exchanges: conversation.exchanges.map(toWholeExchange),
    branches: conversation.branches.map(({ after, exchanges }) => ({
      after,
      exchanges: exchanges.map(toWholeExchange),
    })),
  };
}

function toWholeExchange({ id, question, attempts, shown }: Exchange): Exchange {
  return {
    id,
    question: toWholeQuestion(question),
    attempts: attempts.map((turn) => fromTurnRecord(turn.id, JSON.stringify(turn), turn, turn.rounds)),
    shown,
  };
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
