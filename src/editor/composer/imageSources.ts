/** Images that were not read yet: pasted or dropped on the page, and files. */
import * as vscode from 'vscode';
import { MAX_SOURCE_BYTES } from '../../conversation/images/imagePlan.ts';
import type { WebviewMessage } from '../../panel/webviewMessages.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { askTogether } from '../context/askTogether.ts';
import { toLocal } from '../context/heldReferences.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { isFileInside } from '../workspace/mentionedFiles.ts';
import type { IntakeRefusal } from './imageWords.ts';

const t = vscode.l10n.t;

/** An image that was pasted or dropped on the page. */
export type PanelImage = Extract<WebviewMessage, { type: 'attach-images' }>['images'][number];

/** An image that was not read yet. */
export interface ImageSource {
  readonly name: string;
  /** Reads the bytes, or returns the reason why that failed. */
  read(): Promise<Uint8Array | IntakeRefusal>;
}

/** The source of an image that was pasted or dropped on the page. */
export function toPanelSource({ name, size, bytes, error }: PanelImage): ImageSource {
  return {
    name: name === '' ? t('Pasted image') : name,
    async read() {
      if (error !== undefined) return { kind: 'unreadable', message: error };
      return bytes ?? { kind: 'too-many-bytes', bytes: size };
    },
  };
}

/** @param allowed resolves with the files that the user allows */
function toFileSource(
  file: vscode.Uri,
  allowed: Promise<ReadonlySet<vscode.Uri>>,
  { allows }: Pick<AllowedReads, 'allows'>,
): ImageSource {
  return {
    name: lastPartOf(file.path),
    async read() {
      try {
        if (!(await allowed).has(file)) return { kind: 'refused' };
        const { size } = await vscode.workspace.fs.stat(file);
        if (size > MAX_SOURCE_BYTES) return { kind: 'too-many-bytes', bytes: size };
        const bytes = await vscode.workspace.fs.readFile(file);
        // A link may have changed its target since the user was asked.
        return (await allows(file)) ? bytes : { kind: 'refused' };
      } catch (error) {
        return { kind: 'unreadable', message: messageOf(error) };
      }
    },
  };
}

/** Something that is added together with others. */
export interface Added<What> {
  readonly what: What;
  /** Aborts when the user removes it. */
  readonly removal: AbortSignal;
}

type Reads = Pick<AllowedReads, 'ask' | 'allows'>;

/** Selected files. The user is asked once about all of them. */
export function toFileSources(files: readonly Added<vscode.Uri>[], reads: Reads): readonly ImageSource[] {
  const allowed = askTogether(files, (left, signal) =>
    reads.ask(
      left.map(({ what }) => what),
      signal,
    ),
  );
  return files.map(({ what }) => toFileSource(what, allowed, reads));
}

/** Images at dropped addresses. The user is asked once about all of them that are inside the workspace. */
export function toAddressSources(added: readonly Added<string>[], reads: Reads): readonly ImageSource[] {
  const all = added.map((one) => ({ ...one, file: toWorkspaceFile(one.what) }));
  let asked: ReturnType<AllowedReads['ask']> | undefined;
  const ask = () =>
    askTogether(all, async (left, signal) => {
      const files = await Promise.all(left.map(({ file }) => file));
      return reads.ask(
        files.flatMap((file) => file ?? []),
        signal,
      );
    });
  return all.map(({ what, file: place }) => ({
    name: lastPartOf(vscode.Uri.parse(what).path),
    async read() {
      const file = await place;
      if (file === undefined) return { kind: 'outside' };
      asked ??= ask();
      return toFileSource(file, asked, reads).read();
    },
  }));
}

/** The last part of a path. */
export function lastPartOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A dropped address as a file of the workspace, or undefined. A drop can contain any address. */
async function toWorkspaceFile(address: string): Promise<vscode.Uri | undefined> {
  if (!/^(?:file|vscode-remote|vscode-vfs):/i.test(address)) return undefined;
  const local = toLocal(vscode.Uri.parse(address));
  return (await isFileInside(local)) ? local : undefined;
}
