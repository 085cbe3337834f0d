/** Reads what a provider says about a person. Everything in it was written by others. */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { SignInRefusal } from './refusal.ts'

/** A person at a provider. */
export interface Identity {
  readonly issuer: string
  /** The person's id at the provider, its claim `sub`. */
  readonly uid: string
  /** Null when the provider sent none. */
  readonly email: string | null
  /** Whether the provider has verified the address. */
  readonly isEmailVerified: boolean
  readonly name: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  /** The access token. */
  readonly token: string
  /** When the token expires, in ISO 8601; null when the provider did not tell it. */
  readonly tokenExpiresAt: string | null
  /** All claims, as the provider sent them. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Maximum length of a name in characters. */
const MAX_NAME = 200

/** A text for people; null for everything else. */
const personText = z
  .string()
  .transform((text) =>
    text
      .replace(/[\u0000-\u001f\u007f]+/g, ' ')
      .trim()
      .slice(0, MAX_NAME),
  )
  .transform((text) => (text === '' ? null : text))
  .nullable()
  .catch(null)

const CLAIMS = z.object({
  sub: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\0\p{Surrogate}]+$/u),
  email: z.string().trim().min(3).max(320).nullable().catch(null),
  // Only the value true counts. The text `false` would be true in many languages.
  email_verified: z.literal(true).nullable().catch(null),
  name: personText,
  given_name: personText,
  family_name: personText,
})

/**
 * Reads the claims.
 * @param claims of the id token, and of the userinfo endpoint where the token lacks them
 * @throws SignInRefusal
 */
export function readIdentity(
  claims: Readonly<Record<string, unknown>>,
  rest: Pick<Identity, 'issuer' | 'token' | 'tokenExpiresAt'>,
): Identity {
  const parsed = CLAIMS.safeParse(claims)
  if (!parsed.success) throw new SignInRefusal('invalid', 'the id token has no valid claim sub')
  const { sub, email, email_verified, name, given_name, family_name } = parsed.data
  return {
    ...rest,
    uid: sub,
    email,
    isEmailVerified: email !== null && email_verified === true,
    name,
    firstName: given_name,
    lastName: family_name,
    claims,
  }
}

/** Seconds by which the clocks of the provider and of this server may differ. */
export const CLOCK_TOLERANCE = 60

/** The digests of `at_hash`, by the end of the algorithm of the id token. */
const DIGESTS: Readonly<Record<string, string>> = {
  256: 'sha256',
  384: 'sha384',
  512: 'sha512',
  Ed25519: 'sha512',
  EdDSA: 'sha512',
}

/** The tokens in a response, and for whom and when it was made. */
interface ReceivedTokens {
  readonly idToken: string
  readonly accessToken: string
  readonly clientId: string
  /** In seconds since 1970. */
  readonly now: number
}

/**
 * Checks what the library leaves out: that the id token was issued to this site, not in the future, and with the access token.
 * @throws SignInRefusal
 */
export function checkIdToken(
  claims: Readonly<Record<string, unknown>>,
  { idToken, accessToken, clientId, now }: ReceivedTokens,
): void {
  const { azp } = claims
  if (azp !== undefined && azp !== clientId)
    throw new SignInRefusal('invalid', 'the id token was issued to another site (azp)')
  const issuedAt = claims['iat']
  if (typeof issuedAt !== 'number' || issuedAt > now + CLOCK_TOLERANCE)
    throw new SignInRefusal('invalid', 'the id token was issued in the future (iat)')
  const hash = claims['at_hash']
  if (hash === undefined) return
  const algorithm = algorithmOf(idToken)
  const digest = DIGESTS[/(?:256|384|512)$/.exec(algorithm)?.[0] ?? algorithm]
  const full = digest === undefined ? null : createHash(digest).update(accessToken).digest()
  if (full === null || hash !== full.subarray(0, full.length / 2).toString('base64url'))
    throw new SignInRefusal('invalid', 'the id token belongs to another access token (at_hash)')
}

const HEADER = z.object({ alg: z.string() })

function algorithmOf(idToken: string): string {
  const header: unknown = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString())
  return HEADER.parse(header).alg
}
