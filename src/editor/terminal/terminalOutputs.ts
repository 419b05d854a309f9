/** The output of the last command in the terminal as context of a question, if the user allows it. */
import * as vscode from 'vscode';
import { hasSecretsInPart } from '../../access/secretContent.ts';
import type { ContextItem } from '../../conversation/context/context.ts';
import {
  countSent,
  type TerminalCommand,
  toPlainOutput,
  toShownLine,
  toTerminalItem,
} from '../../conversation/context/terminalOutput.ts';
import { shorten } from '../../conversation/cutText.ts';
import { findHidden, showHidden } from '../../text/hiddenCharacters.ts';
import { askInDialog } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { firstLines, joinList, joinSentences } from '../base/sentences.ts';
import type { LastCommands } from './lastCommands.ts';

const t = vscode.l10n.t;

export type ReadOutput =
  | { readonly ok: true; readonly item: ContextItem }
  /** Why there is nothing to send, as a message for the user. */
  | { readonly ok: false; readonly why: string };

export interface TerminalOutputs {
  /** Returns the output of the last command after asking the user whether it may be sent. */
  read(): Promise<ReadOutput>;
  /** Returns what `read` would return if the user allows it. */
  look(): ReadOutput;
  /** A short description of the output that `read` would return; undefined if no terminal is open. */
  describe(): string | undefined;
}

/** The longest command line in the label of a chip, and in the dialog. In UTF-16 code units. */
const MAX_LABEL = 60;
const MAX_ASKED = 300;
/** The lines of the output that the dialog shows, and the characters of each. */
const MAX_LINES = 10;
const MAX_LINE = 100;
/** How many kinds of invisible characters the dialog names. */
const MAX_CODES = 5;

export function createTerminalOutputs(commands: Pick<LastCommands, 'of'>): TerminalOutputs {
  const last = () => {
    const terminal = vscode.window.activeTerminal;
    return terminal && commands.of(terminal);
  };
  return {
    describe() {
      if (vscode.window.activeTerminal === undefined) return undefined;
      const command = last();
      return command === undefined ? t('no command yet') : shorten(toShownLine(command), MAX_LABEL);
    },
    look() {
      const command = last();
      return command === undefined ? { ok: false, why: whyNothing() } : { ok: true, item: toItem(command) };
    },
    async read() {
      const command = last();
      if (command === undefined) return { ok: false, why: whyNothing() };
      const item = toItem(command);
      return (await isAllowed(command, item))
        ? { ok: true, item }
        : { ok: false, why: t('The output was not added because access was not allowed.') };
    },
  };
}

const toItem = (command: TerminalCommand): ContextItem =>
  toTerminalItem(command, t('Terminal: {0}', shorten(toShownLine(command), MAX_LABEL)));

function whyNothing(): string {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) return t('No terminal is open.');
  if (terminal.shellIntegration !== undefined)
    return t('No command has run in this terminal since K3 Chat started. Run the command again.');
  return t(
    'The terminal doesn’t report its commands, because shell integration isn’t active. Turn on the setting “terminal.integrated.shellIntegration.enabled”, open a new terminal, and run the command again.',
  );
}

/** Says how many lines are sent and, if the output is long, which ones. */
function describeSent(text: string): string {
  const { lines, isCut } = countSent(text);
  return isCut
    ? plural(
        t(
          '{0, plural, one {# line from the start and the end of the output} other {# lines from the start and the end of the output}}',
        ),
        lines,
      )
    : plural(t('{0, plural, one {# line} other {# lines}}'), lines);
}

/** The first lines, each with a mark before it. Without the mark, an output could look like text of the dialog. */
function showLines(text: string): readonly string[] {
  const lines = text.trimEnd().split('\n');
  return firstLines(
    lines.map((line) => `> ${showHidden(shorten(line, MAX_LINE))}`),
    MAX_LINES,
  );
}

/** Names invisible characters: the model reads them, although the terminal doesn't show them. */
function describeHidden(text: string): readonly string[] {
  const codes = [...new Set(findHidden(text).map(({ code }) => code))];
  if (codes.length === 0) return [];
  const shown = codes.length > MAX_CODES ? [...codes.slice(0, MAX_CODES), '…'] : codes;
  return [t('It contains invisible characters: {0}', joinList(shown))];
}

/** Asks before the output of a command is sent. Always asks, because most of the output may be out of view. */
async function isAllowed(command: TerminalCommand, { parts }: ContextItem): Promise<boolean> {
  const text = parts.map((part) => `${part.label}\n${part.text}`).join('\n');
  const hasKeys = await hasSecretsInPart(text, `${command.line}\n${toPlainOutput(command.output)}`, '');
  const sent = parts.map((part) => part.text).join('\n');
  const isBlank = toPlainOutput(command.output).trim() === '';
  const detail = [
    t('Command: {0}', showHidden(shorten(toShownLine(command), MAX_ASKED))),
    ...(typeof command.exitCode === 'number' ? [t('Exit code: {0}', command.exitCode)] : []),
    ...(isBlank
      ? [
          t(
            'The terminal reported no output. This can happen when a command ends immediately. Run the command again.',
          ),
        ]
      : [describeSent(sent), '', ...showLines(sent)]),
    '',
    ...(hasKeys ? [t('It has text that looks like a key or password.')] : []),
    ...describeHidden(text),
    // The editor adds a Cancel button beside Refuse (`askInDialog`), so the dialog says what Cancel does.
    joinSentences([t('The text is sent to the service.'), t('Cancel also refuses.')]),
  ].join('\n');
  const allow = t('Allow Once');
  const title = t('Allow svc-k3 to read the output of the last terminal command?');
  return (await askInDialog(title, detail, t('Refuse'), allow)) === allow;
}
