/** Messages between a process and its job threads. */
import type { DevBuild } from '../../cluster/messages.ts'
import type { ReadySettings } from '../../../core/settings.ts'
import type { BuiltSite } from '../../../web/site/load.ts'
import type { MeasuredChange } from '../../../core/contracts/measured.ts'
import type { RecordedRequest } from '../../observe/recorded-request.ts'
import type { EndedSpan, TraceHeaders } from '../../../core/contracts/tracer.ts'
import type { LogRow } from '../../../web/logs/model.ts'
import type { CallSlot, SharedCallSlots } from './call-starts.ts'
import type { Failure } from '../task/failure.ts'

/** The site that a thread loads. */
export type ThreadSite =
  | { readonly kind: 'built'; readonly builtSite: BuiltSite }
  | { readonly kind: 'dev'; readonly root: string; readonly build: DevBuild }

/** Start parameters of a thread. */
export interface ThreadStart {
  readonly site: ThreadSite
  readonly settings: ReadySettings
  readonly version: string
}

/** The `workerData` that piscina passes to a thread. */
export interface ThreadData {
  /** A `ThreadStart`; test threads use their own type. */
  readonly start: unknown
  readonly slots: SharedCallSlots
}

/** A build that replaced another one. */
export interface FollowedBuild {
  readonly builtSite: BuiltSite
  /** Rises with each build. */
  readonly number: number
}

export interface ThreadCall {
  readonly task: ThreadTask
  /** The served build; null when it is the one that the thread started with. */
  readonly follows: FollowedBuild | null
  /** Where the thread records its start. */
  readonly slot: CallSlot
}

export type ThreadTask =
  /** Answered when the thread has loaded the site. */
  | { readonly kind: 'warm' }
  /** `payload`: the queued JSON. `seconds`: the limit after which the thread ends the job itself, if it can. */
  | {
      readonly kind: 'job'
      readonly id: string
      /** Number of the attempt, from 1. */
      readonly attempt?: number
      readonly payload: string
      readonly seconds: number
      /** Headers of the job's span; absent when the job is not traced. */
      readonly trace?: TraceHeaders
    }
  /** A migration of the site, by name. */
  | { readonly kind: 'migration'; readonly name: string; readonly seconds: number }
  /** A sent template. `folder`: of its compiled code; `unit`: its file; `host`: host name of the client's request. */
  | {
      readonly kind: 'sent'
      readonly folder: string
      readonly unit: string
      readonly host: string
      readonly seconds: number
    }

export type ThreadAnswer =
  /** `printed`: output of a sent template. */
  | { readonly kind: 'done'; readonly printed?: string }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The thread could not load the site, so the task has not started. */
  | { readonly kind: 'unready'; readonly sentence: string }

/** A message from a thread to its process: a log entry to store, measurements, an ended span, or the record of a job. */
export type ThreadNews =
  | { readonly kind: 'log'; readonly row: LogRow }
  | { readonly kind: 'measured'; readonly changes: readonly MeasuredChange[] }
  | { readonly kind: 'span'; readonly span: EndedSpan }
  | { readonly kind: 'recorded'; readonly record: RecordedRequest }

export function isThreadNews(message: unknown): message is ThreadNews {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return false
  return ['log', 'measured', 'span', 'recorded'].includes(String(message.kind))
}
