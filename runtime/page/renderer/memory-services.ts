/** The services of a renderer without a server: a clock, random numbers and fragments in memory. */
import type { Services } from '../services.ts'

export interface MemoryServicesOptions {
  /** The current time for templates, as a date or in milliseconds. The default is the real time. */
  readonly now?: Date | number | undefined
  /** The IANA time zone of times that name no zone. The default is UTC. */
  readonly timeZone?: string | undefined
  /** Services that the host adds or replaces. The default is none. */
  readonly services?: Partial<Omit<Services, 'locate'>> | undefined
}

/** Returns all services except `locate`. */
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
        const cachedFragment = fragments.get(key)
        if (cachedFragment !== undefined) return cachedFragment
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
