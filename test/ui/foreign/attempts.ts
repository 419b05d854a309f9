/** Another attempt with another effort, and its comparison, with the strict service and by keyboard. */
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
import { inSteps } from '../../support/leftovers.ts';
import { STRICT } from './services.ts';
import { workbench } from './stage.ts';

describe('Attempts', () => {
  // The second one shows the comparison of the first one.
  inSteps();
  let keys: ReturnType<typeof createKeyboard>;

  before(() => {
    keys = createKeyboard(workbench);
  });

  it('are asked for with another effort, and compared', async () => {
    const chat = await newConversation(workbench);
    await switchRouteTo(workbench, chat, STRICT.route);
    assert.equal(await outcomeOf(await askQuestion(chat, 'How would you sort them?')), 'complete');
    const before = STRICT.bodies().length;
    await keys.run('K3: Ask Again With…');
    await keys.pick('high', 'high');
    await eventually(() => assert.equal(STRICT.bodies().length, before + 1), 60_000);
    assert.equal(JSON.parse(STRICT.bodies().at(-1) ?? '{}').reasoning_effort, 'high');
    // The page shows the new attempt only after the service has its request.
    await chat
      .getByText(/2 ?[/] ?2/)
      .first()
      .waitFor();
    assert.equal(await outcomeOf(await answerEnded(chat)), 'complete');
    await workbench.screenshot(`${STRICT.route}-attempts`);
    await keys.run('K3: Compare Attempts');
    await workbench.page.locator('.tab', { hasText: 'attempt 1 ↔ attempt 2' }).first().waitFor();
    const lines = workbench.page.locator('.monaco-diff-editor .modified .view-line');
    await lines
      .filter({ hasText: /reasoning/i })
      .first()
      .waitFor();
    await workbench.screenshot(`${STRICT.route}-compare`);
    assert.deepEqual(STRICT.violations(), []);
  });

  it('are shown as text to read in two previews, which are the same after a reload', async () => {
    await workbench.page.locator('.monaco-diff-editor .modified .view-lines').first().click();
    await keys.run('K3: Show Rendered Attempts');
    const before = await previewsAre();
    assert.match(before.join('\n'), /Attempt 1[\s\S]*Attempt 2/);
    await workbench.screenshot('rendered-attempts');
    for (const attempt of [1, 2]) await workbench.kept(`k3-attempt-rendered:/Attempt%20${attempt}`);
    await workbench.reload();
    assert.deepEqual(await previewsAre(), before);
    await workbench.screenshot('rendered-attempts-after-reload');
    // Only these: the editor would ask about unsaved documents of the tests before.
    const tabs = workbench.page.locator('.tab', { hasText: /attempt \d/i });
    await eventually(async () => {
      const left = await tabs.count();
      if (left > 0) await tabs.first().click({ button: 'middle', timeout: 1000 });
      assert.equal(left, 0);
    });
  });
});

/** The texts of the two previews of attempts, sorted. */
async function previewsAre(): Promise<readonly string[]> {
  return await eventually(async () => {
    const texts = await Promise.all(
      workbench.page.frames().map((frame) =>
        frame
          .locator('body')
          .innerText({ timeout: 1000 })
          // A frame that is being loaded, or is gone.
          .catch(() => ''),
      ),
    );
    const found = texts.map((text) => text.trim()).filter((text) => /^Attempt \d/.test(text));
    assert.equal(found.length, 2, JSON.stringify(texts.map((text) => text.slice(0, 80))));
    return found.toSorted();
  }, 60_000);
}
