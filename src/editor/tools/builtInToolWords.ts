/** Descriptions of the built-in tools for the user. The descriptions in their definitions are for the model. */
import * as vscode from 'vscode';

const t = vscode.l10n.t;

const WORDS: Readonly<Record<string, () => string>> = {
  find_files: () => t('Find files by a glob pattern, except ignored ones.'),
  find_references: () => t('Find where a symbol is used.'),
  find_symbols: () => t('Find functions, classes, and other symbols by part of their name.'),
  get_diagnostics: () => t('Read the errors and warnings of a file or of the workspace.'),
  git_diff: () => t('Read uncommitted changes.'),
  git_log: () => t('Read the latest commits.'),
  list_files: () => t('List the contents of a folder, except ignored files.'),
  propose_edit: () => t('Propose changes to a file for you to review.'),
  read_file: () => t('Read a text file.'),
  search_text: () => t('Search text files for exact words.'),
  update_plan: () => t('Show the plan of a longer task as a checklist.'),
};

/** A sentence in the display language, or undefined for a tool that is not built in. */
export const builtInToolWords = (name: string): string | undefined =>
  Object.hasOwn(WORDS, name) ? WORDS[name]?.() : undefined;
