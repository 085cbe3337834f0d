/**
 * An error of a template: it prints as Liquid prints errors, `try` can catch it, and it has a location once `locate`
 * has found it.
 */

/** A location of a fault. */
export interface Frame {
  readonly file: string
  /** The line in the template, counted from 1. */
  readonly line: number
}

export class LiquidFault extends Error {
  override readonly name: string = 'LiquidError'
  /** The location. `Render.fault` sets it. In raise mode, `locate` derives it from the JavaScript stack. */
  file: string | null = null
  line: number | null = null
  frames: readonly Frame[] = []

  /** Returns the text that is printed in place of the failing tag. In `catch`, it is `err.message`. */
  get located(): string {
    if (this.file === null) return `Liquid error: ${this.message}`
    return `Liquid error (${this.file}:${this.line}): ${this.message}`
  }
}

/** Thrown when a template has invalid syntax. */
export class SyntaxFault extends LiquidFault {
  override readonly name = 'LiquidSyntaxError'
}

/**
 * Formats an error as the reference implementation of base Liquid does: with its line, and with the partial unless
 * it is the rendered file.
 */
export function referenceText(fault: LiquidFault, rendered: string | null): string {
  const kind = fault instanceof SyntaxFault ? 'Liquid syntax error' : 'Liquid error'
  if (fault.file === null) return `${kind}: ${fault.message}`
  const partial = fault.file === rendered ? '' : `${fault.file.replace(/\.liquid$/, '')} `
  return `${kind} (${partial}line ${fault.line}): ${fault.message}`
}

/** Thrown when a filter or tag receives an invalid argument (`invalid integer`, `divided by 0`). */
export class ArgumentFault extends LiquidFault {
  override readonly name = 'LiquidArgumentError'
}

/** Thrown when a render exceeds a limit: steps, output size, nesting, time or memory. `try` does not catch it. */
export class LimitFault extends LiquidFault {
  override readonly name = 'LiquidLimitError'
  constructor(
    message: string,
    readonly limit: 'steps' | 'output' | 'time' | 'depth' | 'memory' | 'score',
  ) {
    super(message)
  }
}

/** Thrown when a query fails. The result of the query then contains `errors`. */
export class QueryFault extends LiquidFault {
  override readonly name = 'GraphQLError'
}

/** Thrown when a template uses something that the host does not offer, or a unit that was built with errors (`build --keep-going`). */
export class UnavailableFault extends LiquidFault {
  override readonly name = 'LiquidUnavailableError'
}

/**
 * Thrown to leave a block early. At the end of the block, the render continues, or fails with `fault`. It is not an error: `try` does not
 * catch it, and it is not printed.
 */
export class Unwind extends Error {
  override readonly name = 'Unwind'
  constructor(
    /** The error with which the block fails; null when the block only ends. */
    readonly fault: LiquidFault | null,
  ) {
    super(fault?.message ?? 'the block ends here')
  }
}
