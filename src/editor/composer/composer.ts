/** The message box: its draft, queue, attachments and answer format, and the commands that add to it. */
import * as vscode from 'vscode';
import type { Base } from '../base/base.ts';
import type { DroppedImages } from '../connection/droppedImages.ts';
import type { Routes } from '../connection/routes.ts';
import { type ContextChoices, createContextChoices } from '../context/contextChoices.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { ImageScaler } from '../images/imageScaler.ts';
import type { SharedState } from '../storage/sharedState.ts';
import type { TerminalOutputs } from '../terminal/terminalOutputs.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { registerAttachCommands } from './attachCommands.ts';
import { createChosenFormats, followFormats } from './chosenFormats.ts';
import { type Composers, createComposers } from './composers.ts';
import { type ContextAttaching, createContextAttaching } from './contextAttaching.ts';
import { registerImageCommands } from './imageCommands.ts';
import { createImageIntake, type ImageIntake } from './imageIntake.ts';
import { readInstructions } from './instructionFiles.ts';
import { createInstructions, type Instructions, watchInstructions } from './instructions.ts';
import { registerPresetPicker } from './presetPicker.ts';
import { createPrompts, type Prompts } from './prompts.ts';
import { createStarters, type Starters } from './starters.ts';

export interface ComposerDeps {
  readonly base: Pick<Base, 'lastEditor' | 'log'>;
  readonly conversations: Conversations;
  readonly scaler: ImageScaler;
  readonly terminals: Pick<TerminalOutputs, 'read' | 'describe'>;
  readonly droppedImages: Pick<DroppedImages, 'toAttach'>;
  readonly routes: Pick<Routes, 'active' | 'named'>;
  readonly shared: SharedState;
  readonly reads: AllowedReads;
}

export interface ComposerRoom extends vscode.Disposable {
  readonly composers: Composers;
  readonly images: ImageIntake;
  readonly attaching: ContextAttaching;
  readonly choices: ContextChoices;
  readonly starters: Starters;
  readonly instructions: Instructions;
  readonly prompts: Prompts;
}

export function registerComposer({
  base,
  conversations,
  scaler,
  terminals,
  droppedImages,
  routes,
  shared,
  reads,
}: ComposerDeps): ComposerRoom {
  const { lastEditor, log } = base;
  const formats = createChosenFormats(shared, log);
  const composers = createComposers(conversations, formats);
  const images = createImageIntake({ composers, scaler, reads, askToAttach: droppedImages.toAttach });
  const starters = createStarters(lastEditor, log);
  const watching = watchInstructions();
  const instructions = createInstructions({
    conversations,
    composers,
    read: (files, sent) => readInstructions(files, reads, sent),
    onDidTouch: watching.onDidTouch,
    log,
  });
  conversations.useInstructions(instructions.due);
  conversations.useBegun(composers.isBegun);
  const takeBackInstructions = (id: string) => instructions.leaveOut(id, false);
  const attaching = createContextAttaching({
    composers,
    lastEditor,
    images,
    reads,
    terminals,
    takeBackInstructions,
    log,
  });
  const registered = vscode.Disposable.from(
    registerAttachCommands({ attaching, conversations, lastEditor }),
    registerImageCommands({ conversations, images }),
    registerPresetPicker({ conversations, composers, routes }),
    followFormats(formats, composers.changed),
    attaching,
    images,
    starters,
    instructions,
    watching,
    // Last, because the others may change a composer while they are disposed.
    composers,
  );
  return {
    composers,
    images,
    attaching,
    choices: createContextChoices({ lastEditor, terminals, isLeftOut: instructions.isLeftOut, log }),
    starters,
    instructions,
    prompts: createPrompts({ lastEditor, reads }),
    dispose: () => registered.dispose(),
  };
}
