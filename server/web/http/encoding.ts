/** Which content coding of several an answer is sent in, by `Accept-Encoding` (RFC 9110, 12.5.3). */

const WEIGHTED = /^([!#$%&'*+.^`|~\w-]+)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/**
 * The coding that the client likes best; of those that it likes alike the one that is named first.
 * @param accepted the header; empty when there was none
 * @param available codings in which the bytes are there, besides `identity`
 */
export function chooseEncoding<T extends string>(accepted: string, available: readonly T[]): T | 'identity' {
  const weights = weightsOf(accepted)
  const everything = weights.get('*')
  let best: T | 'identity' = 'identity'
  // Bytes without a coding can be read by everyone; where they are refused and nothing else is accepted they are still the best answer.
  let bestWeight = weights.get('identity') ?? 0
  for (const coding of available) {
    const weight = weights.get(coding) ?? weights.get(`x-${coding}`) ?? everything ?? 0
    if (weight > 0 && (weight > bestWeight || (weight === bestWeight && best === 'identity'))) {
      best = coding
      bestWeight = weight
    }
  }
  return best
}

/** The weights of the codings in lower case. What cannot be read is left out. */
function weightsOf(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of accepted.split(',')) {
    const [, name, weight] = WEIGHTED.exec(part.trim()) ?? []
    if (name !== undefined) weights.set(name.toLowerCase(), weight === undefined ? 1 : Number(weight))
  }
  return weights
}
