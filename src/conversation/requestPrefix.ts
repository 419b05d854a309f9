/**
 * The parts of a request as text. Each part has 8 characters: a letter for its kind, and 7 hexadecimal digits of its hash
 * (`requestMessages/prefix.ts`). A request has a part for each earlier message, so a turn keeps only the parts that the request
 * of an earlier turn doesn't have.
 */
export type Prefix = string | LaterPrefix;

/** A prefix that begins with another one. In JSON, it is written completely. */
export class LaterPrefix {
  readonly before: Prefix;
  readonly added: string;

  constructor(before: Prefix, added: string) {
    this.before = before;
    this.added = added;
  }

  toJSON(): string {
    return wholePrefix(this);
  }
}

/** All parts of a prefix. */
export function wholePrefix(prefix: Prefix): string {
  const added: string[] = [];
  let first = prefix;
  for (; typeof first !== 'string'; first = first.before) added.push(first.added);
  return first + added.reverse().join('');
}

/** The prefix `whole`, which keeps only the parts that `earlier`, or a prefix with which `earlier` begins, doesn't have. */
export function laterPrefix(earlier: Prefix, whole: string): Prefix {
  let known = wholePrefix(earlier);
  for (let one = earlier; ; one = one.before) {
    if (known === whole) return one;
    if (known !== '' && whole.startsWith(known))
      return new LaterPrefix(one, copyOf(whole.slice(known.length)));
    if (typeof one === 'string') return whole;
    known = known.slice(0, known.length - one.added.length);
  }
}

/** A slice of a string would keep the whole string in memory. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** A prefix with more parts after it. */
export const longerPrefix = (prefix: Prefix, added: string): Prefix =>
  typeof prefix === 'string' ? prefix + added : new LaterPrefix(prefix.before, prefix.added + added);

/** Whether a prefix contains a part. */
export function hasPart(prefix: Prefix, part: string): boolean {
  let one = prefix;
  for (; typeof one !== 'string'; one = one.before) if (one.added.includes(part)) return true;
  return one.includes(part);
}

/** Whether a prefix is known to begin with another one, without comparing their texts. */
export function isBuiltOn(prefix: Prefix, earlier: Prefix): boolean {
  let one = prefix;
  for (; one !== earlier; one = one.before) if (typeof one === 'string') return false;
  return true;
}
