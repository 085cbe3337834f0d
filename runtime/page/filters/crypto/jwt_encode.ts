/** `jwt_encode`: a JSON Web Token. */
import { ArgumentFault } from '../../fault.ts'
import { isHash, mergeHashes, setKey } from '../../values/access.ts'
import { BoxedText } from '../../values/boxed.ts'
import { parseJson, toJson } from '../../values/json.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import type { NamedArguments, Textual, Value } from '../types.ts'
import { findJwtAlgorithm, signInput } from './jwt.ts'

export const dialect = 'platform'

/**
 * The token of a hash, or of a text; JSON text is used as the payload unchanged. Algorithms are none, HS256, HS384,
 * HS512, RS256 … and ES256 …. The secret is an HMAC secret, a private key in PEM, or the raw scalar of a curve.
 * Named arguments and the hash `header_fields` add fields to the header.
 * @throws ArgumentFault for a payload of another kind, an unknown algorithm and a key that does not fit
 */
export function jwt_encode(
  payload: Value,
  algorithm: Textual,
  secret: Textual = null,
  header_fields: NamedArguments<{ [name: string]: Value }> = null,
): string {
  const jwtAlgorithm = findJwtAlgorithm(algorithm, 'jwt_encode')
  const header = mergeHashes({ typ: 'JWT', alg: jwtAlgorithm.name }, isHash(header_fields) ? header_fields : {})
  setKey(header, 'alg', jwtAlgorithm.name)
  const input = `${encodeSegment(toJson(header))}.${encodeSegment(claimsJson(payload))}`
  return checkTextLength(`${input}.${signInput(input, jwtAlgorithm, secret, 'jwt_encode').toString('base64url')}`)
}

function encodeSegment(json: string): string {
  return Buffer.from(json).toString('base64url')
}

function claimsJson(payload: unknown): string {
  if (isHash(payload)) return toJson(payload)
  if (typeof payload !== 'string' && !(payload instanceof BoxedText)) {
    const received = payload === null || payload === undefined ? 'nil' : str(payload).slice(0, 100)
    throw new ArgumentFault(`jwt_encode filter - first argument must be a hash or a string, received: ${received}`)
  }
  const text = str(payload)
  try {
    parseJson(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}
