import { html, nothing, type TemplateResult } from 'lit-html';
import type { Surroundings } from '../../panel/surroundings.ts';
import type { ExchangeView } from '../../panel/views.ts';
import { disclosure } from '../base/disclosure.ts';
import { sentContext } from '../composer/contextChips.ts';
import { imagesTemplate } from './questionImages.ts';
import type { TranscriptContext } from './transcriptContext.ts';
import { pagerTemplate, turnTemplate } from './turn.ts';

/** A question with more lines than this is collapsed. */
const LONG_QUESTION = 12;

/** A question and the shown attempt of its answer. */
export function exchangeTemplate(
  exchange: ExchangeView,
  around: Surroundings,
  context: TranscriptContext,
): TemplateResult {
  return html`
    ${context.editing()?.exchangeId === exchange.id ? editTemplate(exchange, context) : questionTemplate(exchange, around, context)}
    ${exchange.turn === undefined ? nothing : turnTemplate(exchange, exchange.turn, around, context)}
  `;
}

/** The text that the user edits: the words that they typed for a command, or the text of the question. */
export const editedText = ({ question }: ExchangeView): string => question.typed?.text ?? question.text;

/** Whether the text of an edit differs from that of its question. If the question is not among the exchanges, any text counts. */
export function isWritten(
  { exchangeId, text }: { readonly exchangeId: string; readonly text: string },
  exchanges: readonly ExchangeView[] = [],
): boolean {
  const exchange = exchanges.find(({ id }) => id === exchangeId);
  return text.trim() !== '' && (exchange === undefined || text !== editedText(exchange));
}

/** The question in a text box, with the context and images that are sent again. Sending it creates a branch. */
function editTemplate(exchange: ExchangeView, context: TranscriptContext): TemplateResult {
  const { id, question } = exchange;
  const { typed } = question;
  const { word, post, editing, edit, flushEdit } = context;
  const text = editing()?.text ?? '';
  const isIncomplete = (written: string) => written.trim() === '' && typed?.mayBeEmpty !== true;
  const save = () => {
    // Uses the current text, because the last drawing may be older than the last key.
    const written = editing()?.text ?? '';
    if (isIncomplete(written)) return;
    // Closed first, because from then on the host keeps the text until the question is asked.
    edit(undefined);
    post({ type: 'edit', exchangeId: id, text: written });
  };
  const onKey = (event: KeyboardEvent) => {
    // Escape can undo the conversion of an input method, and Enter can end it.
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      edit(undefined);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      save();
    }
  };
  return html`<article class="message you" aria-label="${word('You')}: ${word('Edit')}">
    <h3 class="who"><span class="codicon codicon-account" aria-hidden="true"></span>${word('You')}</h3>
    ${typed === undefined ? nothing : html`<p class="facts">${typed.title}</p>`}
    <div class="box"><textarea class="edit" rows="2" dir="auto" aria-label=${word('Edit')} .value=${text}
      @input=${(event: InputEvent) => edit({ exchangeId: id, text: event.target instanceof HTMLTextAreaElement ? event.target.value : text })}
      @keydown=${onKey} @blur=${flushEdit}></textarea></div>
    ${sentContext(id, question.context, context)}
    ${imagesTemplate(exchange, context)}
    <p class="facts">${word('Sending the edited question creates a new branch. The original is kept.')}</p>
    <div class="card-actions">
      <button type="button" class="vscode-button" ?disabled=${isIncomplete(text)} @click=${save}>${word('Send')}</button>
      <button type="button" class="vscode-button secondary" @click=${() => edit(undefined)}>${word('Cancel')}</button>
    </div>
  </article>`;
}

function versionsTemplate(
  { id, version, versions }: ExchangeView,
  { running, elsewhere }: Surroundings,
  { word, post }: TranscriptContext,
): TemplateResult | typeof nothing {
  if (versions < 2) return nothing;
  const show = (next: number) => () => post({ type: 'show-version', exchangeId: id, version: next });
  // Showing another version would remove the running answer from the page.
  return pagerTemplate('Versions', version, versions, word, show, running || elsewhere);
}

/** The content below a question: the lines that it is about, and its attachments. */
const attachedTemplate = (
  id: string,
  { origin, context }: ExchangeView['question'],
  app: TranscriptContext,
): TemplateResult =>
  html`${origin === undefined ? nothing : html`<div class="attachments sent"><span class="chip" title=${origin}><span class="codicon codicon-code" aria-hidden="true"></span><span class="chip-name is-path"><bdi dir="ltr">${origin}</bdi></span></span></div>`}
    ${sentContext(id, context, app)}`;

/** A question that the user wrote. */
function writtenTemplate({ id, question }: ExchangeView, context: TranscriptContext): TemplateResult {
  const { word, isOpen, toggle } = context;
  const long = question.text.split('\n', LONG_QUESTION + 1).length > LONG_QUESTION;
  const open = !long || isOpen(questionId(id), false);
  return html`
    <div class="question ${open ? '' : 'is-folded'}" dir="auto">${question.text}</div>
    ${long ? disclosure(open, word(open ? 'Show less' : 'Show more'), () => toggle(questionId(id), false)) : nothing}
    ${attachedTemplate(id, question, context)}
  `;
}

/** The ID of the disclosure of a long question, or of the prompt of a command. */
export const questionId = (exchangeId: string) => `question-${exchangeId}`;

/** A question of a command: its short form, the lines that it is about, and, in a disclosure, the prompt that is sent. */
function askedTemplate(
  { id, question }: ExchangeView,
  asked: string,
  context: TranscriptContext,
): TemplateResult {
  const { word, isOpen, toggle } = context;
  const open = isOpen(questionId(id), false);
  return html`
    <div class="question" dir="auto">${asked}</div>
    ${attachedTemplate(id, question, context)}
    ${disclosure(open, word('Details'), () => toggle(questionId(id), false))}
    <div class="prompt" dir="auto" ?hidden=${!open}>${question.sent ?? question.text}</div>
  `;
}

function questionTemplate(
  exchange: ExchangeView,
  around: Surroundings,
  context: TranscriptContext,
): TemplateResult {
  const { id, question } = exchange;
  const { word, edit } = context;
  const start = (question.asked ?? question.text).trim().split('\n', 1)[0]?.slice(0, 80) ?? '';
  return html`<article class="message you" data-exchange=${id} aria-label="${word('You')}: ${start}" tabindex="-1">
    <div class="who-row"><h3 class="who"><span class="codicon codicon-account" aria-hidden="true"></span>${word('You')}</h3>
    ${question.preset === undefined ? nothing : html`<span class="hint" title=${question.preset.detail}>${question.preset.name}</span>`}
    <div class="actions question-actions" role="toolbar" aria-label=${word('Message actions')}>
      <button type="button" class="icon-button" aria-label=${word('Edit')} title=${word('Edit the question: it is asked again in a new branch')} ?disabled=${around.running} @click=${() => edit({ exchangeId: id, text: editedText(exchange) })}><span class="codicon codicon-edit"></span></button>
    </div>
    </div>
    ${versionsTemplate(exchange, around, context)}
    ${question.asked === undefined ? writtenTemplate(exchange, context) : askedTemplate(exchange, question.asked, context)}
    ${imagesTemplate(exchange, context)}
  </article>`;
}
