import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { referenceOf } from '../../scripts/lib/reference.mjs';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('The reference of settings and commands', () => {
  const manifest = JSON.parse(read('package.json'));
  const reference = read('docs/reference.md');

  it('is current (npm run reference writes it)', () => {
    assert.equal(reference, referenceOf(manifest, JSON.parse(read('package.nls.json'))));
  });

  it('has every setting and command, and no text that is missing', () => {
    for (const name of Object.keys(manifest.contributes.configuration.properties))
      assert.ok(reference.includes(`### ${name}\n`), name);
    for (const { command } of manifest.contributes.commands)
      assert.ok(reference.includes(`\`${command}\``), command);
    assert.doesNotMatch(reference, /%\w|undefined|\[object/);
  });

  it('says the values of a setting with their meaning, its limits, and its fields', () => {
    const contributes = {
      configuration: {
        properties: {
          'x.list': { anyOf: [{ type: 'string', enum: ['on'] }, { type: 'array' }], default: 'on' },
          'x.mode': { enum: ['a', null], enumDescriptions: ['%first%'], default: 'a', order: 2 },
          'x.size': {
            type: ['integer', 'null'],
            minimum: 1,
            default: null,
            scope: 'application',
            markdownDescription: 'How many.',
            properties: { part: { type: 'number', markdownDescription: 'One.' } },
            order: 1,
          },
        },
      },
      commands: [{ command: 'x.run', title: 'Run…' }],
      keybindings: [{ command: 'x.run', key: 'ctrl+k q', mac: 'cmd+k q' }],
    };
    const made = referenceOf({ contributes }, { first: 'The first.' });
    assert.ok(made.indexOf('### x.size') < made.indexOf('### x.mode'));
    assert.match(made, /- Default: `null`\n- Values: integer or null, at least 1\n- Scope: `application`/);
    assert.match(made, /- Values: `"a"` \(The first\), `null`\n- Scope: `window`/);
    assert.match(made, /- Values: `"on"`, or array\n/);
    assert.match(made, /\| `part` \| number \| One\. \|/);
    assert.match(made, /\| Run… \| `x\.run` \| Ctrl\+K Q \(macOS: Cmd\+K Q\) \|/);
  });
});
