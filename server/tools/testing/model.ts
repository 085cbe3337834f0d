/** What tests are, and what comes of them. Data only. */

/** A test of a site. */
export interface TestCase {
  readonly kind: 'liquid' | 'requests'
  /** How it is called: `test/dishes/create_test`. */
  readonly name: string
  /** File in the site. */
  readonly file: string
}

/** Something that a test has found. */
export interface TestFailure {
  /** What was looked at; empty for an error. */
  readonly subject: string
  readonly message: string
  /** Null where nothing tells it. */
  readonly place: TestPlace | null
  /** Null where the message is all that is known. */
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
  /** What the test has printed. */
  readonly printed: string
  readonly milliseconds: number
}
