/** Attaches images from bytes, files, and addresses to a composer, or shows in the composer why an image was not attached. */
import * as vscode from 'vscode';
import {
  type AttachedImage,
  IMAGE_LIMITS,
  isSentAsBytes,
  toImageAttachment,
  toSmallerLimits,
  toUniqueName,
} from '../../conversation/images/imagePlan.ts';
import type { ImageAttachment } from '../../conversation/question.ts';
import { isReference, publicImageIn, referencesIn, takeReferenceLines } from '../../panel/imageAddress.ts';
import { untilAborted } from '../../service/abort.ts';
import { IMAGE_TYPES } from '../../service/imageTypes.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { ImageScaler } from '../images/imageScaler.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import type { Composer } from './composerState.ts';
import type { Composers } from './composers.ts';
import {
  type Added,
  type ImageSource,
  type PanelImage,
  toAddressSources,
  toFileSources,
  toPanelSource,
} from './imageSources.ts';
import { describeImageRefusal, type IntakeRefusal } from './imageWords.ts';

const t = vscode.l10n.t;

/** The text and images of a question. */
export interface QuestionParts {
  readonly text: string;
  readonly images: readonly ImageAttachment[];
}

export interface ReadyQuestion extends QuestionParts {
  /** The attachments of the composer, which are among the images. */
  readonly attached: readonly AttachedImage[];
}

export interface ImageIntake extends vscode.Disposable {
  /** Shows a dialog to select files. */
  pick(conversationId: string): Promise<void>;
  /** Attaches files that the user selected. Asks about those for which the access policy requires it. */
  attachFiles(conversationId: string, files: readonly vscode.Uri[]): Promise<void>;
  attachBytes(conversationId: string, images: readonly PanelImage[]): Promise<void>;
  /** Attaches dropped or pasted addresses: files of the workspace and `ms://` references, but no public addresses. */
  attachAddresses(conversationId: string, addresses: readonly string[]): Promise<void>;
  /**
   * Removes an attachment by its name, if it still exists.
   *
   * @param index its index in the list of all attachments, followed by the images in progress
   */
  remove(conversationId: string, name: string, index: number): void;
  /**
   * Waits for all images. Undefined when an image or the text can't be sent; the composer shows the reason.
   *
   * @param message the attachments of other messages, and a signal that aborts when this message is no longer to be sent
   */
  ready(
    conversationId: string,
    text: string,
    message?: { readonly taken: ReadonlySet<unknown>; readonly signal: AbortSignal },
  ): Promise<ReadyQuestion | undefined>;
  /** Scales images that are sent as bytes down further. An image that can't be scaled is returned unchanged. */
  shrink(images: readonly ImageAttachment[], signal: AbortSignal): Promise<readonly ImageAttachment[]>;
}

export interface ImageIntakeDeps {
  readonly composers: Pick<Composers, 'of' | 'changed'>;
  readonly scaler: ImageScaler;
  readonly reads: Pick<AllowedReads, 'allows' | 'ask'>;
  /** Asks whether to attach images although the route drops them. Undefined if the route doesn't drop them. */
  readonly askToAttach: () => Promise<boolean> | undefined;
}

export function createImageIntake(deps: ImageIntakeDeps): ImageIntake {
  const { composers, scaler, reads, askToAttach } = deps;
  const open = new AbortController();
  /** Images about which the user may be asked before they are shown, one after another in each conversation. */
  const arriving = createKeyedQueue();
  let added = 0;
  /** The order in which images were added. A small image is ready before a large one. */
  const places = new WeakMap<AttachedImage, number>();

  function reject(composer: Composer, name: string, refusal: IntakeRefusal): void {
    const text = describeImageRefusal(name, refusal);
    // A file that isn't an image may be text.
    const mayBeText = refusal.kind === 'other-type' && refusal.type === undefined;
    const offersFile = mayBeText || refusal.kind === 'public-address' || refusal.kind === 'outside';
    composer.rejected = [...composer.rejected.filter((other) => other.text !== text), { text, offersFile }];
    composer.failed = [...composer.failed, text];
  }

  async function processImage(
    composer: Composer,
    source: ImageSource,
    place: number,
    signal: AbortSignal,
  ): Promise<void> {
    const bytes = await source.read();
    if (signal.aborted) return;
    if (!(bytes instanceof Uint8Array)) return reject(composer, source.name, bytes);
    const examined = await scaler.examine(bytes, IMAGE_LIMITS, signal);
    if (signal.aborted) return;
    if (examined.ok) {
      const { url, thumbnail, scaling } = examined;
      const image = { name: source.name, url, thumbnail, ...(scaling && { scaling }) };
      places.set(image, place);
      const later = composer.attachments.findIndex((one) => (places.get(one) ?? 0) > place);
      composer.attachments = composer.attachments.toSpliced(later === -1 ? Infinity : later, 0, image);
    } else if (examined.refusal.kind !== 'cancelled') reject(composer, source.name, examined.refusal);
  }

  /** Whether to attach images: asks the user if the route drops them. */
  const mayAttach = async () => (await askToAttach()) ?? true;

  /** @param toSources called when the images are to be attached: at once, or when the user has agreed if the route drops images */
  async function attach<What>(
    conversationId: string,
    all: readonly What[],
    toSources: (added: readonly Added<What>[]) => readonly ImageSource[],
  ): Promise<void> {
    const asking = all.length === 0 ? undefined : askToAttach();
    // A message that is sent next waits for the user's answer. It also waits for the images, which are shown at once if
    // nothing is asked.
    if (asking !== undefined && !(await arriving.run(conversationId, () => asking))) return;
    const held = all.map((what) => {
      const control = new AbortController();
      return { what, control, removal: AbortSignal.any([open.signal, control.signal]) };
    });
    const sources = toSources(held);
    const composer = composers.of(conversationId);
    const started = held.flatMap(({ control, removal: signal }, at) => {
      const source = sources[at];
      if (source === undefined) return [];
      const images = composer.working.filter(({ isContext }) => isContext !== true);
      const taken = [...composer.attachments, ...images].map(({ name }) => name);
      const name = toUniqueName(source.name, taken);
      // When an image is removed, nothing waits any longer for a drive that doesn't respond.
      const done = untilAborted(processImage(composer, { ...source, name }, ++added, signal), signal)
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        })
        .finally(() => {
          composer.working = composer.working.filter((one) => one !== working);
          composers.changed(conversationId);
        });
      const working = { name, cancel: () => control.abort(), done };
      composer.working = [...composer.working, working];
      return done;
    });
    composers.changed(conversationId);
    await Promise.all(started);
  }

  /** Attaches references of the service, and rejects public addresses. */
  async function takeAddresses(conversationId: string, addresses: readonly string[]): Promise<void> {
    const composer = composers.of(conversationId);
    const references = addresses.filter(isReference);
    if (references.length > 0 && (await mayAttach()))
      for (const one of references) addReference(composer, one);
    for (const one of addresses.filter(isPublic)) reject(composer, one, { kind: 'public-address' });
  }

  const self: ImageIntake = {
    async pick(conversationId) {
      const files = await vscode.window.showOpenDialog({
        canSelectMany: true,
        title: t('Add Image to Chat'),
        filters: { [t('Images')]: ['jpg', ...IMAGE_TYPES], [t('All Files')]: ['*'] },
      });
      await self.attachFiles(conversationId, files ?? []);
    },
    async attachFiles(conversationId, files) {
      // The images are shown as in progress while the user is asked, so that a message waits for them.
      await attach(conversationId, files, (added) => toFileSources(added, reads));
    },
    attachBytes: (conversationId, images) => attach(conversationId, images, () => images.map(toPanelSource)),
    async attachAddresses(conversationId, addresses) {
      const files = addresses.filter((one) => !isReference(one) && !isPublic(one));
      await Promise.all([
        arriving.run(conversationId, () => takeAddresses(conversationId, addresses)),
        attach(conversationId, files, (added) => toAddressSources(added, reads)),
      ]);
    },
    remove(conversationId, name, index) {
      const composer = composers.of(conversationId);
      const { attachments, working } = composer;
      const all = [...attachments, ...working];
      const meant = all[index]?.name === name ? all[index] : all.find((one) => one.name === name);
      composer.attachments = attachments.filter((one) => one !== meant);
      composer.working = working.filter((one) => one !== meant);
      working.find((one) => one === meant)?.cancel();
    },
    async ready(conversationId, text, message) {
      const composer = composers.of(conversationId);
      const before = composer.rejected;
      const address = publicImageIn(text);
      if (address !== undefined) reject(composer, address, { kind: 'public-address' });
      await arriving.idle(conversationId);
      while (composer.working.length > 0) await Promise.all(composer.working.map(({ done }) => done));
      if (message?.signal.aborted === true) return undefined;
      if (composer.rejected.some((one) => !before.includes(one))) {
        composer.refusal = t('Nothing was sent. Your message is kept.');
        return undefined;
      }
      const attached = composer.attachments.filter((one) => message?.taken.has(one) !== true);
      const parts = toQuestionParts(text, attached);
      if (parts.images.length > attached.length && !(await mayAttach())) {
        composer.refusal = t('Nothing was sent. Your message is kept.');
        return undefined;
      }
      return { ...parts, attached };
    },
    async shrink(images, signal) {
      const limits = toSmallerLimits(images.filter(isSentAsBytes).length);
      const shrunk = images.map(async (image) => {
        if (!isSentAsBytes(image)) return image;
        const bytes = Buffer.from(image.url.slice(image.url.indexOf(',') + 1), 'base64');
        const examined = await scaler.examine(bytes, limits, AbortSignal.any([open.signal, signal]));
        return examined.ok ? { ...image, url: examined.url } : image;
      });
      return Promise.all(shrunk);
    },
    dispose: () => open.abort(),
  };
  return self;
}

/**
 * The text and the images of a question. `ms://` references in the text become images. A line that is only a reference
 * is removed from the text.
 */
export function toQuestionParts(draft: string, attached: readonly AttachedImage[]): QuestionParts {
  const { text, references } = takeReferenceLines(draft);
  const urls = new Set(attached.map(({ url }) => url));
  const named = [...new Set([...references, ...referencesIn(text)])].filter((url) => !urls.has(url));
  return { text, images: [...attached.map(toImageAttachment), ...named.map((url) => ({ name: url, url }))] };
}

function addReference(composer: Composer, url: string): void {
  if (composer.attachments.some((one) => one.url === url)) return;
  composer.attachments = [...composer.attachments, { name: url, url }];
}

const isPublic = (address: string): boolean => /^https?:/i.test(address);
