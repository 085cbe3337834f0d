/** An error of the template's own making: prints as Liquid prints it, can be caught by `try`, and knows its place once located. */

/** Where a fault happened, and the chain of files that led there, innermost first. */
export interface Frame {
  readonly file: string
  /** 1-based line in the template. */
  readonly line: number
}

export class LiquidFault extends Error {
  override readonly name: string = 'LiquidError'
  /** Set by `Render.fault` or, in raise mode, read from the JavaScript stack by `locate`. */
  file: string | null = null
  line: number | null = null
  frames: readonly Frame[] = []

  /** The text that stands in place of the failing tag when errors are printed inline, and `err.message` in `catch`. */
  get located(): string {
    if (this.file === null) return `Liquid error: ${this.message}`
    return `Liquid error (${this.file}:${this.line}): ${this.message}`
  }
}

/** A filter or tag was given what it cannot work with (`invalid integer`, `divided by 0`). */
export class ArgumentFault extends LiquidFault {
  override readonly name = 'LiquidArgumentError'
}

/** A limit ended the render: steps, output size, nesting or time. `try` does not catch it. */
export class LimitFault extends LiquidFault {
  override readonly name = 'LiquidLimitError'
  constructor(
    message: string,
    readonly limit: 'steps' | 'output' | 'time' | 'depth' | 'memory',
  ) {
    super(message)
  }
}

/** A query failed: what is left of its result has `errors`. */
export class QueryFault extends LiquidFault {
  override readonly name = 'GraphQLError'
}

/** A template reached something that this host does not offer, or a unit that was built with errors (`build --keep-going`). */
export class UnavailableFault extends LiquidFault {
  override readonly name = 'LiquidUnavailableError'
}

/**
 * Ends the body of a block at once, through everything that stands in between: nothing answers it but the block itself, which
 * then goes on, or fails with `fault`. No error: `try` does not catch it, and nothing prints it.
 */
export class Unwind extends Error {
  override readonly name = 'Unwind'
  constructor(
    /** What the block fails with; null for one that just ends. */
    readonly fault: LiquidFault | null,
  ) {
    super(fault?.message ?? 'the block ends here')
  }
}
