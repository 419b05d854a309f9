/** The one thing the client knows of the network: a request in, status, headers and bytes out. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Called once the connection stands and the request goes out. */
  readonly onConnected?: () => void;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's bytes as they come; ends early with an error when the connection breaks. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request. Follows no redirect, decompresses nothing, retries nothing and has no time limit of its own.
 * Rejects with whatever the network said; `fromTransportError` makes a ServiceError of it.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
