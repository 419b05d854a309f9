/** Decorates the lines that a proposal deletes, and the places where it adds lines, in the file itself. */
import * as vscode from 'vscode';
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
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
    overviewRulerLane: lane,
  });
  // High contrast themes have no background color for deleted lines.
  const deletedHighContrast = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
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
    const found = proposals.ofFile(document.uri.toString());
    // A new file has no lines to decorate.
    const hunks = found === undefined || found.file.isNew ? [] : found.file.hunks;
    const places = hunks
      .filter(({ state }) => state === 'open' || state === 'stale')
      .map(({ state, ...one }) => ({ state, lines: linesOfHunk(document, { ...one, state }) }));
    const rangesOf = (pick: (place: (typeof places)[number]) => boolean) =>
      places.filter(pick).map(({ lines }) => new vscode.Range(lines.start, 0, lines.end, 0));
    const deletedRanges = rangesOf(({ state, lines }) => state === 'open' && !lines.inserts);
    editor.setDecorations(deleted, deletedRanges);
    editor.setDecorations(deletedHighContrast, isHighContrast() ? deletedRanges : []);
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
    deletedHighContrast,
    added,
    stale,
    refresh,
    proposals.onDidChange(() => refresh.call()),
    vscode.window.onDidChangeVisibleTextEditors(() => refresh.call()),
    vscode.window.onDidChangeActiveColorTheme(() => refresh.call()),
  );
}

function isHighContrast(): boolean {
  const { kind } = vscode.window.activeColorTheme;
  return kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight;
}
