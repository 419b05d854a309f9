/**
 * Playwright takes each request and each message of a page from the browser, also if nobody asks for them. Of a workbench
 * these are some 20 MB in 100 s, which the browser packs and this process unpacks: 5 to 15 percent of the processor time of the
 * editor tests.
 */
import type { Page } from 'playwright-core';

/** What is used of Playwright's own parts. It has no function for it. */
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
