/** Reads the headers by which trusted proxies name the client. */
import type { IncomingMessage } from 'node:http'

/**
 * Returns the IP address of the client. Each proxy appends the address of its own client, so the address that the
 * outermost trusted proxy has seen is found by counting from the end.
 * @param proxies number of proxies whose `X-Forwarded-*` headers are trusted
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const peer = socket.remoteAddress ?? ''
  if (proxies === 0) return peer
  const addresses = listItems(headers['x-forwarded-for'])
  return addresses.at(-Math.min(proxies, addresses.length)) ?? peer
}

/** Returns the last item of a comma-separated header; `''` when there is none. */
export function lastItem(header: string | string[] | undefined): string {
  return listItems(header).at(-1) ?? ''
}

function listItems(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return []
  return String(header)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
