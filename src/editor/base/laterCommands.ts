/** Commands whose code is loaded with the first of them. */
import * as vscode from 'vscode';
import type { FirstUse } from './atFirstUse.ts';

/** What a command does. The editor doesn't say what its arguments are. */
type Command = Parameters<typeof vscode.commands.registerCommand>[1];

/** What commands do, by their names. */
export type Commands<Name extends string> = Readonly<Record<Name, Command>>;

/** What a room loads later. */
export interface LaterCommands<Name extends string> {
  readonly commands: Commands<Name>;
}

/** Registers commands. What the first one returns comes after its code was loaded. */
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
