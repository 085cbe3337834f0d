/**
 * The fragment cache: this process's memory in front of a store that all servers share. When several renders miss the
 * same key, one of them computes it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { CacheResult, Measures } from '../../core/contracts/observer.ts'
import type { CachePort, Clock, Fragment } from '../../../runtime/page/services.ts'
import { type CacheStore, MAX_FRAGMENT, LEASE, type FragmentKey, type SharedCache } from './model.ts'
import { type CallStore, resilientCalls, type StoreLog } from './resilient.ts'

export interface CacheParts {
  readonly clock: Pick<Clock, 'now'>
  readonly tokenPlaceholder: string
  /** The shared store; null caches in this process only. */
  readonly store: { readonly store: CacheStore; readonly name: string } | null
  readonly log: StoreLog
  /** Limit of the memory, counted at two bytes a character; the least recently used fragments are dropped first. */
  readonly maxBytes?: number
  /** Milliseconds that a render waits for another server to compute a fragment. */
  readonly patience?: number
  /** Milliseconds between removals of entries that are no longer needed; null when other processes do it. */
  readonly tidyEvery?: number | null
  /**
   * Characters that this process may write before it removes entries itself, even when other processes do it regularly.
   */
  readonly burst?: number
  /** Absent or null where nothing is measured. */
  readonly measures?: Measures | null
}

/** A fragment that a render asks for. */
interface FragmentRequest {
  readonly name: string
  readonly key: FragmentKey
  /** Whether the site has not changed since the render asked. */
  readonly current: () => boolean
  readonly expire: number | null
  readonly compute: () => Promise<Fragment>
}

const MEMORY_BYTES = 64 * 1024 * 1024
/**
 * Longer than a claim: when the computing server dies, one of the waiting servers takes over the claim instead of all
 * of them computing.
 */
const MAX_WAIT = LEASE + 1_000
/** Milliseconds between polls for another server's result; the delay grows from the first to the last. */
const FIRST_POLL = 10
const LAST_POLL = 200
/** Keys remembered as used until the next removal. */
const MAX_USED = 10_000
/** Names remembered as uncacheable, and milliseconds for which they are. */
const MAX_UNCACHEABLE = 1_000
const UNCACHEABLE_TTL = 5_000
/** Timeout of a removal, in milliseconds. */
const TIDY_TIMEOUT = 60_000
const MAX_WRITTEN = 32 * 1024 * 1024
/** Seconds; a longer expiry is treated as none. */
const MAX_EXPIRY = 315_360_000

export function createCache(parts: CacheParts): SharedCache {
  return new FragmentCache(parts)
}

interface KeptFragment {
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
  readonly #ask: CallStore
  readonly #kept: LRUCache<string, KeptFragment>
  readonly #running = new Map<string, Promise<Fragment>>()
  /** Names whose body recently failed or could not be cached. */
  readonly #uncacheable = new LRUCache<string, true>({ max: MAX_UNCACHEABLE, ttl: UNCACHEABLE_TTL })
  readonly #computing = new AsyncLocalStorage<true>()
  readonly #used = new Set<string>()
  #latest: (() => string) | null = null
  /**
   * Characters written since the last removal. Keys are counted too: requests for many different keys must not fill the
   * database.
   */
  #written = 0
  readonly #tidying: NodeJS.Timeout | null

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
  }: CacheParts) {
    this.#measures = measures
    this.tokenPlaceholder = tokenPlaceholder
    this.#store = store?.store ?? null
    this.#clock = clock
    this.#patience = patience
    this.#tidyEvery = tidyEvery
    this.#burst = burst
    this.#ask = store === null ? async () => null : resilientCalls(store.store, store.name, log)
    this.#kept = new LRUCache<string, KeptFragment>({
      maxSize: maxBytes,
      sizeCalculation: (entry, name) => (entry.text.length + name.length) * 2 + 64,
    })
    this.#tidying = store === null || tidyEvery === null ? null : setInterval(() => void this.#tidy(), tidyEvery)
    this.#tidying?.unref()
  }

  of(space: () => string): CachePort {
    this.#latest = space
    this.#kept.clear()
    this.#running.clear()
    let last = { space: '', hash: '' }
    return {
      fragment: async (key, expire, compute) => {
        const currentSpace = space()
        if (last.space !== currentSpace)
          last = { space: currentSpace, hash: spaceHash(currentSpace, this.tokenPlaceholder) }
        const name = `${last.hash} ${key}`
        const known = this.#recall(name)
        if (known !== null) {
          this.#found('memory')
          return known
        }
        const seconds = expire === null || expire > MAX_EXPIRY ? null : expire
        return this.#fragment({
          name,
          key: fragmentKeyOf(name),
          current: () => space() === currentSpace,
          expire: seconds,
          compute,
        })
      },
    }
  }

  async close(): Promise<void> {
    if (this.#tidying !== null) clearInterval(this.#tidying)
    await this.#store?.close()
  }

  #found(result: CacheResult): void {
    this.#measures?.cache('fragments', result)
  }

  #remember(name: string, text: string, left: number | null): void {
    this.#kept.set(name, { text, until: left === null ? Number.POSITIVE_INFINITY : this.#clock.now() + left })
  }

  #recall(name: string): string | null {
    const entry = this.#kept.get(name)
    if (entry === undefined || entry.until <= this.#clock.now()) return null
    if (this.#tidyEvery !== null && this.#used.size < MAX_USED) this.#used.add(name)
    return entry.text
  }

  /** Runs the body. Keeps its text in memory and, when other servers may read it, in the shared store. */
  async #compute({
    name,
    key,
    current,
    expire,
    compute,
  }: FragmentRequest): Promise<Fragment & { readonly put: boolean }> {
    this.#found('computed')
    const { text, keep } = await this.#computing.run(true, compute).catch((error: unknown) => {
      this.#uncacheable.set(name, true)
      throw error
    })
    if (!keep) this.#uncacheable.set(name, true)
    if (!keep || !current()) return { text, keep, put: false }
    this.#uncacheable.delete(name)
    this.#remember(name, text, expire === null ? null : expire * 1000)
    if (!isStorable(text)) return { text, keep, put: false }
    this.#written += text.length + name.length
    if (this.#written > this.#burst) void this.#tidy()
    const put = await this.#ask(async (store) => {
      await store.put(key, text, expire)
      return true
    })
    return { text, keep, put: put === true }
  }

  /** Computes a claimed fragment and renews the claim meanwhile, so that other servers keep waiting for it. */
  async #computeClaimed(wanted: FragmentRequest, claim: string): Promise<Fragment> {
    const { key } = wanted
    const signs = setInterval(() => void this.#ask((store) => store.renew(key, claim)), LEASE / 3)
    let done = false
    try {
      const made = await this.#compute(wanted)
      done = made.put
      return made
    } finally {
      clearInterval(signs)
      if (!done) void this.#ask((store) => store.release(key, claim))
    }
  }

  async #claimOrWait(wanted: FragmentRequest): Promise<Fragment> {
    if (this.#store === null) return this.#compute(wanted)
    const claim = randomUUID()
    const end = performance.now() + this.#patience
    for (let delay = FIRST_POLL; ; delay = Math.min(delay * 1.5, LAST_POLL)) {
      const result = await this.#ask((store) => store.take(wanted.key, claim))
      if (result === null) return this.#compute(wanted)
      if (result.kind === 'ours') return this.#computeClaimed(wanted, claim)
      if (result.kind === 'kept') {
        this.#found('store')
        this.#remember(wanted.name, result.text, result.left)
        return { text: result.text, keep: true }
      }
      if (performance.now() >= end) return this.#compute(wanted)
      await sleep(delay)
    }
  }

  async #fragment(wanted: FragmentRequest): Promise<string> {
    // A body that is being computed for the cache never waits for another one, because two that wait for each other
    // would deadlock. A name that was uncacheable lately is not worth waiting for either.
    if (this.#computing.getStore() === true || this.#uncacheable.has(wanted.name)) {
      const result = await this.#ask((store) => store.read(wanted.key))
      if (result === null) return (await this.#compute(wanted)).text
      this.#found('store')
      this.#remember(wanted.name, result.text, result.left)
      return result.text
    }
    const other = this.#running.get(wanted.name)
    if (other !== undefined) {
      // The error is reported by the render that computed the fragment.
      const shared = await other.catch(() => null)
      // A fragment that failed, or that belongs to one visitor, cannot be shared: each render computes its own.
      if (shared?.keep !== true) return (await this.#compute(wanted)).text
      this.#found('memory')
      return shared.text
    }
    const own = this.#claimOrWait(wanted).finally(() => {
      if (this.#running.get(wanted.name) === own) this.#running.delete(wanted.name)
    })
    this.#running.set(wanted.name, own)
    return (await own).text
  }

  async #tidy(): Promise<void> {
    this.#written = 0
    const keys = [...this.#used].map(fragmentKeyOf)
    this.#used.clear()
    const space = this.#latest === null ? null : spaceHash(this.#latest(), this.tokenPlaceholder)
    await this.#ask((store) => store.tidy(space, keys), TIDY_TIMEOUT)
  }
}

// Includes the mark: servers with different marks could not read each other's fragments.
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

/** Whether a text can be stored for other servers: not too long, and only characters that the database accepts. */
function isStorable(text: string): boolean {
  return (
    text.length <= MAX_FRAGMENT &&
    !text.includes('\0') &&
    text.isWellFormed() &&
    Buffer.byteLength(text) <= MAX_FRAGMENT
  )
}
