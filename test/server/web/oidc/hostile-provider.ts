/**
 * A small provider whose every answer a test can replace: discovery, keys, tokens and userinfo. By default it answers well, so that each
 * attack differs from a working sign-in in one point only.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { closeServer, listenOn } from './journey.ts'

export const SITE = { id: 'the-site', secret: 'a-secret-of-the-site' }

export interface Keys {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly kid: string
}

/** What the site's request said; the answers are made from it. */
export interface Asked {
  readonly nonce: string
  readonly now: number
}

/** Answers that replace the good ones. */
export interface Behavior {
  readonly discovery?: (good: Record<string, unknown>) => Record<string, unknown>
  /** Changes the claims of the id token. */
  readonly claims?: (good: JWTPayload) => JWTPayload
  /** Makes the id token from its claims. */
  readonly sign?: (claims: JWTPayload, keys: Keys) => Promise<string>
  readonly tokens?: (good: Record<string, unknown>) => Record<string, unknown>
  readonly userinfo?: () => Record<string, unknown>
  /** Answers a path itself. Returns false to let the provider answer. */
  readonly instead?: (path: string, request: IncomingMessage, response: ServerResponse) => boolean
}

export interface HostileProvider {
  readonly issuer: string
  behavior: Behavior
  keys: Keys
  /** The paths that the site has asked for. */
  readonly asked: string[]
  /** Errors of this provider itself. With one, an attack would be refused for the wrong reason. */
  readonly faults: unknown[]
  /** Receives a visitor as the authorization endpoint does, and returns the parameters of the good response. */
  receive(address: string): Record<string, string>
  close(): Promise<void>
}

export async function newKeys(): Promise<Keys> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return { privateKey, publicKey, kid: randomUUID() }
}

export function signedBy(claims: JWTPayload, { privateKey, kid }: Keys): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
}

/** @param sub the person whom it signs in */
export async function hostileProvider(sub = 'mallory'): Promise<HostileProvider> {
  const codes = new Map<string, { readonly nonce: string; readonly challenge: string; readonly redirectUri: string }>()
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      hostile.faults.push(error)
      response.writeHead(500).end(String(error))
    })
  })
  const issuer = await listenOn(server)
  const hostile: HostileProvider = {
    issuer,
    behavior: {},
    keys: await newKeys(),
    asked: [],
    faults: [],
    receive(address) {
      const { searchParams } = new URL(address)
      const at = (name: string): string => searchParams.get(name) ?? ''
      const code = randomUUID()
      codes.set(code, { nonce: at('nonce'), challenge: at('code_challenge'), redirectUri: at('redirect_uri') })
      return { code, state: at('state'), iss: issuer }
    },
    close: () => closeServer(server),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const { behavior, keys } = hostile
    hostile.asked.push(path)
    if (behavior.instead?.(path, request, response) === true) return
    const json = (value: unknown, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (path === '/.well-known/openid-configuration') {
      const good = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        authorization_response_iss_parameter_supported: true,
      }
      return json(behavior.discovery?.(good) ?? good)
    }
    if (path === '/jwks') return json({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: keys.kid, use: 'sig' }] })
    if (path === '/userinfo')
      return json(behavior.userinfo?.() ?? { sub, email: `${sub}@example.com`, email_verified: true })
    if (path !== '/token') return json({}, 404)
    const form = new URLSearchParams(await textOf(request))
    const code = form.get('code') ?? ''
    const known = codes.get(code)
    // A code works once.
    codes.delete(code)
    if (!isAuthenticated(request)) return json({ error: 'invalid_client' }, 401)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (known === undefined || known.challenge !== challenge || known.redirectUri !== form.get('redirect_uri'))
      return json({ error: 'invalid_grant', error_description: '<script>alert(2)</script>' }, 400)
    const now = Math.floor(Date.now() / 1000)
    const good = {
      iss: issuer,
      sub,
      aud: SITE.id,
      exp: now + 300,
      iat: now,
      nonce: known.nonce,
      email: `${sub}@example.com`,
      email_verified: true,
    }
    const claims = behavior.claims?.(good) ?? good
    const idToken = await (behavior.sign ?? signedBy)(claims, keys)
    const tokens = { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 300, id_token: idToken }
    json(behavior.tokens?.(tokens) ?? tokens)
  }
  return hostile
}

/** The id and the secret are encoded like a form before they are sent. */
function isAuthenticated({ headers }: IncomingMessage): boolean {
  const [, encoded = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent)
  return id === SITE.id && secret === SITE.secret
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Returns a behavior with changed claims. */
export const claims = (change: (good: JWTPayload) => JWTPayload): Behavior => ({ claims: change })

/** Returns a behavior that leaves a claim out. */
export const without = (name: string): Behavior =>
  claims((good) => Object.fromEntries(Object.entries(good).filter(([each]) => each !== name)))
