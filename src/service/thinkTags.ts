/**
 * Separates reasoning inside `content` by its tags, as servers without a reasoning parser send it (R4). The
 * opening tag can be missing because it was part of the prompt; then everything before the closing tag was
 * reasoning.
 */
const TAGS = [
  { open: '<think>', close: '</think>' },
  { open: '◁think▷', close: '◁/think▷' },
] as const;
const OPEN_TAGS: readonly string[] = TAGS.map((tag) => tag.open);
const ALL_TAGS: readonly string[] = TAGS.flatMap((tag) => [tag.open, tag.close]);
const MAX_TAG_LENGTH = Math.max(...ALL_TAGS.map((tag) => tag.length));
const ANY_TAG = /<\/?think>|◁\/?think▷/g;

export type TagPart =
  | { readonly kind: 'reasoning'; readonly text: string; readonly open: string }
  | { readonly kind: 'answer'; readonly text: string }
  /** The closing tag. `wasReasoning`: there was no opening tag, so all text before it is reasoning. */
  | { readonly kind: 'close'; readonly close: string; readonly wasReasoning: boolean };

export interface TagState {
  /** `start`: only white space so far. `plain`: an answer, in which a closing tag can still follow. */
  readonly mode: 'start' | 'inside' | 'plain' | 'past';
  readonly open: string;
  readonly close: string;
  /** The end of the text so far, if it could be the start of a tag. */
  readonly held: string;
  /** The character before `held`. A tag after a quotation mark is a quotation, not markup. */
  readonly before: string;
  /** The code that the text before `held` is in. A tag in code isn't markup either. */
  readonly code: Code;
}

/** Where a text is in Markdown's code: in a fence, or in a span of its line. */
interface Code {
  readonly isFenced: boolean;
  readonly isSpan: boolean;
  /** The first characters of the line. */
  readonly head: string;
}

const NO_CODE: Code = { isFenced: false, isSpan: false, head: '' };

export const NO_TAGS: TagState = { mode: 'start', open: '', close: '', held: '', before: '', code: NO_CODE };

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
  for (const { 0: tag, index: at } of text.matchAll(ANY_TAG)) {
    if ('`\'"'.includes((at === 0 ? state.before : text[at - 1]) || ' ')) continue;
    if (isCode(codeAfter(state.code, text.slice(0, at)))) continue;
    const past: TagState = { ...state, mode: 'past', held: '' };
    // A pair of tags in the middle of an answer is part of the answer.
    if (OPEN_TAGS.includes(tag)) return { state: past, parts: answer(text) };
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
      code: codeAfter(state.code, text.slice(0, end)),
    },
    parts: answer(text.slice(0, end)),
  };
}

const isCode = ({ isFenced, isSpan }: Code): boolean => isFenced || isSpan;

const HEAD_LENGTH = 6;

function codeAfter(code: Code, text: string): Code {
  let { isFenced, isSpan, head } = code;
  for (const [index, part] of text.split('\n').entries()) {
    if (index > 0) {
      if (/^ {0,3}(?:```|~~~)/.test(head)) isFenced = !isFenced;
      isSpan = false;
      head = '';
    }
    if (head.length < HEAD_LENGTH) head = (head + part).slice(0, HEAD_LENGTH);
    if (part.split('`').length % 2 === 0) isSpan = !isSpan;
  }
  return { isFenced, isSpan, head };
}

/** The length of the longest end of `text` that is the start of a tag. */
function beginningOf(tags: readonly string[], text: string): number {
  for (let length = Math.min(MAX_TAG_LENGTH - 1, text.length); length > 0; length--) {
    const end = text.slice(text.length - length);
    if (tags.some((tag) => tag.startsWith(end))) return length;
  }
  return 0;
}

const reasoning = (text: string, open: string): TagPart[] =>
  text === '' ? [] : [{ kind: 'reasoning', text, open }];
const answer = (text: string): TagPart[] => (text === '' ? [] : [{ kind: 'answer', text }]);
