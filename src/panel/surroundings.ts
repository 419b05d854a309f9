/**
 * Everything that the panel shows around the transcript, as plain data: created by the host, rendered by the webview.
 */
import type { CardAction, CardView } from './cards.ts';
import type { AttachedView, ContextView, Starter } from './context.ts';
import type { PresetView } from './views.ts';

/** Everything that is shown around the transcript. */
export interface Surroundings {
  /** Undefined if there is no route; the panel then shows how to add one. */
  readonly route: { readonly name: string; readonly label: string; readonly demo: boolean } | undefined;
  /** Why there is no active route although there are some, and the button to switch. Undefined if there is none at all. */
  readonly noRoute?: { readonly text: string; readonly label: string } | undefined;
  readonly title: string;
  /** Messages about the complete conversation, for example that it can't be saved. */
  readonly banners: readonly {
    readonly tone: CardView['tone'];
    readonly text: string;
    readonly actions: readonly { readonly action: CardAction; readonly label: string }[];
  }[];
  readonly running: boolean;
  /** A message waits until its context has been read, and can be stopped. */
  readonly waiting?: boolean;
  /** An answer runs in another window. */
  readonly elsewhere: boolean;
  /** The conversation was deleted. Its draft is kept, but nothing can be sent. */
  readonly deleted: boolean;
  /** Queued messages, each as one line. */
  readonly queue: readonly { readonly id: string; readonly text: string }[];
  /** The queue waits until the user sends it. */
  readonly queuePaused: boolean;
  /** The effort of the next message. */
  readonly effort: 'low' | 'high' | 'max' | undefined;
  readonly effortHint: string;
  /** The preset sets the effort, so the button doesn't show the effort beside the preset's name. */
  readonly effortOfPreset: boolean;
  /** The preset that is chosen. */
  readonly preset: PresetView | undefined;
  /** The answer format; undefined for text. */
  readonly answerFormat: string | undefined;
  /** Why the answer may not have this format; empty if nothing is known. */
  readonly formatHint: string;
  /** Number of tools that are offered and may run for the next message. */
  readonly tools: number;
  /** Why tools are not offered; empty if they are. */
  readonly toolsHint: string;
  readonly reasoningInChat: 'collapsed' | 'expanded' | 'hidden';
  readonly meter: { readonly value: number; readonly max: number; readonly text: string };
  readonly attachments: readonly {
    readonly name: string;
    /** A thumbnail. */
    readonly url: string | undefined;
    /** A note next to the name, such as the original size. */
    readonly note: string;
    readonly detail: string;
    /** The image is still being processed; sending waits for it. */
    readonly busy: boolean;
  }[];
  /** Images that were not attached, and why. */
  readonly rejectedImages: readonly { readonly text: string; readonly offersFile: boolean }[];
  readonly context: readonly AttachedView[];
  /** Instructions of the project that are sent with the next message. */
  readonly instructions: ContextView | undefined;
  /** Suggestions; empty once something was asked. */
  readonly starters: readonly Starter[];
  /** Why the user's message was not sent: the field and the next step. The draft is kept. */
  readonly refusal: string | undefined;
}
