/** The failure of a job, as it is stored and printed. */
import { LimitFault, type LiquidFault } from '../../../../runtime/page/fault.ts'
import { asFault } from '../../../../runtime/page/render.ts'
import { DeliveryFault } from '../../../web/notifications/model.ts'
import { toSiteFailure as logEntryOf } from '../../../core/contracts/log.ts'

/** A location in a template. */
export interface FailureLocation {
  readonly path: string
  readonly line: number
}

export interface Failure {
  /**
   * `missing`: the code does not exist, so no attempt can succeed. `database`: the database was unreachable, which is no more the
   * job's fault than a crash of its server.
   */
  readonly reason: 'error' | 'timeout' | 'memory' | 'crash' | 'missing' | 'database'
  readonly errorClass: string | null
  readonly message: string
  /** The message for the site's log, with the location of a template error. */
  readonly located: string
  /** Innermost location first. */
  readonly stack: readonly FailureLocation[]
  /** Whether another attempt may succeed. */
  readonly canRetry: boolean
}

/** The site does not have the code that a job names. */
export class MissingCode extends Error {
  override readonly name = 'MissingCode'
}

/** The job failed because the database was unreachable. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
  constructor(override readonly cause: unknown) {
    super('the database could not be reached')
  }
}

/** Maximum length of a stored message in characters, and maximum number of locations in a stack. */
const MAX_MESSAGE_LENGTH = 4_000
const MAX_STACK_LENGTH = 50

/** Converts an error to a failure. @param locate finds the locations of a fault */
export function toFailure(error: unknown, locate: (fault: LiquidFault) => void): Failure {
  if (error instanceof MissingCode || (error instanceof DeliveryFault && error.kind === 'missing'))
    return { ...bareFailure('missing', error.message), canRetry: false }
  if (error instanceof DatabaseAway) return { ...toFailure(error.cause, locate), reason: 'database', canRetry: true }
  const fault = asFault(error)
  if (fault !== error) fault.cause ??= error
  locate(fault)
  const causeMessage = fault.cause instanceof Error && fault.message === 'internal error' ? fault.cause : fault
  return {
    reason: reasonOf(fault),
    errorClass: causeMessage.name,
    message: causeMessage.message.slice(0, MAX_MESSAGE_LENGTH),
    // A failure outside of templates, such as an undeliverable mail, has no template location.
    located: (fault.file === null ? causeMessage.message : logEntryOf(fault).message).slice(0, MAX_MESSAGE_LENGTH),
    stack: fault.frames.slice(0, MAX_STACK_LENGTH).map(({ file, line }) => ({ path: file, line })),
    canRetry: !(error instanceof DeliveryFault && error.kind === 'permanent'),
  }
}

function reasonOf(fault: LiquidFault): Failure['reason'] {
  if (!(fault instanceof LimitFault)) return 'error'
  return fault.limit === 'time' ? 'timeout' : fault.limit === 'memory' ? 'memory' : 'error'
}

/** Formats the failure of a sent template with its innermost location: a line of the template, or of one of the site's files. */
export function formatSentFailure({ message, stack }: Failure, text: string): string {
  const [innermost] = stack
  if (innermost === undefined) return message
  const { path, line } = innermost
  return path === text ? `Line ${line}: ${message}` : `${path}:${line}: ${message}`
}

/** A failure without a location, because the thread is gone. */
export function bareFailure(reason: Failure['reason'], message: string): Failure {
  return { reason, errorClass: null, message, located: message, stack: [], canRetry: true }
}

/** Formats the stack for the log. */
export function formatStack(stack: readonly FailureLocation[]): string {
  return stack.map(({ path, line }) => `    at ${path}:${line}`).join('\n')
}
