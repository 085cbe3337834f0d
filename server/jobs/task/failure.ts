/** What ended a job, as it is kept and shown. */
import { LimitFault, type LiquidFault } from '../../../runtime/page/fault.ts'
import { asFault } from '../../../runtime/page/render.ts'
import { DeliveryFault } from '../../notifications/model.ts'
import { failureOf as told } from '../../contracts/log.ts'

/** A place in a template. */
export interface FailurePlace {
  readonly path: string
  readonly line: number
}

export interface Failure {
  /**
   * `missing`: its code is not there (any more), so no attempt will ever succeed; `database`: that could not be reached, for which
   * the job is as little to blame as for the end of its server.
   */
  readonly reason: 'error' | 'timeout' | 'memory' | 'crash' | 'missing' | 'database'
  readonly errorClass: string | null
  readonly message: string
  /** The message as the log of the site has it, with the place that errors of templates carry. */
  readonly located: string
  /** The innermost first. */
  readonly stack: readonly FailurePlace[]
  /** Whether another attempt may go better. */
  readonly again: boolean
}

/** Code that a job names and the site does not have. */
export class MissingCode extends Error {
  override readonly name = 'MissingCode'
}

/** The database could not be reached while a job ran, and the job has failed. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
  constructor(override readonly cause: unknown) {
    super('the database could not be reached')
  }
}

/** Characters of a message, and places of a stack, that are kept. */
const LONGEST = 4_000
const DEEPEST = 50

/** @param locate finds the places of a fault */
export function failureOf(error: unknown, locate: (fault: LiquidFault) => void): Failure {
  if (error instanceof MissingCode || (error instanceof DeliveryFault && error.kind === 'missing'))
    return { ...bareFailure('missing', error.message), again: false }
  if (error instanceof DatabaseAway) return { ...failureOf(error.cause, locate), reason: 'database', again: true }
  const fault = asFault(error)
  if (fault !== error) fault.cause ??= error
  locate(fault)
  const why = fault.cause instanceof Error && fault.message === 'internal error' ? fault.cause : fault
  return {
    reason: reasonOf(fault),
    errorClass: why.name,
    message: why.message.slice(0, LONGEST),
    // What failed behind all templates, as mail that could not be delivered, is no error of Liquid's.
    located: (fault.file === null ? why.message : told(fault).message).slice(0, LONGEST),
    stack: fault.frames.slice(0, DEEPEST).map(({ file, line }) => ({ path: file, line })),
    again: !(error instanceof DeliveryFault && error.kind === 'permanent'),
  }
}

function reasonOf(fault: LiquidFault): Failure['reason'] {
  if (!(fault instanceof LimitFault)) return 'error'
  return fault.limit === 'time' ? 'timeout' : fault.limit === 'memory' ? 'memory' : 'error'
}

/** A failure that has no place in a template: the thread is gone. */
export function bareFailure(reason: Failure['reason'], message: string): Failure {
  return { reason, errorClass: null, message, located: message, stack: [], again: true }
}

/** One line for the log. */
export function shownStack(stack: readonly FailurePlace[]): string {
  return stack.map(({ path, line }) => `    at ${path}:${line}`).join('\n')
}
