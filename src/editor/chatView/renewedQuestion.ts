/** Questions about code that are asked again: with the code as it is now. */
import * as vscode from 'vscode';
import { hasSecrets } from '../../access/secretContent.ts';
import { renewCodePrompt } from '../../chat/codePrompts.ts';
import type { Exchange, Question } from '../../chat/turn.ts';
import { findAskedLines } from '../../review/askedLines.ts';
import type { Span } from '../../review/editPlacement.ts';
import { linesAround } from '../code/codeCommands.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import { requestPart } from '../workspace/allowedReads.ts';
import { decideAccess } from '../workspace/fileAccess.ts';
import { linesOf, linesOfDocument } from '../workspace/selectedCode.ts';
import { findDocument } from '../workspace/textSources.ts';

/**
 * The question with the lines that it is about as they are now. The same question if it isn't about lines, if they can't
 * be found any more, if the user has changed them in the question, or if they have keys now that the user doesn't allow.
 *
 * @param attempts the turns that answered it so far; their proposals have followed the lines
 */
export async function renewQuestion(
  question: Question,
  attempts: Exchange['attempts'],
  proposals: Pick<Proposals, 'ofTurn'>,
): Promise<Question> {
  const { origin } = question;
  if (origin?.text === undefined) return question;
  const document = await openOrigin(vscode.Uri.parse(origin.uri));
  if (document === undefined) return question;
  const text = document.getText();
  const followed = attempts
    .flatMap(({ id }) => proposals.ofTurn(id))
    .flatMap(({ files }) => files)
    .findLast((file) => file.uri === origin.uri && file.text === text && !isEmpty(file.asked))?.asked;
  const span = followed ?? findAskedLines(text, origin.text, origin.startLine);
  if (isEmpty(span)) return question;
  const range = new vscode.Range(document.positionAt(span.from), document.positionAt(span.to));
  const { start, end } = linesOf(range);
  const code = linesOfDocument(document, start, end);
  const prompt = renewCodePrompt(question.text, origin.text, code, linesAround(code));
  if (prompt === undefined) return question;
  // What was sent before may be sent again.
  const hadSecrets = await hasSecrets(question.text, document.uri.path);
  if (!hadSecrets && !(await requestPart(document.uri, prompt))) return question;
  const { startLine, endLine } = code;
  return { ...question, text: prompt, origin: { uri: origin.uri, startLine, endLine, text: code.text } };
}

const isEmpty = (span: Span | undefined): span is undefined => span === undefined || span.from === span.to;

/** The document of a question. Nothing is read from the disk that the user would have to be asked about. */
async function openOrigin(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = findDocument(uri);
  if (open !== undefined) return open;
  if ((await decideAccess(uri, 'read')).kind !== 'allowed') return undefined;
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}
