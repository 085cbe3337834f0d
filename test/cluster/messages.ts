/** What the script and its visitors tell each other. */

export type Kind = 'page' | 'copy' | 'cached' | 'form page' | 'form' | 'upload' | 'job'

/** Kinds that write. */
export const WRITES: ReadonlySet<Kind> = new Set(['form', 'upload', 'job'])

/** A request, and what came of it. */
export interface Visit {
  readonly kind: Kind
  /** Milliseconds of the epoch at which it was sent. */
  readonly at: number
  readonly took: number
  /** Null when there was no answer. */
  readonly status: number | null
  /** Null when all is well. */
  readonly problem: string | null
  /** Seconds after which the server asks to try again. */
  readonly retryAfter: number | null
  /** By what a write is found again. */
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

/** What is in the database. */
export interface Rows {
  /** Keys of records, each as often as it is there, with the path of the file where there is one. */
  readonly notes: readonly (readonly [key: string, path: string | null])[]
  readonly tasks: readonly string[]
  readonly done: readonly string[]
  /** Jobs in the queue. */
  readonly waiting: number
}
