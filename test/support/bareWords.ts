/** Finds texts for users that can't be translated. */
import { parseSync, Visitor } from 'oxc-parser';
import { isTranslation } from '../../scripts/lib/l10n.mjs';

type Parsed = ReturnType<typeof parseSync>;
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Two words, or a word beside a value. `¤` stands for a value. */
const PROSE = /(?<![\p{L}_-])\p{L}{2,}[,.:;]? [“‘(]?(?:\p{L}{2,}(?!-)|¤)|¤[,.:;]? \p{L}{2,}/u;
/** A sentence, a label, or a title of one word. */
const LABEL = /^\p{Lu}\p{Ll}+[….:!?]?$/u;
/** A unit after a value. */
const UNIT = /¤ ?(?:%|s|ms|min|h|[KM]i?B)(?![\p{L}\d;])/u;
/** A selector, or the classes of an icon. */
const CODE = /^(?:[.#][\w-]|[\w-]+ codicon-)/;
/** Names, which stay in every language. */
const NAME = /^(?:svc-k3|K3|JSON|JSON Lines|Markdown|VS Code|Git):?$/;
/** Attributes of HTML that are read or shown. */
const ATTRIBUTE = /(?:aria-label|aria-description|aria-roledescription|title|placeholder|alt)="([^"]*)"/g;
const HTML = /<\/?[a-z][\w-]*(?:\s[^>]*)?>|^</;
/** A comment on the line of a text, or above it, that says why the text isn't translated. */
const REASON = /\b(?:for the model|for the log|not translated)\b/i;

/** Whether a text has words that a reader would see. */
const hasWords = (text: string) =>
  !CODE.test(text.trim()) &&
  !NAME.test(text.trim()) &&
  (PROSE.test(text) || LABEL.test(text.trim()) || UNIT.test(text));

/** Returns a function for the line of an offset, from 1. */
function createLines(source: string): (offset: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let [from, to] = [0, ends.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((ends[middle] ?? offset) < offset) from = middle + 1;
      else to = middle;
    }
    return from + 1;
  };
}

/**
 * The texts with words in a file that do not come from `vscode.l10n.t` or from a table of words. Left out are texts for
 * the log, keys, comparisons, and texts with a comment that says who reads them.
 *
 * @param translated the texts of the tables of words, for a page
 * @returns `line: text` for each
 */
export function findBareWords(
  file: string,
  source: string,
  translated: ReadonlySet<string> = new Set(),
): readonly string[] {
  const parsed = parseSync(file, source);
  const left = leftOut(parsed, source);
  const lineOf = createLines(source);
  const isLeft = ({ start, end }: Place) => {
    if (left.some((place) => place.start <= start && end <= place.end)) return true;
    const line = lineOf(start);
    return commentsOf(parsed, source, [line - 1, line], lineOf).some((comment) => REASON.test(comment));
  };
  const found: string[] = [];
  const report = (place: Place, text: string) => {
    if (!isLeft(place)) found.push(`${lineOf(place.start)}: ${text.trim().slice(0, 80)}`);
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value !== 'string' || translated.has(node.value)) return;
      for (const text of HTML.test(node.value) ? textsOfHtml(node.value) : [node.value])
        if (hasWords(text)) report(node, text);
    },
    TemplateLiteral(node) {
      const text = textOfTemplate(node);
      if (HTML.test(text)) {
        for (const shown of textsOfHtml(text)) if (hasWords(shown)) report(node, shown);
      } else if (hasWords(text)) report(node, text);
    },
  }).visit(parsed.program);
  return found;
}

const textOfTemplate = ({ quasis }: { quasis: readonly { value: { cooked: string | null } }[] }) =>
  quasis.map(({ value }) => value.cooked ?? '').join('¤');

/** The texts between tags, and the attributes that are read or shown. */
function textsOfHtml(html: string): readonly string[] {
  const attributes = [...html.matchAll(ATTRIBUTE)].map(([, value = '']) => value);
  const between = html.replaceAll(/<[^>]*>/g, '\n').split('\n');
  return [...attributes, ...between]
    .map((text) => text.replaceAll('¤', ' ').trim())
    .filter((text) => text !== '');
}

/** Whole comments on these lines. */
function commentsOf(
  { comments }: Parsed,
  source: string,
  wanted: readonly number[],
  lineOf: (offset: number) => number,
): readonly string[] {
  return comments
    .filter(({ start, end }) => wanted.includes(lineOf(start)) || wanted.includes(lineOf(end)))
    .map(({ start, end }) => source.slice(start, end));
}

/** Calls whose texts go to the log. */
const LOGGED = /^(?:inBackground|actInBackground|(?:\w+\.)*log(?:\.\w+)?)$/;
/** Calls whose texts are selectors or searched texts. */
const SOUGHT = /(?:querySelector(?:All)?|closest|matches|includes|getPropertyValue)$/;
/** Variables and properties that hold keys or code. */
const KEY = /^(?:\w*[kK]ey\w*|id|code|type|kind|pattern|language|scheme|state)$/;

/** The places whose texts users don't see, or that are translated. */
function leftOut({ program }: Parsed, source: string): readonly Place[] {
  const places: Place[] = [];
  const add = (...nodes: readonly (Place | null | undefined)[]) => {
    for (const node of nodes) if (node) places.push(node);
  };
  const textOf = ({ start, end }: Place) => source.slice(start, end);
  new Visitor({
    ImportDeclaration: (node) => add(node),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node),
    TSTypeAliasDeclaration: (node) => add(node),
    TSInterfaceDeclaration: (node) => add(node),
    TSTypeAnnotation: (node) => add(node),
    TSTypeParameterInstantiation: (node) => add(node),
    ImportExpression: (node) => add(node),
    SwitchCase: (node) => add(node.test),
    BinaryExpression: (node) => {
      if (/^[!=]==?$|^in$/.test(node.operator)) add(node.left, node.right);
    },
    CallExpression(node) {
      const callee = textOf(node.callee);
      if (isTranslation(source, node.callee) || callee === 'word' || callee.endsWith('.word'))
        add(node.arguments[0]);
      else if (LOGGED.test(callee) || SOUGHT.test(callee)) add(...node.arguments);
    },
    VariableDeclarator: (node) => {
      if (/_WORDS$/.test(textOf(node.id)) || KEY.test(textOf(node.id))) add(node.init);
    },
    Property: (node) => {
      add(node.computed ? undefined : node.key);
      if (KEY.test(textOf(node.key))) add(node.value);
    },
  }).visit(program);
  return places;
}

/** Part of each text with plural forms. Files without it aren't parsed, because parsing them would take most of the time. */
const FORMS = ', plural, ';

/**
 * The texts with plural forms that `vscode.l10n.t` gets together with values. It would fill in the values and leave the
 * forms.
 */
export function findFilledForms(file: string, source: string): readonly string[] {
  if (!source.includes(FORMS)) return [];
  const found: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: given }) {
      const [text] = given;
      if (!isTranslation(source, callee) || text?.type !== 'Literal' || typeof text.value !== 'string')
        return;
      if (given.length > 1 && text.value.includes(FORMS)) found.push(text.value);
    },
  }).visit(parseSync(file, source).program);
  return found;
}
