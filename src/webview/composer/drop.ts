/**
 * Handles drops anywhere on the page: files and folders from the editor's Explorer, by their URIs, and files with bytes outside of the
 * message box, which handles its own drops in imageDrop.ts. The editor passes a drag to a webview only while Shift is held.
 */
import { isImageFile } from '../../panel/imageAddress.ts';
import { droppedIn } from './imageDrop.ts';
import { parseUriList, URI_LISTS, uriListIn } from './uriList.ts';

export interface DropActions {
  /** Gets at least one URI. */
  addFiles(uris: readonly string[]): void;
  /** Gets at least one file. */
  addImages(files: readonly File[]): void;
}

export function watchDrops(target: Window, { addFiles, addImages }: DropActions): void {
  const mark = (dropping: boolean) => target.document.body.classList.toggle('is-dropping', dropping);
  // Whether an image of the page itself is dragged: a browser provides its bytes, too, but the user has dropped it by accident.
  let isOwn = false;
  target.addEventListener('dragstart', () => (isOwn = true));
  target.addEventListener('dragend', () => (isOwn = false));
  // `dragend` doesn't fire if the dragged element was drawn again in the meantime. During a drag, there are no pointer events.
  target.addEventListener('pointermove', () => (isOwn = false));
  const accept = (event: DragEvent) => {
    if (isOwn) return;
    const types = event.dataTransfer?.types ?? [];
    if (!mayHaveImages(event.dataTransfer) && !URI_LISTS.some((list) => types.includes(list))) return;
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
    const images =
      event.dataTransfer === null || isOwn || inComposer(event) ? [] : droppedIn(event.dataTransfer).files;
    if (images.length > 0) {
      event.preventDefault();
      addImages(images);
    }
    const dropped = parseUriList((event.dataTransfer && uriListIn(event.dataTransfer)) ?? '');
    // The URIs of images that are attached by their bytes, here or in the message box, aren't added again.
    const hasImages = images.length > 0 || inComposer(event);
    const uris = dropped.filter((uri) => isFileAddress(uri) && !(hasImages && isImageFile(uri)));
    if (uris.length === 0) return;
    event.preventDefault();
    addFiles(uris);
  });
}

/** Whether a drag may contain images. Before the drop, only the types of the dragged items are known. */
const mayHaveImages = (data: DataTransfer | null): boolean =>
  [...(data?.items ?? [])].some(
    ({ kind, type }) => kind === 'file' && (type === '' || type.startsWith('image/')),
  );

/** The message box handles images itself. */
function inComposer({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest('.composer') !== null;
}

/**
 * Whether a URI can be that of a file of the workspace: not public addresses, references to files of the service, and URLs that pages
 * create.
 */
function isFileAddress(uri: string): boolean {
  return !/^(https?|ms|data|blob):/i.test(uri);
}
