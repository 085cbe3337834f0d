/** Data types of tests and their results. */

/** A test of a site. */
export interface TestCase {
  readonly kind: 'liquid' | 'requests'
  /** Name, such as `test/dishes/create_test`. */
  readonly name: string
  /** File in the site. */
  readonly file: string
}

/** A failed assertion, or an error. */
export interface TestFailure {
  /** Subject of the assertion; empty for an error. */
  readonly subject: string
  readonly message: string
  /** Null when it is unknown. */
  readonly place: TestPlace | null
  /** Null when there is only a message. */
  readonly values: { readonly expected: string; readonly got: string } | null
}

export interface TestPlace {
  readonly file: string
  readonly line: number
}

export interface TestResult {
  readonly test: TestCase
  readonly failures: readonly TestFailure[]
  readonly assertions: number
  /** Output of the test. */
  readonly printed: string
  readonly milliseconds: number
}
