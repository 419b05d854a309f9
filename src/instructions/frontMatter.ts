/** The front matter of instruction and prompt files: the part of YAML that they use, see docs/decisions. */

type Value = string | readonly string[];

export interface FrontMatter {
  /** The fields by name. A list is an array, and a field without a value is an empty text. */
  readonly fields: Readonly<Record<string, Value>>;
  /** The names of the fields that can't be read completely. */
  readonly unread: ReadonlySet<string>;
  /** The text without the front matter. */
  readonly body: string;
  /** The front matter begins and doesn't end, so all of it is in the body. */
  readonly isOpen?: true;
}

/** Splits a text whose lines end in `\n`. Text between two horizontal rules belongs to the body if it has no field. */
export function parseFrontMatter(text: string): FrontMatter {
  const lines = text.split('\n');
  const isFence = (line: string, at: number) => at > 0 && line.trimEnd() === FENCE;
  const end = lines[0]?.trimEnd() === FENCE ? lines.slice(0, MAX_LINES).findIndex(isFence) : -1;
  if (end === -1) {
    // A horizontal rule isn't front matter.
    const isOpen = lines[0]?.trimEnd() === FENCE && FIELD.test(lines[1] ?? '');
    return { ...NONE, body: text, ...(isOpen && { isOpen }) };
  }
  const { fields, unread } = parseFields(lines.slice(1, end));
  if (fields.size === 0 && unread.size > 0) return { ...NONE, body: text };
  const body = lines.slice(end + 1).join('\n');
  return { fields: Object.fromEntries(fields), unread, body: body.replace(/^\n+/, '') };
}

const NONE = { fields: {}, unread: new Set<string>() };
const FENCE = '---';
/** Text with more lines isn't front matter: the time for its lists grows with the square of the number of lines. */
const MAX_LINES = 1000;
const FIELD = /^([A-Za-z][\w-]*):(?:\s(.*))?$/;
const ELEMENT = /^\s*-\s(.*)$/;
const INDENTED = /^\s/;
const IGNORED = /^\s*(?:#.*)?$/;

function parseFields(lines: readonly string[]) {
  const fields = new Map<string, Value>();
  const unread = new Set<string>();
  let last = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (IGNORED.test(line)) continue;
    const [, name, written = ''] = FIELD.exec(line) ?? [];
    const element = ELEMENT.exec(line)?.[1];
    const known = fields.get(last);
    // A list can begin on the line below the name.
    const starts = name === undefined && known === '' && INDENTED.test(line) ? line.trim() : written.trim();
    if (name !== undefined) last = name;
    if (starts.startsWith('[')) {
      const { list, lineCount } = readList([starts, ...lines.slice(at + 1)]);
      fields.set(last, list ?? '');
      if (list === undefined) unread.add(last);
      at += lineCount - 1;
    } else if (name !== undefined) {
      const block = BLOCK.exec(starts)?.[1];
      const below = block === undefined ? [] : indentedOf(lines.slice(at + 1));
      at += below.length;
      fields.set(last, block === undefined ? toText(starts) : joinBlock(below, block));
      if (starts.startsWith('{')) unread.add(last);
    } else if (element !== undefined && last !== '' && (known === '' || typeof known === 'object'))
      fields.set(last, [...(known === '' ? [] : known), toText(element)]);
    else if (typeof known === 'string' && known !== '' && INDENTED.test(line))
      fields.set(last, `${known} ${toText(line)}`);
    else unread.add(INDENTED.test(line) ? last : '');
  }
  return { fields, unread };
}

/** Begins a text of several lines. `|` keeps its line ends. */
const BLOCK = /^([|>])[-+\d]*(?:\s+#.*)?$/;

function indentedOf(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => line.trim() !== '' && !INDENTED.test(line));
  return end === -1 ? lines : lines.slice(0, end);
}

const joinBlock = (lines: readonly string[], block: string) =>
  lines
    .map((line) => line.trim())
    .join(block === '|' ? '\n' : ' ')
    .trim();

/** The elements up to the closing bracket of a list, which can be on a later line. Undefined if there is no such bracket. */
function readList(lines: readonly string[]): {
  readonly list: readonly string[] | undefined;
  readonly lineCount: number;
} {
  const bare = lines.map(withoutComment);
  const next = bare.findIndex((line, at) => at > 0 && FIELD.test(line));
  const own = next === -1 ? bare : bare.slice(0, next);
  const end = own.findIndex((line) => line.trimEnd().endsWith(']'));
  if (end === -1) return { list: undefined, lineCount: own.length };
  const text = own
    .slice(0, end + 1)
    .join(' ')
    .trim()
    .slice(1, -1);
  const elements = text.match(/"[^"]*"|'[^']*'|[^,\s"'][^,]*/g) ?? [];
  return { list: elements.map(toText).filter((element) => element !== ''), lineCount: end + 1 };
}

/** A text without its quotes, or without the comment after it. */
function toText(written: string): string {
  const text = written.trim();
  const quoted = /^"([^"]*)"|^'([^']*)'/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  const comment = text.search(/(?:^|\s)#/);
  return (comment === -1 ? text : text.slice(0, comment)).trim();
}

/** A line without its comment. A quotation mark inside a word is an apostrophe. */
function withoutComment(line: string): string {
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const letter = line.charAt(at);
    const before = line.charAt(at - 1);
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (`"'`.includes(letter) && /^[\s[,]?$/.test(before)) quote = letter;
    else if (letter === '#' && before.trim() === '') return line.slice(0, at);
  }
  return line;
}
