/**
 * Speaks OpenID Connect with one provider: discovery, the address to which a visitor is sent, and the exchange of the code that the
 * visitor brings back. The library checks the protocol; this file decides what is kept and for how long.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type * as OAuth from 'oauth4webapi'
import { OutgoingFailure } from '../../core/net/outgoing.ts'
import { isLoopbackName, type OidcProvider } from '../../core/oidc-settings.ts'
import { checkIdToken, CLOCK_TOLERANCE, type Identity, readIdentity } from './claims.ts'
import { createProviderFetch, type ProviderFetch, type ProviderFetchOptions } from './provider-fetch.ts'
import { SignInRefusal } from './refusal.ts'

/** What the request and its response have in common. */
export interface Exchange {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  /** The code verifier of PKCE. */
  readonly verifier: string
}

export interface ProviderClient {
  readonly provider: OidcProvider
  /**
   * Returns the address at the provider to which a visitor is sent.
   * @throws SignInRefusal
   */
  authorizationUrl(exchange: Exchange): Promise<string>
  /**
   * Exchanges the code in a response, verifies the id token, and returns the person.
   * @throws SignInRefusal
   */
  identify(response: URLSearchParams, exchange: Exchange): Promise<Identity>
  /**
   * Checks that the provider answers with its configuration.
   * @throws SignInRefusal
   */
  check(): Promise<void>
  close(): void
}

/** Milliseconds after which the configuration is read again, and for which the earlier one is used when that fails. */
const CONFIGURATION_AGE = 3_600_000
const STALE_AGE = 86_400_000
/** Milliseconds after a failed discovery in which no other one is tried. */
const FAILURE_AGE = 5_000
/** Milliseconds between two reads of the keys because a token was signed with an unknown one. */
const KEYS_AGE = 10_000

type Options = Omit<ProviderFetchOptions, 'issuer'> & {
  /** Returns the current time in milliseconds. By default, the system clock. */
  readonly now?: () => number
}

/** Creates the client of a provider. It sends nothing until it is used. */
export function createProviderClient(provider: OidcProvider, options: Options): ProviderClient {
  return new Client(provider, options)
}

class Client implements ProviderClient {
  readonly provider: OidcProvider
  readonly #fetch: ProviderFetch
  readonly #now: () => number
  #configuration: { readonly server: OAuth.AuthorizationServer; readonly at: number } | null = null
  #reading: Promise<OAuth.AuthorizationServer> | null = null
  #keysReadAt = Number.NEGATIVE_INFINITY

  constructor(provider: OidcProvider, { now = Date.now, ...fetchOptions }: Options) {
    this.provider = provider
    this.#fetch = createProviderFetch({ ...fetchOptions, issuer: provider.issuer })
    this.#now = now
  }

  async authorizationUrl({ redirectUri, state, nonce, verifier }: Exchange): Promise<string> {
    const oauth = await loadLibrary()
    const server = await this.#server()
    const { clientId, scopes, responseMode } = this.provider
    const url = this.#endpoint(server.authorization_endpoint)
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(responseMode === 'form_post' && { response_mode: 'form_post' }),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }

  async identify(response: URLSearchParams, exchange: Exchange): Promise<Identity> {
    const oauth = await loadLibrary()
    const server = await this.#server()
    try {
      return await this.#identify(oauth, server, response, exchange)
    } catch (error) {
      throw toRefusal(oauth, error)
    }
  }

  async check(): Promise<void> {
    this.#endpoint((await this.#server()).authorization_endpoint)
  }

  close(): void {
    this.#fetch.close()
  }

  async #identify(
    oauth: typeof OAuth,
    server: OAuth.AuthorizationServer,
    response: URLSearchParams,
    { redirectUri, state, nonce, verifier }: Exchange,
  ): Promise<Identity> {
    const client: OAuth.Client = { client_id: this.provider.clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE }
    const options = this.#requestOptions(oauth)
    const parameters = oauth.validateAuthResponse(server, client, response, state)
    const authentication = this.#authentication(oauth, server)
    const tokenResponse = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, tokenResponse, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    await this.#verifySignature(oauth, server, tokenResponse)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    const { id_token: idToken, access_token: token, expires_in: seconds } = tokens
    if (claims === undefined || idToken === undefined) throw new SignInRefusal('invalid', 'there is no id token')
    const now = this.#now()
    checkIdToken(claims, { idToken, accessToken: token, clientId: this.provider.clientId, now: now / 1000 })
    const isTimed = seconds !== undefined && seconds <= MAX_SECONDS
    return readIdentity(await this.#withUserinfo(oauth, server, client, token, claims), {
      issuer: server.issuer,
      token,
      tokenExpiresAt: isTimed ? new Date(now + seconds * 1000).toISOString() : null,
    })
  }

  /** Verifies the signature of the id token. A token that was signed with an unknown key may follow a rotation of the keys. */
  async #verifySignature(oauth: typeof OAuth, server: OAuth.AuthorizationServer, response: Response): Promise<void> {
    const options = this.#requestOptions(oauth)
    try {
      await oauth.validateApplicationLevelSignature(server, response, options)
    } catch (error) {
      const isUnknownKey = error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION
      const now = this.#now()
      if (!isUnknownKey || now - this.#keysReadAt < KEYS_AGE) throw error
      this.#keysReadAt = now
      // The library keeps keys by the object of the server.
      const fresh = { ...server }
      await oauth.validateApplicationLevelSignature(fresh, response, options)
      if (this.#configuration?.server === server) this.#configuration = { ...this.#configuration, server: fresh }
    }
  }

  /**
   * Adds what the userinfo endpoint says if the id token lacks the e-mail address. The address and whether it is verified always come
   * from the same document.
   */
  async #withUserinfo(
    oauth: typeof OAuth,
    server: OAuth.AuthorizationServer,
    client: OAuth.Client,
    token: string,
    claims: OAuth.IDToken,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (claims['email'] !== undefined || server.userinfo_endpoint === undefined) return claims
    const response = await oauth.userInfoRequest(server, client, token, this.#requestOptions(oauth))
    const userinfo = await oauth.processUserInfoResponse(server, client, claims.sub, response)
    const { email, email_verified } = userinfo
    return { ...userinfo, ...claims, email, email_verified }
  }

  #authentication(oauth: typeof OAuth, server: OAuth.AuthorizationServer): OAuth.ClientAuth {
    const { clientSecret } = this.provider
    if (clientSecret === null) return oauth.None()
    const methods = server.token_endpoint_auth_methods_supported
    const isBasic = methods === undefined || methods.includes('client_secret_basic')
    return isBasic ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret)
  }

  #requestOptions(oauth: typeof OAuth) {
    return {
      [oauth.customFetch]: this.#fetch.send,
      [oauth.allowInsecureRequests]: this.#isPlain,
    }
  }

  /** Whether the issuer is reached without encryption. It is then on this machine, and so is all else that is reached that way. */
  get #isPlain(): boolean {
    return this.provider.issuer.startsWith('http://')
  }

  /** @throws SignInRefusal for an address that visitors must not be sent to */
  #endpoint(address: string | undefined): URL {
    const url = address !== undefined && URL.canParse(address) ? new URL(address) : null
    const isOnThisMachine = this.#isPlain && url?.protocol === 'http:' && isLoopbackName(url.hostname)
    if (url !== null && (url.protocol === 'https:' || isOnThisMachine)) return url
    throw new SignInRefusal('unavailable', 'the configuration of the provider has no https authorization_endpoint')
  }

  /** Returns the configuration of the provider; concurrent calls share one request. */
  async #server(): Promise<OAuth.AuthorizationServer> {
    const known = this.#configuration
    const age = known === null ? Number.POSITIVE_INFINITY : this.#now() - known.at
    if (known !== null && age < CONFIGURATION_AGE) return known.server
    this.#reading ??= this.#discover()
    try {
      return await this.#reading
    } catch (error) {
      if (known !== null && age < STALE_AGE) return known.server
      throw error
    }
  }

  #discover(): Promise<OAuth.AuthorizationServer> {
    const reading = this.#read()
    const forget = (): void => {
      if (this.#reading === reading) this.#reading = null
    }
    // Visitors could otherwise cause requests to a provider that does not answer.
    reading.then(forget, () => sleep(FAILURE_AGE, null, { ref: false }).then(forget))
    return reading
  }

  async #read(): Promise<OAuth.AuthorizationServer> {
    const oauth = await loadLibrary()
    const issuer = new URL(this.provider.issuer)
    try {
      const response = await oauth.discoveryRequest(issuer, { ...this.#requestOptions(oauth), algorithm: 'oidc' })
      const found = await oauth.processDiscoveryResponse(issuer, response)
      const algorithms = found.id_token_signing_alg_values_supported?.filter((name) => ASYMMETRIC.test(name))
      const server = algorithms === undefined ? found : { ...found, id_token_signing_alg_values_supported: algorithms }
      this.#configuration = { server, at: this.#now() }
      return server
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw new SignInRefusal('unavailable', `the configuration of ${this.provider.issuer} cannot be read: ${message}`)
    }
  }
}

/** Algorithms whose keys only the provider has. With the others, anyone who can verify a token can also sign one. */
const ASYMMETRIC = /^(?:RS|PS|ES)(?:256|384|512)$|^(?:Ed25519|EdDSA)$/
/** Maximum lifetime of a token in seconds that is stored: a hundred years. */
const MAX_SECONDS = 3_155_760_000

// Loaded on first use, because most sites have no provider.
function loadLibrary(): Promise<typeof OAuth> {
  return import('oauth4webapi')
}

/** Errors of the response that mean that the visitor did not sign in. */
const CANCELLED = /^(?:access_denied|login_required|interaction_required|consent_required|account_selection_required)$/
const UNAVAILABLE = /^(?:server_error|temporarily_unavailable)$/

function toRefusal(oauth: typeof OAuth, error: unknown): unknown {
  if (error instanceof OutgoingFailure) return new SignInRefusal('unavailable', `the provider failed: ${error.message}`)
  if (error instanceof oauth.AuthorizationResponseError) {
    const reason = CANCELLED.test(error.error) ? 'cancelled' : UNAVAILABLE.test(error.error) ? 'unavailable' : 'invalid'
    return new SignInRefusal(reason, `the provider answered with the error ${quoted(error.error)}`)
  }
  if (error instanceof oauth.ResponseBodyError)
    return new SignInRefusal('invalid', `the provider refused the code with the error ${quoted(error.error)}`)
  const isOfLibrary =
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError ||
    error instanceof oauth.WWWAuthenticateChallengeError
  if (!isOfLibrary) return error
  // The cause may contain tokens. The log masks what follows the word token, so the message avoids it.
  return new SignInRefusal('invalid', error.message.replaceAll('Token Endpoint', 'endpoint for tokens'))
}

/** Returns a text of the provider for the log: short, and without control characters. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
