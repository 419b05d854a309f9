/**
 * The last command of each terminal, as shell integration reports it, with its output, of which a limited part is kept. In memory only.
 */
import type * as vscode from 'vscode';
import { type TerminalCommand, toPlainOutput } from '../../conversation/context/terminalOutput.ts';
import { type KeptOutput, NO_OUTPUT, withMore } from '../../conversation/toolCalls/keptOutput.ts';

export interface LastCommands extends vscode.Disposable {
  of(terminal: vscode.Terminal): TerminalCommand | undefined;
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
  /** The previous command. It still counts as the last one if this one is only Enter at an empty prompt. */
  before: Running | undefined;
}

function notEmpty(command: Running | undefined): Running | undefined {
  if (command === undefined) return undefined;
  const { execution, exitCode, output, before } = command;
  const isEmpty = execution.commandLine.value.trim() === '' && toPlainOutput(output).trim() === '';
  // The end of an empty line can be reported late.
  return isEmpty && (exitCode !== 'running' || before !== undefined) ? before : command;
}

/** @param warn called with an error when an output can't be read */
export function createLastCommands(events: TerminalEvents, warn: (error: unknown) => void): LastCommands {
  const commands = new Map<vscode.Terminal, Running>();

  /** The commands of a terminal that may count as its last one. */
  function candidatesOf(terminal: vscode.Terminal): readonly Running[] {
    const last = commands.get(terminal);
    return [last, last?.before].filter((one) => one !== undefined);
  }

  /** Reads the output until the command ends, or no longer counts as the last one. */
  async function read(terminal: vscode.Terminal, command: Running): Promise<void> {
    for await (const more of command.execution.read()) {
      if (!candidatesOf(terminal).includes(command)) return;
      command.output = withMore(command.output, more);
    }
  }

  const listeners = [
    events.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      const before = notEmpty(commands.get(terminal));
      if (before !== undefined) before.before = undefined;
      const command: Running = { execution, exitCode: 'running', output: NO_OUTPUT, before };
      commands.set(terminal, command);
      // Starts reading at once, because the editor doesn't pass on earlier output.
      read(terminal, command).catch(warn);
    }),
    events.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
      for (const command of candidatesOf(terminal))
        if (command.execution === execution) command.exitCode = exitCode;
    }),
    events.onDidCloseTerminal((terminal) => commands.delete(terminal)),
  ];

  return {
    of(terminal) {
      const command = notEmpty(commands.get(terminal));
      if (command === undefined) return undefined;
      // The shell can correct the command line while the command runs.
      const { execution, exitCode, output } = command;
      return { line: execution.commandLine.value, exitCode, output };
    },
    dispose() {
      for (const listener of listeners) listener.dispose();
      commands.clear();
    },
  };
}
