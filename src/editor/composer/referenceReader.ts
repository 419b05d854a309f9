/** Reads the content of references of the message box. */
import * as vscode from 'vscode';
import { isImageFile } from '../../panel/imageAddress.ts';
import { readFolderContext } from '../context/contextFolders.ts';
import { readFileContext } from '../context/contextItems.ts';
import type { ContextPermission } from '../context/contextPermission.ts';
import { readChangesContext, readProblemsContext } from '../context/contextReports.ts';
import type { ContextResult, HeldReference } from '../context/contextResult.ts';
import { readSymbolContext } from '../context/contextSymbols.ts';
import { describeReadFailure } from '../context/contextWords.ts';
import type { TerminalOutputs } from '../terminal/terminalOutputs.ts';
import { fileKindOf } from '../workspace/fileKinds.ts';
import { labelOf } from '../workspace/textSources.ts';
import type { Arriving } from './arrivingContext.ts';
import type { ImageIntake } from './imageIntake.ts';

const t = vscode.l10n.t;

export interface ReferenceReaderDeps {
  readonly images: Pick<ImageIntake, 'attachFiles'>;
  readonly terminals: Pick<TerminalOutputs, 'read' | 'describe'>;
  readonly permission: Pick<ContextPermission, 'allows' | 'askForFolder'>;
  /** Includes the instructions of the project again that the user removed. */
  takeBackInstructions(conversationId: string): void;
}

/**
 * Returns a function that reads a reference for a conversation. It returns `passed-on` if the reference is not context:
 * images become attachments.
 */
export function createReferenceReader(deps: ReferenceReaderDeps) {
  const { images, terminals, permission, takeBackInstructions } = deps;

  /** @param arriving the reference in a message box, which shows it meanwhile */
  async function read(
    conversationId: string,
    reference: HeldReference,
    arriving?: Pick<Arriving, 'removal' | 'arrived'>,
  ): Promise<ContextResult | 'passed-on'> {
    switch (reference.kind) {
      case 'selection':
        return 'read' in reference ? reference.read : { ok: false, why: t('No editor is open.') };
      case 'problems':
        return readProblemsContext(reference.uri === undefined ? undefined : vscode.Uri.parse(reference.uri));
      case 'changes':
        return readChangesContext(permission.askForFolder);
      case 'terminal':
        return terminals.read();
      case 'instructions':
        takeBackInstructions(conversationId);
        return 'passed-on';
      case 'symbol':
        return readSymbol(vscode.Uri.parse(reference.uri), reference);
      case 'file':
        return readPath(conversationId, vscode.Uri.parse(reference.uri), arriving);
    }
  }

  async function readPath(
    conversationId: string,
    uri: vscode.Uri,
    arriving?: Pick<Arriving, 'removal' | 'arrived'>,
  ): Promise<ContextResult | 'passed-on'> {
    if ((await fileKindOf(uri)) === 'folder') return readFolderContext(uri, permission.allows);
    if (isImageFile(uri.path)) {
      // The user may have removed the reference meanwhile.
      if (arriving?.removal.aborted === true) return 'passed-on';
      // From here on, the image shows itself. Not earlier, or a message would not wait for it.
      arriving?.arrived();
      // Images become attachments, with their own checks and limits.
      await images.attachFiles(conversationId, [uri]);
      return 'passed-on';
    }
    return unlessMoved(uri, await readFileContext(uri));
  }

  const readSymbol = async (uri: vscode.Uri, reference: HeldReference & { readonly kind: 'symbol' }) =>
    unlessMoved(uri, await readSymbolContext(uri, reference.name, reference));

  /**
   * Returns the content if the file may still be read. Since it was allowed, the user may have been asked about something
   * else, and a link may lead to another file by now.
   */
  async function unlessMoved(uri: vscode.Uri, taken: ContextResult): Promise<ContextResult> {
    return !taken.ok || (await permission.allows(uri))
      ? taken
      : { ok: false, why: describeReadFailure(labelOf(uri), 'unreadable') };
  }

  return read;
}
