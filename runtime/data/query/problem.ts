/** Errors in operations. Facts about an error are data, next to its words. */
import type { SourceRange } from './result-type-model.ts'

/** An error in an operation. The compiler reports it as a diagnostic; at run time it becomes an entry of `errors`. */
export interface Problem extends Correction {
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
  /** What is wrong, for programs. Nothing reads the words. */
  readonly mistake: Mistake
  /** Where the parser of GraphQL stopped. */
  readonly stop?: SyntaxStop
}

/** A likely correction. */
export interface Correction {
  readonly hint: string | null
  /** What was probably meant instead of the name in `mistake`. The hint then asks whether it was. */
  readonly meant?: string
}

/** How a property is used. `set` writes a value of a variable. `literal` writes a value that the document contains. */
export type PropertyUse = 'read' | 'filter' | 'sort' | 'aggregate' | 'join' | 'set' | 'literal'

/** Returns a text that is equal for problems that report the same mistake in the same place. */
export function problemKey({ code, mistake, range }: Problem): string {
  const { kind, name, type, field } = mistake
  return JSON.stringify([code, kind, name, type, field, range?.start])
}

/** Thrown while planning or running an operation. Never contains the text of a statement. */
export class QueryError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join('; '))
    this.problems = problems
  }
}

/** Creates the error of a value that only a run of the operation finds missing or wrong. */
export function valueError(
  message: string,
  range: SourceRange | null = null,
  more: Partial<Pick<Problem, 'hint' | 'details'>> = {},
): QueryError {
  return new QueryError([{ code: 'value', message, range, hint: null, ...more, mistake: RUN }])
}

/** The mistake of an error that only a run of the operation finds. */
export const RUN: Mistake = { kind: 'run', name: '' }

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

/** What an error is about. Two errors with equal mistakes in the same place are one error. */
export interface Mistake {
  readonly kind: /** The document cannot be parsed. The name is the token that was found. */
    | 'syntax'
    /** A limit of documents or operations. The name is what is counted. */
    | 'limit'
    /** The document has no operation, several, or none of the requested name. */
    | 'operation'
    | 'subscription'
    | 'unknown field'
    | 'unknown input field'
    | 'unknown argument'
    /** An argument of a directive, which is the field. */
    | 'unknown directive argument'
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
    /** A variable whose type is not an input type. */
    | 'output type'
    /** Any other rule of GraphQL. The name consists of the names of the nodes. */
    | 'other rule'
    | 'unknown table'
    | 'unknown profile type'
    | 'unknown property'
    /** A property whose type does not fit the value or the change. */
    | 'property type'
    /** An input that the operation needs here, although the schema does not require it. */
    | 'missing input'
    /** An input that the schema allows, but not here. */
    | 'refused input'
    /** A value of an input that the type allows, but the input does not. */
    | 'refused value'
    /** A value that only a run of the operation finds missing or wrong. It concerns nothing that has a name. */
    | 'run'
  /** The name of what is unknown, missing, unused or refused; for a wrong value, the value. Empty if nothing has a name. */
  readonly name: string
  /**
   * The type, table or profile that has or lacks the name; for an argument that is missing, for a value and for a property, its expected
   * type.
   */
  readonly type?: string
  /** The field of an argument or selection. */
  readonly field?: string
  /** The type that a variable is declared with. */
  readonly declared?: string
}
