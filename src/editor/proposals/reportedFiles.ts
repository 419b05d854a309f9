/** What the editor reports of files: one that is gone and a new one with its text is a file that another program has renamed. */
import * as vscode from 'vscode';
import { type FileText, findMoved } from '../../review/proposals/findMoved.ts';
import { inBackground } from '../base/background.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { Log } from '../base/log.ts';
import { exists, isWritable, wasDeleted } from '../workspace/fileKinds.ts';
import { normalizeText, readLatest } from '../workspace/textSources.ts';
import type { LastTexts } from './lastTexts.ts';

/** The new file and the loss of the old one are reported at most this far apart, in milliseconds. */
const TOGETHER_MS = 1000;
/** When more files appear or change at once, such as after a checkout, they are not compared. */
const MAX_CREATED = 200;

export interface ReportedFiles extends vscode.Disposable {
  /** A file is gone that had this text. */
  lose(uri: string, text: string): void;
  /** A file is new, or has changed. */
  create(uri: vscode.Uri): void;
  /** Resolves when a file that is gone was looked for. */
  settled(uri: string): Promise<void>;
}

/** What the editor has reported within a time: the text that each file that is gone had, by its URI, and files that are new or changed. */
interface Reported {
  readonly gone: Map<string, string>;
  readonly created: Set<string>;
}

export function createReportedFiles(
  texts: LastTexts,
  onMoved: (from: vscode.Uri, to: vscode.Uri) => void,
  log: Pick<Log, 'warn'>,
): ReportedFiles {
  let now: Reported = { gone: new Map(), created: new Set() };
  /** What was reported before, because the two parts of a renaming can be reported on both sides of a comparison. */
  let before = now;
  let timer: NodeJS.Timeout | undefined;
  /** On a slow machine a comparison takes longer than the time to the next one, which must know what this one has found. */
  const comparisons = createKeyedQueue();
  /** All who wait for the end of the next comparison. */
  const waiting: (() => void)[] = [];

  async function compare(): Promise<void> {
    const [gone, created] = [new Map([...before.gone, ...now.gone]), [...before.created, ...now.created]];
    before = now;
    now = { gone: new Map(), created: new Set() };
    if (before.gone.size > 0 || before.created.size > 0) wait();
    if (gone.size === 0 || created.length === 0) return;
    const found = await Promise.all(created.map(readCreated));
    const lost = [...gone].map(([uri, text]) => ({ uri, text: normalizeText(text) }));
    for (const [from, to] of findMoved(lost, found.flat())) {
      const [oldUri, newUri] = [vscode.Uri.parse(from), vscode.Uri.parse(to)];
      // A program that saves a file can replace it.
      if (!(await wasDeleted(oldUri))) continue;
      before.gone.delete(from);
      before.created.delete(to);
      // It may be renamed again at once.
      texts.put(to, lost.find(({ uri }) => uri === from)?.text ?? '');
      onMoved(oldUri, newUri);
    }
  }

  const wait = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      const compared = comparisons.run('', compare).finally(() => {
        for (const goOn of waiting.splice(0)) goOn();
      });
      inBackground(log, compared, 'looking for renamed files');
    }, TOGETHER_MS);
  };
  const isGone = (uri: string) => now.gone.has(uri) || before.gone.has(uri);

  function lose(uri: string, text: string): void {
    now.gone.set(uri, text);
    wait();
  }

  return {
    lose,
    create(uri) {
      // It is back. What has the same text and is gone could be either otherwise.
      for (const { gone } of [before, now]) gone.delete(uri.toString());
      if (now.created.size >= MAX_CREATED) return;
      now.created.add(uri.toString());
      wait();
    },
    async settled(uri) {
      const place = vscode.Uri.parse(uri);
      const text = texts.of(uri);
      // The editor may not have reported yet that it is gone.
      if (isWritable(place) && text !== undefined && !isGone(uri) && (await wasDeleted(place)))
        lose(uri, text);
      while (isGone(uri)) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
    dispose: () => clearTimeout(timer),
  };
}

async function readCreated(uri: string): Promise<readonly FileText[]> {
  const place = vscode.Uri.parse(uri);
  // It may be gone again, and its text still be open.
  const read = (await exists(place)) ? await readLatest(place) : undefined;
  return read?.ok ? [{ uri, text: read.text }] : [];
}
