/** The language model tools that extensions declare in their manifests. The stable API doesn't tell who provides a tool. */
import * as vscode from 'vscode';
import { fieldOf } from '../base/ownField.ts';

export interface DeclaredTool {
  /** The id of the first extension that declares the tool. */
  readonly extensionId: string;
  /** The first title that an extension declares for it. */
  readonly title?: string;
}

interface Declaration {
  readonly name: string;
  readonly title: string | undefined;
}

/**
 * The declarations by manifest. Each manifest is read once, because there can be a hundred, and the tools are listed after
 * each change of a chat.
 */
const read = new WeakMap<object, readonly Declaration[]>();

/** The tools that the installed extensions declare now, by name. */
export function declaredTools(): ReadonlyMap<string, DeclaredTool> {
  const declared = new Map<string, DeclaredTool>();
  for (const { id, packageJSON } of vscode.extensions.all) {
    for (const { name, title } of declarationsOf(packageJSON)) {
      const known = declared.get(name) ?? { extensionId: id };
      declared.set(name, known.title === undefined && title !== undefined ? { ...known, title } : known);
    }
  }
  return declared;
}

function declarationsOf(manifest: unknown): readonly Declaration[] {
  if (typeof manifest !== 'object' || manifest === null) return [];
  const known = read.get(manifest);
  if (known !== undefined) return known;
  const tools = fieldOf(fieldOf(manifest, 'contributes'), 'languageModelTools');
  const declarations = Array.isArray(tools) ? tools.flatMap(toDeclaration) : [];
  read.set(manifest, declarations);
  return declarations;
}

function toDeclaration(tool: unknown): readonly Declaration[] {
  const name = fieldOf(tool, 'name');
  const title = fieldOf(tool, 'displayName');
  if (typeof name !== 'string') return [];
  return [{ name, title: typeof title === 'string' && title !== '' ? title : undefined }];
}
