/**
 * Headers that proxies add to requests. With such a header the peer of the connection is not the client, and without one it may still
 * not be: a bare proxy adds nothing.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { isOwnName } from './host-names.ts'
import type { Request } from './message.ts'

type Headers = Request['headers']

/** Names of headers that name the client, or what it asked for. Proxies of visitors seldom add them; those of a site do. */
const CLIENT =
  /^(?:(?:x-)?forwarded(?:-.+)?|x-original-.+|x-(?:real|remote)-(?:ip|addr)|x-envoy-external-address|x-appengine-(?:user-ip|remote-addr)|(?:.+-)?(?:client|connect|connecting|connection|socket)-?ip(?:v6)?)$/
/** The same, and headers that any proxy adds, also one that a visitor uses. */
const ANY = /^(?:via|cdn-loop|cf-.+|x-envoy-.+|x-amzn?-.+|x-arr-.+|x-azure-.+|proxy-.+|x-proxy-.+|x-cache.*|x-varnish)$/

/** The first header by which a proxy names its client; null when there is none. */
export function clientHeader(headers: Headers): string | null {
  return Object.keys(headers).find((name) => CLIENT.test(name)) ?? null
}

const OWN_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i

/** Whether an IP address is one by which a machine reaches itself. */
export function isLoopback(address: string): boolean {
  // Most addresses are not, and this is asked for each request.
  return (address.startsWith('127.') || address.startsWith('::')) && OWN_ADDRESS.test(address)
}

/**
 * Whether a request was made on this machine and for it: by a peer of this machine, to one of its names, through nothing that says to
 * be a proxy. A proxy on this machine that adds no header and sends `Host: localhost` cannot be told apart, so this opens what a
 * developer looks at, and no way into the network.
 */
export function isFromHere({ ip, host, headers }: Pick<Request, 'ip' | 'host' | 'headers'>): boolean {
  return isLoopback(ip) && isOwnName(host) && !Object.keys(headers).some((name) => CLIENT.test(name) || ANY.test(name))
}

/** The first request of a proxy that the settings do not name. */
export interface UnnamedProxy {
  /** IP address. */
  readonly peer: string
  readonly header: string
}

function hasUsualHeader(headers: Headers): boolean {
  return headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined
}

/** Finds proxies in front of a server whose settings do not mention any. */
export class UnnamedProxies {
  // All headers are looked at once for each connection. A proxy may also ask on it whether the server is well, without its headers.
  readonly #known = new WeakMap<Socket, boolean>()
  #tell: ((found: UnnamedProxy) => void) | null

  /** @param tell called for the first one only */
  constructor(tell: (found: UnnamedProxy) => void) {
    this.#tell = tell
  }

  /** Whether the peer of a request is one. */
  isOne({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
    const known = this.#known.get(socket)
    if (known === true || (known === false && !hasUsualHeader(headers))) return known
    const header = clientHeader(headers)
    this.#known.set(socket, header !== null)
    if (header !== null) {
      this.#tell?.({ peer: socket.remoteAddress ?? '', header })
      this.#tell = null
    }
    return header !== null
  }
}
