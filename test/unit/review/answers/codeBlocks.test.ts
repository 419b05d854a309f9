import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  hasNoCode,
  readCodeBlocks,
  readInfo,
  withoutCodeBlocks,
} from '../../../../src/review/answers/codeBlocks.ts';
import { growthOf, LINEAR } from '../../../support/growth.ts';

describe('The code blocks of an answer', () => {
  it('can be left out, also of lists, in longer fences, and where a fence is not closed', () => {
    assert.equal(withoutCodeBlocks('a\n```ts\nlet a;\n```\n\nb'), 'a\n\nb');
    assert.equal(withoutCodeBlocks('1. And:\n\n   ~~~py\n   b = 1\n   ~~~\n2. c'), '1. And:\n\n2. c');
    assert.equal(withoutCodeBlocks('````md\n```\nx\n```\n````\na'), '\n\na');
    assert.equal(withoutCodeBlocks('a\n```\nx'), 'a\n\n');
  });

  it('are parsed with their language, file, and code, in order', () => {
    const answer = 'Here:\n\n```ts src/a.ts\nlet a;\n```\n\n1. And:\n\n   ~~~py\n   b = 1\n   ~~~\n';
    assert.deepEqual(readCodeBlocks(answer), [
      { language: 'ts', path: 'src/a.ts', code: 'let a;\n' },
      { language: 'py', path: undefined, code: 'b = 1\n' },
    ]);
  });

  it('can contain fences when their own fence is longer', () => {
    assert.equal(readCodeBlocks('````md\n```ts\nx\n```\n````\n')[0]?.code, '```ts\nx\n```\n');
  });

  it('do not include inline code', () => {
    assert.deepEqual(readCodeBlocks('Use `let` here.'), []);
  });
});

describe('A code block with no code', () => {
  it('is known by its language', () => {
    for (const language of ['sh', 'PowerShell', 'console', 'output', 'text', 'txt'])
      assert.equal(hasNoCode({ language, code: 'let a;\n' }), true, language);
    for (const language of ['ts', 'py', 'html']) assert.equal(hasNoCode({ language, code: 'a\n' }), false);
  });

  it('has no line of code if it has no language', () => {
    const is = (code: string) => hasNoCode({ language: '', code });
    for (const code of [
      'src/\n  a.ts   # new\n\n  my-b.test.ts\n',
      'my app\n└── src\n',
      '|-- src\n`-- b.ts\n',
      '$ ls -l\n',
      '# Run the tests\nnpm test\n./gradlew test\n',
      'curl -X POST http://localhost:3000/api -d "{}"\n',
      'API_KEY=abc\n',
      'Hello, world!\n',
      'PASS src/a.test.ts\n  ✓ adds (3 ms)\n\nTests: 1 passed, 1 total\n',
      'TypeError: Cannot read properties of undefined (reading "x")\n    at f (src/a.js:1:2)\n',
      '{\n  "ok": true,\n  "items": [\n    { "id": {\n      "a": 1\n    } }\n  ]\n}\n',
      '| a | b |\n|---|---|\n',
      'O(n log n)\n',
      'request -> router -> handler\n',
      '',
    ])
      assert.equal(is(code), true, code);
    for (const code of [
      'export const a = 1;\n',
      'a\nlet b\n',
      'npm test\nlet b;\n',
      'const f = async (x) => {\n',
      'def f(x):\n    return x\n',
      'from os import path\n',
      '#include <stdio.h>\n',
      'app.use(cors())\n',
      'class A(B):\n    pass\n',
      '.a > b {\n  color: red\n}\n',
      '<div class="a">\n',
    ])
      assert.equal(is(code), false, code);
  });

  it('is known in time in proportion to its length', () => {
    for (const part of ['a', ' ', 'a/', 'go ', 'a {', '{ ', 'a.b', 'import '])
      assert.ok(
        growthOf(
          (length) => `${part.repeat(length)}(`,
          (code) => hasNoCode({ language: '', code }),
          8000,
        ) < LINEAR,
      );
  });
});

describe('The info string of a fence', () => {
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ['', '', undefined],
    ['ts', 'ts', undefined],
    ['C++', 'C++', undefined],
    ['ts src/a.ts', 'ts', 'src/a.ts'],
    ['ts title="a b/c.ts"', 'ts', 'a b/c.ts'],
    ["ts title='a b/c.ts'", 'ts', 'a b/c.ts'],
    ['js file=src/x.js', 'js', 'src/x.js'],
    ['ts:src/a.ts', 'ts', 'src/a.ts'],
    ['src/a.py', 'py', 'src/a.py'],
    ['ts {1,3}', 'ts', undefined],
    ['sh $ run', 'sh', undefined],
    ['tsx app/[id]/page.tsx', 'tsx', 'app/[id]/page.tsx'],
    ['app/(shop)/[...all]/page.tsx', 'tsx', 'app/(shop)/[...all]/page.tsx'],
    ['svelte src/routes/+page.svelte', 'svelte', 'src/routes/+page.svelte'],
    ['ts src/$lib/a~b.ts', 'ts', 'src/$lib/a~b.ts'],
    ['ts:src/größe.ts', 'ts', 'src/größe.ts'],
    ['ts src/文件.ts {1,3}', 'ts', 'src/文件.ts'],
    ['ts {1,3} src/a.ts', 'ts', 'src/a.ts'],
    ['ts // src/a.ts', 'ts', 'src/a.ts'],
    ['ts showLineNumbers src/a.ts', 'ts', 'src/a.ts'],
    ['txt "notes/[id] größe.txt"', 'txt', 'notes/[id] größe.txt'],
    ['jsx (1/2) src/App.jsx', 'jsx', 'src/App.jsx'],
    ['yaml CI/CD .github/workflows/ci.yml', 'yaml', '.github/workflows/ci.yml'],
    ['ts client/server x.ts', 'ts', 'x.ts'],
    ['ts:client/server x.ts', 'ts', 'x.ts'],
    ['ts "my notes/a b.ts"', 'ts', 'my notes/a b.ts'],
    ['ts title="x"', 'ts', undefined],
    ['ts title="Before and/or after"', 'ts', undefined],
    ['ts title="app/[id]/page.tsx"', 'ts', 'app/[id]/page.tsx'],
    ['docker file=Dockerfile', 'docker', 'Dockerfile'],
    ['ts profile=dev', 'ts', undefined],
    ['diff', 'diff', undefined],
    ['bash scripts/build.sh', 'bash', 'scripts/build.sh'],
    ['bash # scripts/deploy.sh', 'bash', 'scripts/deploy.sh'],
    ['sh // scripts/a.sh', 'sh', 'scripts/a.sh'],
    ['bash # node src/server.js', 'bash', undefined],
    ['bash node src/server.js', 'bash', undefined],
    ['console $ python tools/run.py --all', 'console', undefined],
    ['ts ~/a.ts', 'ts', undefined],
    ['ts https://a.example/x.ts', 'ts', undefined],
    ['ts {"a": [1.5]}', 'ts', undefined],
  ];
  for (const [info, language, path] of cases) {
    it(`is parsed: “${info}”`, () => {
      const { longerPaths: _, ...read } = readInfo(info);
      assert.deepEqual(read, { language, path });
    });
  }

  it('can have words before the name that belong to it, if they are not in quotation marks', () => {
    for (const [info, longer] of [
      ['diff docs/my file.txt', ['docs/my file.txt']],
      ['ts:src/my file.ts', ['src/my file.ts']],
      ['src/my own file.ts', ['src/my own file.ts', 'own file.ts']],
      ['ts client/server x.ts {1}', ['client/server x.ts']],
      ['ts {1} a b.ts', ['a b.ts']],
      ['ts "src/my file.ts"', undefined],
      ['ts src/a.ts', undefined],
      ['ts', undefined],
    ] as const)
      assert.deepEqual(readInfo(info).longerPaths, longer, info);
    assert.equal(readInfo(`txt ${'a '.repeat(40)}b.txt`).longerPaths?.length, 7);
  });

  it('are named in time in proportion to the line that opens them', () => {
    for (const part of ['title=', 'title="', "path=' ", 'file="a', 'x ', '" ', 'a/ ', '(.', 'ö.a'])
      assert.ok(
        growthOf(
          (length) => part.repeat(length),
          (info) => readInfo(info),
          8000,
        ) < LINEAR,
        part,
      );
  });
});
