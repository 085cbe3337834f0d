/** Error messages of the reference implementation, word for word. Users search for them, and test suites compare them. */
import type { TextSlice } from './text-slices.ts'

/** Thrown when markup cannot be parsed. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** The wrong token; null if the whole markup is wrong. */
  readonly token: TextSlice | null
  /** The markup shown after the message; null for none. */
  readonly context: string | null

  constructor(message: string, token: TextSlice | null = null, context: string | null = null) {
    super(message)
    this.token = token
    this.context = context
  }

  /** The message with the markup after it. */
  get text(): string {
    return this.context === null ? this.message : `${this.message} in "${this.context}"`
  }
}

export const MESSAGES = {
  assign: "Syntax Error in 'assign' - Valid syntax: assign [var] = [source]",
  capture: "Syntax Error in 'capture' - Valid syntax: capture [var]",
  case: "Syntax Error in 'case' - Valid syntax: case [condition]",
  when: "Syntax Error in tag 'case' - Valid when condition: {% when [condition] [or condition2...] %}",
  caseElse: "Syntax Error in tag 'case' - Valid else condition: {% else %} (no parameters) ",
  cycle: "Syntax Error in 'cycle' - Valid syntax: cycle [name :] var [, var2, var3 ...]",
  nestedDoc: "Syntax Error in 'doc' - Nested doc tags are not allowed",
  doc: "Syntax Error in 'doc' - Valid syntax: {% doc %}{% enddoc %}",
  for: "Syntax Error in 'for loop' - Valid syntax: for [item] in [collection]",
  in: "For loops require an 'in' clause",
  forAttribute: 'Invalid attribute in for loop. Valid attributes are limit and offset',
  if: "Syntax Error in tag 'if' - Valid syntax: if [expression]",
  include: "Error in tag 'include' - Valid syntax: include '[template]' (with|for) [object|collection]",
  inlineComment: "Syntax error in tag '#' - Each line of comments must be prefixed by the '#' character",
  nesting: 'Nesting too deep',
  raw: "Syntax Error in 'raw' - Valid syntax: raw",
  render: "Syntax error in tag 'render' - Template name must be a quoted string",
  tablerow: "Syntax Error in 'table_row loop' - Valid syntax: table_row [item] in [collection] cols=3",
} as const

export const formatMessage = {
  tablerowAttribute: (name: string) =>
    `Invalid attribute '${name}' in tablerow loop. Valid attributes are cols, limit, offset, and range`,
  neverClosed: (name: string) => `'${name}' tag was never closed`,
  tagTermination: (token: string) => `Tag '${token}' was not properly terminated with regexp: /\\%\\}/`,
  outputTermination: (token: string) => `Variable '${token}' was not properly terminated with regexp: /\\}\\}/`,
  outerTag: (name: string) => `Unexpected outer '${name}' tag`,
  unexpectedElse: (block: string) => `${block} tag does not expect 'else' tag`,
  delimiter: (end: string, block: string, delimiter: string) =>
    `'${end}' is not a valid delimiter for ${block} tags. use ${delimiter}`,
  unknownTag: (name: string) => `Unknown tag '${name}'`,
} as const

/** Runs `read` and adds the markup to any refusal it throws. An outer context replaces an inner one. */
export function withContext<Result>(context: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(error.message, error.token, context)
    throw error
  }
}

export function contextOf({ text }: TextSlice): string {
  return text.replace(/^[ \t\r\n\f\v]+|[ \t\r\n\f\v\0]+$/g, '')
}
