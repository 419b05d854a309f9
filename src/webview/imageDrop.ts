/** Images that are pasted or dropped onto the composer, and `ms://` references that are typed. */
import { html, type TemplateResult } from 'lit';
import { isImagePath, isReference, publicImageIn, takeReferenceLines } from '../panel/imageAddress.ts';
import { MAX_PANEL_BYTES, type WebviewMessage } from '../panel/messages.ts';
import type { Surroundings } from '../panel/views.ts';
import type { AppContext } from './appContext.ts';

/** What a transfer holds of images, sorted. */
export interface ImageTransfer {
  readonly files: readonly File[];
  /** Of images whose bytes did not come along. */
  readonly addresses: readonly string[];
}

type PanelImage = Extract<WebviewMessage, { type: 'attach-images' }>['images'][number];

type Data = Pick<DataTransfer, 'getData'> & { readonly files: Iterable<File> };

/** Bytes beat addresses: a browser gives both for an image that is dragged out of a page. */
export function imagesIn(data: Data): ImageTransfer {
  const files = [...data.files].filter(({ type, name }) => type.startsWith('image/') || isImagePath(name));
  if (files.length > 0) return { files, addresses: [] };
  const listed = [data.getData('application/vnd.code.uri-list'), data.getData('text/uri-list')]
    .find((list) => list !== '')
    ?.split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));
  const shown = isImageMarkup(data.getData('text/html'));
  const addresses = (listed ?? []).filter(
    (address) => shown || isReference(address) || isImagePath(pathOf(address)),
  );
  const source = shown && addresses.length === 0 ? sourceIn(data.getData('text/html')) : undefined;
  return { files, addresses: source === undefined ? addresses : [source] };
}

/** What a browser puts along with an image that is copied or dragged: the image, and nothing beside it. */
function isImageMarkup(markup: string): boolean {
  return sourceIn(markup) !== undefined && markup.replace(/<!--.*?-->|<[^>]*>/gs, '').trim() === '';
}

function sourceIn(markup: string): string | undefined {
  return /<img\b[^>]*?\ssrc="(https?:[^"]+)"/i.exec(markup)?.[1]?.replaceAll('&amp;', '&');
}

function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : '';
}

/** Copied text often has a picture of itself beside it, as from a table: then the text is meant. */
function isText(text: string, files: readonly File[]): boolean {
  const names = new Set(files.map(({ name }) => name));
  return text
    .trim()
    .split(/\r?\n/)
    .some((line) => line !== '' && !names.has(line.slice(line.lastIndexOf('/') + 1)));
}

export function onPaste(event: ClipboardEvent, context: AppContext, flushDraft: () => void): void {
  const data = event.clipboardData;
  if (data === null) return;
  const images = imagesIn(data);
  const text = data.getData('text/plain');
  const address = publicImageIn(text);
  if (images.files.length > 0 && !isText(text, images.files)) {
    event.preventDefault();
    void attach(images, context);
  } else if (address !== undefined && context.draft().trim() === '') {
    // The address is pasted as any text is; what is said about it comes after.
    setTimeout(() => {
      flushDraft();
      context.post({ type: 'attach-addresses', addresses: [address] });
    });
  } else if (text === '' && images.addresses.length > 0) {
    event.preventDefault();
    void attach(images, context);
  }
}

export function onDragOver(event: DragEvent): void {
  const types = event.dataTransfer?.types ?? [];
  // Dropped text goes where it is dropped.
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

/** The one place where things are dropped. What is no image is left to whoever handles it next, or to the box. */
export function onDrop(event: DragEvent, context: AppContext): void {
  if (event.currentTarget instanceof Element) event.currentTarget.classList.remove('is-dropping');
  if (event.dataTransfer === null) return;
  const images = imagesIn(event.dataTransfer);
  if (images.files.length === 0 && images.addresses.length === 0) return;
  event.preventDefault();
  void attach(images, context);
}

/** Never rejects: the host shows why a file could not be read. */
async function attach({ files, addresses }: ImageTransfer, { post }: AppContext): Promise<void> {
  if (addresses.length > 0) post({ type: 'attach-addresses', addresses });
  if (files.length > 0) post({ type: 'attach-images', images: await readImages(files) });
}

/** Reads files for the message `attach-images`. A file that can't be read, for example because it was deleted, has an error. */
export function readImages(
  files: readonly Pick<File, 'name' | 'size' | 'arrayBuffer'>[],
): Promise<readonly PanelImage[]> {
  return Promise.all(
    files.map(async (file) => {
      const { name, size } = file;
      if (size > MAX_PANEL_BYTES) return { name, size, bytes: undefined, error: undefined };
      try {
        return { name, size, bytes: new Uint8Array(await file.arrayBuffer()), error: undefined };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { name, size, bytes: undefined, error: message };
      }
    }),
  );
}

/** A line that is only a reference becomes an attachment once the line or the word has ended. */
export function takeReferences(event: InputEvent, box: HTMLTextAreaElement, post: AppContext['post']): void {
  const ended = event.inputType === 'insertLineBreak' || event.data === ' ' || event.data === '\n';
  if (!ended || event.isComposing) return;
  const { text, references } = takeReferenceLines(box.value.slice(0, box.selectionStart));
  const after = box.value.slice(box.selectionStart);
  // Words that follow on the line make it a sentence.
  if (references.length === 0 || !/^(\n|$)/.test(after)) return;
  // The writer goes on in a line of its own.
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  box.value = before + after;
  box.setSelectionRange(before.length, before.length);
  post({ type: 'attach-addresses', addresses: references });
}

/** Why images were not attached; it stays until it is dismissed or the message is sent. */
export function rejectedImagesTemplate(
  { rejectedImages }: Surroundings,
  { word, post }: AppContext,
): readonly TemplateResult[] {
  return rejectedImages.map(
    ({ text, offersFile }, index) => html`<div class="refusal" role="alert" data-part="rejected-image">
      <span class="codicon codicon-error" aria-hidden="true"></span>
      <span>${text} ${offersFile ? html`<button type="button" class="link-button" @click=${() => post({ type: 'attach' })}>${word('Attach file…')}</button>` : ''}</span>
      <button type="button" class="icon-button" aria-label=${word('Dismiss')} title=${word('Dismiss')} @click=${() => post({ type: 'dismiss-rejected', index })}><span class="codicon codicon-close"></span></button>
    </div>`,
  );
}
