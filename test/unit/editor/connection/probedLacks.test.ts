/** What becomes of a probe: what a route drops is said where it is offered, and not sent; what is unclear restricts nothing. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { AnswerFormat } from '../../../../src/conversation/answerFormats/answerFormat.ts';
import type { Toolbox } from '../../../../src/conversation/toolCalls/tools.ts';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import type { RouteProbes } from '../../../../src/editor/connection/routeProbes.ts';
import type { ModelProvider } from '../../../../src/editor/languageModel/modelApi.ts';
import { CHECKS, type CheckId, type SeenKind } from '../../../../src/probe/probe.ts';
import { toConversationContent } from '../../../../src/requests/conversationRequest.ts';
import type { ReasoningEffort } from '../../../../src/service/types.ts';
import { EventEmitter, lm, window, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { toolOf } from '../../conversation/toolTurns.ts';
import { conversationOf } from '../../conversation/turns.ts';
import { SETTINGS } from '../../requests/support.ts';
import { ROUTE } from '../../service/wire.ts';

const { createDroppedImages, createToolbox, toSurroundings, describeLack, registerModelProvider } =
  await withEditorStub(async () => ({
    ...(await import('../../../../src/editor/connection/droppedImages.ts')),
    ...(await import('../../../../src/editor/tools/toolbox.ts')),
    ...(await import('../../../../src/editor/chatView/surroundings.ts')),
    ...(await import('../../../../src/editor/wording/probeWords.ts')),
    ...(await import('../../../../src/editor/languageModel/modelProvider.ts')),
  }));

/** Probes of routes that don't do these things, and do others. */
const lacking = (
  checks: readonly CheckId[],
  at = 1,
  working: readonly CheckId[] = [],
): Pick<RouteProbes, 'lackOf' | 'works'> => ({
  works: (check) => working.includes(check),
  lackOf: (check, route = ROUTE) =>
    checks.includes(check) && route.root === ROUTE.root
      ? { routeName: route.name, result: { check, verdict: 'no', seen: { kind: 'dropped', values: [] }, at } }
      : undefined,
});

describe('An image for a route that drops images', () => {
  const { showWarningMessage } = window;
  afterEach(() => void Object.assign(window, { showWarningMessage }));

  function answerWith(...answers: (string | undefined)[]): string[] {
    const shown: string[] = [];
    Object.assign(window, {
      async showWarningMessage(text: string) {
        shown.push(text);
        return answers.shift();
      },
    });
    return shown;
  }

  it('is attached after a question, which is asked once for each probe', async () => {
    const shown = answerWith(undefined, 'Attach Anyway', 'Attach Anyway');
    let probes = lacking(['images']);
    const { toAttach } = createDroppedImages({ lackOf: (...about) => probes.lackOf(...about) });
    assert.equal(await toAttach(), false);
    assert.equal(await toAttach(), true);
    assert.equal(toAttach(), undefined);
    assert.match(shown[0] ?? '', /^Route “direct” doesn’t accept images \(probed on .*1970\)\.$/);
    probes = lacking(['images'], 2);
    assert.equal(await toAttach(), true);
    assert.equal(shown.length, 3);
  });

  it('is asked about in one dialog with others that are added before it is answered, such as when they are dropped together', async () => {
    const shown = answerWith('Attach Anyway', undefined, 'Attach Anyway');
    const { toAttach } = createDroppedImages(lacking(['images']));
    assert.deepEqual(await Promise.all([toAttach(), toAttach()]), [true, true]);
    assert.equal(shown.length, 1);
    const refusing = createDroppedImages(lacking(['images']));
    assert.deepEqual(await Promise.all([refusing.toAttach(), refusing.toAttach()]), [false, false]);
    assert.equal(await refusing.toAttach(), true, 'asked again');
  });

  it('is sent after a question about the route of the request, which is asked once for each', async () => {
    const shown = answerWith(undefined, 'Send Anyway', 'Attach Anyway', 'Send Anyway');
    let probes = lacking(['images']);
    const { toSend, toAttach } = createDroppedImages({ lackOf: (...about) => probes.lackOf(...about) });
    assert.equal(await toSend(ROUTE), false);
    assert.equal(await toSend(ROUTE), true);
    assert.equal(toSend(ROUTE), undefined);
    assert.equal(toAttach(), undefined, 'the same images for the same route');
    assert.equal(toSend({ ...ROUTE, root: 'https://other.example/v1' }), undefined);
    probes = lacking(['images'], 2);
    assert.equal(await toAttach(), true);
    assert.equal(toSend(ROUTE), undefined, 'agreed to when they were attached');
    assert.equal(await toSend({ ...ROUTE, name: 'other' }), true);
    assert.equal(shown.length, 4);
  });

  it('is attached without a question when the route takes images, or was not probed', () => {
    const shown = answerWith();
    const images = createDroppedImages(lacking(CHECKS.filter((check) => check !== 'images')));
    assert.deepEqual([images.toAttach(), images.toSend(ROUTE)], [undefined, undefined]);
    assert.deepEqual(shown, []);
  });
});

describe('An image of a tool for a route that drops images', () => {
  const { showWarningMessage } = window;
  afterEach(() => void Object.assign(window, { showWarningMessage }));
  const images = [{ type: 'image/png', base64: 'AAAA' }];
  const left = [{ ...images[0], omitted: true }];
  const NOTE = '[images left out: the route does not take images]';

  const run = (droppedImages: ReturnType<typeof createDroppedImages>, text: string, root = ROUTE.root) => {
    const tool = { ...toolOf('shoot'), kind: { builtIn: { run: async () => ({ text, images }) } } };
    const toolbox = createToolbox({
      tools: { all: () => [tool], chosen: () => [tool], choiceHash: () => '' } as never,
      installed: { run: () => assert.fail() },
      approvals: { ask: () => assert.fail() },
      probes: lacking([]),
      droppedImages,
    });
    const call = { id: 'a', name: 'shoot', arguments: {} };
    return toolbox('c1', { ...ROUTE, root }).run(call, new AbortController().signal);
  };

  it('is kept and not sent, and the model is told so', async () => {
    const droppedImages = createDroppedImages(lacking(['images']));
    assert.deepEqual(await run(droppedImages, 'Taken.'), { text: `${NOTE}\nTaken.`, images: left });
    assert.deepEqual(await run(droppedImages, ''), { text: NOTE, images: left });
    assert.deepEqual(await run(droppedImages, '', 'https://other.example/v1'), { text: '', images });
  });

  it('is sent when the user has agreed to send images anyway', async () => {
    Object.assign(window, { showWarningMessage: async () => 'Send Anyway' });
    const droppedImages = createDroppedImages(lacking(['images']));
    assert.equal(await droppedImages.toSend(ROUTE), true);
    assert.deepEqual(await run(droppedImages, ''), { text: '', images });
  });
});

describe('Tools for a route that drops tools', () => {
  const definition = { name: 'read', description: 'Reads.', parameters: { type: 'object' }, source: 'k3' };
  const tool = { ...definition, kind: { builtIn: {} } };
  const tools = { all: () => [tool], chosen: () => [tool], choiceHash: () => 'as-chosen' };
  const toolboxOf = (probes: Pick<RouteProbes, 'lackOf'>) =>
    createToolbox({
      tools: tools as unknown as Parameters<typeof createToolbox>[0]['tools'],
      installed: { run: () => assert.fail() },
      approvals: { ask: () => assert.fail() },
      probes,
      droppedImages: createDroppedImages(probes),
    });
  const requestOf = (toolbox: ReturnType<typeof toolboxOf>, route: typeof ROUTE) =>
    toConversationContent(
      SETTINGS,
      {
        conversation: conversationOf(),
        exchange: undefined,
        question: { text: 'Why?', images: [], origin: undefined },
        route,
      },
      {},
      (...about): Toolbox => toolbox(...about),
    );

  it('are not sent there, and are sent on other routes, by the route of the request', () => {
    const toolbox = toolboxOf(lacking(['tools']));
    const dropped = requestOf(toolbox, ROUTE);
    assert.deepEqual([dropped.request.tools, dropped.toolbox], [undefined, undefined]);
    const other = requestOf(toolbox, { ...ROUTE, root: 'https://other.example/v1' });
    assert.equal(other.request.tools?.length, 1);
    // A change of the cache is explained by the list of tools.
    assert.notEqual(dropped.toolChoice, other.toolChoice);
    assert.equal(other.toolChoice, 'as-chosen');
  });

  it('are sent when anything else is missing', () => {
    const toolbox = toolboxOf(lacking(['parallel-tools', 'images', 'json']));
    assert.equal(requestOf(toolbox, ROUTE).request.tools?.length, 1);
  });
});

describe('The buttons of the message box', () => {
  const { getConfiguration } = workspace;
  afterEach(() => void Object.assign(workspace, { getConfiguration }));

  function around(
    lacks: readonly CheckId[],
    format?: AnswerFormat,
    effort?: ReasoningEffort,
    working: readonly CheckId[] = [],
  ) {
    Object.assign(workspace, {
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (key: string) => (key === 'reasoningEffort' ? { key, globalValue: effort } : undefined),
      }),
    });
    const composer = {
      draft: '',
      attachments: [],
      working: [],
      rejected: [],
      context: [],
      instructions: { items: [], omitted: [] },
      queue: [],
      format,
    } as unknown as Composer;
    const state = {
      text: '',
      running: false,
      elsewhere: undefined,
      deleted: false,
      standsIn: false,
      storage: undefined,
      tools: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(toolOf),
      starters: [],
    };
    const routes = { active: () => ({ route: ROUTE, demoKey: undefined }), named: () => undefined };
    const { tools, toolsHint, formatHint, effortHint } = toSurroundings(conversationOf(), composer, state, {
      routes,
      probes: lacking(lacks, 1, working),
      turns: { tokenRatio: () => 1 },
    });
    return [tools, toolsHint, formatHint, effortHint];
  }
  const said = (check: CheckId, kind: SeenKind = 'dropped') =>
    describeLack('direct', { check, at: 1, seen: { kind, values: [] } });

  it('say what the route drops', () => {
    const all = around([...CHECKS], { kind: 'json' }, 'low');
    assert.deepEqual(all, [0, said('tools'), said('json'), said('effort')]);
    const schema = around(['schema'], { kind: 'schema', name: 'x', schema: {} }, 'max');
    assert.deepEqual(schema, [7, '', said('schema'), '']);
    assert.equal(new Set(all.concat(schema)).size, 7);
  });

  it('say what the route refuses, which it doesn’t ignore', () => {
    for (const check of ['json', 'schema', 'effort'] as const) {
      assert.match(said(check, 'refused'), /^Route “direct” rejects \w+ \(probed on /);
      assert.doesNotMatch(said(check), /refuses/);
    }
    assert.equal(said('images', 'refused'), said('images'));
  });

  it('say nothing about what is not used, or not known to be dropped', () => {
    assert.deepEqual(around([...CHECKS].filter((check) => check !== 'tools')), [7, '', '', '']);
    assert.deepEqual(around([], { kind: 'json' }, 'low'), [7, '', '', 'may be ignored']);
    assert.deepEqual(around([], { kind: 'json' }, 'low', ['effort']), [7, '', '', '']);
  });
});

describe('svc-k3 in other chats', () => {
  async function offered(checks: readonly CheckId[]) {
    const changed = new EventEmitter<void>();
    let changes = 0;
    let provider: ModelProvider | undefined;
    Object.assign(lm, {
      registerLanguageModelChatProvider(_: string, given: ModelProvider) {
        provider = given;
        given.onDidChangeLanguageModelChatInformation?.(() => changes++);
        return { dispose: () => undefined };
      },
    });
    const never = { onDidChange: () => ({ dispose: () => undefined }) };
    const registered = registerModelProvider({
      routes: never,
      keys: never,
      turns: { access: async () => ({ ok: true, active: { route: ROUTE, demoKey: undefined } }) as never },
      probes: { ...lacking(checks), onDidChange: changed.event as never },
      ask: () => assert.fail(),
      log: { info: () => undefined } as never,
    });
    const before = changes;
    changed.fire();
    assert.equal(changes, before + 1, 'the editor is told when a probe ends');
    const [model] =
      (await provider?.provideLanguageModelChatInformation({ silent: true }, {} as never)) ?? [];
    registered.dispose();
    Reflect.deleteProperty(lm, 'registerLanguageModelChatProvider');
    assert.ok(model);
    return model;
  }

  it('has tools and images only where the route takes them, and says why not', async () => {
    const all = await offered([]);
    assert.deepEqual(all.capabilities, { imageInput: true, toolCalling: 128 });
    const none = await offered(['tools', 'images']);
    assert.deepEqual(none.capabilities, { imageInput: false, toolCalling: false });
    assert.match(none.tooltip ?? '', /doesn’t accept tools .*doesn’t accept images/);
    assert.equal((await offered(['json'])).tooltip, all.tooltip);
  });
});
