/** Decides which requests reach the site: those for one of its hosts, from an address that has not sent too many. */
import type { IncomingMessage } from 'node:http'
import { isLoopback, UnnamedProxies, type UnnamedProxy } from './forwarded.ts'
import { type HostNames, hostNames } from './host-names.ts'
import type { Reply, Request } from './message.ts'
import { plainReply } from './plain-reply.ts'
import { createRate, type Rate } from './rate.ts'

export interface GateOptions {
  /** Name or address to listen on. */
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /**
   * Number of proxies whose `X-Forwarded-*` headers are trusted; 0 trusts none. Null when it is not known whether there are any: none is
   * trusted, and one that shows itself is reported.
   */
  readonly proxies: number | null
  /** Called once, for the first proxy that shows itself while `proxies` is null. */
  readonly unnamedProxy?: (found: UnnamedProxy) => void
  /** Host names to answer to; see `hostFilter`. By default all. */
  readonly hosts?: readonly string[]
  /** Whether names that others control are refused unless they are listed; see `hostNames`. By default they are not. */
  readonly isDevelopment?: boolean
  /**
   * Requests allowed for one address in five minutes; unlimited without it or for 0. Not counted are assets, this machine itself, and
   * proxies that show themselves while `proxies` is null: all their visitors would count as one.
   */
  readonly rate?: number
  /** The answer to a request for an asset; null for all other requests, at once where the path is not one of assets. */
  readonly asset?: (request: Request) => Promise<Reply | null> | null
}

export class Gate {
  readonly #rate: Rate
  /** Returns why requests for a host are refused; null for the site's hosts. */
  readonly #refuseHost: (host: string, message: IncomingMessage) => string | null
  /** Null when the settings say how many proxies there are. */
  readonly #unnamed: UnnamedProxies | null
  readonly #asset: NonNullable<GateOptions['asset']>

  constructor(options: GateOptions) {
    const { host, port, proxies, hosts = [], isDevelopment = false, rate = 0, asset = () => null } = options
    this.#rate = createRate(rate)
    const { refusal } = hostNames({ isDevelopment, hosts, host, port })
    // A page on the web may send the header that names the host to a proxy, but it cannot change `Host`. Both are checked.
    const checksBoth = isDevelopment && (proxies ?? 0) > 0
    this.#refuseHost = checksBoth
      ? (named, message) => refusal(named) ?? refusal(message.headers.host ?? '')
      : refusal
    this.#unnamed = proxies === null ? new UnnamedProxies(options.unnamedProxy ?? (() => undefined)) : null
    this.#asset = asset
  }

  /** Returns whether a request certainly does not reach the site. Does not count the request. */
  isClosedTo(message: IncomingMessage, request: Request): boolean {
    if ((request.problem ?? this.#refuseHost(request.host, message)) !== null) return true
    return this.#isLimited(message, request) && this.#rate.isBlocked(request.ip)
  }

  /**
   * Counts a request. Returns the answer to a request that does not reach the site, and to a request for an asset; null
   * for all others.
   */
  enter(message: IncomingMessage, request: Request): Reply | null | Promise<Reply | null> {
    const problem = request.problem ?? this.#refuseHost(request.host, message)
    const isLimited = this.#isLimited(message, request)
    if (problem !== null) {
      if (isLimited) this.#rate.count(request.ip)
      return plainReply(400, 'html', problem)
    }
    if (!isLimited) return null
    const asset = request.mayBeAsset ? this.#asset(request) : null
    // Only assets are not counted: there may also be pages below their path.
    if (asset !== null) return asset.then((reply) => reply ?? this.#count(request))
    return this.#count(request)
  }

  /** Returns whether requests of a client are counted. Also looks for proxies that the settings do not mention. */
  #isLimited(message: IncomingMessage, { ip }: Request): boolean {
    const isUnnamed = this.#unnamed?.isOne(message) === true
    return this.#rate.isOn && !isUnnamed && !isLoopback(ip)
  }

  #count({ ip }: Request): Reply | null {
    const wait = this.#rate.count(ip)
    return wait > 0 ? tooMany(wait) : null
  }
}

function tooMany(wait: number): Reply {
  const reply = plainReply(429, 'html', `come again in ${Math.ceil(wait / 60)} minutes`)
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(wait) } }
}
