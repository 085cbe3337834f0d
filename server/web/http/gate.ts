/** Decides which requests reach the site: those for one of its hosts, from clients within the rate limit. */
import type { IncomingMessage } from 'node:http'
import { isLoopback, UnconfiguredProxies, type UnconfiguredProxy } from './forwarded.ts'
import { hostNames } from './host-names.ts'
import type { Reply, Request } from './message.ts'
import { plainReply } from './plain-reply.ts'
import { createRate, type Rate } from './rate.ts'

export interface GateOptions {
  /** Name or address to listen on. */
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /**
   * Number of proxies whose `X-Forwarded-*` headers are trusted; 0 trusts none. Null when the number is unknown: no proxy
   * is trusted, and the first one that is noticed is reported.
   */
  readonly proxies: number | null
  /** Called once, for the first proxy that is detected while `proxies` is null. */
  readonly onUnconfiguredProxy?: (proxy: UnconfiguredProxy) => void
  /** Host names to answer to; see `hostFilter`. By default all. */
  readonly hosts?: readonly string[]
  /** Whether unlisted host names that others may control are refused; see `hostNames`. By default they are admitted. */
  readonly isDevelopment?: boolean
  /**
   * Requests allowed for one address in five minutes; unlimited if absent or 0. Assets and requests from this machine are
   * not counted, nor are proxies noticed while `proxies` is null: all their visitors would count as one.
   */
  readonly rate?: number
  /** Answers a request for an asset; null for all other requests. */
  readonly asset?: (request: Request) => Promise<Reply | null> | null
}

export class Gate {
  readonly #rate: Rate
  /** Returns why requests for a host are refused; null for the site's hosts. Null when every host is admitted. */
  readonly #refuseHost: ((host: string, message: IncomingMessage) => string | null) | null
  /** Null when the settings contain the number of proxies. */
  readonly #unconfiguredProxies: UnconfiguredProxies | null
  readonly #asset: NonNullable<GateOptions['asset']>

  constructor(options: GateOptions) {
    const { host, port, proxies, hosts = [], isDevelopment = false, rate = 0, asset = () => null } = options
    this.#rate = createRate(rate)
    const { refusal } = hostNames({ isDevelopment, hosts, host, port })
    // A page of another site can set the header with which a proxy reports the host, but not `Host`. So both are checked.
    const checksBoth = isDevelopment && (proxies ?? 0) > 0
    if (checksBoth) this.#refuseHost = (named, message) => refusal(named) ?? refusal(message.headers.host ?? '')
    else this.#refuseHost = isDevelopment || hosts.length > 0 ? refusal : null
    this.#unconfiguredProxies =
      proxies === null ? new UnconfiguredProxies(options.onUnconfiguredProxy ?? (() => undefined)) : null
    this.#asset = asset
  }

  /** Returns whether a request certainly does not reach the site. Does not count the request. */
  isClosedTo(message: IncomingMessage, request: Request): boolean {
    if ((request.problem ?? this.#refuseHost?.(request.host, message) ?? null) !== null) return true
    const isUnconfiguredProxy = this.#unconfiguredProxies?.isProxy(message) === true
    return this.#rate.isOn && !isUnconfiguredProxy && !isLoopback(request.ip) && this.#rate.isBlocked(request.ip)
  }

  /**
   * Counts a request. Returns the answer to a request that does not reach the site, and to a request for an asset; null
   * for all others.
   */
  enter(message: IncomingMessage, request: Request): Reply | null | Promise<Reply | null> {
    const problem = request.problem ?? this.#refuseHost?.(request.host, message) ?? null
    // This call also detects proxies that the settings do not mention.
    const isUnconfiguredProxy = this.#unconfiguredProxies?.isProxy(message) === true
    const isLimited = this.#rate.isOn && !isUnconfiguredProxy && !isLoopback(request.ip)
    const asset = problem === null && isLimited && request.mayBeAsset ? this.#asset(request) : null
    // Only assets are exempt from the limit. Pages below the path of assets are counted.
    if (asset !== null) return asset.then((reply) => reply ?? this.#count(request))
    const wait = isLimited ? this.#rate.count(request.ip) : 0
    if (problem !== null) return plainReply(400, 'html', problem)
    return wait === 0 ? null : tooMany(wait)
  }

  #count({ ip }: Request): Reply | null {
    const wait = this.#rate.count(ip)
    return wait === 0 ? null : tooMany(wait)
  }
}

/**
 * Returns the answer to a client that has sent too many requests.
 * @param wait seconds until the next allowed request
 */
function tooMany(wait: number): Reply {
  const reply = plainReply(429, 'html', `try again in ${Math.ceil(wait / 60)} minutes`)
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(wait) } }
}
