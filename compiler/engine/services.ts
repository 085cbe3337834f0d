/** What an engine offers to templates beside their data: a clock, random numbers and fragments in memory. */
import type { Services } from '../../runtime/index.ts'
import type { EngineOptions } from './options.ts'

/** All but what finds the places of faults. What `options.services` has comes first. */
export function memoryServices(options: EngineOptions): Omit<Services, 'locate'> {
  const { now } = options
  const fragments = new Map<string, string>()
  return {
    graphql: null,
    jobs: null,
    forms: null,
    sessions: null,
    accounts: null,
    challenge: null,
    transactions: null,
    cache: {
      async fragment(key, _expire, compute) {
        const known = fragments.get(key)
        if (known !== undefined) return known
        const { text, keep } = await compute()
        if (keep) fragments.set(key, text)
        return text
      },
    },
    assets: { url: (path) => `/assets/${path}` },
    fetch: null,
    clock: { now: () => (now === undefined ? Date.now() : Number(now)), timeZone: options.timeZone ?? 'UTC' },
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)), uuid: () => crypto.randomUUID() },
    log: { write() {} },
    ...options.services,
  }
}
