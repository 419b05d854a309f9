import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { createRefusedFiles } from '../../../../src/editor/tools/refusedFiles.ts';
import { commands, FileSystemError, FileType, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createCodeTools } = await withEditorStub(() => import('../../../../src/editor/tools/codeTools.ts'));

const fileOf = (path: string): Uri & { readonly fsPath: string } =>
  Object.assign(new Uri(path), {
    scheme: 'file',
    authority: '',
    fsPath: path,
    with: (other: { readonly path: string }) => fileOf(other.path),
  });

describe('The tool that finds references', () => {
  restoreAfterEach(workspace, commands);
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'k3-references-')));
  const root = join(top, 'w');
  const [link, outside] = [join(root, 'link.ts'), join(top, 'outside.ts')];
  afterEach(() => {
    Reflect.deleteProperty(Uri, 'file');
    rmSync(top, { recursive: true });
  });

  function leadTo(target: string): void {
    unlinkSync(link);
    symlinkSync(target, link);
  }

  it('gives no line of a file outside to which a link has led while it was read', async () => {
    mkdirSync(root);
    for (const name of ['asked.ts', 'inside.ts']) writeFileSync(join(root, name), 'export const ring = 1;\n');
    writeFileSync(outside, 'const ring = "the password";\n');
    symlinkSync('inside.ts', link);
    const folder = { uri: fileOf(root), name: 'w', index: 0 };
    Object.assign(Uri, { file: fileOf });
    Object.assign(workspace, {
      workspaceFolders: [folder],
      getWorkspaceFolder: () => folder,
      asRelativePath: ({ path }: Uri) => path.slice(root.length + 1),
      openTextDocument: async (uri: Uri) => ({
        uri,
        lineCount: 1,
        lineAt: () => ({ text: 'export const ring = 1;' }),
      }),
      decode: async (bytes: Buffer) => bytes.toString(),
      fs: {
        stat: async ({ path }: Uri) => {
          if (path === link) leadTo(outside);
          const found = statSync(path, { throwIfNoEntry: false });
          if (found === undefined) throw new FileSystemError('FileNotFound');
          return { type: found.isFile() ? FileType.File : FileType.Directory, size: found.size };
        },
        readFile: ({ path }: Uri) => readFile(path),
      },
    });
    const range = { start: { line: 0 } };
    Object.assign(commands, { executeCommand: async () => [{ uri: fileOf(link), range }] });
    const { text } =
      (await createCodeTools()
        .find(({ definition }) => definition.name === 'find_references')
        ?.run(
          { path: 'asked.ts', line: 1, symbol: 'ring' },
          {
            conversationId: 'c1',
            access: {
              open: async () => ({
                uri: fileOf(join(root, 'asked.ts')) as never,
                realPath: join(root, 'asked.ts'),
              }),
              keepReadable: async (uris) => {
                leadTo('inside.ts');
                return new Set(uris);
              },
              refused: createRefusedFiles(),
            },
            signal: new AbortController().signal,
            enter: () => undefined,
            token: {} as never,
          },
        )) ?? assert.fail();
    assert.equal(text, 'link.ts:1: ');
  });
});
