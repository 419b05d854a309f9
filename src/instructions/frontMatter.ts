/** The front matter of instruction and prompt files: the part of YAML that they use, see docs/decisions. */

export interface FrontMatter {
  /** By name. A list has its elements. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** The text without it. */
  readonly body: string;
  /** It begins and doesn't end, so all of it is in the body. */
  readonly isOpen?: true;
}

/** Splits a text, whose lines end in `\n`. Lines of the front matter that are something else are skipped. */
export function parseFrontMatter(text: string): FrontMatter {
  const lines = text.split('\n');
  const end =
    lines[0]?.trimEnd() === FENCE ? lines.findIndex((line, at) => at > 0 && line.trimEnd() === FENCE) : -1;
  if (end === -1) {
    // A line across the page is no front matter.
    const isOpen = lines[0]?.trimEnd() === FENCE && FIELD.test(lines[1] ?? '');
    return { fields: {}, body: text, ...(isOpen && { isOpen }) };
  }
  const fields = new Map<string, string | readonly string[]>();
  let last = '';
  for (const line of lines.slice(1, end)) {
    const element = /^\s*-\s(.*)$/.exec(line)?.[1];
    const field = FIELD.exec(line);
    if (field?.[1] !== undefined) {
      last = field[1];
      fields.set(last, toValue(field[2] ?? ''));
    } else if (element !== undefined && last !== '') {
      const known = fields.get(last) ?? '';
      fields.set(last, [...(typeof known === 'string' ? [] : known), toText(element)]);
    }
  }
  return {
    fields: Object.fromEntries(fields),
    body: lines
      .slice(end + 1)
      .join('\n')
      .replace(/^\n+/, ''),
  };
}

const FENCE = '---';
const FIELD = /^([A-Za-z][\w-]*):(.*)$/;

function toValue(written: string): string | readonly string[] {
  const text = written.trim();
  if (!text.startsWith('[')) return toText(text);
  const list = text.slice(1, text.includes(']') ? text.lastIndexOf(']') : undefined);
  return (list.match(/"[^"]*"|'[^']*'|[^,\s"'][^,]*/g) ?? []).map(toText).filter((element) => element !== '');
}

/** A text without its quotes, or without the comment after it. */
function toText(written: string): string {
  const text = written.trim();
  const quoted = /^"([^"]*)"|^'([^']*)'/.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  const comment = text.search(/(?:^|\s)#/);
  return (comment === -1 ? text : text.slice(0, comment)).trim();
}
