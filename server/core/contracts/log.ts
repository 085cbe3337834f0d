/** The interfaces of the process's own log and of the site's log, independent of their implementations. */
import type pino from 'pino'
import type { LiquidFault } from '../../../runtime/page/fault.ts'
import type { LogEntry } from '../../../runtime/page/services.ts'

/** The process's own log. */
export type Logger = pino.Logger

/** Where a log entry comes from. */
export interface LogOrigin {
  /** Host and path of the request. */
  readonly url: string | null
  /** Slug of the page. */
  readonly page: string | null
  readonly user: { readonly id: string; readonly email: string | null } | null
  /** Id of the job. */
  readonly job: string | null
}

export const NO_ORIGIN: LogOrigin = { url: null, page: null, user: null, job: null }

/** A failure that ended a request or a job. */
export interface SiteFailure {
  readonly type: string
  readonly message: string
  /** Locations in templates, innermost first. */
  readonly stack: readonly { readonly path: string; readonly line: number }[]
}

/** The site's log: what its templates write, and their failures. No method waits or throws. */
export interface SiteLog {
  /** Writes an entry of a template, or a fault that was printed in place. */
  write(entry: LogEntry, origin: LogOrigin): void
  /** Records a failure that the process's own log has already received. */
  failed(failure: SiteFailure, origin: LogOrigin): void
  /** Records an entry that the process's own log has already received. Absent where entries are not stored. */
  keep?(entry: LogEntry, origin: LogOrigin): void
}

/** Describes a located fault. */
export function toSiteFailure(fault: LiquidFault): SiteFailure {
  const { cause, frames } = fault
  // The message of an internal error is generic, so the cause is added.
  const causeMessage =
    cause instanceof Error && fault.message === 'internal error' ? ` (${cause.name}: ${cause.message})` : ''
  const ownLocation = fault.file === null || fault.line === null ? [] : [{ path: fault.file, line: fault.line }]
  const stack = frames.length > 0 ? frames.map(({ file, line }) => ({ path: file, line })) : ownLocation
  return { type: fault.name, message: fault.located + causeMessage, stack }
}
