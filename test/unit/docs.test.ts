/**
 * Checks citations: rules and documents that code and tests cite exist in docs, and files that docs name exist in the
 * repository.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { SCENARIOS } from '../../src/emulator/scenarios/scenarios.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const isThere = (file: string) => existsSync(new URL(file, root));
const find = (patterns: readonly string[]) =>
  globSync(patterns, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    // The workspaces of tests are no code of ours; what tests write into them comes and goes.
    .filter(
      (file) => file !== 'test/unit/docs.test.ts' && !/^test\/fixtures\/(?:hostile|workspace)\//.test(file),
    )
    .sort();

const code = find(['src/**/*.{ts,css}', 'test/**/*.{ts,mjs}']);
const notes = find(['test/**/*.md']);
const pages = find(['docs/**/*.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'CHANGELOG.md']);

/** A rule of docs/service.md, like `Q2` or `E11`. */
const RULE = /(?<![\w$#.-])[QREFM]\d{1,2}(?![\w-])/g;
/** A document, with a heading if one is cited: `docs/service.md, Images` or `service.md: Images`. */
const DOCUMENT = /([\w./-]*\w\.md)\b(?:[`]?[,:] ([A-Z][^.;:),"'`]*))?/g;

const lines = (text: string) => text.split('\n');
const defined = new Set(
  lines(read('docs/service.md')).flatMap((line) => /^\| ([QREFM]\d+) \|/.exec(line)?.[1] ?? []),
);
const headingsOf = (file: string) =>
  new Set(lines(read(file)).flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []));

/** The comments of a file, each on one line. Strings and code are left out, because they may name any file. */
function commentsOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^[ \t]*\/\*[\s\S]*?\*\//gm)].map(([block]) =>
    block.trim().replace(/\s*\n\s*\*?\s*/g, ' '),
  );
  const rest = [...text.matchAll(/(?:^|\s)\/\/ (.*)$/gm)].map(([, line]) => line ?? '');
  return [...blocks, ...rest];
}

/** The wrong citations in a text. Documents are cited by their path from the root. */
function wrongCitations(text: string): readonly string[] {
  return [...text.matchAll(DOCUMENT)].flatMap(([all, file = '', heading]) => {
    if (!isThere(file)) return [`${all}: there is no ${file}`];
    const known = heading === undefined || headingsOf(file).has(heading.trim());
    return known ? [] : [`${all}: ${file} has no such heading`];
  });
}

describe('Citations', () => {
  it('of rules each have a row in docs/service.md', () => {
    const unknown = [...code, ...notes, ...pages].flatMap((file) =>
      [...read(file).matchAll(RULE)].flatMap(([rule]) => (defined.has(rule) ? [] : [`${file}: ${rule}`])),
    );
    assert.deepEqual(unknown, []);
  });

  it('exist in tests for every rule', () => {
    const tested = new Set(
      code.filter((file) => file.startsWith('test/')).flatMap((file) => read(file).match(RULE) ?? []),
    );
    assert.deepEqual(
      [...defined].filter((rule) => !tested.has(rule)),
      [],
    );
  });

  it('of documents name a file in this repository and a heading in it', () => {
    const cited = code.map((file) => ({ file, texts: commentsOf(read(file)) }));
    const wrong = [...cited, ...notes.map((file) => ({ file, texts: [read(file)] }))].flatMap(
      ({ file, texts }) => texts.flatMap(wrongCitations).map((why) => `${file}: ${why}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('of scenarios name rules, or documents with a heading', () => {
    const wrong = SCENARIOS.flatMap(({ name, row }) =>
      row.split(', ').flatMap((part) => {
        if (defined.has(part)) return [];
        const why = part.includes('.md') ? wrongCitations(`docs/${part}`) : [`${part} is no rule`];
        return why.map((one) => `${name}: ${one}`);
      }),
    );
    assert.deepEqual(wrong, []);
  });

  it('of files in docs name an existing file', () => {
    const wrong = pages.flatMap((page) =>
      [...read(page).matchAll(/`((?:src|test|scripts|docs|media)\/[\w./-]*)`/g)].flatMap(([, path = '']) =>
        isThere(path) ? [] : [`${page}: ${path}`],
      ),
    );
    assert.deepEqual(wrong, []);
  });

  it('of file names in docs/architecture.md name an existing file in src', () => {
    const files = find(['src/**/*.{ts,css}']);
    const named = [...read('docs/architecture.md').matchAll(/`([\w./-]+\.(?:ts|css))`/g)];
    const wrong = named.flatMap(([, name = '']) =>
      isThere(name) || files.some((file) => file.endsWith(`/${name}`)) ? [] : [name],
    );
    assert.deepEqual(wrong, []);
  });

  it('in links of docs lead to an existing file or heading', () => {
    const wrong = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)].flatMap(([, target = '']) => {
        const [file, heading] = target.split('#');
        const path =
          file === '' ? page : new URL(file ?? '', new URL(page, root)).pathname.slice(root.pathname.length);
        if (!isThere(path)) return [`${page}: ${target}`];
        const slugs = [...headingsOf(path)].map((one) =>
          one
            .toLowerCase()
            .replace(/[^\w -]/g, '')
            .replaceAll(' ', '-'),
        );
        return heading === undefined || slugs.includes(heading) ? [] : [`${page}: ${target}`];
      }),
    );
    assert.deepEqual(wrong, []);
  });
});

describe('docs/architecture.md', () => {
  const rows = [...read('docs/architecture.md').matchAll(/^\| `src\/([\w/.]+)` \|(.*)\|$/gm)];
  const config = read('dependencies.config.cjs');

  it('lists the rooms of the editor in the order of dependencies.config.cjs', () => {
    const [, rooms = ''] = /const ROOMS = \[(.*?)\]/s.exec(config) ?? [];
    const named = rows.flatMap(([, path]) => /^editor\/(\w+)$/.exec(path ?? '')?.[1] ?? []);
    assert.deepEqual(
      named,
      [...rooms.matchAll(/'(\w+)'/g)].map(([, room]) => room),
    );
  });

  it('lists the same allowed imports of each folder as dependencies.config.cjs', () => {
    const [, folders = ''] = /const FOLDERS = \{(.*?)\n\}/s.exec(config) ?? [];
    const allowed = [...folders.matchAll(/^ {2}(\w+): \[(.*)\],$/gm)].map(([, folder, names]) => [
      folder,
      [...(names ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name),
    ]);
    const documented = rows
      .filter(([, path = '']) => /^\w+$/.test(path) && path !== 'editor')
      .map(([, folder, columns = '']) => [
        folder,
        [...(columns.split(' | ').at(-1) ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
      ]);
    assert.deepEqual(documented.toSorted(), allowed.toSorted());
  });
});

describe('The check of citations', () => {
  it('finds a document outside the repository, a missing heading, and an undefined rule', () => {
    assert.deepEqual(commentsOf('/** As\n * house.md says. */\nconst a = 1; // see b.md'), [
      '/** As house.md says. */',
      'see b.md',
    ]);
    assert.match(wrongCitations('(house.md)')[0] ?? '', /there is no house\.md/);
    assert.match(wrongCitations('(docs/service.md, Wishes)')[0] ?? '', /no such heading/);
    assert.deepEqual(wrongCitations('(R4, docs/service.md, Images). In tokens.'), []);
    assert.deepEqual(
      'E11, (Q2–Q99), F1:'.match(RULE)?.filter((rule) => !defined.has(rule)),
      ['Q99'],
    );
  });
});
