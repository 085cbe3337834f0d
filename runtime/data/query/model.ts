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
import type { SiteChangeCall } from './change-model.ts'
import type { Problem } from './problem.ts'
import type { Source } from './source.ts'
import type { StatementAccess, RowAccess } from './row-access.ts'
import type { UploadHost } from './upload-host.ts'

export type { SourceRange, ResultType } from './result-type-model.ts'
export {
  type Correction,
  type Mistake,
  type Problem,
  problemKey,
  type PropertyUse,
  QueryError,
  RUN,
  type SyntaxStop,
  valueError,
} from './problem.ts'
export type { Source } from './source.ts'

// ---- inputs -------------------------------------------------------------------------------------------------------------

/** The maximum length of a text that indexes contain in full. */
export const SHORT = 200

export function isShort(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isShort)
  return typeof value === 'string' ? value.length < SHORT : typeof value !== 'object'
}

/** Returns whether a value is an empty text, or a text that consists of spaces only. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

/** Records that a decision depends on what `read` returns for the value of a source. */
export type RecordDecision = (source: Source, read: (value: unknown) => unknown) => void

/** Returns the value itself. Passed as `read` when a decision depends on the whole value. */
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

  /** Returns the value, for decisions about the SQL. Each read is recorded, because another value may require another statement. */
  get value(): unknown {
    this.#recordDecision?.(this.source, identityOf)
    return this.#value
  }

  /**
   * Returns whether the value is a blank text. A read is recorded as for `value`, but only the answer becomes part of the shape, and not the text.
   */
  get isBlank(): boolean {
    this.#recordDecision?.(this.source, isBlank)
    return isBlank(this.#value)
  }

  /** Returns whether the value is null. The answer is part of every shape, as is the answer of `isEmptyList`. */
  get isNull(): boolean {
    return this.#value === null || this.#value === undefined
  }

  /** Returns whether every text in the value is shorter than `SHORT`. The answer is part of every shape. */
  get isShort(): boolean {
    return isShort(this.#value)
  }

  get isEmptyList(): boolean {
    return Array.isArray(this.#value) && this.#value.length === 0
  }

  /** Combines several leaves into one leaf that holds a list. */
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
 * An argument. Null means that null was given, in the document or by a variable. The key is missing when the argument is not in the
 * document. Its value is undefined when its variable was not given.
 */
export type Input = Leaf | null | readonly Input[] | InputFields
export interface InputFields {
  readonly [name: string]: Input | undefined
}

/** Returns whether an input is a list of inputs. A list of scalars is a single leaf. */
export function isInputList(input: Input | undefined): input is readonly Input[] {
  return Array.isArray(input)
}

/** A field of the operation, after fragments were inlined and `@include` and `@skip` were decided. Fields with equal keys are merged. */
export interface Selected {
  /** Name in the result. */
  readonly responseKey: string
  readonly name: string
  readonly args: InputFields
  readonly selection: readonly Selected[]
  readonly field: GraphQLField<unknown, unknown>
  /** The type of the field. It is nullable when a variable may omit the field. */
  readonly type: GraphQLOutputType
  /** Whether a variable may omit the field. Only the compiler sees such fields, because it does not know the values of variables. */
  readonly isOptional: boolean
  readonly range: SourceRange
}

// ---- results ------------------------------------------------------------------------------------------------------------

/**
 * Completes the JSON result of a statement. Most results need no completion. A slow part is returned as a `DeferredValue`, and
 * `Build.markDeferred` must have announced it. `variables` are the variables of the execution.
 */
export type Shape = (value: unknown, host: ShapeHost, variables: Readonly<Record<string, unknown>>) => unknown

/** Functions of the host that convert the values of parameters. */
export interface ParameterHost {
  /** Encrypts a constant for storage. */
  seal(plainText: string): string
  readonly accounts: AccountSecrets
  /** The file storage. Absent when the host does not store files. */
  readonly uploads?: UploadHost | undefined
}

export type { Cast } from '../sql/sql.ts'
export type { UploadHost, UploadValue, UploadRequest } from './upload-host.ts'

/** Functions of the host that complete results. */
export interface ShapeHost extends ParameterHost {
  /** Decrypts a constant. */
  open(sealed: string): string
  /** Returns the URL of an upload. The URL of a private upload expires after the given number of seconds. */
  fileUrl(storedObject: Readonly<Record<string, unknown>>, expiresIn: number | null): string | null
  readonly accounts: AccountHost
}

/** A JSON-valued SQL expression, the completion of its value, and the type of the value. */
export interface JsonExpression {
  readonly sql: Sql
  readonly shape: Shape | null
  readonly type: ResultType
  /** The value as a text column, when a text column is cheaper than JSON. */
  readonly column?: { readonly sql: Sql; readonly reads: Column['reads'] }
  /** The parts of the value. Present when the value is an object. */
  readonly parts?: readonly { readonly key: string; readonly json: JsonExpression }[]
  /** The value as rows. Present when the value is an object with a single list of objects. */
  readonly rows?: RowsResult
}

/** A part of an object that is sent as a text column. The text is plain, JSON, or JSON in which only numbers need conversion. */
export interface Column {
  readonly key: string
  readonly reads: 'text' | 'json' | 'number'
}

/** A list of objects that is returned as columns. The database then need not build JSON, and the server need not parse JSON. */
export interface RowsResult {
  /** Writes a `select` with one text column for each part. */
  sql(build: Build): Sql
  /** A `select` with one result row for each object of the list, for lists that do not fit in memory. */
  readonly rowSelect: Sql
  readonly columns: readonly Column[]
  /** The completion of each object. */
  readonly shape: Shape | null
  /** The key of the list. */
  readonly key: string
}

// ---- building -----------------------------------------------------------------------------------------------------------

/** Describes how a query finds and sorts rows. Indexes are derived from it. */
export interface IndexNeed {
  readonly rows: 'records' | 'users'
  /** The table. Null for users, and for records of several tables, because each index covers one table. */
  readonly table: string | null
  readonly alive: boolean
  /** Columns or properties compared for equality. `optional` conditions are dropped when their variable is absent. */
  readonly equals: readonly { readonly key: IndexSpec['keys'][number]; readonly optional: boolean }[]
  readonly ranges: readonly { readonly key: IndexSpec['keys'][number]; readonly optional: boolean }[]
  readonly contains: readonly { readonly property: string; readonly optional: boolean }[]
  readonly elements: readonly { readonly property: string; readonly optional: boolean }[]
  readonly sort: readonly IndexSpec['keys'][number][]
  /** Conditions or sorts that no index can serve. `reason` says why, as a clause for a message. */
  readonly unserved: readonly { readonly reason: string; readonly range: SourceRange | null }[]
  readonly range: SourceRange | null
}

/** The tables with their numbers. The compiler's catalog has made-up numbers. */
export interface Catalog {
  readonly data: DataSchema
  /** Returns the number of a table; null for an unknown name. */
  tableId(name: string): number | null
  tableName(id: number): string | null
  /** Returns the declared properties of a table, by name. */
  properties(table: string): ReadonlyMap<string, PropertyDef> | null
  readonly userProperties: ReadonlyMap<string, PropertyDef>
  profileProperties(type: string): ReadonlyMap<string, PropertyDef> | null
}

/** Builds a statement. */
export interface Build {
  readonly catalog: Catalog
  readonly options: BuildOptions
  /**
   * Adds a parameter with a cast. `convert` is applied in every execution and may throw a `QueryError`; null becomes an SQL null. When it
   * returns a promise, `markDeferred` must be called.
   */
  bind(leaf: Leaf, cast: Cast, convert?: (value: unknown, host: ParameterHost) => unknown): Sql
  /** The SQL of the parameter for the signed-in user. */
  currentUserId(): Sql
  /** The SQL text literal of a declared name. */
  nameLiteral(name: string): Sql
  /** Announces that a parameter or a part of the result is computed asynchronously. */
  markDeferred(): void
  /** Announces that the result contains `RemotePart`s, which other sites answer. */
  markRemote(): void
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
  /** The site's setting `require_table_for_record_delete_mutation`. */
  readonly requireTableForDelete: boolean
  /** Whether results are for templates, which print a float without a fraction as `4.0`. */
  readonly floats?: boolean
  /** Whether `properties` of any table are returned as stored, for exports, which must not change the digits of numbers. */
  readonly areStored?: boolean
  /**
   * The site's `graphql_argument_type_mismatch_mode`: how values that do not fit their variables are treated. When it is absent, such a
   * value is an error.
   */
  readonly mismatch?: 'error' | 'warning' | 'ignore'
}

/** The statement for one shape of variables. */
export interface Statement {
  /** The SQL. In place of values, it contains the sources of the parameters. */
  readonly sql: SqlStatement
  /** Returns the parameters of one execution; they contain promises only when `hasDeferred` is set. */
  values(variables: Readonly<Record<string, unknown>>, viewer: string | null, host: ParameterHost): unknown[]
  readonly shape: Shape | null
  /** Whether parameters may be promises, and the result may contain `DeferredValue`s. */
  readonly hasDeferred: boolean
  /** Whether the result may contain `RemotePart`s. */
  readonly hasRemote: boolean
  /**
   * Set when the statement returns rows, which form the list under a key of the root field. Otherwise the statement returns one row with
   * one column of JSON.
   */
  readonly rows:
    | (Omit<RowsResult, 'sql' | 'rowSelect'> & { readonly rowSelect: SqlStatement; readonly root: string })
    | null
}

// ---- fields of the root types ---------------------------------------------------------------------------------------------

interface RootField {
  readonly name: string
  /** The field's line in `RootQuery` or `RootMutation`: `records(filter: …): RecordCollection!`. */
  readonly sdl: string
  /** The types of the schema that this field needs. Related fields may use the same text; each type is then defined once. */
  readonly types?: string
  /**
   * Names of arguments in which each variable becomes one `Leaf` with its plain value. A list of thousands of input objects is then not
   * part of the shape.
   */
  readonly singleLeafArguments?: readonly string[]
}

/** A field that reads the database. `build` returns a JSON expression for the operation's only statement. */
export interface QueryField extends RootField {
  readonly kind: 'query'
  build(call: Selected, build: Build): JsonExpression
}

/**
 * A field that reads the compiled site. `value` returns plain values by field name. They are then filtered, sorted, paginated and
 * projected.
 */
export interface SiteField extends RootField {
  readonly kind: 'site'
  /** @param effects null where the host cannot perform any */
  value(
    args: Readonly<Record<string, unknown>>,
    site: SiteFacts,
    effects: EffectHost | null,
  ): Promise<unknown> | unknown
}

/** A field that reads a page of records or users of another site. */
export interface RemoteField extends RootField {
  readonly kind: 'remote'
}

/**
 * A field that writes with one statement, which returns its result as JSON. A null result means that no row was written. It is an error,
 * whose message `missing` returns.
 */
export interface MutationField extends RootField {
  readonly kind: 'mutation'
  build(call: Selected, build: Build): JsonExpression
  /** Returns the error message when the statement returns no row. */
  missing?(args: Readonly<Record<string, unknown>>): string
  /** The data that the statement changes and the host caches. The host updates its cache in the same transaction. */
  readonly changedCache?: 'constants'
  /**
   * Performs further effects of the statement, in its transaction.
   * @param written the result of the statement before completion
   * @throws QueryError, which rolls it back
   */
  runEffects?(written: unknown, effects: EffectHost | null): Promise<void>
  /** How calls that name a form are submitted. */
  readonly form?: FormRoute
}

/** A form submission that a mutation was converted to. */
export interface FormSubmission {
  /** The id of the row; null for a new one. */
  readonly id: string | null
  readonly table: string | null
  /** The object `form` of a request; null when a row is deleted. */
  readonly raw: Readonly<Record<string, unknown>> | null
}

/** The resources of the forms that mutations can name. */
export type FormRows = 'records' | 'users' | 'sessions'

/** How a mutation that names a form is converted to a submission. */
export interface FormRoute<Rows extends FormRows = 'records' | 'users'> {
  readonly rows: Rows
  readonly operation: 'create' | 'update' | 'delete'
  /**
   * Reads the arguments of the mutation.
   * @throws QueryError for arguments that no form accepts
   */
  read(args: Readonly<Record<string, unknown>>): FormSubmission
}

/**
 * A field that submits a form of any resource, in a separate transaction. `build` reads the result from the variables that `forms.ts`
 * defines.
 */
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
   * Performs the change.
   * @returns the value of the field, when `build` is absent
   * @throws QueryError
   */
  perform(args: Readonly<Record<string, unknown>>, host: SessionFieldHost): Promise<unknown> | unknown
  /** How calls that name a form are submitted. */
  readonly form?: FormRoute<'sessions'>
  /** Reads the value of the field after `perform`, with a statement. */
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
   * Whether the effect is slow. A slow effect runs after earlier writes are committed, so that no transaction waits for it. Otherwise the
   * effect is part of their transaction.
   */
  readonly isSlow: boolean
  /** @throws QueryError */
  perform(args: Readonly<Record<string, unknown>>, effects: EffectHost): Promise<unknown> | unknown
}

/**
 * A field that changes files of the site. All fields of this kind in an operation are performed together, after everything else, so that they make one
 * release, or nothing.
 */
export interface ChangeField extends RootField {
  readonly kind: 'change'
  /**
   * Returns the change that a call makes, and how its value is read.
   * @throws QueryError when the call names something that the site does not have
   */
  plan(args: Readonly<Record<string, unknown>>, site: SiteFacts): Promise<SiteChangeCall>
}

/** The fields of queries. */
export type QueryRootField = QueryField | SiteField | RemoteField

export type AnyRootField = QueryRootField | MutationRootField

export type MutationRootField = MutationField | SessionField | EffectField | SubmitField | ChangeField

// ---- analysis for the compiler -------------------------------------------------------------------------------------------------

export interface VariableDef {
  readonly name: string
  /** The type as written in the document, such as `[String!]`. */
  readonly type: string
  /** Whether the type is non-null and the variable has no default. */
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
  /** The type of the result, an object with the root fields. Null when the document is invalid. */
  readonly result: ResultType | null
  /** The result type that follows from the schema alone, without the site's tables. */
  readonly schemaResult: SchemaResultObject | null
  readonly problems: readonly Problem[]
  readonly needs: readonly IndexNeed[]
  readonly indexes: readonly IndexSpec[]
  /** The row accesses of the sent statements, in the order of the root fields. */
  readonly statements: readonly StatementAccess[]
  /**
   * Undeclared properties that callers can write. Null when callers can write any, because a variable contains the name or the whole
   * object.
   */
  readonly undeclaredWrites: readonly string[] | null
  readonly deprecated: readonly DeprecatedUse[]
}
