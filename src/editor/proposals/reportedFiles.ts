/** Recognizes renames by other programs from the file events of the editor: a file is gone, and a new one has its text. */
import * as vscode from 'vscode';
import { type FileText, findMoved } from '../../review/proposals/findMoved.ts';
import { inBackground } from '../base/background.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { Log } from '../base/log.ts';
import { exists, isWritable, wasDeleted } from '../workspace/fileKinds.ts';
import { normalizeText, readLatest } from '../workspace/textSources.ts';
import type { LastTexts } from './lastTexts.ts';

/** The longest time between the events of the new file and of the old one, in milliseconds. */
const TOGETHER_MS = 1000;
/** The most new or changed files that are compared at once. Further ones, such as after a checkout, are ignored. */
const MAX_CREATED = 200;

export interface ReportedFiles extends vscode.Disposable {
  /** Called when a file with this text is gone. */
  lose(uri: string, text: string): void;
  /** Called when a file is new or has changed. */
  create(uri: vscode.Uri): void;
  /** Resolves when a file that is gone has been looked for. */
  settled(uri: string): Promise<void>;
}

/** The events within one interval: the texts of files that are gone, by URI, and the URIs of new or changed files. */
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
  /** The events of the previous interval, because the two events of a rename can be in consecutive intervals. */
  let before = now;
  let timer: NodeJS.Timeout | undefined;
  /**
   * Runs one comparison after the other. On a slow machine, a comparison can take longer than an interval, and the next one must
   * know its result.
   */
  const comparisons = createKeyedQueue();
  /** The resolvers of promises that wait for the next comparison. */
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
      // A program can also save a file by replacing it. Then it isn't gone.
      if (!(await wasDeleted(oldUri))) continue;
      before.gone.delete(from);
      before.created.delete(to);
      // Kept, because the file may soon be renamed again.
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
      // The file is back, so it isn't gone anymore. Otherwise, another lost file with the same text would be ambiguous.
      for (const { gone } of [before, now]) gone.delete(uri.toString());
      if (now.created.size >= MAX_CREATED) return;
      now.created.add(uri.toString());
      wait();
    },
    async settled(uri) {
      const place = vscode.Uri.parse(uri);
      const text = texts.of(uri);
      // The editor may not have reported the loss yet.
      if (isWritable(place) && text !== undefined && !isGone(uri) && (await wasDeleted(place)))
        lose(uri, text);
      while (isGone(uri)) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
    dispose: () => clearTimeout(timer),
  };
}

async function readCreated(uri: string): Promise<readonly FileText[]> {
  const place = vscode.Uri.parse(uri);
  // The file may be gone again while its text is still open.
  const read = (await exists(place)) ? await readLatest(place) : undefined;
  return read?.ok ? [{ uri, text: read.text }] : [];
}
