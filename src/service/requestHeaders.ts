/** The headers of a request to the service. */

export function toRequestHeaders(key: string, method: 'GET' | 'POST'): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    accept: method === 'POST' ? 'text/event-stream, application/json' : 'application/json',
    'accept-encoding': 'identity',
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
  };
}
