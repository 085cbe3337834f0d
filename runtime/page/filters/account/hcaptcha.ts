/** `hcaptcha`: whether the visitor has passed the hCaptcha challenge. */
import { isHash } from '../../values/hash.ts'
import { str } from '../../values/text.ts'
import type { Hash, Render } from '../types.ts'

export const dialect = 'platform'

/** Whether the parameters of a request contain a valid token of the challenge. A token can be used once. */
export async function hcaptcha(r: Render, input: Hash): Promise<boolean> {
  const { challenge } = r.services
  if (challenge === null || !isHash(input)) return false
  const visitor = r.context['visitor']
  const ip = isHash(visitor) ? str(visitor['ip']) : ''
  return challenge.verify({ provider: 'hcaptcha', action: null, minimumScore: 0 }, input, ip)
}
