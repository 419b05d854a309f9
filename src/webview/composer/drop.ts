/**
 * Files and folders that are dropped from the editor's Explorer, by their URIs. The editor passes a drag to a webview
 * only while Shift is held. Images with bytes are handled in imageDrop.ts.
 */
import { isImageFile } from '../../panel/imageAddress.ts';

/** The editor's own list has the exact URIs, also in a remote window. */
const LISTS = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** @param onDrop gets the URIs, at least one */
export function watchDrops(target: Window, onDrop: (uris: readonly string[]) => void): void {
  const mark = (dropping: boolean) => target.document.body.classList.toggle('is-dropping', dropping);
  const accept = (event: DragEvent) => {
    if (!LISTS.some((list) => event.dataTransfer?.types.includes(list))) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
    mark(true);
  };
  target.addEventListener('dragenter', accept);
  target.addEventListener('dragover', accept);
  target.addEventListener('dragleave', (event) => {
    // Moving from one element to the next doesn't leave the window.
    if (event.relatedTarget === null) mark(false);
  });
  target.addEventListener('drop', (event) => {
    mark(false);
    const texts = LISTS.map((list) => event.dataTransfer?.getData(list) ?? '');
    const dropped = parseUriList(texts.find((text) => text !== '') ?? '');
    const uris = dropped.filter((uri) => isFileAddress(uri) && !(inComposer(event) && isImageFile(uri)));
    if (uris.length === 0) return;
    event.preventDefault();
    onDrop(uris);
  });
}

/** The composer handles images itself. */
function inComposer({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest('.composer') !== null;
}

/** Public addresses and references to files of the service are not files of a workspace. */
function isFileAddress(uri: string): boolean {
  return !/^(https?|ms):/i.test(uri);
}

/** The URIs of a `text/uri-list`, each once, without comments. */
export function parseUriList(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))];
}
