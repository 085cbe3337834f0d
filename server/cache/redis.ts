/** Fragments in a Redis or Valkey, for all servers that name it. */
import { createHash } from 'node:crypto'
import { Redis } from 'iovalkey'
import { type CacheStore, LEASE, type FragmentKey } from './model.ts'

/** Seconds that a fragment is kept which is good until the site changes: that it has is seen nowhere but in its name. */
const WEEK = 604_800
/** Milliseconds. */
const PATIENCE = 2_000

/**
 * Opens the store; one that is away is tried again and again.
 * @param home word of the database whose servers share their fragments: others may use the same Redis
 */
export function redisStore(url: string, home: string): CacheStore {
  const redis = new Redis(url, {
    connectTimeout: PATIENCE,
    commandTimeout: PATIENCE,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: true,
    retryStrategy: (times) => Math.min(50 * 2 ** times, PATIENCE),
  })
  // Whoever asks gets the error of the command.
  redis.on('error', () => undefined)
  const named = ({ space, key }: FragmentKey): string => {
    const name = createHash('sha256').update(`${home}\0${space}\0`).update(key).digest('base64url')
    return `ingot:cache:${name}`
  }
  const claimOf = (name: string): string => `${name}:claim`

  async function read(place: FragmentKey) {
    const name = named(place)
    const [text, left] = await Promise.all([redis.get(name), redis.pttl(name)])
    return text === null ? null : ({ kind: 'kept', text, left: left < 0 ? null : left } as const)
  }

  return {
    read,
    async take(place, claim) {
      const found = await read(place)
      if (found !== null) return found
      const claimed = await redis.set(claimOf(named(place)), claim, 'PX', LEASE, 'NX')
      if (claimed === null) return { kind: 'theirs' }
      // Whoever had it may have put the fragment just before.
      const put = await read(place)
      if (put === null) return { kind: 'ours' }
      await redis.del(claimOf(named(place)))
      return put
    },
    async renew(place, claim) {
      const name = claimOf(named(place))
      if ((await redis.get(name)) === claim) await redis.pexpire(name, LEASE)
    },
    async put(place, text, seconds) {
      const name = named(place)
      await redis.set(name, text, 'PX', Math.max(1, Math.round(Math.min(seconds ?? WEEK, WEEK) * 1000)))
      await redis.del(claimOf(name))
    },
    async release(place, claim) {
      // Between the two steps it may have become another's: then both compute, and nothing worse.
      const name = claimOf(named(place))
      if ((await redis.get(name)) === claim) await redis.del(name)
    },
    // It removes what is old by itself.
    async tidy() {},
    async close() {
      redis.disconnect()
    },
  }
}
