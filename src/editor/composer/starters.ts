/** Suggestions for an empty conversation: the open file, its selection, its problems, and the changes. */
import * as vscode from 'vscode';
import type { Starter } from '../../panel/context.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import type { Log } from '../base/log.ts';
import { createThrottle } from '../base/throttle.ts';
import { findProblems } from '../workspace/editorProblems.ts';
import { labelOf } from '../workspace/textSources.ts';
import { followChanges } from '../workspace/uncommittedChanges.ts';

const t = vscode.l10n.t;

export interface Starters extends vscode.Disposable {
  list(): readonly Starter[];
  /** Fires when the list has changed. */
  readonly onDidChange: vscode.Event<void>;
}

/**
 * The minimum interval between updates. The selection and the problems change with each key, while the user doesn't look at
 * the chat. In milliseconds.
 */
const INTERVAL_MS = 500;

export function createStarters(lastEditor: Pick<LastEditor, 'get'>, log: Pick<Log, 'warn'>): Starters {
  const changed = new vscode.EventEmitter<void>();
  const changes = followChanges(log);
  const list = () => toStarters(lastEditor.get(), changes.get());
  let shown = '';
  const watch = createThrottle(INTERVAL_MS, () => {
    const now = JSON.stringify(list());
    if (now !== shown) changed.fire();
    shown = now;
  });
  const registered = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(watch.call),
    vscode.window.onDidChangeTextEditorSelection(watch.call),
    vscode.languages.onDidChangeDiagnostics(watch.call),
    changes.onDidChange(watch.call),
    changes,
    watch,
    changed,
  );
  return { list, onDidChange: changed.event, dispose: () => registered.dispose() };
}

function toStarters(editor: vscode.TextEditor | undefined, hasChanges: boolean): readonly Starter[] {
  return [
    ...(editor === undefined ? [] : ofEditor(editor)),
    ...(!hasChanges
      ? []
      : [
          {
            label: t('Explain the changes'),
            prompt: t('Explain these changes. What could break?'),
            icon: 'diff',
            reference: { kind: 'changes' as const },
          },
        ]),
  ];
}

function ofEditor({ document: { uri }, selections }: vscode.TextEditor): readonly Starter[] {
  // Documents of K3 show what is already in a conversation.
  if (uri.scheme.startsWith('k3-')) return [];
  const name = labelOf(uri).split('/').at(-1) ?? '';
  const file: Starter = {
    label: t('Explain {0}', name),
    prompt: t('Explain this file.'),
    icon: 'file',
    reference: { kind: 'file', uri: uri.toString() },
    file: name,
  };
  // Only the problems of this file: the user doesn't look at the others.
  const problems = findProblems(uri).length;
  return [
    file,
    ...(selections.every(({ isEmpty }) => isEmpty)
      ? []
      : [
          {
            label: t('Explain the selection'),
            prompt: t('Explain this code.'),
            icon: 'list-selection',
            reference: { kind: 'selection' as const },
          },
        ]),
    ...(problems === 0
      ? []
      : [
          {
            label: t('Explain the problems ({0})', problems),
            prompt: t('Explain these problems, and how to fix them.'),
            icon: 'warning',
            reference: { kind: 'problems' as const, uri: uri.toString() },
          },
        ]),
  ];
}
