/** The results of tool calls as read-only documents (`k3-result`). */
import * as vscode from 'vscode';
import { toFileTitle } from '../../conversation/conversationMarkdown.ts';
import { asObject, parseJson } from '../../service/json.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { type Found, findOnBranches } from '../conversations/foundTurns.ts';

const t = vscode.l10n.t;

const SCHEME = 'k3-result';

/** The place of a call. Rounds and calls count from 0. */
interface CallPlace {
  readonly turnId: string;
  readonly round: number;
  readonly index: number;
}

export interface ToolResults extends vscode.Disposable {
  /** Opens the result of a call. Does nothing if it no longer exists. */
  open(place: CallPlace): Promise<void>;
}

/** Registers the documents. While the conversation is deleted, its documents say that the result no longer exists. */
export function registerToolResults(
  conversations: Pick<Conversations, 'get' | 'find' | 'onDidChange'>,
): ToolResults {
  async function open(place: CallPlace): Promise<void> {
    const found = conversations.find(place.turnId);
    const call = callOf(found, place);
    if (found === undefined || call?.result === undefined) return;
    const { turnId, round, index } = place;
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${t('Result of {0}', toFileTitle(call.name, t('untitled')))}${isPlainJson(call.result.text) ? '.json' : '.txt'}`,
      query: `turn=${turnId}&round=${round}&call=${index}&conversation=${found.conversation.id}`,
    });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registered = vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent({ query }) {
        const facts = new URLSearchParams(query);
        // Loads the conversation: a restored tab asks for its content before the conversation is opened.
        const conversation = conversations.get(facts.get('conversation') ?? '');
        const place = {
          turnId: facts.get('turn') ?? '',
          round: Number(facts.get('round')),
          index: Number(facts.get('call')),
        };
        const call = conversation && callOf(findOnBranches(conversation, place.turnId), place);
        return call?.result?.text ?? t('This result no longer exists.');
      },
    }),
    // A result doesn’t change, but its conversation can be deleted and restored.
    conversations.onDidChange(({ type }) => {
      if (type !== 'listed') return;
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) changed.fire(uri);
    }),
  );
  return { open, dispose: () => registered.dispose() };
}

const callOf = (found: Found | undefined, { round, index }: CallPlace) =>
  found?.turn.rounds[round]?.toolCalls[index];

/** Whether a text is JSON without a schema. The editor would load the schema from its URL. */
function isPlainJson(text: string): boolean {
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return value !== undefined && asObject(value)?.['$schema'] === undefined;
}
