/** Errors in operations. Facts about an error are data, next to its words. */
import type { SourceRange } from './result-type-model.ts'

/** An error in an operation. The compiler reports it as a diagnostic; at run time it becomes an entry of `errors`. */
export interface Problem {
  readonly code:
    | 'syntax'
    | 'invalid'
    /** Valid in the platform's schema, but not in Ingot's. */
    | 'not-served'
    | 'variable-type'
    | 'unknown-table'
    | 'unknown-property'
    | 'property-type'
    | 'value'
  readonly message: string
  readonly range: SourceRange | null
  /** A likely correction. */
  readonly hint: string | null
  /** The table whose file lacks the property, which the diagnostic shows as a related place. For an unknown table, the requested name. */
  readonly table?: string | null
  /** Details of the error for programs, in addition to the code. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The known names, when an unknown one was used. */
  readonly knownNames?: readonly string[]
  /** Set when a variable that holds a single value is used as a list. The value is then coerced to a list of one. */
  readonly singleAsList?: true
  /** Set when the schema allows the operation, but the site's configuration refuses it. */
  readonly refusedByConfiguration?: true
  /** An undeclared property that the document uses, how it is used, and what lacks it: one table or profile, all tables, or users. */
  readonly undeclared?: {
    readonly property: string
    readonly use: PropertyUse
    readonly of: 'table' | 'profile' | 'tables' | 'users'
  }
  /** The property whose type the value does not fit. */
  readonly property?: string
  /** What a rule of GraphQL found. */
  readonly mistake?: Mistake
  /** Where the parser of GraphQL stopped. */
  readonly stop?: SyntaxStop
}

/** How a property is used. `set` writes a value of a variable. `literal` writes a value that the document contains. */
export type PropertyUse = 'read' | 'filter' | 'sort' | 'aggregate' | 'join' | 'set' | 'literal'

/** Thrown while planning or running an operation. Never contains the text of a statement. */
export class QueryError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join('; '))
    this.problems = problems
  }
}

/** Where and why the parser stopped. */
export interface SyntaxStop {
  /** The token that was found: its kind, as in graphql-js (`Name`, `{`, `<EOF>`), or the character that begins no token. */
  readonly found: string
  /** The brackets that are open there, from the outside: `{(`. */
  readonly open: string
  /** Whether a name before it needs a colon. */
  readonly needsColon: boolean
  /** The kind of the token before it. */
  readonly previous: string
}

/** What an error of a rule of GraphQL is about. */
export interface Mistake {
  readonly kind:
    | 'unknown field'
    | 'unknown input field'
    | 'unknown argument'
    | 'unknown value'
    | 'unknown type'
    | 'unknown fragment'
    | 'unknown directive'
    | 'undeclared variable'
    | 'unused fragment'
    | 'missing argument'
    | 'missing input field'
    | 'missing selection'
    | 'surplus selection'
    | 'wrong value'
    | 'variable type'
  /** The name of what is unknown, missing or unused; for a wrong value, the value. */
  readonly name: string
  /** The type that has or lacks the name; for an argument that is missing and for a value, its expected type. */
  readonly type?: string
  /** The field of an argument or selection. */
  readonly field?: string
  /** The type that a variable is declared with. */
  readonly declared?: string
}
