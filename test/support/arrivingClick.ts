/** Clicks on what the editor draws again now and then. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from './eventually.ts';

/** For each try. */
const TRIED_MS = 8000;

/**
 * Clicks an element until the click arrives: where the editor draws it again meanwhile, the click is lost, and not even the focus
 * moves.
 *
 * @param selector what the element matches, or what is around it
 * @param event the one that has an effect
 */
export async function clickUntilItArrives(
  element: Locator,
  selector: string,
  event: 'click' | 'mouseup',
): Promise<void> {
  await eventually(async () => {
    const arrival = await element.page().evaluateHandle<{ isThere: boolean }>(`(() => {
      const seen = { isThere: false };
      const note = ({ target, clientX, clientY }) => {
        // An editor that captures the pointer gets the event itself, and looks at what is there.
        const there = [target, document.elementFromPoint(clientX, clientY)];
        seen.isThere ||= there.some((one) => one?.closest?.(${JSON.stringify(selector)}) != null);
      };
      document.addEventListener('${event}', note, { capture: true, once: true });
      return seen;
    })()`);
    await element.click({ timeout: TRIED_MS });
    assert.ok(await arrival.evaluate(({ isThere }) => isThere), `The click on ${selector} is lost.`);
  });
}
