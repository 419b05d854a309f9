import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ContextItem } from '../../../../src/conversation/context/context.ts';
import { isSameSource } from '../../../../src/editor/context/attachments.ts';

describe('The outputs of two terminals', () => {
  const command = 'docker compose -f docker-compose.dev.yml exec backend pytest';
  const output = (test: string, exitCode: number) => ({
    kind: 'terminal' as const,
    // As it is shown, it is cut.
    label: `Terminal: ${command.slice(0, 59)}…`,
    parts: [{ label: `${command} ${test}, exit code ${exitCode}`, text: `${test}: failed\n` }],
  });

  it('are both attached if their commands only begin alike, and one again in place of itself', () => {
    assert.equal(isSameSource(output('a.py', 1), output('b.py', 1)), false);
    assert.equal(isSameSource(output('a.py', 1), output('a.py', 0)), true);
  });
});

describe('A file that is attached again', () => {
  it('is attached in place of itself, also when its label has changed, as that of a cell that was moved', () => {
    const cell = (at: number): ContextItem => ({
      kind: 'file',
      label: `a.ipynb, cell ${at}`,
      uri: 'vscode-notebook-cell:/a.ipynb#W0s',
      parts: [],
    });
    assert.ok(isSameSource(cell(1), cell(2)));
    const symbol = (label: string) => ({ ...cell(1), kind: 'symbol' as const, label });
    assert.ok(!isSameSource(symbol('one'), symbol('other')));
  });
});
