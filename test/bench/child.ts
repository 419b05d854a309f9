/** Another process of a benchmark, so that the work of a service is not measured together with the work of a client. */
import { fork } from 'node:child_process';

export interface Child<T> {
  readonly reply: Promise<T>;
  stop(): void;
}

/** Starts a file in a new process with these arguments. Its first message is the reply. */
export function ask<T>(file: string, args: readonly string[]): Child<T> {
  const child = fork(new URL(file), args, {
    execArgv: ['--disable-warning=ExperimentalWarning', '--expose-gc'],
  });
  const reply = new Promise<T>((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
  return { reply, stop: () => void child.kill() };
}
