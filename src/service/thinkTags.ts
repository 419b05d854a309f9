/**
 * Separates reasoning inside `content` by its tags, as servers without a reasoning parser send it (R4). The
 * opening tag can be missing because it was part of the prompt; then everything before the closing tag was
 * reasoning.
 */
export const TAGS = [
  { open: '<think>', close: '</think>' },
  { open: '◁think▷', close: '◁/think▷' },
] as const;
const OPEN_TAGS: readonly string[] = TAGS.map((tag) => tag.open);
const ALL_TAGS: readonly string[] = TAGS.flatMap((tag) => [tag.open, tag.close]);
const MAX_TAG_LENGTH = Math.max(...ALL_TAGS.map((tag) => tag.length));
/** The maximum number of characters of white space before a tag. With more, the text is an answer. */
export const MAX_LEAD_LENGTH = 1000;
/** None of the tags has characters with a meaning in a pattern. */
const ANY_TAG = new RegExp(ALL_TAGS.join('|'), 'g');

export type TagPart =
  | { readonly kind: 'reasoning'; readonly text: string; readonly open: string }
  | { readonly kind: 'answer'; readonly text: string }
  /** The closing tag. `wasReasoning`: there was no opening tag, so all text before it is reasoning. */
  | { readonly kind: 'close'; readonly close: string; readonly wasReasoning: boolean };

export interface TagState {
  /**
   * `start`: only white space so far. `inside`: in a tag. `plain`: an answer, in which a closing tag can still follow. `past`: no
   * tag can follow.
   */
  readonly mode: 'start' | 'inside' | 'plain' | 'past';
  readonly open: string;
  readonly close: string;
  /** The end of the text so far, if it could be the start of a tag, or if it is a closing tag and the line may end after it. */
  readonly held: string;
  /** The character before `held`. A tag after a quotation mark is a quotation, not markup. */
  readonly before: string;
  /** This line has a quoted opening tag. The next closing tag in it is a quotation, too, as in a regular expression. */
  readonly isQuoted: boolean;
  /**
   * The quotation marks that are open in this line. A closing tag after one is in a string or a code span, unless the line ends
   * after the tag.
   */
  readonly marks: string;
}

export const NO_TAGS: TagState = {
  mode: 'start',
  open: '',
  close: '',
  held: '',
  before: '',
  isQuoted: false,
  marks: '',
};

/**
 * Splits the next piece of `content` into reasoning and answer. Reads only this piece and the text that was
 * held back, so that the cost doesn't grow with the answer.
 *
 * @param trusting false after reasoning arrived in its own field: then tags are plain text of the answer
 */
export function splitTags(
  state: TagState,
  piece: string,
  trusting: boolean,
): { state: TagState; parts: TagPart[] } {
  if (state.mode === 'past' || !trusting) {
    const text = state.held + piece;
    return {
      state: { ...state, mode: 'past', held: '' },
      parts: text === '' ? [] : [{ kind: 'answer', text }],
    };
  }
  const text = state.held + piece;
  if (state.mode === 'inside') return splitInside(state, text);
  if (state.mode === 'plain') return splitPlain(state, text);
  const body = text.trimStart();
  const lead = text.slice(0, text.length - body.length);
  // The white space would be read again with each piece, and a model can repeat line breaks endlessly.
  if (lead.length > MAX_LEAD_LENGTH) return splitPlain({ ...state, mode: 'plain', held: '' }, text);
  const tag = TAGS.find(({ open }) => body.startsWith(open));
  if (tag !== undefined) {
    const open = lead + tag.open;
    return splitInside(
      { ...state, mode: 'inside', open, close: tag.close, held: '' },
      body.slice(tag.open.length),
    );
  }
  if (TAGS.some(({ open }) => open.startsWith(body))) return { state: { ...state, held: text }, parts: [] };
  return splitPlain({ ...state, mode: 'plain', held: '' }, text);
}

/** The reasoning before the first closing tag of a whole text, and what follows the tag. The opening tag can be missing. */
export function takeTagged(text: string): { readonly reasoning: string; readonly rest: string } | undefined {
  const start = text.trimStart();
  const open = OPEN_TAGS.find((tag) => start.startsWith(tag));
  const body = open === undefined ? text : start.slice(open.length);
  const closings = TAGS.flatMap(({ close }) => {
    const at = body.indexOf(close);
    return at === -1 ? [] : [{ at, end: at + close.length }];
  });
  const [first] = closings.toSorted((one, other) => one.at - other.at);
  return first && { reasoning: body.slice(0, first.at), rest: body.slice(first.end) };
}

export const hasClosingTag = (text: string): boolean => TAGS.some(({ close }) => text.includes(close));

/** The text that was held back when the stream ended. It wasn't a tag. */
export function flushTags(state: TagState): TagPart[] {
  if (state.held === '') return [];
  return state.mode === 'inside'
    ? [{ kind: 'reasoning', text: state.held, open: state.open }]
    : [{ kind: 'answer', text: state.held }];
}

function splitInside(state: TagState, text: string): { state: TagState; parts: TagPart[] } {
  const at = text.indexOf(state.close);
  if (at !== -1) {
    const rest = text.slice(at + state.close.length);
    return {
      state: { ...state, mode: 'past', held: '' },
      parts: [
        ...reasoning(text.slice(0, at), state.open),
        { kind: 'close', close: state.close, wasReasoning: false },
        ...answer(rest),
      ],
    };
  }
  const keep = beginningOf([state.close], text);
  return {
    state: { ...state, held: text.slice(text.length - keep) },
    parts: reasoning(text.slice(0, text.length - keep), state.open),
  };
}

function splitPlain(state: TagState, text: string): { state: TagState; parts: TagPart[] } {
  let { isQuoted, marks } = state;
  /** The offset up to which `isQuoted` and `marks` are known. */
  let from = 0;
  for (const { 0: tag, index: at } of text.matchAll(ANY_TAG)) {
    const between = text.slice(from, at);
    isQuoted &&= !between.includes('\n');
    marks = marksAfter(marks, between);
    from = at;
    const isOpen = OPEN_TAGS.includes(tag);
    if ('`\'"'.includes((at === 0 ? state.before : text[at - 1]) || ' ')) {
      isQuoted = isOpen;
      continue;
    }
    const rest = text.slice(at + tag.length);
    if (marks !== '' && !isQuoted && !isOpen && (rest === '' || rest === '\r')) {
      const before = at === 0 ? state.before : text.charAt(at - 1);
      return {
        state: { ...state, held: text.slice(at), before, isQuoted, marks },
        parts: answer(text.slice(0, at)),
      };
    }
    if ((isQuoted || (marks !== '' && !/^\r?\n/.test(rest))) && !isOpen) {
      isQuoted = false;
      continue;
    }
    const past: TagState = { ...state, mode: 'past', held: '' };
    // A pair of tags in the middle of an answer is part of the answer.
    if (isOpen) return { state: past, parts: answer(text) };
    return {
      state: past,
      parts: [
        ...answer(text.slice(0, at)),
        { kind: 'close', close: tag, wasReasoning: true },
        ...answer(text.slice(at + tag.length)),
      ],
    };
  }
  const end = text.length - beginningOf(ALL_TAGS, text);
  return {
    state: {
      ...state,
      held: text.slice(end),
      before: end === 0 ? state.before : text.charAt(end - 1),
      isQuoted: isQuoted && !text.slice(from, end).includes('\n'),
      marks: marksAfter(marks, text.slice(from, end)),
    },
    parts: answer(text.slice(0, end)),
  };
}

/** The quotation marks that are open after more text: those with an odd number in the line. Apostrophes don't count. */
function marksAfter(marks: string, text: string): string {
  let open = marks;
  for (const [mark] of text.matchAll(/[`"\n]/g)) {
    if (mark === '\n') open = '';
    else open = open.includes(mark) ? open.replace(mark, '') : open + mark;
  }
  return open;
}

/** The length of the longest end of `text` that is the start of a tag. */
export function beginningOf(tags: readonly string[], text: string): number {
  for (let length = Math.min(MAX_TAG_LENGTH - 1, text.length); length > 0; length--) {
    const end = text.slice(text.length - length);
    if (tags.some((tag) => tag.startsWith(end))) return length;
  }
  return 0;
}

const reasoning = (text: string, open: string): TagPart[] =>
  text === '' ? [] : [{ kind: 'reasoning', text, open }];
const answer = (text: string): TagPart[] => (text === '' ? [] : [{ kind: 'answer', text }]);
