import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { createLastCommands, type TerminalEvents } from '../../../../src/editor/terminal/lastCommands.ts';

/** An event that the test fires. */
function source<Value>() {
  const listeners = new Set<(value: Value) => unknown>();
  return {
    fire: (value: Value) => listeners.forEach((listener) => void listener(value)),
    event: (listener: (value: Value) => unknown) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    count: () => listeners.size,
  };
}

function setUp() {
  const started = source<{ terminal: object; execution: object }>();
  const ended = source<{ terminal: object; execution: object; exitCode: number | undefined }>();
  const closed = source<object>();
  const warnings: unknown[] = [];
  const events = {
    onDidStartTerminalShellExecution: started.event,
    onDidEndTerminalShellExecution: ended.event,
    onDidCloseTerminal: closed.event,
  } as unknown as TerminalEvents;
  const commands = createLastCommands(events, (error) => warnings.push(error));
  return { started, ended, closed, warnings, commands };
}

const terminal = { name: 'bash' } as unknown as vscode.Terminal;

/** An execution whose output the test writes. */
function execute(line: string) {
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  let isOver = false;
  let error: Error | undefined;
  async function* read() {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (error !== undefined) throw error;
      else if (isOver) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  const settle = () => {
    wake?.();
    return new Promise((resolve) => setImmediate(resolve));
  };
  return {
    execution: { commandLine: { value: line }, read },
    write: (text: string) => {
      waiting.push(text);
      return settle();
    },
    fail: () => {
      error = new Error('gone');
      return settle();
    },
    end: () => {
      isOver = true;
      return settle();
    },
  };
}

const shown = (commands: ReturnType<typeof setUp>['commands'], of = terminal) => {
  const command = commands.of(of);
  return command && [command.line, command.exitCode, command.output.head];
};

describe('The last command of a terminal', () => {
  it('has its output so far, and its exit code when it has ended', async () => {
    const { started, ended, commands } = setUp();
    const { execution, write, end } = execute('npm test');
    assert.equal(shown(commands), undefined);
    started.fire({ terminal, execution });
    await write('1 pass');
    await write('ing\n');
    assert.deepEqual(shown(commands), ['npm test', 'running', '1 passing\n']);
    ended.fire({ terminal, execution, exitCode: 0 });
    await write('late\n');
    await end();
    assert.deepEqual(shown(commands), ['npm test', 0, '1 passing\nlate\n']);
  });

  it('takes the place of the one before, whose rest is not kept', async () => {
    const { started, ended, commands } = setUp();
    const first = execute('first');
    const second = execute('second');
    started.fire({ terminal, execution: first.execution });
    started.fire({ terminal, execution: second.execution });
    await second.write('two');
    await first.write('one');
    ended.fire({ terminal, execution: first.execution, exitCode: 1 });
    assert.deepEqual(shown(commands), ['second', 'running', 'two']);
  });

  it('stays the last one after Enter at an empty prompt, however often', async () => {
    const { started, ended, commands } = setUp();
    const run = async (line: string, text: string, exitCode: number | undefined) => {
      const { execution, write } = execute(line);
      started.fire({ terminal, execution });
      await write(text);
      ended.fire({ terminal, execution, exitCode });
    };
    await run('npm test', '1 failing\n', 1);
    for (let times = 0; times < 3; times++) {
      await run(' ', '\u001b[K\r\n', undefined);
      assert.deepEqual(shown(commands), ['npm test', 1, '1 failing\n']);
    }
    await run('', 'a command that the shell didn’t report\n', undefined);
    assert.deepEqual(shown(commands), ['', undefined, 'a command that the shell didn’t report\n']);
    await run('npm test', '2 failing\n', 1);
    // The end of an empty line is reported late, or not at all.
    const { execution, write } = execute('');
    started.fire({ terminal, execution });
    assert.deepEqual(shown(commands), ['npm test', 1, '2 failing\n']);
    await write('output');
    assert.deepEqual(shown(commands), ['', 'running', 'output']);
  });

  it('has the rest of its output and its exit code also if Enter at an empty prompt is reported before them', async () => {
    const { started, ended, commands } = setUp();
    const first = execute('npm test');
    started.fire({ terminal, execution: first.execution });
    await first.write('1 pass');
    for (let times = 0; times < 2; times++) started.fire({ terminal, execution: execute('').execution });
    await first.write('ing\n');
    ended.fire({ terminal, execution: first.execution, exitCode: 0 });
    assert.deepEqual(shown(commands), ['npm test', 0, '1 passing\n']);
  });

  it('is that of its own terminal, and dropped when that is closed', async () => {
    const { started, closed, commands } = setUp();
    const other = { name: 'other' } as unknown as vscode.Terminal;
    const here = execute('here');
    const there = execute('there');
    started.fire({ terminal, execution: here.execution });
    started.fire({ terminal: other, execution: there.execution });
    await here.write('1');
    closed.fire(terminal);
    await here.write('2');
    assert.equal(shown(commands), undefined);
    assert.deepEqual(shown(commands, other), ['there', 'running', '']);
  });

  it('is kept when its output can’t be read any further', async () => {
    const { started, warnings, commands } = setUp();
    const { execution, write, fail } = execute('npm test');
    started.fire({ terminal, execution });
    await write('1');
    await fail();
    assert.deepEqual(shown(commands), ['npm test', 'running', '1']);
    assert.equal(warnings.length, 1);
  });

  it('is forgotten when the extension ends', async () => {
    const { started, commands } = setUp();
    started.fire({ terminal, execution: execute('npm test').execution });
    commands.dispose();
    assert.equal(shown(commands), undefined);
    assert.equal(started.count(), 0);
  });
});
