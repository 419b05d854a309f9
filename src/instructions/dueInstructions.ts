/**
 * Which instructions are sent with a question. Messages that were sent never change, so that the prefix stays cached (R11): the
 * first question has all instructions, and later questions have only those that are new or have changed, and a note for those
 * that no longer apply.
 */
import { type ContextItem, isSameContext } from '../conversation/context/context.ts';
import type { Exchange } from '../conversation/conversation.ts';
import type { Question } from '../conversation/question.ts';
import { isSent } from '../conversation/requestMessages/transcript.ts';

const isInstructions = ({ kind }: ContextItem): boolean => kind === 'instructions';

/** The instructions of earlier messages, as they were last sent, without those that ended. */
export function sentInstructions(earlier: readonly Exchange[]): readonly ContextItem[] {
  const sent = new Map<string | undefined, ContextItem>();
  for (const item of earlier.filter(isSent).flatMap(({ question }) => question.context ?? [])) {
    if (item.ended === true) sent.delete(item.uri);
    else if (isInstructions(item)) sent.set(item.uri, item);
  }
  return [...sent.values()];
}

/**
 * The instructions to send with a question.
 *
 * @param earlier the exchanges before the question
 * @param now the instructions that apply to it
 * @param ended the items of `sentInstructions` that no longer apply
 */
export function dueInstructions(
  earlier: readonly Exchange[],
  now: readonly ContextItem[],
  ended: readonly ContextItem[] = [],
): readonly ContextItem[] {
  const sent = new Map(sentInstructions(earlier).map((item) => [item.uri, item]));
  const due = now.flatMap((item) => {
    const before = sent.get(item.uri);
    if (before === undefined) return [item];
    const { replaces, ...plain } = before;
    return isSameContext(plain, item) ? [] : [{ ...item, replaces: true as const }];
  });
  return [...ended.map(toEnded), ...due];
}

const toEnded = ({ kind, label, uri }: ContextItem): ContextItem => ({
  kind,
  label,
  ...(uri !== undefined && { uri }),
  parts: [],
  ended: true,
});

/**
 * A question with its instructions before its other context. Replaces the instructions that it has. The order of its fields
 * stays, so that it serializes to the same bytes.
 */
export function withInstructions(
  { text, images, context = [], ...rest }: Question,
  items: readonly ContextItem[],
): Question {
  const all = [...items, ...context.filter((item) => !isInstructions(item))];
  return { text, images, ...(all.length > 0 && { context: all }), ...rest };
}

/** The addresses of the files that a question is about. Those of folders end in `/`. */
export function filesOf({
  context = [],
  origin,
  more = [],
}: Pick<Question, 'context' | 'origin' | 'more'>): readonly string[] {
  const asked = [...(origin === undefined ? [] : [origin]), ...more].map(({ uri }) => uri);
  return [...asked, ...context.filter((item) => !isInstructions(item)).flatMap(filesOfItem)];
}

function filesOfItem({ kind, uri, label, parts }: ContextItem): readonly string[] {
  if (uri === undefined) return [];
  if (kind !== 'folder') return [uri];
  const folder = uri.endsWith('/') ? uri : `${uri}/`;
  const inside = parts.filter((part) => part.label.startsWith(label));
  return [folder, ...inside.map((part) => folder + toAddress(part.label.slice(label.length)))];
}

const toAddress = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
