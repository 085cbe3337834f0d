/** Types that the files of the cache share. */
import type { CachePort } from '../../../runtime/page/services.ts'

/** The fragment cache of a process. */
export interface SharedCache {
  /**
   * The cache of the site that is served from now on; forgets what this process kept of another site.
   * @param space called with each fragment; its text changes whenever a template or a translation changes
   */
  of(space: () => string): CachePort
  /**
   * Placeholder for the CSRF token in kept fragments. All servers of a database use the same one, and visitors cannot
   * guess it.
   */
  readonly tokenPlaceholder: string
  close(): Promise<void>
}

/** The key of a fragment, the same for all servers of a database. */
export interface FragmentKey {
  /** Short hash of the space. */
  readonly space: string
  readonly key: Buffer
}

/** Result of a look-up. */
export type CacheLookup =
  /** `left`: milliseconds until it expires; null when it is valid until the site changes. */
  | { readonly kind: 'kept'; readonly text: string; readonly left: number | null }
  /** Nothing is kept, and the caller holds the claim to compute it. */
  | { readonly kind: 'ours' }
  /** Another process is computing it. */
  | { readonly kind: 'theirs' }

/** A store that servers share fragments through. Every method may reject while the store is unavailable. */
export interface CacheStore {
  /** The kept fragment; null when there is none. */
  read(key: FragmentKey): Promise<Extract<CacheLookup, { kind: 'kept' }> | null>
  /**
   * The kept fragment, or else the claim to compute it, which lasts for `LEASE` milliseconds.
   * @param claim a token that no other process uses
   */
  take(key: FragmentKey, claim: string): Promise<CacheLookup>
  /** Extends the claim while the fragment is still being computed. */
  renew(key: FragmentKey, claim: string): Promise<void>
  /**
   * Keeps a text and ends the claim.
   * @param seconds until it expires; null keeps it until the site changes
   */
  put(key: FragmentKey, text: string, seconds: number | null): Promise<void>
  /** Gives up the claim without a result. */
  release(key: FragmentKey, claim: string): Promise<void>
  /**
   * Removes entries that are no longer needed.
   * @param used keys that this process has used since the last call
   */
  tidy(space: string | null, used: readonly FragmentKey[]): Promise<void>
  close(): Promise<void>
}

/** Milliseconds after which the claim of a server that does not renew it expires. */
export const LEASE = 5_000
/** Largest fragment, in bytes, that is shared with other servers. */
export const MAX_FRAGMENT = 1024 * 1024
