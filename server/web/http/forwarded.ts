/**
 * Recognizes the headers that proxies add to requests. With such a header, the peer of the connection is not the client.
 * A request without one may still come from a proxy, because some proxies add nothing.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { isOwnName } from './host-names.ts'
import type { Request } from './message.ts'

type Headers = Request['headers']

/** Headers that name the client or the requested URL. A site's own proxies add them; proxies of visitors rarely do. */
const CLIENT_HEADERS =
  /^(?:(?:x-)?forwarded(?:-.+)?|x-original-.+|x-(?:real|remote)-(?:ip|addr)|x-envoy-external-address|x-appengine-(?:user-ip|remote-addr)|(?:.+-)?(?:client|connect|connecting|connection|socket)-?ip(?:v6)?)$/
/** Headers that any proxy may add, including a visitor's own proxy. */
const PROXY_HEADERS =
  /^(?:via|cdn-loop|cf-.+|x-envoy-.+|x-amzn?-.+|x-arr-.+|x-azure-.+|proxy-.+|x-proxy-.+|x-cache.*|x-varnish)$/

/** Returns the first header by which a proxy names its client; null when there is none. */
function clientHeader(headers: Headers): string | null {
  return Object.keys(headers).find((name) => CLIENT_HEADERS.test(name)) ?? null
}

const OWN_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i

/** Returns whether an IP address is a loopback address. */
export function isLoopback(address: string): boolean {
  // The cheap comparison comes first, because this runs for each request.
  return (address.startsWith('127.') || address.startsWith('::')) && OWN_ADDRESS.test(address)
}

/**
 * Returns whether a request was made on this machine for this machine: from a loopback address, to one of its own names,
 * without headers of a proxy. A local proxy that adds no header and sends `Host: localhost` cannot be recognized. Use this
 * only for development pages, never for access to the network.
 */
export function isFromHere({ ip, host, headers }: Pick<Request, 'ip' | 'host' | 'headers'>): boolean {
  return (
    isLoopback(ip) &&
    isOwnName(host) &&
    !Object.keys(headers).some((name) => CLIENT_HEADERS.test(name) || PROXY_HEADERS.test(name))
  )
}

/** A proxy that the settings do not mention. It was detected by a header of a request. */
export interface UnconfiguredProxy {
  /** IP address. */
  readonly peer: string
  readonly header: string
}

function hasCommonHeader(headers: Headers): boolean {
  return headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined
}

/** Detects proxies when the settings do not mention any. */
export class UnconfiguredProxies {
  // Whether the peer of a connection is a proxy. A known proxy stays one, because it may also send health checks without its headers.
  readonly #proxyPeers = new WeakMap<Socket, boolean>()
  #report: ((proxy: UnconfiguredProxy) => void) | null

  /** @param report called for the first detected proxy only */
  constructor(report: (proxy: UnconfiguredProxy) => void) {
    this.#report = report
  }

  /** Returns whether the peer of a request is a proxy. */
  isProxy({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
    const isKnownProxy = this.#proxyPeers.get(socket)
    if (isKnownProxy === true || (isKnownProxy === false && !hasCommonHeader(headers))) return isKnownProxy
    const header = clientHeader(headers)
    this.#proxyPeers.set(socket, header !== null)
    if (header !== null) {
      this.#report?.({ peer: socket.remoteAddress ?? '', header })
      this.#report = null
    }
    return header !== null
  }
}
