/**
 * The types of the planner. A document becomes a `Plan` once; a plan becomes a `Statement` once for each shape of its
 * variables; a statement is executed with variables. The code that writes the SQL also finds problems with names
 * (`Problem`), the type of the result (`ResultType`) and the needed indexes (`IndexNeed`), so that the compiler and the
 * server always agree.
 */
import type { SiteFacts } from './site-facts.ts'
import type { GraphQLField, GraphQLOutputType } from 'graphql'
import type { DataSchema, IndexSpec, PropertyDef } from '../../page/compiled.ts'
import type { Cast, Sql, SqlStatement } from '../sql/sql.ts'
import type { AccountHost, AccountSecrets, SessionHost } from './account-host.ts'
import type { SchemaResultObject, SourceRange, ResultType } from './result-type-model.ts'
import type { EffectHost } from './effects.ts'
import type { Source } from './source.ts'
import type { StatementAccess, RowAccess } from './row-access.ts'
import type { UploadHost } from './upload-host.ts'

export type { SourceRange, ResultType } from './result-type-model.ts'
export type { Source } from './source.ts'

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
  /** The table whose file lacks the property, for the related location; for an unknown table, the requested name. */
  readonly table?: string | null
  /** Details of the error for programs, in addition to the code. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The known names, when an unknown one was used. */
  readonly knownNames?: readonly string[]
  /** Set when a variable with a single value is used as a list. The value is coerced to a list of one. */
  readonly singleAsList?: true
  /** Set when the schema allows the operation, but the site's configuration refuses it. */
  readonly refusedByConfiguration?: true
  /** An undeclared property, and its use. */
  readonly undeclared?: { readonly property: string; readonly use: PropertyUse }
}

/** The use of a property. `set` writes it from a variable, `literal` writes a value in the document. */
export type PropertyUse = 'read' | 'filter' | 'sort' | 'aggregate' | 'join' | 'set' | 'literal'

/** Thrown while planning or running an operation. Never contains the text of a statement. */
export class QueryError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join('; '))
    this.problems = problems
  }
}

// ---- inputs -------------------------------------------------------------------------------------------------------------

/** The length up to which indexes contain a text in full. */
export const SHORT = 200

export function isShort(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isShort)
  return typeof value === 'string' ? value.length < SHORT : typeof value !== 'object'
}

/** Returns whether a value is a text that consists of spaces only, or is empty. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

/** Records that a decision depends on what `read` returns for the value of a source. */
export type RecordDecision = (source: Source, read: (value: unknown) => unknown) => void

/** Returns the value unchanged, for decisions that depend on the whole value. */
export function identityOf(value: unknown): unknown {
  return value
}

/**
 * A scalar, an enum value or a list of scalars, with its source. Code may base decisions on `value` only for inputs with few possible
 * values: names of tables and properties, enums, and booleans. Each decision on a variable's value makes the value part of the statement's
 * shape. `known` is false while the compiler plans with a variable.
 */
export class Leaf {
  readonly source: Source
  readonly range: SourceRange | null
  readonly isKnown: boolean
  readonly #value: unknown
  readonly #recordDecision: RecordDecision | null

  constructor(
    value: unknown,
    source: Source,
    range: SourceRange | null,
    isKnown = true,
    recordDecision: RecordDecision | null = null,
  ) {
    this.#value = value
    this.source = source
    this.range = range
    this.isKnown = isKnown
    this.#recordDecision = recordDecision
  }

  /** The value, for deciding which SQL to write. Reading it is recorded, because another value may require another statement. */
  get value(): unknown {
    this.#recordDecision?.(this.source, identityOf)
    return this.#value
  }

  /** Whether the value is a blank text. As with `value`, reading it is recorded, but only this answer becomes part of the shape. */
  get isBlank(): boolean {
    this.#recordDecision?.(this.source, isBlank)
    return isBlank(this.#value)
  }

  /** Whether the value is null. This is part of every shape, as `isEmptyList` is. */
  get isNull(): boolean {
    return this.#value === null || this.#value === undefined
  }

  /** Whether all its texts are shorter than `SHORT`. Part of every shape. */
  get isShort(): boolean {
    return isShort(this.#value)
  }

  get isEmptyList(): boolean {
    return Array.isArray(this.#value) && this.#value.length === 0
  }

  /** Combines leaves to a list. */
  static list(leaves: readonly Leaf[], range: SourceRange | null = leaves[0]?.range ?? null): Leaf {
    const recordDecision = (): void => {
      for (const leaf of leaves) void leaf.value
    }
    return new Leaf(
      leaves.map((leaf) => leaf.#value),
      { kind: 'list', items: leaves.map((leaf) => leaf.source) },
      range,
      leaves.every((leaf) => leaf.isKnown),
      recordDecision,
    )
  }
}

/**
 * An argument. Null means that null was given, in the document or by a variable. A key is missing when it is not in the document, and has
 * the value undefined when its variable was not given.
 */
export type Input = Leaf | null | readonly Input[] | InputFields
export interface InputFields {
  readonly [name: string]: Input | undefined
}

/** Returns whether an input is a list of inputs. A list of scalars is one leaf instead. */
export function isInputList(input: Input | undefined): input is readonly Input[] {
  return Array.isArray(input)
}

/** A field of the operation after fragments are spread and `@include` and `@skip` are decided; equal keys are merged. */
export interface Selected {
  /** Name in the result. */
  readonly responseKey: string
  readonly name: string
  readonly args: InputFields
  readonly selection: readonly Selected[]
  readonly field: GraphQLField<unknown, unknown>
  /** The type of the field. It is nullable when a variable may leave the field out. */
  readonly type: GraphQLOutputType
  /** Whether a variable may leave the field out. Only the compiler sees such fields, because it does not know the values of variables. */
  readonly isOptional: boolean
  readonly range: SourceRange
}

// ---- results ------------------------------------------------------------------------------------------------------------

/**
 * Completes the JSON result of a statement. Most results need no completion. A slow part is returned as a `DeferredValue`, which
 * `Build.markDeferred` announces. `variables` are those of the execution.
 */
export type Shape = (value: unknown, host: ShapeHost, variables: Readonly<Record<string, unknown>>) => unknown

/** The host functions that parameters are computed with. */
export interface ParameterHost {
  /** Encrypts a constant for storage. */
  seal(plainText: string): string
  readonly accounts: AccountSecrets
  /** Absent when files are not stored. */
  readonly uploads?: UploadHost | undefined
}

export type { Cast } from '../sql/sql.ts'
export type { UploadHost, UploadValue, UploadRequest } from './upload-host.ts'

/** The host functions that results are computed with. */
export interface ShapeHost extends ParameterHost {
  /** Decrypts a constant. */
  open(sealed: string): string
  /** The URL of an upload. A private one expires after the given seconds. */
  fileUrl(storedObject: Readonly<Record<string, unknown>>, expiresIn: number | null): string | null
  readonly accounts: AccountHost
}

/** A JSON-valued SQL expression, the completion of its value, and the type of the value. */
export interface JsonExpression {
  readonly sql: Sql
  readonly shape: Shape | null
  readonly type: ResultType
  /** The value as a text column, when that is cheaper than JSON. */
  readonly column?: { readonly sql: Sql; readonly reads: Column['reads'] }
  /** The parts of the value, when it is an object. */
  readonly parts?: readonly { readonly key: string; readonly json: JsonExpression }[]
  /** The value as rows, when it is an object with a single list of objects. */
  readonly rows?: RowsResult
}

/** A part of an object that is sent as a text column: plain text, JSON text, or JSON in which only numbers need conversion. */
export interface Column {
  readonly key: string
  readonly reads: 'text' | 'json' | 'number'
}

/** A list of objects as columns. The database need not build JSON for it, and the server need not parse any. */
export interface RowsResult {
  /** Writes a `select` with one text column for each part. */
  sql(build: Build): Sql
  /** A `select` that returns one row at a time, for lists that do not fit in memory. */
  readonly rowJson: Sql
  readonly columns: readonly Column[]
  /** The completion of each object. */
  readonly shape: Shape | null
  /** The key of the list. */
  readonly key: string
}

// ---- building -----------------------------------------------------------------------------------------------------------

/** The rows that a query reads, for deriving indexes. */
export interface IndexNeed {
  readonly rows: 'records' | 'users'
  /** Null for users, and for records of several tables, which no index of a table serves. */
  readonly table: string | null
  readonly alive: boolean
  /** Columns or properties compared for equality. `optional` conditions are dropped when their variable is absent. */
  readonly equals: readonly { readonly key: IndexSpec['keys'][number]; readonly optional: boolean }[]
  readonly ranges: readonly { readonly key: IndexSpec['keys'][number]; readonly optional: boolean }[]
  readonly contains: readonly { readonly property: string; readonly optional: boolean }[]
  readonly elements: readonly { readonly property: string; readonly optional: boolean }[]
  readonly sort: readonly IndexSpec['keys'][number][]
  /** Conditions or sorts that no index can serve. `why` is the reason, as a clause for a message. */
  readonly unserved: readonly { readonly reason: string; readonly range: SourceRange | null }[]
  readonly range: SourceRange | null
}

/** The tables of a database. The compiler's catalog has made-up numbers. */
export interface Catalog {
  readonly data: DataSchema
  /** The number of a table; null for an unknown name. */
  tableId(name: string): number | null
  tableName(id: number): string | null
  /** The declared properties of a table, by name. */
  properties(table: string): ReadonlyMap<string, PropertyDef> | null
  readonly userProperties: ReadonlyMap<string, PropertyDef>
  profileProperties(type: string): ReadonlyMap<string, PropertyDef> | null
}

/** Builds a statement. */
export interface Build {
  readonly catalog: Catalog
  readonly options: BuildOptions
  /**
   * A cast parameter. `convert` is applied in every execution and may throw a `QueryError`; null becomes an SQL null.
   * When it returns a promise, `markDeferred` must be called.
   */
  bind(leaf: Leaf, cast: Cast, convert?: (value: unknown, host: ParameterHost) => unknown): Sql
  /** The parameter for the signed-in user. */
  currentUserId(): Sql
  /** A declared name, as an SQL text literal. */
  nameLiteral(name: string): Sql
  /** Announces that a parameter or a part of the result is computed asynchronously. */
  markDeferred(): void
  /** A new table alias. */
  newAlias(hint: string): Sql
  /** Returns whether the value may be absent in another execution. Its condition is dropped then. */
  isOptional(leaf: Leaf): boolean
  /** Reports a problem. At run time it is thrown. In the compiler it is collected, and planning continues. */
  reportProblem(problem: Problem): void
  /** Reports a problem to the compiler only, because it is not an error at run time. */
  reportToCompiler(problem: Problem): void
  /** Announces that callers can write an undeclared property: the named one, or any when no name is given. */
  allowUndeclaredWrite(property?: string): void
  addIndexNeed(need: IndexNeed): void
  /** Announces rows that the statement reads or writes. */
  addRowAccess(rowAccess: RowAccess): void
}

export interface BuildOptions {
  /** `require_table_for_record_delete_mutation`. */
  readonly requireTableForDelete: boolean
  /** Whether results are for templates. They show a float without a fraction as `4.0`. */
  readonly floats?: boolean
  /**
   * The site's `graphql_argument_type_mismatch_mode`: how values that do not fit their variables are treated. When absent, the operation
   * fails.
   */
  readonly mismatch?: 'error' | 'warning' | 'ignore'
}

/** The statement for one shape of variables. */
export interface Statement {
  /** The SQL, whose values are the sources of the parameters. */
  readonly sql: SqlStatement
  /** The parameters of one execution; they contain promises only when `hasDeferred` is set. */
  values(variables: Readonly<Record<string, unknown>>, viewer: string | null, host: ParameterHost): unknown[]
  readonly shape: Shape | null
  /** Whether parameters may be promises, and the result may contain `DeferredValue`s. */
  readonly hasDeferred: boolean
  /** Set when the statement returns rows: the list under a key of the root field. Otherwise it returns JSON in one column of one row. */
  readonly rows:
    | (Omit<RowsResult, 'sql' | 'rowJson'> & { readonly rowJson: SqlStatement; readonly root: string })
    | null
}

// ---- fields of the root types ---------------------------------------------------------------------------------------------

interface RootField {
  readonly name: string
  /** The field's line in `RootQuery` or `RootMutation`: `records(filter: …): RecordCollection!`. */
  readonly sdl: string
  /** Types that only this field and related ones need. Each type is defined once. */
  readonly types?: string
  /**
   * Names of arguments in which each variable becomes one `Leaf` with its plain value. Lists of thousands of input objects are then not
   * part
   * of the shape.
   */
  readonly singleLeafArguments?: readonly string[]
}

/** A field that reads the database. `build` returns a JSON expression for the operation's only statement. */
export interface QueryField extends RootField {
  readonly kind: 'query'
  build(call: Selected, build: Build): JsonExpression
}

/**
 * A field that reads the compiled site. `value` returns plain values by field name, which are then filtered, sorted, paginated and
 * projected.
 */
export interface SiteField extends RootField {
  readonly kind: 'site'
  value(args: Readonly<Record<string, unknown>>, site: SiteFacts): Promise<unknown> | unknown
}

/**
 * A field that writes with one statement, which returns its result as JSON. A null result means that there was no row to write; `missing`
 * returns the message of that error.
 */
export interface MutationField extends RootField {
  readonly kind: 'mutation'
  build(call: Selected, build: Build): JsonExpression
  /** The error when the statement returns no row. */
  missing?(args: Readonly<Record<string, unknown>>): string
  /** The cached data that the host must update after the statement, in the same transaction. */
  readonly changedCache?: 'constants'
  /**
   * The effects of the statement, in its transaction.
   * @param written its result before completion
   * @throws QueryError, which rolls it back
   */
  runEffects?(written: unknown, effects: EffectHost | null): Promise<void>
  /** The route for calls that name a form. */
  readonly form?: FormRoute
}

/** A submission of a mutation. */
export interface FormSubmission {
  /** The id of the row; null for a new one. */
  readonly id: string | null
  readonly table: string | null
  /** The object `form` of a request; null when a row is deleted. */
  readonly raw: Readonly<Record<string, unknown>> | null
}

/** The resources of forms that mutations can name. */
export type FormRows = 'records' | 'users' | 'sessions'

/** How a mutation is converted to a submission. */
export interface FormRoute<Rows extends FormRows = 'records' | 'users'> {
  readonly rows: Rows
  readonly operation: 'create' | 'update' | 'delete'
  /** @throws QueryError for arguments that no form accepts */
  read(args: Readonly<Record<string, unknown>>): FormSubmission
}

/** A field that submits a form of any resource, in a separate transaction. `build` reads the result from the variables of `forms.ts`. */
export interface SubmitField extends RootField {
  readonly kind: 'submit'
  build(call: Selected, build: Build): JsonExpression
}

/**
 * A field that changes the visitor's session. It runs outside of any transaction, because it cannot be rolled back. Later mutations see the
 * new user.
 */
export interface SessionField extends RootField {
  readonly kind: 'session'
  /**
   * @returns the value of the field, when `build` is absent
   * @throws QueryError
   */
  perform(args: Readonly<Record<string, unknown>>, host: SessionFieldHost): Promise<unknown> | unknown
  /** The route for calls that name a form. */
  readonly form?: FormRoute<'sessions'>
  /** Reads the value of the field after `perform`. */
  build?(call: Selected, build: Build): JsonExpression
}

/** The host functions that a session field may use. */
interface SessionFieldHost {
  readonly session: SessionHost
  readonly accounts: AccountHost
}

/** A field that sends or queues something. Its value is created in memory and projected by the selection. */
export interface EffectField extends RootField {
  readonly kind: 'effect'
  /**
   * Whether the effect is slow. Earlier writes are then committed first, so that no transaction waits for it. Otherwise the effect is part
   * of
   * their transaction.
   */
  readonly isSlow: boolean
  /** @throws QueryError */
  perform(args: Readonly<Record<string, unknown>>, effects: EffectHost): Promise<unknown> | unknown
}

export type AnyRootField = QueryField | SiteField | MutationRootField

/** The fields of mutations. */
export type MutationRootField = MutationField | SessionField | EffectField | SubmitField

// ---- analysis for the compiler -------------------------------------------------------------------------------------------------

export interface VariableDef {
  readonly name: string
  /** As in the document, such as `[String!]`. */
  readonly type: string
  /** Non-null without a default. */
  readonly required: boolean
  readonly range: SourceRange
}

/** A use of a field, argument or enum value that the schema marks as deprecated. */
export interface DeprecatedUse {
  readonly name: string
  readonly reason: string | null
  readonly range: SourceRange | null
}

export interface Analysis {
  readonly kind: 'query' | 'mutation'
  readonly name: string | null
  readonly variables: readonly VariableDef[]
  /** An object: the root fields. Null when the document is invalid. */
  readonly result: ResultType | null
  /** The result type that the schema alone determines. */
  readonly schemaResult: SchemaResultObject | null
  readonly problems: readonly Problem[]
  readonly needs: readonly IndexNeed[]
  readonly indexes: readonly IndexSpec[]
  /** The statements that are sent, in the order of the root fields. */
  readonly statements: readonly StatementAccess[]
  /**
   * Undeclared properties that callers can write. Null when callers can write any, because a variable contains the name or the whole
   * object.
   */
  readonly undeclaredWrites: readonly string[] | null
  readonly deprecated: readonly DeprecatedUse[]
}
