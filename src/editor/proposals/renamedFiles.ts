/** What was renamed since the window was opened: a question about a file finds it under the name that it has now. */
import * as vscode from 'vscode';
import { type AskedTurn, firstAsked } from '../../conversation/askedSince.ts';
import { askedQuestion } from '../../conversation/conversation.ts';
import { type Origin, originsOf, type Question } from '../../conversation/question.ts';
import { renamedUri } from '../../review/proposals/fileChanges.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { fileKindOf } from '../workspace/fileKinds.ts';
import { toPath } from '../workspace/selectedCode.ts';
import type { MovedFiles } from './movedFiles.ts';

/** The earlier and the later URI of a file or folder. */
interface Rename {
  readonly from: string;
  readonly to: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /**
   * The IDs of the turns that ran then, because the clock can be set back, and of the queued questions, whose exchanges get
   * the same IDs, and begin later.
   */
  readonly asked: ReadonlySet<string>;
}

/** What was renamed since a question was asked. What was renamed before had its name before, and is another file. */
export interface RenamedFiles {
  /** The URI that a file or a cell has now; the same if it wasn't renamed. */
  uriNow(uri: string): Promise<string>;
  /** The question with the URIs that its files have now. The answer names the files as they were. */
  withFilesNow(question: Question): Promise<Question>;
}

export interface Renames extends vscode.Disposable {
  since(asked: AskedTurn): RenamedFiles;
}

export interface RenamesDeps {
  readonly moved: Pick<MovedFiles, 'follow' | 'settled'>;
  readonly conversations: Pick<Conversations, 'loaded' | 'isRunning' | 'queue'>;
}

export function followRenames({ moved, conversations }: RenamesDeps): Renames {
  const renames: Rename[] = [];
  function rename(from: vscode.Uri, to: vscode.Uri): void {
    const queued = conversations.loaded().flatMap(({ id }) => conversations.queue(id));
    const asked = new Set([...running().map(({ turn }) => turn.id), ...queued.map(({ id }) => id)]);
    renames.push({ from: from.toString(), to: to.toString(), at: Date.now(), asked });
  }
  const listening = vscode.workspace.onDidRenameFiles(({ files }) => {
    for (const { oldUri, newUri } of files) rename(oldUri, newUri);
  });

  /** Names a file as the renames do that were made since a question was asked. */
  function toRenamed(asked: AskedTurn): (uri: string) => string {
    const { exchange, turn } = firstAsked(asked);
    const ids = turn.id === exchange.attempts[0]?.id ? [turn.id, exchange.id] : [turn.id];
    return (uri) =>
      renames
        .filter(({ at, asked: then }) => at >= turn.startedAt || ids.some((id) => then.has(id)))
        .reduce((now, { from, to }) => renamedUri(now, from, to) ?? now, uri);
  }

  const running = (): readonly AskedTurn[] =>
    conversations
      .loaded()
      .filter(({ id }) => conversations.isRunning(id))
      .flatMap((conversation) => {
        const exchange = conversation.exchanges.at(-1);
        const turn = exchange?.attempts.at(-1);
        return exchange && turn ? [{ conversation, exchange, turn }] : [];
      });
  moved.follow({
    /** The files of the questions whose answers run, as they are named now. */
    files: () =>
      running().flatMap((asked) => {
        const renamed = toRenamed(asked);
        return originsOf(askedQuestion(asked.exchange, asked.turn)).map(({ uri }) => ({ uri: renamed(uri) }));
      }),
    move: rename,
  });

  return {
    since(asked) {
      const renamed = toRenamed(asked);
      const uriNow = async (uri: string): Promise<string> => {
        if (!(await isFile(renamed(uri)))) await moved.settled(renamed(uri));
        const now = renamed(uri);
        // Another program can have renamed it back, such as Git. Nothing follows the files of answers that have ended.
        const isBack = now !== uri && (await isFile(uri)) && !(await isFile(now));
        return isBack ? uri : now;
      };
      const toNow = async (origin: Origin): Promise<Origin> => {
        const uri = await uriNow(origin.uri);
        if (uri === origin.uri) return origin;
        return { ...origin, uri, path: origin.path ?? toPath({ uri: vscode.Uri.parse(origin.uri) }) };
      };
      return {
        uriNow,
        async withFilesNow(question) {
          const [origin, ...more] = await Promise.all(originsOf(question).map(toNow));
          return { ...question, origin, ...(more.length > 0 && { more }) };
        },
      };
    },
    dispose: () => listening.dispose(),
  };
}

const isFile = async (uri: string): Promise<boolean> => (await fileKindOf(vscode.Uri.parse(uri))) === 'file';
