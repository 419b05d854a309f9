/** Pastes and drops into the message box of the chat as a browser does, with an event that has a data transfer. */
import type { Frame } from 'playwright-core';

export interface Transfer {
  /** PNG files. */
  readonly files?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Texts by their type. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Whether Enter is pressed before anything else happens. The files are read as slowly as large ones. */
  readonly thenEnter?: boolean;
}

export async function transferTo(
  chat: Frame,
  kind: 'paste' | 'drop',
  { files = [], texts = {}, thenEnter = false }: Transfer,
): Promise<void> {
  const encoded = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
  await chat.evaluate(`(() => {
    const data = new DataTransfer();
    for (const { name, base64 } of ${JSON.stringify(encoded)}) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name, { type: 'image/png' }));
    }
    for (const [type, text] of Object.entries(${JSON.stringify(texts)})) data.setData(type, text);
    const how = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
    const event = '${kind}' === 'paste' ? new ClipboardEvent('paste', how) : new DragEvent('drop', how);
    const box = document.querySelector('.composer textarea');
    const { arrayBuffer } = Blob.prototype;
    if (${thenEnter}) Blob.prototype.arrayBuffer = async function () {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return arrayBuffer.call(this);
    };
    box.dispatchEvent(event);
    Blob.prototype.arrayBuffer = arrayBuffer;
    if (${thenEnter}) box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  })()`);
}
