/** The OpenID Connect providers of a process. */
import type { Measures } from '../../core/contracts/observer.ts'
import { createAddressFilter } from '../../core/net/addresses.ts'
import type { OriginOverrides } from '../../core/net/outgoing.ts'
import type { OidcProvider } from '../../core/oidc-settings.ts'
import { createSlots, SharedCapacity } from '../http/shared-capacity.ts'
import { createProviderClient, type ProviderClient } from './provider-client.ts'

export interface SignInProviders {
  /** The clients by the names of their providers. */
  readonly clients: ReadonlyMap<string, ProviderClient>
  /** Begins a sign-in of a visitor with an IP address; null when too many are in progress. The result ends it. */
  readonly begin: (ip: string) => (() => void) | null
  /** Closes idle connections. */
  close(): void
}

/** Maximum number of concurrent sign-ins of a process, of which one network may have half. */
const MAX_SIGN_INS = 100

interface ProvidersOptions {
  readonly oidcProviders: readonly OidcProvider[]
  /** Parts of the private network that the site may call. */
  readonly outgoing: readonly string[]
  readonly originOverrides?: OriginOverrides
  readonly measures?: Measures | null
  /** Milliseconds of one request to a provider. */
  readonly timeout?: number
  /** Returns the current time in milliseconds. By default, the system clock. */
  readonly now?: () => number
}

/**
 * Checks that a provider answers with its configuration.
 * @throws SignInRefusal, StartError
 */
export async function checkProvider(
  provider: OidcProvider,
  options: Omit<ProvidersOptions, 'oidcProviders'>,
): Promise<void> {
  const { clients, close } = createSignInProviders({ ...options, oidcProviders: [provider] })
  try {
    await clients.get(provider.name)?.check()
  } finally {
    close()
  }
}

/**
 * Creates the clients. Nothing is sent before the first visitor signs in.
 * @throws StartError for an invalid part of the private network
 */
export function createSignInProviders({ oidcProviders, outgoing, ...options }: ProvidersOptions): SignInProviders {
  const guard = createAddressFilter(outgoing)
  const clients = new Map(
    oidcProviders.map((provider) => [provider.name, createProviderClient(provider, { guard, ...options })]),
  )
  return {
    clients,
    begin: createSlots(new SharedCapacity(MAX_SIGN_INS)),
    close() {
      for (const client of clients.values()) client.close()
    },
  }
}
