/** `hcaptcha`: whether the visitor has met the challenge of hCaptcha. */
import { isHash } from '../../values/hash.ts'
import { str } from '../../values/text.ts'
import type { Hash, Render } from '../types.ts'

export const dialect = 'platform'

/** Whether the answer to the challenge among the parameters of a request is right. It counts once. */
export async function hcaptcha(r: Render, input: Hash): Promise<boolean> {
  const { challenge } = r.services
  if (challenge === null || !isHash(input)) return false
  const visitor = r.context['visitor']
  const ip = isHash(visitor) ? str(visitor['ip']) : ''
  return challenge.verify({ provider: 'hcaptcha', action: null, minimumScore: 0 }, input, ip)
}
