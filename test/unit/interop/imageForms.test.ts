/**
 * Images with the strict independent service, by both readings of Q5: content is an array of objects in the messages
 * with images, or in every message of a request with an image.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Conversation, Exchange } from '../../../src/conversation/conversation.ts';
import { toNotices } from '../../../src/conversation/outcomes/notices.ts';
import type { ImageAttachment } from '../../../src/conversation/question.ts';
import type { Toolbox } from '../../../src/conversation/toolCalls/tools.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { startEmulator } from '../../../src/emulator/server.ts';
import { turn as turnDecoder } from '../../../src/history/turnDecoders.ts';
import { toConversationContent } from '../../../src/requests/conversationRequest.ts';
import type { TurnSettings } from '../../../src/requests/turnSettings.ts';
import { createTurns, type Turns } from '../../../src/requests/turns.ts';
import { nodeTransport } from '../../../src/service/nodeTransport.ts';
import type { Route, RouteKind } from '../../../src/service/types.ts';
import { tryDecode } from '../../../src/validation/decode.ts';
import { startForeignService } from '../../foreign/service.ts';
import { toolboxOf } from '../conversation/toolTurns.ts';
import { conversationOf, exchangeOf } from '../conversation/turns.ts';
import { SETTINGS as BASE } from '../requests/support.ts';
import { NEVER } from '../service/wire.ts';

const KEY = 'key-for-this-test';
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const IMAGE: ImageAttachment = { name: 'a.png', url: `data:image/png;base64,${PNG}` };
const SETTINGS: TurnSettings = {
  ...BASE,
  systemPrompt: `Be brief. ${'All the rules of the house. '.repeat(300)}`,
};

type Service = Awaited<ReturnType<typeof startForeignService>>;

for (const kind of ['direct', 'gateway'] satisfies RouteKind[])
  describe(`A conversation with images, on a ${kind} route that wants arrays in every message`, () => {
    let service: Service;
    let turns: Turns;
    let conversation: Conversation;
    let dailyCap: number | undefined;
    let asked: number;
    let agrees: boolean;

    beforeEach(async () => {
      service = await startForeignService({ route: kind, key: KEY, pace: 0, everyContent: true });
      turns = newTurns();
      conversation = conversationOf();
      dailyCap = undefined;
      asked = 0;
      agrees = true;
    });
    afterEach(() => service.close());

    const routeOf = (name = 'r', root = `${service.url}/v1`): Route => ({
      name,
      kind,
      root,
      origin: service.url,
      model: 'svc-k3',
    });
    let route = () => routeOf();

    /** The turns of a window: what one learned in memory, another one doesn't know. */
    function newTurns(): Turns {
      return createTurns({
        settings: () => ({ ...SETTINGS, dailyCap }),
        routes: { named: () => undefined, active: () => ({ route: route(), demoKey: undefined }) },
        keys: { find: async () => ({ found: true, key: KEY, source: 'stored' }) },
        transports: { for: async () => nodeTransport },
        spentToday: () => 0,
        async confirm() {
          asked++;
          return agrees;
        },
        putSpend: () => undefined,
        log: { info: () => undefined, warn: () => undefined },
      });
    }

    /** Asks a new question, or an exchange again, and returns the new exchange. */
    async function ask(
      text: string,
      images: readonly ImageAttachment[] = [],
      toolbox?: Toolbox,
      exchange?: Exchange,
    ): Promise<Turn> {
      const question = { text, images, origin: undefined };
      const prepared = await turns.prepare(
        {
          asker: 'conversation',
          countedAs: undefined,
          content: (settings) =>
            toConversationContent(settings, { conversation, exchange, question }, {}, () => toolbox),
        },
        NEVER,
      );
      assert.ok(prepared.ok, JSON.stringify(prepared));
      const turn = await prepared.run({ signal: NEVER, onStep: () => undefined });
      const exchanges = exchange
        ? conversation.exchanges.map((one) =>
            one.id === exchange.id
              ? { ...one, attempts: [...one.attempts, turn], shown: one.attempts.length }
              : one,
          )
        : [
            ...conversation.exchanges,
            { ...exchangeOf(text, turn), id: `e${service.requests.length}`, question },
          ];
      conversation = { ...conversation, exchanges };
      return turn;
    }

    const statuses = () => service.requests.map(({ status }) => status);
    const noticesOf = (turn: Turn, earlier?: Turn) => toNotices(turn, earlier).map(({ code }) => code);
    /** The kinds of content of a request, in the order of its messages. */
    const formOf = (number: number) => {
      const body = JSON.parse(service.requests.at(number)?.text ?? '') as {
        messages: { content?: unknown }[];
      };
      return body.messages
        .map(({ content }) => (Array.isArray(content) ? 'array' : typeof content))
        .join(' ');
    };

    it('is answered with the image in its first message, after one refusal', async () => {
      const turn = await ask('What is it?', [IMAGE]);
      assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
      assert.deepEqual(statuses(), [400, 200]);
      assert.deepEqual([formOf(0), formOf(1)], ['string array', 'array array']);
      const notice = toNotices(turn, undefined)[0];
      assert.deepEqual(notice, { code: 'content-parts', cache: 'empty' });
      await ask('And now?');
      assert.deepEqual(statuses(), [400, 200, 200]);
      assert.equal(formOf(2), 'array array array array');
    });

    it('keeps strings until the first image comes, and then tells what that did to the cache', async () => {
      for (const text of ['One?', 'Two?', 'Three?', 'Four?']) await ask(text);
      assert.equal(formOf(3), 'string string string string string string string string');
      const before = conversation.exchanges.at(-1)?.attempts[0];
      const turn = await ask('What is it?', [IMAGE]);
      assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
      assert.deepEqual(statuses(), [200, 200, 200, 200, 400, 200]);
      const [notice] = toNotices(turn, before);
      assert.ok(notice?.code === 'content-parts' && typeof notice.cache === 'object', JSON.stringify(notice));
      assert.equal(notice.cache.changed, 'form');
      assert.equal(notice.cache.cachedTokens, 0);
      const next = await ask('And now?');
      assert.deepEqual(noticesOf(next, turn), []);
      assert.ok((next.usage?.cachedTokens ?? 0) > 1000);
    });

    it('is not refused again, in another conversation either', async () => {
      await ask('What is it?', [IMAGE]);
      conversation = conversationOf();
      assert.equal((await ask('And this?', [IMAGE])).outcome, 'complete');
      assert.deepEqual(statuses(), [400, 200, 200]);
    });

    it('is not refused again after a restart, in a fork, for another attempt, or after an edit', async () => {
      await ask('What is it?', [IMAGE]);
      const stored = JSON.parse(JSON.stringify(conversation.exchanges[0]?.attempts[0]));
      const read = tryDecode(turnDecoder, stored);
      assert.ok(read);
      const exchange = exchangeOf('What is it?', read);
      const withImage = { ...exchange, question: { ...exchange.question, images: [IMAGE] } };
      turns = newTurns();
      conversation = { ...conversationOf(), forkedFrom: 'c0', exchanges: [withImage] };
      await ask('And now?');
      turns = newTurns();
      await ask('What is it?', [IMAGE], undefined, withImage);
      turns = newTurns();
      conversation = { ...conversationOf(), branches: [{ after: undefined, exchanges: [withImage] }] };
      await ask('What is this?', [IMAGE]);
      assert.deepEqual(statuses(), [400, 200, 200, 200, 200]);
    });

    it('goes back to strings, which are still cached, when an edit removes the image', async () => {
      await ask('One?');
      const earlier = conversation.exchanges;
      await ask('What is it?', [IMAGE]);
      conversation = { ...conversation, exchanges: earlier };
      const turn = await ask('What else?');
      assert.equal(formOf(-1), 'string string string string');
      assert.equal(turn.request.contentParts, undefined);
      assert.ok((turn.usage?.cachedTokens ?? 0) > 1000);
    });

    it('is answered when a tool gives the image, in the same turn', async () => {
      const toolbox = toolboxOf(['look'], async () => ({
        text: 'a picture',
        images: [{ type: 'image/png', base64: PNG }],
      }));
      const turn = await ask('[[tool-rounds:1]]', [], toolbox);
      assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
      assert.deepEqual(statuses(), [200, 400, 200]);
      assert.deepEqual(turn.request.contentParts, { fromRound: 1, refused: true });
      assert.equal(turn.rounds.length, 1);
      turns = newTurns();
      assert.equal((await ask('And now?', [], toolbox)).outcome, 'complete');
      assert.deepEqual(statuses(), [200, 400, 200, 200]);
    });

    it('changes its form between two rounds without a refusal when the route is known', async () => {
      await ask('What is it?', [IMAGE]);
      conversation = conversationOf();
      const toolbox = toolboxOf(['look'], async () => ({
        text: 'a picture',
        images: [{ type: 'image/png', base64: PNG }],
      }));
      const turn = await ask('[[tool-rounds:1]]', [], toolbox);
      assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
      assert.deepEqual(statuses(), [400, 200, 200, 200]);
      assert.deepEqual(turn.request.contentParts, { fromRound: 1, refused: false });
      assert.deepEqual(
        noticesOf(turn).filter((code) => code === 'content-parts'),
        [],
      );
    });

    it('is asked about the daily cap again before it is sent in another form', async () => {
      await ask('One?');
      // The image costs 0.006 USD, the prompt before it 0.007, or a tenth of that from the cache.
      dailyCap = 0.0105;
      agrees = false;
      const turn = await ask('What is it?', [IMAGE]);
      assert.deepEqual([turn.outcome, asked], ['stopped', 1]);
      assert.deepEqual(statuses(), [200, 400]);
    });

    it('has its images byte for byte, also with the question that is edited', async () => {
      await service.close();
      service = await startForeignService({ route: kind, key: KEY, pace: 0 });
      const { exchanges } = conversation;
      for (const text of ['What is it?', 'And what is it called?']) {
        conversation = { ...conversation, exchanges };
        assert.equal((await ask(text, [IMAGE])).outcome, 'complete');
        const sent = service.requests.at(-1)?.text ?? '';
        assert.ok(sent.includes(text) && sent.includes(PNG), sent);
      }
      assert.deepEqual(statuses(), [200, 200]);
      assert.deepEqual(service.violations, []);
    });

    it('is not sent twice to a service that takes strings, and keeps the bytes sent before the image', async () => {
      await service.close();
      service = await startForeignService({ route: kind, key: KEY, pace: 0 });
      await ask('One?');
      await ask('What is it?', [IMAGE]);
      await ask('And now?');
      assert.deepEqual(statuses(), [200, 200, 200]);
      assert.equal(formOf(2), 'string string string array string string');
      assert.deepEqual(service.violations, []);
    });

    it('is answered by the emulator as well, after one refusal', async () => {
      const emulator = await startEmulator({ port: 0, route: kind, key: KEY, tokensPerSecond: Infinity });
      try {
        route = () => routeOf('emulator', `${emulator.url}/s/image-arrays/v1`);
        await ask('One?');
        const turn = await ask('What is it?', [IMAGE]);
        assert.equal(turn.outcome, 'complete', JSON.stringify(turn.failure));
        assert.equal((await ask('And now?')).outcome, 'complete');
        // Three questions, one of them sent twice.
        assert.equal(emulator.requests.length, 4);
        assert.equal(emulator.requests[1]?.status, 400);
      } finally {
        route = () => routeOf();
        await emulator.close();
      }
    });

    it('learns nothing about another route', async () => {
      const lenient = await startForeignService({ route: kind, key: KEY, pace: 0 });
      try {
        await ask('What is it?', [IMAGE]);
        route = () => routeOf('other', `${lenient.url}/v1`);
        assert.equal((await ask('And now?')).outcome, 'complete');
        assert.equal(lenient.requests.length, 1);
        assert.match(lenient.requests[0]?.text ?? '', /"role":"system","content":"/);
      } finally {
        route = () => routeOf();
        await lenient.close();
      }
    });

    it('shows the first refusal when the other form is refused as well', async () => {
      const turn = await ask('What is it?', [{ name: 'a', url: `data:image/png;base64,${btoa('<svg>')}` }]);
      assert.equal(turn.failure?.kind, 'invalid-request');
      assert.match(turn.failure.details.serviceMessage ?? '', /plain string|first bytes/);
      assert.equal(turn.request.contentParts, undefined);
      assert.deepEqual(statuses(), [400, 400]);
      assert.equal((await ask('Why?')).outcome, 'complete');
    });
  });
