/** The extension host of web extensions, which a workbench in a browser starts beside that of the server. */
import type { Page } from 'playwright-core';

/**
 * Delays the start of this host in the next load of the page, which can take long on a busy machine.
 *
 * @returns starts the host, after the load
 */
export async function holdOtherHost(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(`sessionStorage.setItem('holdsHost', 'next')`);
  await page.addInitScript(`(() => {
    if (top !== globalThis || sessionStorage.getItem('holdsHost') === null) return;
    sessionStorage.removeItem('holdsHost');
    const set = Element.prototype.setAttribute;
    const held = new Promise((start) => (globalThis.startOtherHost = start));
    Element.prototype.setAttribute = function (name, value) {
      const isHost = name === 'src' && this.classList.contains('web-worker-ext-host-iframe');
      if (isHost) void held.then(() => set.call(this, name, value));
      else set.call(this, name, value);
    };
  })()`);
  return () => page.evaluate('startOtherHost()');
}
