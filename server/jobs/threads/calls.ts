/** What a process and the threads of its jobs say to each other. */
import type { DevBuild } from '../../cluster/messages.ts'
import type { ReadySettings } from '../../settings.ts'
import type { BuiltSite } from '../../site/load.ts'
import type { LogRow } from '../../logs/model.ts'
import type { CallSlot, SharedCallSlots } from './begun.ts'
import type { Failure } from '../task/failure.ts'

/** The site that a thread loads. */
export type ThreadSite =
  | { readonly kind: 'built'; readonly built: BuiltSite }
  | { readonly kind: 'dev'; readonly root: string; readonly build: DevBuild }

/** What a thread is started with. */
export interface ThreadStart {
  readonly site: ThreadSite
  readonly settings: ReadySettings
  readonly version: string
}

/** What piscina hands to a thread. */
export interface ThreadData {
  /** A `ThreadStart`; tests have threads of their own. */
  readonly start: unknown
  readonly marks: SharedCallSlots
}

export interface ThreadCall {
  readonly task: ThreadTask
  /** Where the thread marks that it has begun. */
  readonly mark: CallSlot
}

export type ThreadTask =
  /** Answered when the thread has loaded the site. */
  | { readonly kind: 'warm' }
  /** `payload`: the job as it stands in the queue. `seconds`: after them it ends itself, where it can. */
  | { readonly kind: 'job'; readonly id: string; readonly payload: string; readonly seconds: number }
  /** A migration of the site by its name. */
  | { readonly kind: 'migration'; readonly name: string; readonly seconds: number }

export type ThreadAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The thread could not load the site, so nothing has begun. */
  | { readonly kind: 'unready'; readonly sentence: string }

/** What a thread tells while it works: an entry for the log of the site, which the process keeps. */
export interface ThreadNews {
  readonly kind: 'log'
  readonly row: LogRow
}

export function isThreadNews(message: unknown): message is ThreadNews {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'log'
}
