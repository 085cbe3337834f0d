/** Stores fragments in Redis or Valkey. All servers that use the same Redis share them. */
import { createHash } from 'node:crypto'
import { Redis } from 'iovalkey'
import { type CacheStore, LEASE, type FragmentKey } from './model.ts'

/**
 * Seconds for which fragments without an expiry are kept. Keys change with the site, so outdated fragments can only be
 * removed by age.
 */
const MAX_EXPIRY = 604_800
/** Timeout of a command, and maximum delay between retries, in milliseconds. */
const TIMEOUT = 2_000

/**
 * Checks whether a Redis server responds.
 * @throws Error when it does not
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
    // The rejection only says that the connection is closed. The error event has the reason.
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

/** Creates a client. It connects on first use, and reconnects by itself. A failed command rejects for its own caller. */
export function connectRedis(url: string): Redis {
  const redis = new Redis(url, {
    connectTimeout: TIMEOUT,
    commandTimeout: TIMEOUT,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: true,
    retryStrategy: (times) => Math.min(50 * 2 ** times, TIMEOUT),
  })
  // The failed commands report what is wrong.
  redis.on('error', () => undefined)
  return redis
}

/**
 * Opens the store. The client reconnects automatically.
 * @param databaseId identifies the database, because several databases may share one Redis server
 */
export function redisStore(url: string, databaseId: string): CacheStore {
  const redis = connectRedis(url)
  const redisKey = ({ space, key }: FragmentKey): string => {
    const name = createHash('sha256').update(`${databaseId}\0${space}\0`).update(key).digest('base64url')
    return `ingot:cache:${name}`
  }
  const claimKey = (name: string): string => `${name}:claim`

  async function read(key: FragmentKey) {
    const name = redisKey(key)
    const [text, remaining] = await Promise.all([redis.get(name), redis.pttl(name)])
    return text === null ? null : ({ kind: 'kept', text, remaining: remaining < 0 ? null : remaining } as const)
  }

  return {
    read,
    async readOrClaim(key, claim) {
      const cached = await read(key)
      if (cached !== null) return cached
      const claimed = await redis.set(claimKey(redisKey(key)), claim, 'PX', LEASE, 'NX')
      if (claimed === null) return { kind: 'theirs' }
      // The previous holder of the claim may have stored the fragment before this claim.
      const stored = await read(key)
      if (stored === null) return { kind: 'ours' }
      await redis.del(claimKey(redisKey(key)))
      return stored
    },
    async renew(key, claim) {
      const name = claimKey(redisKey(key))
      if ((await redis.get(name)) === claim) await redis.pexpire(name, LEASE)
    },
    async put(key, text, seconds) {
      const name = redisKey(key)
      await redis.set(name, text, 'PX', Math.max(1, Math.round(Math.min(seconds ?? MAX_EXPIRY, MAX_EXPIRY) * 1000)))
      await redis.del(claimKey(name))
    },
    async release(key, claim) {
      // The claim may change hands between these two steps. Then two servers compute the fragment, which is harmless.
      const name = claimKey(redisKey(key))
      if ((await redis.get(name)) === claim) await redis.del(name)
    },
    // Redis removes expired entries automatically.
    async removeUnused() {},
    async close() {
      redis.disconnect()
    },
  }
}
