/** Runs in the page of the chat, bundled: the screen reader, for `screenReader.ts`. */
import { virtual } from '@guidepup/virtual-screen-reader';

globalThis.screenReader = virtual;
