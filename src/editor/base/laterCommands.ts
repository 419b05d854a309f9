/** Commands whose code is loaded when the first of them runs. */
import * as vscode from 'vscode';
import type { FirstUse } from './atFirstUse.ts';

/** The handler of a command. The editor doesn't type its arguments. */
type Command = Parameters<typeof vscode.commands.registerCommand>[1];

/** The handlers of commands, by command ID. */
export type Commands<Name extends string> = Readonly<Record<Name, Command>>;

/** The code that a room loads later. */
export interface LaterCommands<Name extends string> {
  readonly commands: Commands<Name>;
}

/** Registers commands. The first one that runs loads the code; its result comes after that. */
export function registerLater<Name extends string>(
  names: readonly Name[],
  parts: Pick<FirstUse<LaterCommands<Name>>, 'run'>,
): vscode.Disposable {
  const register = (name: Name) =>
    vscode.commands.registerCommand(name, (...args: unknown[]) =>
      parts.run(({ commands }) => commands[name](...args)),
    );
  return vscode.Disposable.from(...names.map(register));
}
