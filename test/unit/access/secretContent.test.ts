import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { describe, it } from 'mocha';
import {
  hasSecrets,
  hasSecretsInDiff,
  hasSecretsInPart,
  showsKeyLines,
} from '../../../src/access/secretContent.ts';
import { startCpu } from '../../support/growth.ts';

/** Made up, and put together here so that no scanner takes this file for one with keys. */
const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const DASHES = '-'.repeat(5);
const PRIVATE_KEY = `${DASHES}BEGIN RSA PRIVATE KEY${DASHES}\n${'MIIEpAIBAAKCAQEA'.repeat(60)}\n${DASHES}END RSA PRIVATE KEY${DASHES}\n`;

describe('A text with secrets', () => {
  const secrets: Readonly<Record<string, string>> = {
    'a private key': PRIVATE_KEY,
    'a token of GitHub': `const token = "${TOKEN}";\n`,
    'a secret key of AWS': `AWS_SECRET_ACCESS_KEY="${'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ8YgPLEKEX'.slice(0, 40)}"`,
    'a key of Anthropic': `key: sk-ant-api03-${'aB3'.repeat(31)}AA`,
    'a token of Slack': ['xoxb', '123456789012', '123456789012', 'abcdefghijklmnopqrstuvwx'].join('-'),
    'an address with a password': ['postgres://user', 'hunter22@db.example.com/x'].join(':'),
    'a token in a removed line of a diff': `@@ -1 +0,0 @@\n-token = ${TOKEN}\n`,
    'a token in a text with Windows line ends': `a\r\nb = ${TOKEN}\r\n`,
  };
  for (const [name, text] of Object.entries(secrets))
    it(`is one with ${name}`, async () => assert.equal(await hasSecrets(text, 'a.ts'), true));

  it('is one with a key of a service account', async () => {
    const key = { type: 'service_account', private_key_id: 'a1', private_key: PRIVATE_KEY };
    assert.equal(await hasSecrets(JSON.stringify(key, undefined, 2), 'key.json'), true);
  });

  it('is one whose comments turn a scanner off', async () => {
    assert.equal(await hasSecrets(`// secretlint-disable\nkey = "${TOKEN}"\n`, 'a.ts'), true);
  });

  it('is one that was read as UTF-16, as a setting of a workspace can ask for (files.encoding)', async () => {
    for (const text of [PRIVATE_KEY, `a: 1\r\ntoken: ${TOKEN}\n`, `é: 1\ntoken: ${TOKEN}\n`]) {
      // Without a mark at the beginning, the editor takes two letters for a character.
      const bytes = Buffer.from(`${text}${' '.repeat(Buffer.byteLength(text) % 2)}`);
      assert.equal(await hasSecrets(bytes.toString('utf16le'), 'a.yml'), true);
      assert.equal(await hasSecrets(Buffer.from(bytes).swap16().toString('utf16le'), 'a.yml'), true);
    }
    assert.equal(await hasSecrets('漢字かな交じり文、'.repeat(2000), 'a.md'), false);
  });

  it('is one with a key in a cell of a notebook, whose file has it as strings of JSON', async () => {
    for (const [name, key] of Object.entries(secrets)) {
      const lines = `${key}\n`.split(/(?<=\n)/);
      const file = JSON.stringify(
        { cells: [{ cell_type: 'code', source: ['import os\n', ...lines] }] },
        undefined,
        1,
      );
      assert.equal(await hasSecrets(file, 'a.ipynb'), true, name);
      assert.equal(await hasSecrets(JSON.stringify({ source: key }), 'a.IPYNB'), true, name);
      const diff = `@@ -1,9 +0,0 @@\n${file.replace(/^/gm, '-')}\n`;
      assert.equal(await hasSecretsInDiff(diff, 'a.ipynb'), true, name);
    }
    // A long line with many escapes, as in the output of a cell.
    assert.equal(
      await hasSecrets(JSON.stringify({ source: `${'\n"'.repeat(3_000_000)}${TOKEN}` }), 'a.ipynb'),
      true,
    );
    const harmless = { cells: [{ source: ['print("AWS_SECRET_ACCESS_KEY")\n', 'x = "\\u0041"'] }], 'a"b': 1 };
    assert.equal(await hasSecrets(JSON.stringify(harmless), 'a.ipynb'), false);
  });

  it('is one that is long, wherever the secret is', async () => {
    for (const before of [0, 91_000, 99_990, 150_000, 183_900, 500_000]) {
      const text = `${'x = 1\n'.repeat(Math.ceil(before / 6))}${PRIVATE_KEY}${'y = 2\n'.repeat(10_000)}`;
      assert.equal(await hasSecrets(text, 'a.ts'), true, String(before));
    }
  });

  it('is none that only names secrets', async () => {
    const text = `const password = process.env['PASSWORD'];\nfetch(url, { headers: { authorization: token } });\n`;
    assert.equal(await hasSecrets(text, 'a.ts'), false);
    assert.equal(await hasSecrets('', 'a.ts'), false);
  });

  it('leaves no measurements in memory', async () => {
    for (let at = 0; at < 20; at++) await hasSecrets(`text ${at}`, 'a.ts');
    assert.deepEqual(
      performance.getEntries().filter(({ entryType }) => entryType === 'mark'),
      [],
    );
  });

  it('lets others run while it is long', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await hasSecrets(`${'x = 1\n'.repeat(100_000)}// others`, 'a.ts');
    isDone = true;
    assert.ok(turns > 3, `${turns}`);
  });

  it('is told quickly, whatever is in it', async () => {
    const texts = [
      'a',
      ' ',
      'http://',
      'a:b@',
      `${DASHES}BEGIN RSA PRIVATE KEY${DASHES}\n`,
      '0123456789abcdef',
    ];
    const worked = startCpu();
    for (const text of texts) await hasSecrets(text.repeat(Math.ceil(200_000 / text.length)), 'a.ts');
    assert.ok(worked() < 5000, `${worked()} ms`);
  });
});

describe('A part of a text with secrets', () => {
  const line = `${'MIIEpAIBAAKCAQEA'.repeat(4)}\n`;
  const [begin = '', , end = ''] = PRIVATE_KEY.split('\n');
  const halves = [`${begin}\n${line.repeat(8)}`, `${line.repeat(8)}${end}\n`] as const;

  it('has secrets if it has a part of a private key', async () => {
    for (const half of halves) {
      assert.equal(await hasSecrets(half, 'a.ts'), false);
      assert.equal(await hasSecretsInPart(half, halves.join(''), 'a.ts'), true);
    }
    // For example, first the lines of a function, then those before it.
    assert.equal(await hasSecretsInPart(halves.toReversed().join(''), halves.join(''), 'a.ts'), true);
    assert.equal(await hasSecretsInPart(`key = ${TOKEN}`, '', 'a.ts'), true);
  });

  it('has none if they are elsewhere, or if only its lines look like those of a key', async () => {
    assert.equal(await hasSecretsInPart('let a;\n', `let a;\n${PRIVATE_KEY}`, 'a.ts'), false);
    assert.equal(await hasSecretsInPart(line, line.repeat(3), 'a.ts'), false);
  });
});

describe('A diff with secrets', () => {
  const LINES = PRIVATE_KEY.trimEnd().replaceAll('MIIEpAIBAAKCAQEA', 'MIIEpAIBAAKCAQEA\n').split('\n');
  const HEADER = 'diff --git a/key.ts b/key.ts\n--- a/key.ts\n+++ b/key.ts\n@@ -1,70 +1,70 @@ const a = 1;\n';
  const toDiff = (toLine: (line: string, at: number) => string) =>
    `${HEADER} const key = \`\n${LINES.map(toLine).join('\n')}\n \`;\n`;

  const diffs: Readonly<Record<string, string>> = {
    'that is removed': toDiff((line) => `-${line}`),
    'that is added': toDiff((line) => `+${line}`),
    'that stays': toDiff((line) => ` ${line}`),
    'of which a line changes': toDiff((line, at) => (at === 5 ? `-${line}\n+abcd` : ` ${line}`)),
    'of which only the last lines are removed': toDiff((line, at) => `${at < 5 ? ' ' : '-'}${line}`),
    'in the second of two files': `${HEADER}-a\n+b\n${toDiff((line) => `-${line}`)}`,
    'after lines of the file that look like headers': toDiff(
      (line, at) => `${at === 0 ? '+run("diff @@ ");\n' : ''}-${line}`,
    ),
  };
  for (const [name, diff] of Object.entries(diffs))
    it(`is one with a private key ${name}`, async () =>
      assert.equal(await hasSecretsInDiff(diff, 'key.ts'), true));

  it('is one with a token in any line', async () => {
    for (const sign of ['+', '-', ' '])
      assert.equal(await hasSecretsInDiff(`${HEADER}${sign}token = ${TOKEN}\n`, 'a.ts'), true, sign);
  });

  it('is one of a removed key of a service account', async () => {
    const key = JSON.stringify({ type: 'service_account', private_key: PRIVATE_KEY }, undefined, 2);
    const diff = `${HEADER}${key.replace(/^/gm, '-')}\n\\ No newline at end of file\n`;
    assert.equal(await hasSecretsInDiff(diff, 'key.json'), true);
  });

  it('can show a part of a private key around a change, which is not recognized alone', async () => {
    const line = 'MIIEpAIBAAKCAQEA'.repeat(4);
    const around = `${HEADER} ${line}\n ${line}\n ${line.slice(0, 20)}\n-a\n+b\n c\n`;
    assert.equal(await hasSecretsInDiff(around, 'key.ts'), false);
    assert.equal(showsKeyLines(around, 'a.pem'), true);
    assert.equal(
      showsKeyLines(`${HEADER} MIIEpA==\n ${DASHES}END RSA PRIVATE KEY${DASHES}\r\n-a\n+b\n`, 'a.pem'),
      true,
    );
    const cell = `${HEADER}    "MIIEpA${'a'.repeat(60)}\\n",\n-a\n+b\n`;
    assert.deepEqual([showsKeyLines(cell, 'a.ipynb'), showsKeyLines(cell, 'a.ts')], [true, false]);
    const image = `${HEADER}    "image/png": "iVBORw0${'a'.repeat(60)}\\n",\n-a\n+b\n`;
    assert.equal(showsKeyLines(image, 'a.ipynb'), false);
    assert.equal(showsKeyLines(`${HEADER} const a = 1;\n-a\n+b\n ${'-'.repeat(80)}\n`, 'a.pem'), false);
  });

  it('is none whose sides have no secrets', async () => {
    assert.equal(await hasSecretsInDiff(`${HEADER}-a\n+b\n c\n`, 'a.ts'), false);
    assert.equal(await hasSecretsInDiff('', 'a.ts'), false);
  });
});

describe('A scanner that can’t be loaded', () => {
  it('is loaded again for the next text', async () => {
    // Another copy of the module, which has loaded nothing yet.
    const copy: typeof import('../../../src/access/secretContent.ts') = await import(
      new URL('../../../src/access/secretContent.ts?again', import.meta.url).href
    );
    const hooks = registerHooks({
      resolve(specifier, context, next) {
        if (specifier === '@secretlint/core') throw new Error('no file handle is free');
        return next(specifier, context);
      },
    });
    try {
      await assert.rejects(copy.hasSecrets(`token = ${TOKEN}`, 'a.ts'), /no file handle/);
    } finally {
      hooks.deregister();
    }
    assert.equal(await copy.hasSecrets(`token = ${TOKEN}`, 'a.ts'), true);
  });
});
