/** Another attempt with another effort, and its comparison, with both services and by keyboard. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import {
  answerEnded,
  askQuestion,
  newConversation,
  outcomeOf,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import { eventually } from '../../support/eventually.ts';
import { createKeyboard } from '../../support/keyboardDriver.ts';
import { SERVICES } from './services.ts';
import { workbench } from './stage.ts';

describe('Attempts', () => {
  let keys: ReturnType<typeof createKeyboard>;

  before(() => {
    keys = createKeyboard(workbench);
  });

  for (const service of SERVICES) {
    it(`are asked for with another effort, and compared, with ${service.name}`, async () => {
      const chat = await newConversation(workbench);
      await switchRouteTo(workbench, chat, service.route);
      assert.equal(await outcomeOf(await askQuestion(chat, 'How would you sort them?')), 'complete');
      const before = service.bodies().length;
      await keys.run('K3: Ask Again With…');
      await keys.pick('high', 'high');
      await eventually(() => assert.equal(service.bodies().length, before + 1), 30_000);
      assert.equal(JSON.parse(service.bodies().at(-1) ?? '{}').reasoning_effort, 'high');
      // The page shows the new attempt only after the service has its request.
      await chat
        .getByText(/2 ?[/] ?2/)
        .first()
        .waitFor();
      assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
      await workbench.screenshot(`${service.route}-attempts`);
      await keys.run('K3: Compare Attempts');
      await workbench.page.locator('.tab', { hasText: 'attempt 1 ↔ attempt 2' }).first().waitFor();
      const lines = workbench.page.locator('.monaco-diff-editor .modified .view-line');
      await lines
        .filter({ hasText: /reasoning/i })
        .first()
        .waitFor();
      await workbench.screenshot(`${service.route}-compare`);
      assert.deepEqual(service.violations(), []);
      await workbench.runCommand('View: Close Editor');
    });
  }
});
