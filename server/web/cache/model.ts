/** Types of the fragment cache. */
import type { CachePort } from '../../../runtime/page/services.ts'

/** The fragment cache of a process. */
export interface SharedCache {
  /**
   * Opens the cache of the site that is served from now on. Clears the fragments of the previous site from memory.
   * @param space returns a text that identifies the templates and translations; called with each fragment
   */
  forSite(space: () => string): CachePort
  /**
   * Placeholder for the CSRF token in cached fragments. All servers of a database use the same placeholder, and
   * visitors cannot guess it.
   */
  readonly tokenPlaceholder: string
  close(): Promise<void>
}

/** The key of a fragment. It is the same on all servers of a database. */
export interface FragmentKey {
  /** Short hash of the space: the templates and translations. */
  readonly space: string
  readonly key: Buffer
}

/** Result of a look-up. */
type CacheLookup =
  /**
   * A cached fragment. `remaining` is the number of milliseconds until it expires, or null when it is valid until the
   * site changes.
   */
  | { readonly kind: 'kept'; readonly text: string; readonly remaining: number | null }
  /** There is no fragment, and the caller holds the claim to compute it. */
  | { readonly kind: 'ours' }
  /** Another process is computing the fragment. */
  | { readonly kind: 'theirs' }

/** A store that servers share fragments through. Every method may reject while the store is unavailable. */
export interface CacheStore {
  /** Returns the cached fragment, or null. */
  read(key: FragmentKey): Promise<Extract<CacheLookup, { kind: 'kept' }> | null>
  /**
   * Returns the cached fragment, or else the claim to compute it. A claim lasts for `LEASE` milliseconds.
   * @param claim a token that no other process uses
   */
  readOrClaim(key: FragmentKey, claim: string): Promise<CacheLookup>
  /** Extends the claim while the fragment is still being computed. */
  renew(key: FragmentKey, claim: string): Promise<void>
  /**
   * Stores a fragment and ends the claim.
   * @param seconds time until it expires; null keeps it until the site changes
   */
  put(key: FragmentKey, text: string, seconds: number | null): Promise<void>
  /** Gives up the claim without a result. */
  release(key: FragmentKey, claim: string): Promise<void>
  /**
   * Removes entries that are no longer needed.
   * @param used keys that this process has used since the last call
   */
  removeUnused(space: string | null, used: readonly FragmentKey[]): Promise<void>
  close(): Promise<void>
}

/** Milliseconds after which a claim expires that is not renewed. */
export const LEASE = 5_000
/** Maximum size in bytes of a fragment that is shared with other servers. */
export const MAX_FRAGMENT = 1024 * 1024
