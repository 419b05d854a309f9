/** Serves pages to a browser of tests, which keeps the files of `dist`, and their compiled code, for the next page. */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** The icon that a browser requests from each server. */
const ICON = '/favicon.ico';

export interface PageServer {
  readonly port: number;
  /** Returns the path of a page, whose own files are found by their names beside it. */
  add(html: string, files: Readonly<Record<string, string>>): string;
  close(): void;
}

export async function startPageServer(): Promise<PageServer> {
  /** By their paths. */
  const added = new Map<string, string>();
  const server = createServer((request, response) => {
    // The address of a font ends with its hash.
    const { pathname: path } = new URL(request.url ?? '/', 'http://panel.test');
    const text = added.get(path);
    if (path === ICON) response.writeHead(204).end();
    else if (text !== undefined) send(response, path.endsWith('.js') ? '.js' : '.html', text);
    else
      readFile(join(dist, path)).then(
        (file) => send(response.setHeader('Cache-Control', 'max-age=3600'), extname(path), file),
        () => response.writeHead(404).end(),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    add(html, files) {
      const folder = `/${added.size}/`;
      added.set(folder, html);
      for (const [name, text] of Object.entries(files)) added.set(folder + name, text);
      return folder;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function send(response: ServerResponse, extension: string, body: string | Uint8Array): void {
  response.setHeader('Content-Type', TYPES[extension] ?? 'text/html').end(body);
}
