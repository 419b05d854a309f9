/** Runs commands in the extension host of a workbench, through the extension of the tests (`test/fixtures/settings`). */
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** After a reload, the extension of the tests is activated last. */
const ACTIVATED_WITHIN = 60_000;
const notListening = new Set(['ENOENT', 'ECONNREFUSED']);

export interface EditorCommands {
  readonly socket: string;
  /** Runs a command, and waits for its end. Rejects with the error of the command. */
  execute(command: string, ...args: unknown[]): Promise<void>;
  /** Call this before the window is loaded again, so that the old extension host takes no more commands. */
  forget(): Promise<void>;
}

/** @param socket the path of a file in a folder */
export function createCommands(socket: string): EditorCommands {
  return {
    socket,
    async execute(command, ...args) {
      const until = Date.now() + ACTIVATED_WITHIN;
      while (!(await tryToRun(socket, JSON.stringify({ command, args })))) {
        if (Date.now() > until) throw new Error(`No extension host takes the command ${command}.`);
        await pause(50);
      }
    },
    forget: () => rm(socket, { force: true }),
  };
}

/** Returns false if nothing listens. */
function tryToRun(socketPath: string, body: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method: 'POST', agent: false }, async (response) => {
      const said = await text(response);
      if (response.statusCode === 200) resolve(true);
      else reject(new Error(`${body}: ${said}`));
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (notListening.has(error.code ?? '')) resolve(false);
      else reject(error);
    });
    asked.end(body);
  });
}
