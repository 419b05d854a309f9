import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bringsSchema } from '../../../src/text/schemaAddresses.ts';

const ADDRESS = 'https://thief.example/?secret';

describe('A change that brings the address of a schema', () => {
  for (const after of [
    `{"$schema": "${ADDRESS}"}`,
    `{"\\u0024schem\\u0061": "${ADDRESS}"}`,
    `{"$schema": "${ADDRESS.replaceAll('/', '\\/')}"}`,
    `{"$schema": "http\\u003a//thief.example"}`,
    `a: 1\n# yaml-language-server: $schema=${ADDRESS}`,
    `"\\x24schema": ${ADDRESS}`,
    `"$schema" = "\\U00000068ttps://thief.example"`,
    `"\\U00000024schema" = "${ADDRESS}"`,
    `"$schema" = """ht\\\n   tps://thief.example"""`,
    `$schema: "ht\\\n  tps://thief.example"`,
    '{"$schema": "file://thief.example/share/a.json"}',
    '{"$schema": "//thief.example/a.json"}',
    '# yaml-language-server: $schema=\\\\thief.example\\share\\a.json',
    `<a xsi:noNamespaceSchemaLocation="${ADDRESS}"/>`,
    '<a xsi:schemaLocation="a &#104;&#116;tp&#58;//thief.example"/>',
    `<?xml-model href="${ADDRESS}"?>`,
    `#:schema ${ADDRESS}\n[a]`,
    `<!DOCTYPE a SYSTEM "${ADDRESS}">`,
    `<!DOCTYPE a [<!ENTITY % b SYSTEM "${ADDRESS}">]>`,
  ])
    it(`is found: ${after}`, () => assert.equal(bringsSchema('', after), true));

  it('is found if it has another address', () => {
    const before = '{\n"$schema":\n"https://json.example/a.json"\n}';
    assert.equal(bringsSchema(before, before.replace('https://json.example/a.json', ADDRESS)), true);
  });

  for (const [before, after] of [
    ['', '{"url": "https://example.com"}'],
    ['', '<!doctype html>\n<a href="https://example.com">'],
    ['', 'const schema = z.object({}); // https://zod.dev'],
    ['', '{"$schema": "./schema.json"}'],
    ['', '{"$schema": "file:///c:/schema.json"}'],
    ['', '{"$schema": "./schema.json", "a": "\\UFFFFFFFF\\n"}'],
    ['{\n"$schema": "https://json.example/"\n}', '{\n"$schema": "https://json.example/"\n,"a": 1}'],
  ] as const)
    it(`is none: ${after}`, () => assert.equal(bringsSchema(before, after), false));
});
