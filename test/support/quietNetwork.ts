/**
 * Playwright transfers each request and message of a page from the browser, even if no test listens. For a workbench
 * these are about 20 MB in 100 s, which the browser serializes and this process parses: 5 to 15 percent of the processor time of the
 * editor tests.
 */
import type { Page } from 'playwright-core';

/** The internal parts of Playwright that are used, because it has no function for this. */
interface Internal {
  readonly _connection: {
    toImpl(page: Page): {
      readonly delegate: {
        readonly _mainFrameSession: { readonly _client: { send(method: string): Promise<unknown> } };
      };
    };
  };
}

/**
 * Leaves out the requests and messages of the main frame from now on: `page.route` and events such as `request` and `websocket` no longer work
 * there.
 */
export async function silenceNetwork(page: Page): Promise<void> {
  const { delegate } = (page as unknown as Internal)._connection.toImpl(page);
  await delegate._mainFrameSession._client.send('Network.disable');
}
