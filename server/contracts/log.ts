/** The process's own log, and the log of the site: what rooms tell them, whoever keeps it. */
import type pino from 'pino'
import type { LiquidFault } from '../../runtime/page/fault.ts'
import type { LogEntry } from '../../runtime/page/services.ts'

/** The process's own log. */
export type Logger = pino.Logger

/** Where something was said, or went wrong. */
export interface LogPlace {
  /** Host and path. */
  readonly url: string | null
  /** Slug of the page. */
  readonly page: string | null
  readonly user: { readonly id: string; readonly email: string | null } | null
  /** Id of the job. */
  readonly job: string | null
}

export const NOWHERE: LogPlace = { url: null, page: null, user: null, job: null }

/** What ended an answer, or a job. */
export interface SiteFailure {
  readonly type: string
  readonly message: string
  /** Places of templates, the innermost first. */
  readonly stack: readonly { readonly path: string; readonly line: number }[]
}

/** The log of the site: what its templates say, and what went wrong in them. Nothing of it waits or throws. */
export interface SiteLog {
  /** An entry of a template; and a fault that it printed in place. */
  write(entry: LogEntry, place: LogPlace): void
  /** A failure that the process's own log has been told of. */
  failed(failure: SiteFailure, place: LogPlace): void
}

/** What is told of a fault that has been located. */
export function failureOf(fault: LiquidFault): SiteFailure {
  const { cause, frames } = fault
  // What broke inside of the server has no words of its own.
  const why = cause instanceof Error && fault.message === 'internal error' ? ` (${cause.name}: ${cause.message})` : ''
  const own = fault.file === null || fault.line === null ? [] : [{ path: fault.file, line: fault.line }]
  const stack = frames.length > 0 ? frames.map(({ file, line }) => ({ path: file, line })) : own
  return { type: fault.name, message: fault.located + why, stack }
}
