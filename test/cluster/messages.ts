/** The messages between the script and the program of its visitors. */

export type Kind = 'page' | 'copy' | 'cached' | 'form page' | 'form' | 'upload' | 'job'

/** The kinds of visits that write. */
export const WRITES: ReadonlySet<Kind> = new Set(['form', 'upload', 'job'])

/** A request and its result. */
export interface Visit {
  readonly kind: Kind
  /** The time at which the request was sent, in milliseconds since the epoch. */
  readonly at: number
  readonly took: number
  /** Null if there was no response. */
  readonly status: number | null
  /** Null if there was no problem. */
  readonly problem: string | null
  /** Seconds after which the server asks for a retry. */
  readonly retryAfter: number | null
  /** The key by which a write is found in the database. */
  readonly key: string | null
  /** The release that a page shows. */
  readonly version: string | null
}

export type ToVisitors =
  | { readonly type: 'go'; readonly url: string; readonly rate: number }
  | { readonly type: 'stop' }
  | { readonly type: 'count'; readonly id: number; readonly database: string }

export type FromVisitors =
  | { readonly type: 'ready' }
  | { readonly type: 'visits'; readonly visits: readonly Visit[] }
  /** Resolves `stop`: nobody is under way any more. */
  | { readonly type: 'stopped' }
  | { readonly type: 'rows'; readonly id: number; readonly rows: Rows | null }

/** The contents of the database. */
export interface Rows {
  /** The key of each record, with the path of its file or null. A duplicate record is listed twice. */
  readonly notes: readonly (readonly [key: string, path: string | null])[]
  readonly tasks: readonly string[]
  readonly done: readonly string[]
  /** The number of jobs in the queue. */
  readonly waiting: number
}
