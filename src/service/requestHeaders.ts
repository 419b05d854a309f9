/** The headers of a request to the service. */

export function toRequestHeaders(key: string, method: 'GET' | 'POST'): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    accept: method === 'POST' ? 'text/event-stream, application/json' : 'application/json',
    'accept-encoding': 'identity',
    // Cloudflare and other firewalls in front of a service refuse requests without one.
    'user-agent': 'k3-chat',
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
  };
}
