/** Keeps fragments in Redis or Valkey, shared by all servers that use it. */
import { createHash } from 'node:crypto'
import { Redis } from 'iovalkey'
import { type CacheStore, LEASE, type FragmentKey } from './model.ts'

/**
 * Seconds that fragments without an expiry are kept. Their key changes with the site, so outdated ones can only be
 * removed by age.
 */
const MAX_EXPIRY = 604_800
/** Timeout and longest retry delay, in milliseconds. */
const TIMEOUT = 2_000

/**
 * Asks whether a server answers.
 * @throws Error where it does not
 */
export async function pingRedis(url: string): Promise<void> {
  const redis = new Redis(url, { connectTimeout: TIMEOUT, lazyConnect: true, retryStrategy: () => null })
  let reason: unknown = null
  redis.on('error', (error: unknown) => {
    reason = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    // What the caller gets is only that the connection is closed.
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

/**
 * Opens the store; it keeps trying to reconnect.
 * @param home identifies the database, because several databases may share one Redis
 */
export function redisStore(url: string, home: string): CacheStore {
  const redis = new Redis(url, {
    connectTimeout: TIMEOUT,
    commandTimeout: TIMEOUT,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: true,
    retryStrategy: (times) => Math.min(50 * 2 ** times, TIMEOUT),
  })
  // Each failed command rejects for its own caller.
  redis.on('error', () => undefined)
  const named = ({ space, key }: FragmentKey): string => {
    const name = createHash('sha256').update(`${home}\0${space}\0`).update(key).digest('base64url')
    return `ingot:cache:${name}`
  }
  const claimOf = (name: string): string => `${name}:claim`

  async function read(key: FragmentKey) {
    const name = named(key)
    const [text, left] = await Promise.all([redis.get(name), redis.pttl(name)])
    return text === null ? null : ({ kind: 'kept', text, left: left < 0 ? null : left } as const)
  }

  return {
    read,
    async take(key, claim) {
      const kept = await read(key)
      if (kept !== null) return kept
      const claimed = await redis.set(claimOf(named(key)), claim, 'PX', LEASE, 'NX')
      if (claimed === null) return { kind: 'theirs' }
      // The previous holder of the claim may have stored the fragment in between.
      const put = await read(key)
      if (put === null) return { kind: 'ours' }
      await redis.del(claimOf(named(key)))
      return put
    },
    async renew(key, claim) {
      const name = claimOf(named(key))
      if ((await redis.get(name)) === claim) await redis.pexpire(name, LEASE)
    },
    async put(key, text, seconds) {
      const name = named(key)
      await redis.set(name, text, 'PX', Math.max(1, Math.round(Math.min(seconds ?? MAX_EXPIRY, MAX_EXPIRY) * 1000)))
      await redis.del(claimOf(name))
    },
    async release(key, claim) {
      // The claim may change hands between these two steps; then two servers compute the fragment, which does no harm.
      const name = claimOf(named(key))
      if ((await redis.get(name)) === claim) await redis.del(name)
    },
    // Redis expires entries by itself.
    async tidy() {},
    async close() {
      redis.disconnect()
    },
  }
}
