/** What the supervisor and its worker processes tell each other. */
import type { ReadySettings } from '../settings.ts'
import type { BuiltSite } from '../site/load.ts'
import type { Load } from './load.ts'

/** One rebuilt module of a site in development. */
export interface ChangedModule {
  readonly module: string
  readonly url: string
}

/** What a worker serves. */
export type WorkerSite =
  | { readonly kind: 'built'; readonly built: BuiltSite }
  /** A site in development: what it is comes by `built` and `problems` messages. */
  | { readonly kind: 'dev'; readonly root: string }

/** A build of a site in development: its entry, and the modules that are newer than that. */
export interface DevBuild {
  readonly entry: string
  readonly changed: readonly ChangedModule[]
  /** What the compiler says against templates that are built as ones that fail, by their paths. */
  readonly errors: Readonly<Record<string, string>>
}

export type ToWorker =
  | { readonly type: 'start'; readonly work: WorkerSite; readonly settings: ReadySettings; readonly version: string }
  /** Milliseconds; see `Listening.stop`. A second one may shorten the time. */
  | { readonly type: 'stop'; readonly grace: number; readonly linger: number }
  /** Connections to close behind their next answers. */
  | { readonly type: 'part'; readonly count: number }
  | ({ readonly type: 'built' } & DevBuild)
  | { readonly type: 'problems'; readonly text: string }

export type ToSupervisor =
  /** The worker listens to messages from now on; earlier ones would be lost. */
  | { readonly type: 'hello' }
  | { readonly type: 'beat' }
  | ({ readonly type: 'load' } & Load)
  /** `port`: null where it listens on none. `news`: what whoever starts the site should know of it. */
  | { readonly type: 'ready'; readonly port: number | null; readonly news: string | null }
  /** The worker cannot start, in one sentence; it exits after this. */
  | { readonly type: 'failed'; readonly sentence: string }

export function isToWorker(message: unknown): message is ToWorker {
  return typed(message, ['start', 'stop', 'part', 'built', 'problems'])
}

export function isToSupervisor(message: unknown): message is ToSupervisor {
  return typed(message, ['hello', 'beat', 'load', 'ready', 'failed'])
}

function typed(message: unknown, types: readonly string[]): boolean {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false
  return typeof message.type === 'string' && types.includes(message.type)
}

/** The newest build after a message: modules that had changed before stay changed while the entry is the same. */
export function newerBuild(before: DevBuild | null, { entry, changed, errors }: DevBuild): DevBuild {
  const goesOn = before !== null && before.entry === entry && changed.length > 0
  const newer = new Map(goesOn ? before.changed.map((one) => [one.module, one]) : [])
  for (const one of changed) newer.set(one.module, one)
  return { entry, changed: [...newer.values()], errors }
}
