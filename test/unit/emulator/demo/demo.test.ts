import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { DEMO_MARK } from '../../../../src/emulator/demo/demoAnswers.ts';
import { readTask } from '../../../../src/emulator/demo/demoTask.ts';
import type { Emulator } from '../../../../src/emulator/server.ts';
import { startCpu } from '../../../support/growth.ts';
import { ask, type Json, question, startFast, toJson } from '../plainClient.ts';

const CODE =
  '```js\nfunction sum(list) {\n  var total = 0;\n  for (var i = 0; i <= list.length; i++) total += list[i];\n  return total == 0 ? null : total;\n}\n```';
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('Demo answers', () => {
  let emulator: Emulator;
  before(async () => {
    emulator = await startFast();
  });
  after(() => emulator.close());

  const messageFor = async (fields: Readonly<Record<string, unknown>>): Promise<Json> => {
    const reply = await ask(emulator, question(fields));
    assert.equal(reply.status, 200, reply.text);
    const message = toJson(reply.text)['choices']?.[0]?.['message'];
    assert.ok(message);
    return message;
  };
  const answerTo = async (prompt: string): Promise<string> =>
    String((await messageFor({ messages: [{ role: 'user', content: prompt }] }))['content']);

  it('say in their first line that they are a demo', async () => {
    for (const task of ['Explain', 'Refactor', 'Fix', 'Document', 'Review', 'Write tests for', 'Hello']) {
      const [first] = (await answerTo(`${task} this:\n${CODE}`)).split('\n');
      assert.ok(first?.includes(DEMO_MARK), task);
    }
    assert.match(
      (await answerTo('Write a commit message for src/a.ts')).split('\n')[0] ?? '',
      /demo answer, no model was asked/i,
    );
  });

  it('refactor and fix the code that was sent, in a fence with its language', async () => {
    const refactored = fenceOf(await answerTo(`Refactor \`src/sum.js\`:\n${CODE}`));
    assert.equal(refactored.language, 'js');
    assert.match(refactored.code, /let total = 0;[\s\S]*total === 0/);
    assert.match(refactored.code, /^function sum\(list\) \{/);
    const fixed = fenceOf(await answerTo(`Fix this bug:\n${CODE}`));
    assert.match(fixed.code, /i < list\.length/);
  });

  it('change something even if no rule applies, so that there is a hunk to review', async () => {
    const { code } = fenceOf(await answerTo('Refactor:\n```rust\nfn main() {}\n```'));
    assert.match(code, /^\/\/ .*\nfn main\(\) \{\}\n$/);
  });

  it('resolve a merge conflict with both sides, without the markers and the common ancestor', async () => {
    const conflict = '<<<<<<< HEAD\nmine\n||||||| base\nold\n=======\ntheirs\n>>>>>>> topic';
    const resolve = async (code: string) =>
      fenceOf(await answerTo(`Resolve this merge conflict:\n\`\`\`txt\n${code}\n\`\`\``)).code;
    assert.equal(await resolve(`a\n${conflict}\nb`), 'a\nmine\ntheirs\nb\n');
    assert.equal(await resolve('Title\n=======\n<<<<<<< a\n=======\nx\n>>>>>>> b'), 'Title\n=======\nx\n');
    assert.equal(await resolve('a'), '// The demo found no merge conflict.\na\n');
  });

  it('propose the resolved lines where a form for changes is asked for', async () => {
    const text = { type: 'string' };
    const edit = { type: 'object', properties: { find: text, replace: text } };
    const edits = { type: 'array', items: edit };
    const file = { type: 'object', properties: { path: text, edits } };
    const schema = { type: 'object', properties: { files: { type: 'array', items: file } } };
    const code = '<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> topic\n';
    const content = `Resolve this merge conflict.\n\nThe code, merge.txt, lines 2–6 (txt):\n\n\`\`\`txt\n${code}\`\`\``;
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const message = await messageFor({ messages: [{ role: 'user', content }], response_format: format });
    const edited = [{ find: code, replace: 'mine\ntheirs\n' }];
    assert.deepEqual(toJson(String(message['content']))['files'], [{ path: 'merge.txt', edits: edited }]);
  });

  it('use a longer fence for code that contains fences', async () => {
    const answer = await answerTo('Document:\n````md\n```js\nx\n```\n````');
    assert.match(answer, /^````md\n[\s\S]*^````$/m);
  });

  it('document each function and write a test for it', async () => {
    assert.match(
      fenceOf(await answerTo(`Document this:\n${CODE}`)).code,
      /\/\*\* .*`sum`.*\*\/\nfunction sum/,
    );
    assert.match(fenceOf(await answerTo(`Write tests for this:\n${CODE}`)).code, /describe\('sum'/);
  });

  it('review by line', async () => {
    assert.match(await answerTo(`Review this:\n${CODE}`), /- Line 3, high: the loop runs past the end/);
  });

  it('report the type and size of an image', async () => {
    const content = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      { type: 'text', text: 'What is this?' },
    ];
    const message = await messageFor({ messages: [{ role: 'user', content }] });
    assert.match(String(message['content']), /PNG image, 3 × 2 pixels/);
  });

  it('name the files beside an image, also those of earlier questions', async () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
    const message = await messageFor({
      messages: [
        { role: 'user', content: 'Explain `src/clock.ts`' },
        { role: 'assistant', content: 'It ticks.' },
        { role: 'user', content: [image, { type: 'text', text: 'And this, with `timetable.csv`?' }] },
      ],
    });
    assert.match(
      String(message['content']),
      /The conversation mentions these files: `timetable\.csv`, `src\/clock\.ts`\./,
    );
  });

  it('explain the file of the code, also below the instructions of the project', async () => {
    const instructions = 'Instructions in A.md:\n\n```md\nBe brief.\n```\n\n';
    assert.match(
      await answerTo(`${instructions}Explain this.\n\nsrc/sum.ts, lines 1–5:\n\n${CODE}`),
      /What `src\/sum\.ts` does:/,
    );
  });

  it('are about the question, and not about the instructions of the project that came with it', async () => {
    const instructions = 'Project instructions in AGENTS.md:\n```markdown\nBe brief.\n```\n\n';
    assert.doesNotMatch(await answerTo(`${instructions}What does this project do?`), /AGENTS\.md/);
    const output = 'Output of the terminal command ls, exit code 1:\n```\nNo such file\n```\n\nExplain it.';
    assert.match(await answerTo(`${instructions}${output}`), /What the code does:/);
  });

  it('find the files of a question with whatever is around their names', async () => {
    const { files } = readTask({
      messages: [
        {
          role: 'user',
          text: 'See (src/a.ts), http://example.com/b/c.js?d=1, ../e.md, /work/f.py, x//g.rs, h.tar.gz, @k/l-m.css.',
          images: [],
          calls: [],
        },
      ],
      tools: [],
    } as never);
    assert.deepEqual(files, ['src/a.ts', 'example.com/b/c.js', '../e.md', 'work/f.py', 'g.rs', '@k/l-m.css']);
  });

  it('find the cell of a notebook that code is from, also after other files', async () => {
    const user = (text: string) => ({ role: 'user', text, images: [], calls: [] });
    const cell = 'Refactor it.\n\nThe code, lib/n.ipynb#2, lines 1–2 (python):\n\n```python\nx = 1\n```';
    const { files } = readTask({ messages: [user('See a.ts.'), user(cell)], tools: [] } as never);
    assert.deepEqual(files, ['lib/n.ipynb#2', 'a.ts']);
  });

  it('come at once for a question with a line of a minified file', async () => {
    const worked = startCpu();
    for (const long of ['x'.repeat(160_000), 'a/'.repeat(80_000), 'a.'.repeat(80_000)])
      await answerTo(`Review this:\n\`\`\`js\nvar o = "${long}";\n\`\`\``);
    assert.ok(worked() < 5000, `${worked()} ms`);
  });

  it('recall the previous question', async () => {
    const message = await messageFor({
      messages: [
        {
          role: 'user',
          content: 'Instructions in A.md:\n\n```\nBe brief.\n```\n\nWhat is a functor?\n\nIn src/a.ts:',
        },
        { role: 'assistant', content: 'A demo.' },
        { role: 'user', content: 'And a monad?' },
      ],
    });
    assert.match(String(message['content']), /Your earlier question was “What is a functor\?”/);
  });

  it('reason in several steps that mention the files of the prompt', async () => {
    const messages = [{ role: 'user', content: 'Explain how src/app.ts uses lib/http.ts' }];
    const steps = String((await messageFor({ messages }))['reasoning_content']).split('\n\n');
    assert.ok(steps.length >= 4);
    assert.ok(steps.some((step) => step.includes('`src/app.ts`') && step.includes('`lib/http.ts`')));
  });

  it('are JSON for the requested schema', async () => {
    const schema = {
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 20 },
        level: { enum: ['low', 'high'] },
        lines: { type: 'array', minItems: 2, items: { type: 'integer', minimum: 5 } },
        nested: { $ref: '#/$defs/pair' },
        maybe: { anyOf: [{ type: 'null' }, { type: 'string' }] },
      },
      required: ['title', 'level', 'lines', 'nested', 'maybe', 'extra'],
      $defs: { pair: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] } },
    };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const answer = toJson(String((await messageFor({ response_format: format }))['content']));
    assert.deepEqual(
      { ...answer, title: String(answer['title']).length },
      { title: 20, level: 'low', lines: [5, 5], nested: { on: true }, maybe: null, extra: 'demo extra' },
    );
    const free = await messageFor({ response_format: { type: 'json_object' } });
    assert.equal(Boolean(toJson(String(free['content']))['demo']), true);
  });

  it('go on where they were cut off, in several parts, if the request asks for the same form', async () => {
    const schema = { type: 'object', properties: { title: { type: 'string', minLength: 200 } } };
    const beside = { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } };
    const asked = { role: 'user', content: 'Write a title' };
    const more = { role: 'user', content: 'Continue exactly where your answer was cut off.' };
    const whole = String((await messageFor({ messages: [asked], ...beside }))['content']);
    const [first, second] = [whole.slice(0, 50), whole.slice(50, 90)];
    const messages = [asked, { role: 'assistant', content: first }, more];
    assert.equal((await messageFor({ messages, ...beside }))['content'], whole.slice(50));
    const again = [...messages, { role: 'assistant', content: second }, more];
    assert.equal((await messageFor({ messages: again, ...beside }))['content'], whole.slice(90));
    assert.match(String((await messageFor({ messages }))['content']), /^> This is a demo answer/);
  });

  it('call a tool when the prompt asks for it, and continue with its result', async () => {
    const parameters = {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer' } },
      required: ['path'],
    };
    const tools = [{ type: 'function', function: { name: 'read_file', parameters } }];
    const asked = { role: 'user', content: 'Use the tool to read src/app.ts' };
    const message = await messageFor({ messages: [asked], tools });
    const call = message['tool_calls']?.[0];
    assert.equal(String(call?.['function']?.['name']), 'read_file');
    assert.deepEqual(JSON.parse(String(call?.['function']?.['arguments'])), { path: 'src/app.ts', limit: 1 });
    const { content: _content, ...assistant } = message;
    const result = { role: 'tool', tool_call_id: call?.['id'], content: 'export const x = 1;' };
    const next = await messageFor({ messages: [asked, assistant, result], tools });
    assert.match(String(next['content']), /export const x = 1;/);
    const none = await messageFor({ messages: [{ role: 'user', content: 'Hello' }], tools });
    assert.equal(none['tool_calls'], undefined);
  });
});

function fenceOf(answer: string): { language: string; code: string } {
  const match = /^```(\w*)\n([\s\S]*?)^```$/m.exec(answer);
  assert.ok(match, answer);
  return { language: match[1] ?? '', code: match[2] ?? '' };
}
