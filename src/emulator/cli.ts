/** Runs the emulator from the command line: prints one line of JSON when it listens, and runs until it is stopped. */
import process from 'node:process';
import { parseProgramArguments, USAGE } from './arguments.ts';
import { startEmulator } from './server.ts';

async function main(): Promise<void> {
  const parsed = parseProgramArguments(process.argv.slice(2));
  if (!parsed.ok) {
    process.stderr.write(`${parsed.problem}\nUsage: ${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  try {
    const emulator = await startEmulator(parsed.options);
    process.stdout.write(`${JSON.stringify({ url: emulator.url, key: emulator.key })}\n`);
    const stop = (): void => void emulator.close().then(() => process.exit(0));
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`--port ${parsed.options.port} cannot be used: ${reason}\n`);
    process.exitCode = 1;
  }
}

void main();
