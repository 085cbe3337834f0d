/**
 * The fragment cache: memory of this process in front of a store that all servers share. When several renders miss the
 * same key, one of them computes the fragment.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { CacheResult, Measures } from '../../core/contracts/observer.ts'
import type { CachePort, Clock, Fragment } from '../../../runtime/page/services.ts'
import { type CacheStore, MAX_FRAGMENT, LEASE, type FragmentKey, type SharedCache } from './model.ts'
import { type CallStore, resilientCalls, type StoreLog } from './resilient.ts'

/** Options of the cache. */
export interface CacheOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly tokenPlaceholder: string
  /** The shared store; null caches in this process only. */
  readonly store: { readonly store: CacheStore; readonly name: string } | null
  readonly log: StoreLog
  /** Memory limit in bytes. A character counts as two bytes. The least recently used fragments are dropped first. */
  readonly maxBytes?: number
  /** Milliseconds that a render waits for another server to compute a fragment. */
  readonly patience?: number
  /** Milliseconds between removals of entries that are no longer needed; null when other processes remove them. */
  readonly tidyEvery?: number | null
  /**
   * Characters that this process may write before it removes entries itself, even when other processes remove them
   * regularly.
   */
  readonly burst?: number
  /** Absent or null when metrics are disabled. */
  readonly measures?: Measures | null
}

/** A fragment that a render needs. */
interface FragmentRequest {
  readonly name: string
  readonly key: FragmentKey
  /** Whether the site is unchanged since the render requested the fragment. */
  readonly isCurrent: () => boolean
  readonly expire: number | null
  readonly compute: () => Promise<Fragment>
}

const MEMORY_BYTES = 64 * 1024 * 1024
/**
 * Maximum wait for another server in milliseconds. The wait is longer than a claim. So when the computing server dies,
 * one waiting server takes over the claim instead of all servers computing.
 */
const MAX_WAIT = LEASE + 1_000
/** Milliseconds between polls for another server's result. The delay grows from the first value to the last. */
const FIRST_POLL = 10
const LAST_POLL = 200
/** Maximum number of keys that are remembered as used until the next removal. */
const MAX_USED = 10_000
/** Maximum number of names that are remembered as uncacheable, and the milliseconds for which they are remembered. */
const MAX_UNCACHEABLE = 1_000
const UNCACHEABLE_TTL = 5_000
/** Timeout of a removal in milliseconds. */
const TIDY_TIMEOUT = 60_000
const MAX_WRITTEN = 32 * 1024 * 1024
/** Maximum expiry in seconds. A longer expiry is treated as no expiry. */
const MAX_EXPIRY = 315_360_000

/** Creates a cache. */
export function createCache(options: CacheOptions): SharedCache {
  return new FragmentCache(options)
}

interface CachedFragment {
  readonly text: string
  readonly until: number
}

class FragmentCache implements SharedCache {
  readonly tokenPlaceholder: string
  readonly #store: CacheStore | null
  readonly #clock: Pick<Clock, 'now'>
  readonly #patience: number
  readonly #tidyEvery: number | null
  readonly #burst: number
  readonly #measures: Measures | null
  readonly #callStore: CallStore
  readonly #memory: LRUCache<string, CachedFragment>
  readonly #computations = new Map<string, Promise<Fragment>>()
  /** Names of fragments that recently failed or could not be cached. */
  readonly #uncacheable = new LRUCache<string, true>({ max: MAX_UNCACHEABLE, ttl: UNCACHEABLE_TTL })
  readonly #isComputing = new AsyncLocalStorage<true>()
  readonly #usedNames = new Set<string>()
  #currentSpace: (() => string) | null = null
  /**
   * Characters written since the last removal. Keys are counted too, so that requests for many different keys cannot
   * fill the database.
   */
  #charactersWritten = 0
  readonly #removalTimer: NodeJS.Timeout | null

  constructor({
    clock,
    tokenPlaceholder,
    store,
    log,
    maxBytes = MEMORY_BYTES,
    patience = MAX_WAIT,
    tidyEvery = null,
    burst = MAX_WRITTEN,
    measures = null,
  }: CacheOptions) {
    this.#measures = measures
    this.tokenPlaceholder = tokenPlaceholder
    this.#store = store?.store ?? null
    this.#clock = clock
    this.#patience = patience
    this.#tidyEvery = tidyEvery
    this.#burst = burst
    this.#callStore = store === null ? async () => null : resilientCalls(store.store, store.name, log)
    this.#memory = new LRUCache<string, CachedFragment>({
      maxSize: maxBytes,
      sizeCalculation: (entry, name) => (entry.text.length + name.length) * 2 + 64,
    })
    this.#removalTimer =
      store === null || tidyEvery === null ? null : setInterval(() => void this.#removeUnused(), tidyEvery)
    this.#removalTimer?.unref()
  }

  forSite(space: () => string): CachePort {
    this.#currentSpace = space
    this.#memory.clear()
    this.#computations.clear()
    let lastSpace = { space: '', hash: '' }
    return {
      fragment: async (key, expire, compute) => {
        const currentSpace = space()
        if (lastSpace.space !== currentSpace)
          lastSpace = { space: currentSpace, hash: spaceHash(currentSpace, this.tokenPlaceholder) }
        const name = `${lastSpace.hash} ${key}`
        const cached = this.#readFromMemory(name)
        if (cached !== null) {
          this.#countResult('memory')
          return cached
        }
        const seconds = expire === null || expire > MAX_EXPIRY ? null : expire
        return this.#getFragment({
          name,
          key: fragmentKeyOf(name),
          isCurrent: () => space() === currentSpace,
          expire: seconds,
          compute,
        })
      },
    }
  }

  async close(): Promise<void> {
    if (this.#removalTimer !== null) clearInterval(this.#removalTimer)
    await this.#store?.close()
  }

  #countResult(result: CacheResult): void {
    this.#measures?.cache('fragments', result)
  }

  #storeInMemory(name: string, text: string, remaining: number | null): void {
    this.#memory.set(name, {
      text,
      until: remaining === null ? Number.POSITIVE_INFINITY : this.#clock.now() + remaining,
    })
  }

  #readFromMemory(name: string): string | null {
    const entry = this.#memory.get(name)
    if (entry === undefined || entry.until <= this.#clock.now()) return null
    if (this.#tidyEvery !== null && this.#usedNames.size < MAX_USED) this.#usedNames.add(name)
    return entry.text
  }

  /** Computes a fragment. Stores it in memory and, when other servers may read it, in the shared store. */
  async #compute({
    name,
    key,
    isCurrent,
    expire,
    compute,
  }: FragmentRequest): Promise<Fragment & { readonly put: boolean }> {
    this.#countResult('computed')
    const { text, keep } = await this.#isComputing.run(true, compute).catch((error: unknown) => {
      this.#uncacheable.set(name, true)
      throw error
    })
    if (!keep) this.#uncacheable.set(name, true)
    if (!keep || !isCurrent()) return { text, keep, put: false }
    this.#uncacheable.delete(name)
    this.#storeInMemory(name, text, expire === null ? null : expire * 1000)
    if (!isStorable(text)) return { text, keep, put: false }
    this.#charactersWritten += text.length + name.length
    if (this.#charactersWritten > this.#burst) void this.#removeUnused()
    const put = await this.#callStore(async (store) => {
      await store.put(key, text, expire)
      return true
    })
    return { text, keep, put: put === true }
  }

  /** Computes a claimed fragment. The claim is renewed meanwhile, so that other servers keep waiting. */
  async #computeClaimed(request: FragmentRequest, claim: string): Promise<Fragment> {
    const { key } = request
    const renewal = setInterval(() => void this.#callStore((store) => store.renew(key, claim)), LEASE / 3)
    let isStored = false
    try {
      const result = await this.#compute(request)
      isStored = result.put
      return result
    } finally {
      clearInterval(renewal)
      if (!isStored) void this.#callStore((store) => store.release(key, claim))
    }
  }

  async #claimOrWait(request: FragmentRequest): Promise<Fragment> {
    if (this.#store === null) return this.#compute(request)
    const claim = randomUUID()
    const deadline = performance.now() + this.#patience
    for (let delay = FIRST_POLL; ; delay = Math.min(delay * 1.5, LAST_POLL)) {
      const result = await this.#callStore((store) => store.readOrClaim(request.key, claim))
      if (result === null) return this.#compute(request)
      if (result.kind === 'ours') return this.#computeClaimed(request, claim)
      if (result.kind === 'kept') {
        this.#countResult('store')
        this.#storeInMemory(request.name, result.text, result.remaining)
        return { text: result.text, keep: true }
      }
      if (performance.now() >= deadline) return this.#compute(request)
      await sleep(delay)
    }
  }

  async #getFragment(request: FragmentRequest): Promise<string> {
    // A nested fragment never waits for another computation, because two fragments that wait for each other would
    // deadlock. Fragments that were recently uncacheable do not wait either.
    if (this.#isComputing.getStore() === true || this.#uncacheable.has(request.name)) {
      const result = await this.#callStore((store) => store.read(request.key))
      if (result === null) return (await this.#compute(request)).text
      this.#countResult('store')
      this.#storeInMemory(request.name, result.text, result.remaining)
      return result.text
    }
    const running = this.#computations.get(request.name)
    if (running !== undefined) {
      // The render that computed the fragment reports the error.
      const shared = await running.catch(() => null)
      // A fragment that failed or is specific to one visitor cannot be shared, so each render computes its own.
      if (shared?.keep !== true) return (await this.#compute(request)).text
      this.#countResult('memory')
      return shared.text
    }
    const computation = this.#claimOrWait(request).finally(() => {
      if (this.#computations.get(request.name) === computation) this.#computations.delete(request.name)
    })
    this.#computations.set(request.name, computation)
    return (await computation).text
  }

  async #removeUnused(): Promise<void> {
    this.#charactersWritten = 0
    const keys = [...this.#usedNames].map(fragmentKeyOf)
    this.#usedNames.clear()
    const space = this.#currentSpace === null ? null : spaceHash(this.#currentSpace(), this.tokenPlaceholder)
    await this.#callStore((store) => store.removeUnused(space, keys), TIDY_TIMEOUT)
  }
}

// The hash includes the placeholder, because servers with different placeholders cannot use each other's fragments.
function spaceHash(space: string, tokenPlaceholder: string): string {
  return createHash('sha256').update(`${tokenPlaceholder}\0${space}`).digest('base64url').slice(0, 22)
}

/** Splits a name into the hash of its space and the hash of its key. */
function fragmentKeyOf(name: string): FragmentKey {
  const space = name.slice(0, name.indexOf(' '))
  return {
    space,
    key: createHash('sha256')
      .update(name.slice(space.length + 1))
      .digest(),
  }
}

/**
 * Whether a text can be shared with other servers: it is short enough and only contains characters that the database
 * accepts.
 */
function isStorable(text: string): boolean {
  return (
    text.length <= MAX_FRAGMENT &&
    !text.includes('\0') &&
    text.isWellFormed() &&
    Buffer.byteLength(text) <= MAX_FRAGMENT
  )
}
