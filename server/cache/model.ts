/** What the rooms of the cache hand to each other. */
import type { CachePort } from '../../runtime/page/services.ts'

/** The cache of a process. */
export interface SharedCache {
  /**
   * The cache of the site that is served from now on; what this process keeps of another one is forgotten.
   * @param space read with each fragment: another text whenever a view or translation has changed
   */
  of(space: () => string): CachePort
  /** Stands for the CSRF token in what is kept: the same in all servers of a database, and no visitor can guess it. */
  readonly mark: string
  close(): Promise<void>
}

/** Names one fragment among those of all servers. */
export interface FragmentKey {
  /** One short word for a space. */
  readonly space: string
  readonly key: Buffer
}

/** What was found at a place. */
export type CacheLookup =
  /** `left`: milliseconds that it is good for, null until the site changes. */
  | { readonly kind: 'kept'; readonly text: string; readonly left: number | null }
  /** Nothing is there, and it is ours to compute. */
  | { readonly kind: 'ours' }
  /** Somebody else computes it. */
  | { readonly kind: 'theirs' }

/** Where servers keep fragments for each other. All methods may reject: then the store is away. */
export interface CacheStore {
  /** What is kept; null for nothing. */
  read(place: FragmentKey): Promise<Extract<CacheLookup, { kind: 'kept' }> | null>
  /** What is kept, else the task to compute it, for `LEASE` milliseconds. @param claim any word that no other process has */
  take(place: FragmentKey, claim: string): Promise<CacheLookup>
  /** Says that we still compute it. */
  renew(place: FragmentKey, claim: string): Promise<void>
  /** Keeps a text; whoever computed it is done. @param seconds null: until the site changes */
  put(place: FragmentKey, text: string, seconds: number | null): Promise<void>
  /** Gives the task back. */
  release(place: FragmentKey, claim: string): Promise<void>
  /** Removes what nobody needs any more. @param used places that this process has used since the last time */
  tidy(space: string | null, used: readonly FragmentKey[]): Promise<void>
  close(): Promise<void>
}

/** Milliseconds that a fragment is left to the server that computes it, without a sign of it. */
export const LEASE = 5_000
/** Bytes of one fragment that other servers get. */
export const LARGEST = 1024 * 1024
