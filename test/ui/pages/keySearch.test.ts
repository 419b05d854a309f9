/** The search for a key in the messages that a page receives finds it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CANARY } from '../../support/canary.ts';
import { testBrowser } from '../../support/chatPage.ts';
import { searchPage } from '../../support/keySearch.ts';

const browser = testBrowser();

/** What is found when a page receives these messages, as bytes. */
async function foundIn(...messages: readonly Buffer[]): Promise<readonly string[]> {
  const page = await browser().newPage();
  try {
    const search = await searchPage(page);
    await page.goto('about:blank');
    await page.evaluate(`(() => {
      const socket = new WebSocket('ws://127.0.0.1:9');
      for (const bytes of ${JSON.stringify(messages.map((one) => [...one]))})
        socket.dispatchEvent(new MessageEvent('message', { data: new Uint8Array(bytes).buffer }));
    })()`);
    return await search.end();
  } finally {
    await page.close();
  }
}

describe('The search for a key in messages', () => {
  const leak = `{"posted":"${CANARY}"}`;

  it('finds it plain, as Base64, and as UTF-16', async () => {
    const forms = {
      plain: Buffer.from(leak),
      Base64: Buffer.from(Buffer.from(leak).toString('base64')),
      'UTF-16': Buffer.from(leak, 'utf16le'),
    };
    const places = await foundIn(Buffer.from('$acceptModelChanged'), ...Object.values(forms));
    assert.equal(places.length, 3, places.join('\n'));
    for (const form of Object.keys(forms))
      assert.ok(
        places.some((place) => place.includes(`a message from the extension host (${form}`)),
        `${form}: ${places.join('\n')}`,
      );
  });

  it('finds nothing in messages without it, and in that to the secret storage', async () => {
    assert.deepEqual(await foundIn(Buffer.from('"other"'), Buffer.from(`$setPassword ${CANARY}`)), []);
  });

  it('says that it has seen no message', async () => {
    assert.match((await foundIn()).join(), /seen no message/);
  });
});
