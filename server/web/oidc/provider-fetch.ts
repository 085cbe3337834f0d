/** Sends the protocol's requests to a provider through the server's own client: with limits, without redirects, and guarded. */
import type { AddressFilter } from '../../core/net/addresses.ts'
import { createOutgoing, OutgoingFailure, type OriginOverrides, type Outgoing } from '../../core/net/outgoing.ts'
import type { Measures } from '../../core/contracts/observer.ts'
import { isLoopbackName } from '../../core/oidc-settings.ts'

/** Milliseconds of one request, and maximum size of a response in bytes. */
const DEFAULT_TIMEOUT = 5_000
const MAX_SIZE = 262_144

export interface ProviderFetchOptions {
  readonly issuer: string
  /** The addresses that the site may call. */
  readonly guard: AddressFilter
  readonly originOverrides?: OriginOverrides
  readonly measures?: Measures | null
  /** Milliseconds of one request. */
  readonly timeout?: number
}

/** The part of `fetch` that the protocol needs. */
export interface ProviderFetch {
  /** @throws OutgoingFailure */
  readonly send: (
    url: string,
    request: {
      readonly method: string
      readonly headers: Readonly<Record<string, string>>
      readonly body?: unknown
      readonly signal?: AbortSignal | null | undefined
    },
  ) => Promise<Response>
  /** Closes idle connections. */
  readonly close: () => void
}

/** Statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304])

/** Creates the client of a provider. */
export function createProviderFetch(options: ProviderFetchOptions): ProviderFetch {
  const { timeout = DEFAULT_TIMEOUT, originOverrides = {}, measures = null } = options
  const issuerHost = new URL(options.issuer).hostname.replace(/^\[|\]$/g, '').toLowerCase()
  // The operator has named this host. The hosts in the provider's documents are checked like all others.
  const guard: AddressFilter = (address, host) => host.toLowerCase() === issuerHost || options.guard(address, host)
  const outgoing: Outgoing = createOutgoing({ guard, originOverrides, measures })
  return {
    async send(url, { method, headers, body, signal }) {
      const { protocol, hostname } = new URL(url)
      if (protocol !== 'https:' && !isLoopbackName(hostname))
        throw new OutgoingFailure('its URL does not begin with https://', 'url')
      const {
        status,
        headers: receivedHeaders,
        body: received,
      } = await outgoing.send({
        url,
        method,
        headers,
        body: body === undefined || body === null ? null : String(body),
        timeout,
        limit: MAX_SIZE,
        ...(signal && { signal }),
      })
      // The body is not compressed any more.
      const { 'content-encoding': _encoding, 'content-length': _length, ...kept } = receivedHeaders
      return new Response(BODILESS.has(status) ? null : new Uint8Array(received), {
        status: status < 200 ? 500 : status,
        headers: kept,
      })
    },
    close: () => outgoing.close(),
  }
}
