import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { env } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, failedBy, turnOf } from '../../conversation/turns.ts';
import { conversation, exchange } from '../../history/support.ts';

const { copyDiagnostics } = await withEditorStub(
  () => import('../../../../src/editor/diagnostics/diagnosticsReport.ts'),
);

describe('The turns in the diagnostics for a bug report', () => {
  const { writeText } = env.clipboard;
  afterEach(() => void Object.assign(env.clipboard, { writeText }));

  /** The IDs of the turns in the report, in their order. */
  async function reported(...loaded: readonly Conversation[]): Promise<readonly string[]> {
    let report = '';
    Object.assign(env.clipboard, {
      async writeText(text: string) {
        report = text;
      },
    });
    await copyDiagnostics({
      conversations: { loaded: () => loaded },
      routes: { active: () => undefined },
      keys: { find: () => assert.fail() },
      version: '1.0.0',
    });
    return [...report.matchAll(/^turn ([^,]+),/gm)].map(([, id = '']) => id);
  }

  const asked = (name: string, ...turns: readonly Turn[]) =>
    conversation(
      name,
      turns.map((turn) => exchange(`${name} ${turn.id}`, 'Why?', [turn])),
    );
  const answered = (at: number): Turn => ({ ...completeTurn(), id: `answered ${at}`, startedAt: at });
  const failed = (at: number): Turn => ({
    ...turnOf([failedBy('unreachable')]),
    id: `failed ${at}`,
    startedAt: at,
  });
  const many = Array.from({ length: 25 }, (_, at) => answered(at));

  it('are the last ones, also if another conversation was opened after them', async () => {
    const turns = await reported(asked('c1', failed(100)), asked('c2', ...many));
    assert.deepEqual([turns.length, turns.at(-1)], [20, 'failed 100']);
  });

  it('are there when their question was edited since', async () => {
    const edited = asked('c1', answered(101));
    const branches = [{ after: undefined, exchanges: [exchange('e0', 'Why?', [failed(100)])] }];
    const turns = await reported({ ...edited, branches }, asked('c2', ...many));
    assert.deepEqual(turns.slice(-2), ['failed 100', 'answered 101']);
  });
});
