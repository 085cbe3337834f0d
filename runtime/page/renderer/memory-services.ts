/** What a host offers to templates beside their data where there is no server: a clock, random numbers and fragments in memory. */
import type { Services } from '../services.ts'

export interface MemoryServicesOptions {
  /** The moment that templates see as now: a date or milliseconds. The clock by default. */
  readonly now?: Date | number | undefined
  /** IANA zone of times without one; UTC by default. */
  readonly timeZone?: string | undefined
  /** What the host offers beside, or instead; by default nothing. */
  readonly services?: Partial<Omit<Services, 'locate'>> | undefined
}

/** All but what finds the places of faults. */
export function memoryServices({ now, timeZone, services }: MemoryServicesOptions): Omit<Services, 'locate'> {
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
    clock: { now: () => (now === undefined ? Date.now() : Number(now)), timeZone: timeZone ?? 'UTC' },
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)), uuid: () => crypto.randomUUID() },
    log: { write() {} },
    ...services,
  }
}
