/** The client's only interface to the network: a request goes in; status, headers, and bytes come out. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Called when the connection is established and the request is sent. */
  readonly onConnected?: () => void;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body as they arrive. Throws if the connection breaks. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends one request. Doesn't follow redirects, decompress, retry, or set a time limit. Rejects with the
 * network's error, which `fromTransportError` converts to a ServiceError.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
