/** Messages between the supervisor and its worker processes. */
import { basename } from 'node:path'
import type { MeasuredChange, MeasuredState } from '../../core/contracts/measured.ts'
import type { EndedSpan } from '../../core/contracts/tracer.ts'
import type { ReadySettings } from '../../core/settings.ts'
import type { BuiltSite } from '../../web/site/load.ts'
import type { ShownError, ShownFix } from '../../web/site/shown-error.ts'
import type { Load } from './load.ts'

/** One rebuilt module of a site in development. */
export interface ChangedModule {
  readonly module: string
  readonly url: string
}

/** Spans that ended in a process since its last message. */
export interface SpanBatch {
  readonly spans: readonly EndedSpan[]
  /** Identifies the build of the spans; null when it changes, as in development. */
  readonly release: string | null
  /** Number of spans that were dropped because the supervisor did not receive them fast enough. */
  readonly dropped: number
}

/** The site that a worker serves. */
export type WorkerSite =
  | { readonly kind: 'built'; readonly builtSite: BuiltSite }
  /** A site in development; its state arrives in `built` and `problems` messages. */
  | { readonly kind: 'dev'; readonly root: string }

/** A finding of the check of a whole site. */
interface Problem {
  readonly severity: 'error' | 'warning' | 'info'
  readonly code: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly hint: string | null
  /** The fix; null if its exact edits are not known. */
  readonly fix: ShownFix | null
}

/** The findings of a check. `total` counts all of them; the list may be shorter. */
export interface CheckedSite {
  readonly problems: readonly Problem[]
  readonly total: number
}

/** What was saved before a build. */
export interface SavedChanges {
  /** Paths of the added, changed and removed files, without assets. */
  readonly files: readonly string[]
  /** The added, changed and removed assets, with the stamp of their URL; null for a removed asset. */
  readonly assets: readonly { readonly name: string; readonly stamp: string | null }[]
}

/** A build of a site in development: its entry, and the modules that changed after the entry was written. */
export interface DevBuild {
  readonly entry: string
  readonly changedModules: readonly ChangedModule[]
  /** The compiler's errors by template path; these templates are built to fail when rendered. */
  readonly errors: Readonly<Record<string, string>>
  /** The same errors, one by one. */
  readonly shown: readonly ShownError[]
  /** Null when anything may have changed. */
  readonly saved: SavedChanges | null
  /** Whether the build is the last one, and only its errors are new. */
  readonly isChecked: boolean
}

/** A page of metrics. */
export interface PrintedPage {
  readonly contentType: string
  readonly text: string
}

export type ToWorker =
  | {
      readonly type: 'start'
      readonly site: WorkerSite
      readonly settings: ReadySettings
      readonly version: string
      /** Whether the worker replaces another one, so that requests arrive as soon as it is ready. */
      readonly replaces?: boolean
    }
  /**
   * `grace`: milliseconds that running work gets; a second message may shorten it. `patient`: whether idle connections stay
   * open for as long as their clients may still use them.
   */
  | { readonly type: 'stop'; readonly grace: number; readonly patient: boolean }
  /** The server will stop soon. The worker continues, and reports that it should get no new work. */
  | { readonly type: 'drain' }
  /** A question, answered by `answer`. `shared`: whether to include what all processes share. `process`: name of the worker. */
  | {
      readonly type: 'ask'
      readonly id: number
      readonly question: 'measures' | 'ready'
      readonly shared: boolean
      readonly process: string
    }
  /** A listening socket, sent along with this message: the answer to `prepared`, once for each of `count` sockets. */
  | { readonly type: 'socket'; readonly at: number; readonly count: number }
  /** A connection that the supervisor has accepted, sent along with this message. */
  | { readonly type: 'visitor' }
  /** The page of metrics that the worker asked for by `page`; null when it could not be made. */
  | { readonly type: 'page'; readonly id: number; readonly page: PrintedPage | null }
  /** Number of connections to close after their next answer. */
  | { readonly type: 'part'; readonly count: number }
  /** Another build to serve from the next request on; answered by `serving`. */
  | { readonly type: 'site'; readonly id: number; readonly builtSite: BuiltSite }
  | ({ readonly type: 'built' } & DevBuild)
  /** Assets of a site in development that were saved before its next build. */
  | { readonly type: 'assets'; readonly assets: SavedChanges['assets'] }
  | { readonly type: 'problems'; readonly text: string }
  /** What the check of the whole site reports after a build. */
  | ({ readonly type: 'checked' } & CheckedSite)

export type ToSupervisor =
  /** The worker now listens to messages. Earlier messages would be lost. */
  | { readonly type: 'hello' }
  | { readonly type: 'beat' }
  /** The worker can serve, and asks for the listening sockets. */
  | { readonly type: 'prepared' }
  /** A copy of a listening socket, sent along with this message. */
  | { readonly type: 'socket'; readonly at: number }
  | ({ readonly type: 'load' } & Load)
  /** `port`: null when the worker does not listen on a port. `news`: a notice for the person who starts the site. */
  | { readonly type: 'ready'; readonly port: number | null; readonly news: string | null }
  /** Measurements since the last message of this type. */
  | { readonly type: 'measured'; readonly changes: readonly MeasuredChange[] }
  | ({ readonly type: 'spans' } & SpanBatch)
  | {
      readonly type: 'answer'
      readonly id: number
      readonly states: readonly MeasuredState[]
      /** Why requests cannot be answered; null when they can. Only in answers to `ready`. */
      readonly problem: string | null
    }
  /** The answer to `site`: why the previous build is still served; null when the new one is. */
  | { readonly type: 'serving'; readonly id: number; readonly problem: string | null }
  /** Asks for the page of metrics. */
  | { readonly type: 'page'; readonly id: number }
  /** The worker is stopping, and its only open requests wait for its replacement. */
  | { readonly type: 'resting' }
  /** The worker cannot start, for this reason. It exits afterwards. */
  | { readonly type: 'failed'; readonly sentence: string }

/** Returns the name of a site for observers of several sites. */
export function serviceName(site: WorkerSite): string {
  return basename(site.kind === 'built' ? site.builtSite.root : site.root)
}

export function isToWorker(message: unknown): message is ToWorker {
  return hasType(message, [
    'start',
    'stop',
    'socket',
    'visitor',
    'drain',
    'ask',
    'page',
    'part',
    'site',
    'built',
    'assets',
    'problems',
    'checked',
  ])
}

export function isToSupervisor(message: unknown): message is ToSupervisor {
  return hasType(message, [
    'hello',
    'beat',
    'prepared',
    'socket',
    'load',
    'ready',
    'measured',
    'spans',
    'answer',
    'serving',
    'page',
    'resting',
    'failed',
  ])
}

function hasType(message: unknown, types: readonly string[]): boolean {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false
  return typeof message.type === 'string' && types.includes(message.type)
}

/** Merges a build into the previous one. Earlier changed modules stay changed as long as the entry is the same. */
export function mergeBuilds(before: DevBuild | null, next: DevBuild): DevBuild {
  const { entry, changedModules } = next
  const isSameEntry = before !== null && before.entry === entry && changedModules.length > 0
  const newer = new Map(
    isSameEntry ? before.changedModules.map((changedModule) => [changedModule.module, changedModule]) : [],
  )
  for (const changedModule of changedModules) newer.set(changedModule.module, changedModule)
  return { ...next, changedModules: [...newer.values()] }
}
