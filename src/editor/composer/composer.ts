/** The message box: its draft, queue, attachments and answer format, and the commands that add to it. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ImageScaler } from '../images/imageScaler.ts';
import { createAllowedReads } from '../workspace/allowedReads.ts';
import { registerAttachCommands } from './attachCommands.ts';
import { createChosenFormats } from './chosenFormats.ts';
import { type Composers, createComposers } from './composers.ts';
import { type ContextAttaching, createContextAttaching } from './contextAttaching.ts';
import { type ContextChoices, createContextChoices } from './contextChoices.ts';
import { registerImageCommands } from './imageCommands.ts';
import { createImageIntake, type ImageIntake } from './imageIntake.ts';
import { createStarters, type Starters } from './starters.ts';

export interface ComposerDeps {
  readonly base: Pick<Base, 'lastEditor' | 'log'>;
  readonly conversations: Conversations;
  readonly scaler: ImageScaler;
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState'>;
}

export interface ComposerRoom extends vscode.Disposable {
  readonly composers: Composers;
  readonly images: ImageIntake;
  readonly attaching: ContextAttaching;
  readonly choices: ContextChoices;
  readonly starters: Starters;
}

export function registerComposer({ base, conversations, scaler, context }: ComposerDeps): ComposerRoom {
  const { lastEditor, log } = base;
  const composers = createComposers(conversations, createChosenFormats(context.workspaceState, log));
  // One for both, because an image that is added as a file is asked about once.
  const reads = createAllowedReads();
  const images = createImageIntake({ composers, scaler, reads });
  const attaching = createContextAttaching({ composers, lastEditor, images, reads, log });
  const starters = createStarters(lastEditor, log);
  const registered = vscode.Disposable.from(
    registerAttachCommands({ attaching, conversations, lastEditor }),
    registerImageCommands({ conversations, images }),
    attaching,
    images,
    starters,
    // Last, because the others may change a composer while they are disposed.
    composers,
  );
  return {
    composers,
    images,
    attaching,
    choices: createContextChoices({ lastEditor, log }),
    starters,
    dispose: () => registered.dispose(),
  };
}
