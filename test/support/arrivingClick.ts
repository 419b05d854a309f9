/** Clicks elements that the editor draws again from time to time. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from './eventually.ts';

/** Time limit of each attempt, in milliseconds. */
const TRIED_MS = 8000;

/**
 * Clicks an element until the click arrives: if the editor draws the element again during the click, the click is lost, and not even the
 * focus moves.
 *
 * @param selector matches the element, or an element around it
 * @param event the event that has the effect
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
        // An editor that captures the pointer gets the event itself, and finds the element at the pointer.
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
