/** Tracks the files that were renamed since the window was opened, so that an answer finds its files under their current names. */
import * as vscode from 'vscode';
import { type AskedTurn, firstAsked } from '../../conversation/askedSince.ts';
import { askedQuestion } from '../../conversation/conversation.ts';
import { type Origin, originsOf, type Question } from '../../conversation/question.ts';
import { renamedUri } from '../../review/proposals/fileChanges.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { fileKindOf } from '../workspace/fileKinds.ts';
import { toPath } from '../workspace/selectedCode.ts';
import type { MovedFiles } from './movedFiles.ts';

/** A rename of a file or folder. */
interface Rename {
  readonly from: string;
  readonly to: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /**
   * The IDs of the turns that were running then, because times can't be compared if the clock was set back. Also the IDs of queued
   * questions, which become the IDs of their exchanges and are asked later.
   */
  readonly asked: ReadonlySet<string>;
}

/**
 * The renames since a question was asked. Earlier renames don't count, because the question used the new names, and the old names
 * are other files.
 */
export interface RenamedFiles {
  /** The current URI of a file or a cell; the same one if it wasn't renamed. */
  uriNow(uri: string): Promise<string>;
  /** The question with the current URIs of its files. Their paths stay as they were, because the answer uses these. */
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

  /** Returns a function that applies the renames since a question was asked to a URI. */
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
    /** The current URIs of the files of questions with running answers. */
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
        // Another program, such as Git, can have renamed the file back. The files of ended answers aren't followed.
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
