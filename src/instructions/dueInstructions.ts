/**
 * Which instructions go with a question. What was sent is never changed, so that the prefix stays cached (R11): they go
 * with the first question, and later only those that are new or have changed.
 */
import { type ContextItem, isSameContext } from '../chat/context.ts';
import type { Question } from '../chat/question.ts';
import { isSent } from '../chat/transcript.ts';
import type { Exchange } from '../chat/turn.ts';

const isInstructions = ({ kind }: ContextItem): boolean => kind === 'instructions';

/**
 * @param earlier the exchanges before the question
 * @param now the instructions that apply to it
 */
export function dueInstructions(
  earlier: readonly Exchange[],
  now: readonly ContextItem[],
): readonly ContextItem[] {
  const sent = new Map(
    earlier
      .filter(isSent)
      .flatMap(({ question }) => question.context ?? [])
      .filter(isInstructions)
      .map((item) => [item.uri, item]),
  );
  return now.flatMap((item) => {
    const before = sent.get(item.uri);
    if (before === undefined) return [item];
    const { replaces, ...plain } = before;
    return isSameContext(plain, item) ? [] : [{ ...item, replaces: true as const }];
  });
}

/**
 * A question with its instructions before its other context. Instructions that it has are replaced. The order of its
 * fields stays, so that it serializes to the same bytes.
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
