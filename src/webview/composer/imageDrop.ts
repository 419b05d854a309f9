/** Handles images that are pasted into the message box or dropped onto it, and `ms://` references that are typed. */
import { html, type TemplateResult } from 'lit-html';
import {
  isImageFile,
  isImagePath,
  isReference,
  publicImageIn,
  takeReferenceLines,
} from '../../panel/imageAddress.ts';
import type { Surroundings } from '../../panel/surroundings.ts';
import { firstClick } from '../base/firstClick.ts';
import type { ComposerContext } from './composerContext.ts';
import { attachFiles } from './imageReads.ts';
import { parseUriList, uriListIn } from './uriList.ts';

/** The images in a data transfer. */
export interface ImageTransfer {
  readonly files: readonly File[];
  /** The addresses of images without bytes. */
  readonly addresses: readonly string[];
}

type Data = Pick<DataTransfer, 'getData'> & { readonly files: Iterable<File> };

/**
 * The images in a data transfer. Files are preferred: for an image that is dragged out of a page, a browser provides both. Without a
 * list of addresses, files beside an image are included, too: the host says that they are no images, and nothing else would handle
 * them.
 */
export function imagesIn(data: Data): ImageTransfer {
  const list = uriListIn(data);
  const all = [...data.files];
  const files = all.filter(({ type, name }) => type.startsWith('image/') || isImagePath(name));
  if (files.length > 0) return { files: list === undefined ? all : files, addresses: [] };
  const source = imageSourceIn(data.getData('text/html'));
  const shown = source !== undefined;
  const addresses = parseUriList(list ?? '').filter(
    (address) => shown || isReference(address) || isImageAddress(address),
  );
  return { files, addresses: addresses.length === 0 && shown ? [source] : addresses };
}

/**
 * The content of a drop. Includes files of other programs that are neither images nor have addresses; the host says how to attach them.
 */
export function droppedIn(data: Data): ImageTransfer {
  const images = imagesIn(data);
  const isTaken = images.files.length > 0 || images.addresses.length > 0 || uriListIn(data) !== undefined;
  return isTaken ? images : { files: [...data.files], addresses: [] };
}

/** The address of the image in markup that contains an image and no text, as when an image is copied or dragged. */
function imageSourceIn(markup: string): string | undefined {
  const { tags, text } = readMarkup(markup);
  if (text.trim() !== '') return undefined;
  const sources = tags.map((tag) =>
    /^<img\b/i.test(tag) ? /\ssrc="(https?:[^"]+)"/i.exec(tag)?.[1] : undefined,
  );
  return sources.find((source) => source !== undefined)?.replaceAll('&amp;', '&');
}

/** The tags of markup, and the text outside of tags and comments. Reads the markup once, because it can be long. */
function readMarkup(markup: string): { readonly tags: readonly string[]; readonly text: string } {
  const tags: string[] = [];
  let text = '';
  let at = 0;
  const lastComment = markup.lastIndexOf('-->');
  for (let start = markup.indexOf('<'); start !== -1; start = markup.indexOf('<', at)) {
    const isComment = markup.startsWith('<!--', start) && start + 4 <= lastComment;
    const end = isComment ? markup.indexOf('-->', start + 4) + 3 : markup.indexOf('>', start) + 1;
    if (end === 0) break;
    text += markup.slice(at, start);
    if (!isComment) tags.push(markup.slice(start, end));
    at = end;
  }
  return { tags, text: text + markup.slice(at) };
}

/** Whether an address is that of an image. An SVG file of the workspace is none: its text is added as context instead. */
function isImageAddress(address: string): boolean {
  const path = pathOf(address);
  return /^https?:/i.test(address) ? isImagePath(path) : isImageFile(path);
}

function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : '';
}

/** Whether the user pastes text. Applications often add a picture of copied text, for example of a table. */
function isText(text: string, files: readonly File[]): boolean {
  const names = new Set(files.map(({ name }) => name));
  return text
    .trim()
    .split(/\r?\n/)
    .some((line) => line !== '' && !names.has(line.slice(line.lastIndexOf('/') + 1)));
}

export function onPaste(event: ClipboardEvent, context: ComposerContext, flushDraft: () => void): void {
  const data = event.clipboardData;
  if (data === null) return;
  const images = imagesIn(data);
  const text = data.getData('text/plain');
  const address = publicImageIn(text);
  if (images.files.length > 0 && !isText(text, images.files)) {
    event.preventDefault();
    attach(images, context);
  } else if (address !== undefined && context.draft().trim() === '') {
    const id = context.conversationId();
    // Lets the browser paste the address as text first.
    setTimeout(() => {
      flushDraft();
      context.post({ type: 'attach-addresses', addresses: [address] }, id);
    });
  } else if (text === '' && images.addresses.length > 0) {
    event.preventDefault();
    attach(images, context);
  }
}

export function onDragOver(event: DragEvent): void {
  const types = event.dataTransfer?.types ?? [];
  // Dropped text is left to the text box.
  if (!types.includes('Files') && !types.some((type) => type.endsWith('uri-list'))) return;
  event.preventDefault();
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
  if (event.currentTarget instanceof Element) event.currentTarget.classList.add('is-dropping');
}

export function onDragLeave(event: DragEvent): void {
  const { currentTarget, relatedTarget } = event;
  if (!(currentTarget instanceof Element)) return;
  if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
  currentTarget.classList.remove('is-dropping');
}

/** Handles a drop on the message box. Content that is not an image is left to the next handler or the text box. */
export function onDrop(event: DragEvent, context: ComposerContext): void {
  if (event.currentTarget instanceof Element) event.currentTarget.classList.remove('is-dropping');
  if (event.dataTransfer === null) return;
  const images = droppedIn(event.dataTransfer);
  if (images.files.length === 0 && images.addresses.length === 0) return;
  event.preventDefault();
  attach(images, context);
}

function attach({ files, addresses }: ImageTransfer, { post, conversationId }: ComposerContext): void {
  if (addresses.length > 0) post({ type: 'attach-addresses', addresses });
  if (files.length > 0) attachFiles(files, post, conversationId());
}

/** Turns a line that is only a reference into an attachment when the user ends the line or the word. */
export function takeReferences(
  event: InputEvent,
  box: HTMLTextAreaElement,
  post: ComposerContext['post'],
): void {
  const ended = event.inputType === 'insertLineBreak' || event.data === ' ' || event.data === '\n';
  if (!ended || event.isComposing) return;
  const { text, references } = takeReferenceLines(box.value.slice(0, box.selectionStart));
  const after = box.value.slice(box.selectionStart);
  // If the line has more text, the reference is part of a sentence.
  if (references.length === 0 || !/^(\n|$)/.test(after)) return;
  // The cursor continues on a line of its own.
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  box.value = before + after;
  box.setSelectionRange(before.length, before.length);
  post({ type: 'attach-addresses', addresses: references });
}

/** Why images were not attached. Shown until the user dismisses it or sends the message. */
export function rejectedImagesTemplate(
  { rejectedImages }: Surroundings,
  { word, post }: ComposerContext,
): readonly TemplateResult[] {
  return rejectedImages.map(
    ({ text, offersFile }) => html`<div class="refusal" role="alert" data-part="rejected-image">
      <span class="codicon codicon-error" aria-hidden="true"></span>
      <span>${text} ${offersFile ? html`<button type="button" class="link-button" @click=${firstClick(() => post({ type: 'attach' }))}>${word('Attach file…')}</button>` : ''}</span>
      <button type="button" class="icon-button" aria-label=${word('Dismiss')} title=${word('Dismiss')} @click=${firstClick(() => post({ type: 'dismiss-rejected', text }))}><span class="codicon codicon-close"></span></button>
    </div>`,
  );
}
