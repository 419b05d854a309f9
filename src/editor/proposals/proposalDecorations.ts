/**
 * Decorates the lines that a proposal deletes, the words in them that it changes, and the places where it adds lines, in
 * the file itself. Deleted lines have a bar as well, so that they differ not only by their color.
 */
import * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';
import { addedLinesOf, deletedLinesOf } from '../../review/hunks/hunks.ts';
import { toWordChanges } from '../../review/hunks/wordChanges.ts';
import { isUndecidedHunk } from '../../review/proposals/proposal.ts';
import { createThrottle } from '../base/throttle.ts';
import { linesOfHunk } from './hunkLines.ts';
import type { Proposals } from './proposalList.ts';

/** The shortest time between two updates while the user types, in milliseconds. */
const REFRESH_MS = 50;

export function registerProposalDecorations({
  proposals,
}: {
  readonly proposals: Pick<Proposals, 'ofFile' | 'onDidChange'>;
}): vscode.Disposable {
  const lane = vscode.OverviewRulerLane.Left;
  const deleted = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.removedLineBackground'),
    borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 2px',
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
    overviewRulerLane: lane,
  });
  const deletedWord = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
  });
  // High contrast themes have no background color for deleted words.
  const deletedHighContrast = vscode.window.createTextEditorDecorationType({
    borderColor: new vscode.ThemeColor('diffEditor.removedTextBorder'),
    borderStyle: 'dashed',
    borderWidth: '1px',
  });
  const added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
    borderStyle: 'solid',
    borderWidth: '2px 0 0 0',
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
    overviewRulerLane: lane,
  });
  const stale = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor('editorWarning.foreground'),
    borderStyle: 'dashed',
    borderWidth: '0 0 0 2px',
    overviewRulerColor: new vscode.ThemeColor('editorWarning.foreground'),
    overviewRulerLane: lane,
  });

  function mark(editor: vscode.TextEditor): void {
    const { document } = editor;
    // A new file has no lines to decorate.
    const hunks = proposals
      .ofFile(document.uri.toString())
      .flatMap(({ file }) => (file.isNew ? [] : file.hunks));
    const places = hunks
      .filter(isUndecidedHunk)
      .map(({ state, ...one }) => ({ state, lines: linesOfHunk(document, { ...one, state }) }));
    const words = hunks.filter(({ state }) => state === 'open').flatMap((one) => changedWords(document, one));
    const rangesOf = (pick: (place: (typeof places)[number]) => boolean) =>
      places.filter(pick).map(({ lines }) => new vscode.Range(lines.start, 0, lines.end, 0));
    editor.setDecorations(
      deleted,
      rangesOf(({ state, lines }) => state === 'open' && !lines.inserts),
    );
    editor.setDecorations(deletedWord, words);
    editor.setDecorations(deletedHighContrast, isHighContrast() ? words : []);
    editor.setDecorations(
      added,
      rangesOf(({ state, lines }) => state === 'open' && lines.inserts),
    );
    editor.setDecorations(
      stale,
      rangesOf(({ state }) => state === 'stale'),
    );
  }

  const refresh = createThrottle(REFRESH_MS, () => vscode.window.visibleTextEditors.forEach(mark));
  refresh.call();
  return vscode.Disposable.from(
    deleted,
    deletedWord,
    deletedHighContrast,
    added,
    stale,
    refresh,
    proposals.onDidChange(() => refresh.call()),
    vscode.window.onDidChangeVisibleTextEditors(() => refresh.call()),
    vscode.window.onDidChangeActiveColorTheme(() => refresh.call()),
  );
}

/** Cached by hunk, because hunks move with each key press, but their words stay the same. */
const wordsOfHunk = new WeakMap<AnchoredHunk['hunk'], ReturnType<typeof toWordChanges>>();

function changedWords(document: vscode.TextDocument, one: AnchoredHunk): readonly vscode.Range[] {
  const deleted = deletedLinesOf(one.hunk);
  const known = wordsOfHunk.get(one.hunk) ?? toWordChanges(deleted, addedLinesOf(one.hunk));
  wordsOfHunk.set(one.hunk, known);
  const begin = one.from + one.hunk.lead;
  const place = (from: number, to: number) =>
    new vscode.Range(document.positionAt(begin + from), document.positionAt(begin + to));
  // The line ends of the document may have just changed.
  if (known.deleted.length === 0 || document.getText(place(0, deleted.length)) !== deleted) return [];
  return known.deleted.map(({ from, to }) => place(from, to));
}

function isHighContrast(): boolean {
  const { kind } = vscode.window.activeColorTheme;
  return kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight;
}
