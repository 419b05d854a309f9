/** Reads files for the host. A drive may not answer, and messages wait for their files. */
import { MAX_PANEL_BYTES, type WebviewMessage } from '../../panel/webviewMessages.ts';
import type { ComposerContext } from './composerContext.ts';

type PanelImage = Extract<WebviewMessage, { type: 'attach-images' }>['images'][number];

/** Files that are being read together. */
interface Reading {
  readonly conversationId: string | undefined;
  /** Resolves with whether the host has all of the files. */
  readonly done: Promise<boolean>;
  giveUp(): void;
}

const readings = new Set<Reading>();

const readingsFor = (conversationId: string | undefined): readonly Reading[] =>
  [...readings].filter((one) => one.conversationId === conversationId);

/**
 * Resolves when the files of a conversation were read and posted, or are no longer waited for, with whether the host has all of them. A
 * message can then be sent. Undefined if nothing is being read.
 */
export function whenRead(conversationId: string | undefined): Promise<boolean> | undefined {
  const own = readingsFor(conversationId).map(({ done }) => done);
  return own.length === 0 ? undefined : Promise.all(own).then((all) => all.every(Boolean));
}

/** Messages no longer wait for files, which may be on a drive that doesn’t answer. The files are still attached if it answers later. */
export function stopReading(conversationId: string | undefined): void {
  for (const one of readingsFor(conversationId)) one.giveUp();
}

/**
 * Reads files and posts them. The host shows why a file could not be read.
 *
 * @param conversationId the conversation that is shown now: when the files were read, another one may be shown
 */
export function attachFiles(
  files: readonly File[],
  post: ComposerContext['post'],
  conversationId: string | undefined,
): void {
  let end: (isRead: boolean) => void = () => undefined;
  const done = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const reading = { conversationId, done, giveUp: () => close(false) };
  function close(isRead: boolean): void {
    readings.delete(reading);
    end(isRead);
  }
  readings.add(reading);
  void readImages(files).then((images) => {
    post({ type: 'attach-images', images }, conversationId);
    close(images.every(({ bytes }) => bytes !== undefined));
  });
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
