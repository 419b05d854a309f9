/**
 * What is dropped anywhere on the page: files and folders of the editor's Explorer, by their URIs, and files with bytes beside the
 * message box, which handles its own in imageDrop.ts. The editor passes a drag to a webview only while Shift is held.
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
  // A browser gives the bytes of an image of the page, too, which is dropped where it was by accident.
  let isOwn = false;
  target.addEventListener('dragstart', () => (isOwn = true));
  target.addEventListener('dragend', () => (isOwn = false));
  // The end isn't reported when what was dragged was drawn again meanwhile. During a drag, no pointer moves.
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
    // Those of images that are attached by their bytes, here or there, aren't added again.
    const hasImages = images.length > 0 || inComposer(event);
    const uris = dropped.filter((uri) => isFileAddress(uri) && !(hasImages && isImageFile(uri)));
    if (uris.length === 0) return;
    event.preventDefault();
    addFiles(uris);
  });
}

/** Only the kinds of what is dragged are known before it is dropped. */
const mayHaveImages = (data: DataTransfer | null): boolean =>
  [...(data?.items ?? [])].some(
    ({ kind, type }) => kind === 'file' && (type === '' || type.startsWith('image/')),
  );

/** The composer handles images itself. */
function inComposer({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest('.composer') !== null;
}

/** Public addresses, references to files of the service, and what pages make are not files of a workspace. */
function isFileAddress(uri: string): boolean {
  return !/^(https?|ms|data|blob):/i.test(uri);
}
