/** The last command of each terminal, as shell integration reports it, with what is kept of its output. In memory only. */
import type * as vscode from 'vscode';
import { type KeptOutput, NO_OUTPUT, withMore } from '../../chat/keptOutput.ts';
import { type TerminalCommand, toPlainOutput } from '../../chat/terminalOutput.ts';

export interface LastCommands extends vscode.Disposable {
  /** The last command of a terminal, which may still be running. */
  of(terminal: vscode.Terminal): TerminalCommand | undefined;
  /** The command that ended last, in any of the terminals that are open. */
  ended(): TerminalCommand | undefined;
}

/** The events of `vscode.window`. */
export type TerminalEvents = Pick<
  typeof vscode.window,
  'onDidStartTerminalShellExecution' | 'onDidEndTerminalShellExecution' | 'onDidCloseTerminal'
>;

interface Running {
  readonly execution: vscode.TerminalShellExecution;
  exitCode: TerminalCommand['exitCode'];
  output: KeptOutput;
  /** Its place in the order in which commands ended; undefined while it is running. */
  ended: number | undefined;
  /** The command before it. It is still the last one while this runs or if this is only Enter at an empty prompt. */
  before: Running | undefined;
}

function notEmpty(command: Running | undefined): Running | undefined {
  if (command === undefined) return undefined;
  const { execution, exitCode, output, before } = command;
  const isEmpty = execution.commandLine.value.trim() === '' && toPlainOutput(output).trim() === '';
  // The end of an empty line can be reported late.
  return isEmpty && (exitCode !== 'running' || before !== undefined) ? before : command;
}

function endedIn(command: Running | undefined): Running | undefined {
  const last = notEmpty(command);
  return last?.ended === undefined ? last?.before : last;
}

// The shell can correct the command line while the command runs.
const toCommand = ({ execution, exitCode, output }: Running): TerminalCommand => ({
  line: execution.commandLine.value,
  exitCode,
  output,
});

/** @param warn called with an error when an output can't be read */
export function createLastCommands(events: TerminalEvents, warn: (error: unknown) => void): LastCommands {
  const commands = new Map<vscode.Terminal, Running>();
  let count = 0;

  function end(command: Running, exitCode: number | undefined): void {
    command.exitCode = exitCode;
    command.ended = ++count;
  }

  /** Reads until the command ends, or the next one takes its place. */
  async function read(terminal: vscode.Terminal, command: Running): Promise<void> {
    for await (const more of command.execution.read()) {
      if (commands.get(terminal) !== command) return;
      command.output = withMore(command.output, more);
    }
  }

  const listeners = [
    events.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      const before = notEmpty(commands.get(terminal));
      if (before !== undefined) before.before = undefined;
      // Its end wasn't reported, or is reported late.
      if (before !== undefined && before.ended === undefined) end(before, undefined);
      const command: Running = {
        execution,
        exitCode: 'running',
        output: NO_OUTPUT,
        ended: undefined,
        before,
      };
      commands.set(terminal, command);
      // The reading begins now, because earlier output isn't passed on.
      read(terminal, command).catch(warn);
    }),
    events.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
      const command = commands.get(terminal);
      if (command?.execution === execution) end(command, exitCode);
      else if (command?.before?.execution === execution) command.before.exitCode = exitCode;
    }),
    events.onDidCloseTerminal((terminal) => commands.delete(terminal)),
  ];

  return {
    of(terminal) {
      const command = notEmpty(commands.get(terminal));
      return command && toCommand(command);
    },
    ended() {
      const all = [...commands.values()].flatMap((command) => endedIn(command) ?? []);
      const [last] = all.toSorted((one, other) => (other.ended ?? 0) - (one.ended ?? 0));
      return last && toCommand(last);
    },
    dispose() {
      for (const listener of listeners) listener.dispose();
      commands.clear();
    },
  };
}
