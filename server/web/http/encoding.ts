/** Chooses the content coding of an answer by `Accept-Encoding` (RFC 9110, 12.5.3). */

const WEIGHTED = /^([!#$%&'*+.^`|~\w-]+)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/**
 * Returns the coding that the client prefers. Of equally preferred codings, the first available one is chosen.
 * @param accepted the header; empty when missing
 * @param available codings in which the bytes exist, in addition to `identity`
 */
export function chooseEncoding<T extends string>(accepted: string, available: readonly T[]): T | 'identity' {
  const weights = parseWeights(accepted)
  const everything = weights.get('*')
  let best: T | 'identity' = 'identity'
  // Every client can read bytes without a coding. They are the best answer even when the client refuses everything.
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

/** Returns the weights of the codings in lower case. Invalid items are ignored. */
function parseWeights(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of accepted.split(',')) {
    const [, name, weight] = WEIGHTED.exec(part.trim()) ?? []
    if (name !== undefined) weights.set(name.toLowerCase(), weight === undefined ? 1 : Number(weight))
  }
  return weights
}
