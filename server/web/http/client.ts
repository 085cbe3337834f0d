/** Who has sent a request, and which address they see: what the proxies in front say of it. */
import type { IncomingMessage } from 'node:http'

export interface Client {
  /** IP address. */
  readonly ip: string
  /** `http` or `https`. */
  readonly protocol: string
  /** Host with its port; `''` where it was not sent. */
  readonly host: string
}

/** @param proxies number of proxies whose `X-Forwarded-*` headers are trusted */
export function clientOf({ headers, socket }: IncomingMessage, proxies: number): Client {
  const ip = socket.remoteAddress ?? ''
  const own = headers.host ?? ''
  if (proxies === 0) return { ip, protocol: 'http', host: own }
  return {
    ip: addressBehind(ip, headers['x-forwarded-for'], proxies),
    protocol: lastOf(headers['x-forwarded-proto']) || 'http',
    host: lastOf(headers['x-forwarded-host']) || own,
  }
}

/** Each proxy appends who has sent the request to it, so the address that the outermost trusted one has seen is so many from the end. */
function addressBehind(peer: string, sent: string | string[] | undefined, proxies: number): string {
  const addresses = itemsOf(sent)
  return addresses.at(-Math.min(proxies, addresses.length)) ?? peer
}

function lastOf(sent: string | string[] | undefined): string {
  return itemsOf(sent).at(-1) ?? ''
}

function itemsOf(sent: string | string[] | undefined): readonly string[] {
  if (sent === undefined) return []
  return String(sent)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
