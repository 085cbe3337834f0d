/**
 * What the rooms of the planner hand to each other. A document becomes a `Plan` once; a plan with the shape of its variables
 * becomes one `Statement`, once; a statement with variables runs. The same walk that writes the SQL also says what is wrong
 * with the names in it (`Problem`), what its result looks like (`ResultType`) and which indexes it needs (`Need`), so that
 * the compiler and the server never disagree.
 */
import type { GraphQLOutputType } from 'graphql'
import type { DataSchema, IndexSpec, PropertyDef } from '../../page/compiled.ts'
import type { Cast, Sql, SqlStatement } from '../sql/sql.ts'
import type { AccountHost, AccountSecrets, SessionHost } from './accounts.ts'
import type { EffectHost } from './effects.ts'
import type { UploadHost } from './upload-host.ts'

/** Offsets in the document's text. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** What is wrong with an operation. In the compiler it becomes a diagnostic, at run time an entry of `errors`. */
export interface Problem {
  readonly code:
    | 'syntax'
    | 'invalid'
    /** It fits the platform's schema, not ours. */
    | 'not-served'
    | 'variable-type'
    | 'unknown-table'
    | 'unknown-property'
    | 'property-type'
    | 'value'
  readonly message: string
  readonly at: Place | null
  /** One likely mend. */
  readonly hint: string | null
  /** Table whose YAML file lacks the property, for the related place; of an unknown table, the name that was asked for. */
  readonly table?: string | null
  /** What programs read of it, beside its code. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The names that there are, where one was asked for that is not among them. */
  readonly known?: readonly string[]
  /** Of a variable whose type does not fit: its place takes a list of such values, and a single value becomes one. */
  readonly listed?: true
  /** A property that is not declared, and what is done with it. */
  readonly undeclared?: { readonly property: string; readonly use: PropertyUse }
}

/** What a document does with a property: `set` and `literal` write it, from a variable and as the document says. */
export type PropertyUse = 'read' | 'filter' | 'sort' | 'aggregate' | 'join' | 'set' | 'literal'

/** Thrown while an operation is planned or run; never holds the text of a statement. */
export class QueryError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join('; '))
    this.problems = problems
  }
}

// ---- inputs -------------------------------------------------------------------------------------------------------------

/** Where the value of a parameter comes from when the statement runs. */
export type Source =
  | { readonly kind: 'constant'; readonly value: unknown }
  /** A part of the coerced variables. */
  | { readonly kind: 'variable'; readonly path: readonly (string | number)[] }
  | { readonly kind: 'list'; readonly items: readonly Source[] }
  /** An object literal with variables in it: of a JSON scalar, or of an argument that is taken whole. */
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, Source])[] }

/** Letters below which a text is compared as a whole by what an index holds of it. */
export const SHORT = 200

export function isShort(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isShort)
  return typeof value === 'string' ? value.length < SHORT : typeof value !== 'object'
}

/**
 * A scalar, an enum value, or a list of scalars, with where it comes from. Deciding on `value` is right only at positions that
 * are few: table and property names, enums, booleans. Each decision on a variable's value makes that value part of the shape.
 * `known` is false when the compiler plans and the value is a variable's.
 */
export class Leaf {
  readonly source: Source
  readonly at: Place | null
  readonly known: boolean
  readonly #value: unknown
  readonly #decided: ((source: Source, value: unknown) => void) | null

  constructor(
    value: unknown,
    source: Source,
    at: Place | null,
    known = true,
    decided: ((source: Source, value: unknown) => void) | null = null,
  ) {
    this.#value = value
    this.source = source
    this.at = at
    this.known = known
    this.#decided = decided
  }

  /** The value, to decide what statement is written: another value may then write another one, so it is remembered. */
  get value(): unknown {
    this.#decided?.(this.source, this.#value)
    return this.#value
  }

  /** Whether there is no value. Part of every shape, as is `isEmptyList`. */
  get isNull(): boolean {
    return this.#value === null || this.#value === undefined
  }

  /** Whether all texts in it are shorter than `SHORT`. Part of every shape too. */
  get isShort(): boolean {
    return isShort(this.#value)
  }

  get isEmptyList(): boolean {
    return Array.isArray(this.#value) && this.#value.length === 0
  }

  /** One leaf of several: a list whose items came one by one. */
  static list(leaves: readonly Leaf[], at: Place | null = leaves[0]?.at ?? null): Leaf {
    const decided = (): void => {
      for (const leaf of leaves) void leaf.value
    }
    return new Leaf(
      leaves.map((leaf) => leaf.#value),
      { kind: 'list', items: leaves.map((leaf) => leaf.source) },
      at,
      leaves.every((leaf) => leaf.known),
      decided,
    )
  }
}

/**
 * An argument. Null was given, in the document or by a variable. Keys that are absent were not given; a key whose value is
 * undefined is written in the document with a variable that was not given.
 */
export type Input = Leaf | null | readonly Input[] | InputFields
export interface InputFields {
  readonly [name: string]: Input | undefined
}

/** A field of the operation after fragments are spread and `@include` and `@skip` are decided; equal keys are merged. */
export interface Selected {
  /** Name in the result. */
  readonly key: string
  readonly name: string
  readonly args: InputFields
  readonly selection: readonly Selected[]
  readonly type: GraphQLOutputType
  readonly at: Place
}

// ---- results ------------------------------------------------------------------------------------------------------------

/** What comes back, as templates see it. Everything nullable says so. */
export type ResultType =
  /** `JSON`: anything. `Date`: text as `2020-03-15T14:28:48.153Z`. `ID`: text. */
  | { readonly kind: 'scalar'; readonly name: 'ID' | 'String' | 'Int' | 'Float' | 'Boolean' | 'Date' | 'JSON' }
  | { readonly kind: 'list'; readonly of: ResultType }
  | {
      readonly kind: 'object'
      readonly fields: ReadonlyMap<string, ResultType>
      /** Where the fields are selected, or null for the properties of a table. */
      readonly at: Place | null
      /** `properties` of a known table: its name, whose file declares the fields. */
      readonly table: string | null
    }
  | { readonly kind: 'nullable'; readonly of: ResultType }

/**
 * What a statement's JSON still lacks; most need nothing. A part that takes time is given as `Later`, announced by
 * `Build.later`. `variables` are those of this execution.
 */
export type Shape = (value: unknown, host: ShapeHost, variables: Readonly<Record<string, unknown>>) => unknown

/** What parameters are made with. */
export interface ParameterHost {
  /** Seals a constant for storing. */
  seal(plain: string): string
  readonly accounts: AccountSecrets
  /** Absent where files are not kept. */
  readonly uploads?: UploadHost | undefined
}

export type { Cast } from '../sql/sql.ts'
export type { UploadHost, UploadValue, UploadWish } from './upload-host.ts'

/** What results are made with. */
export interface ShapeHost extends ParameterHost {
  /** Opens a sealed constant. */
  open(sealed: string): string
  /** URL of a stored upload, for so many seconds where it is private. */
  fileUrl(stored: Readonly<Record<string, unknown>>, expiresIn: number | null): string | null
  readonly accounts: AccountHost
}

/** A JSON-valued SQL expression, what is left to do to its value, and the value's type. */
export interface Json {
  readonly sql: Sql
  readonly shape: Shape | null
  readonly type: ResultType
  /** The same value as a column of text, where that costs less than JSON of it. */
  readonly column?: { readonly sql: Sql; readonly reads: Column['reads'] }
  /** The parts of an object. */
  readonly parts?: readonly { readonly key: string; readonly json: Json }[]
  /** The same value as the rows of a statement of its own, where it is nothing but a list of objects under a key. */
  readonly rows?: Rows
}

/** A part of an object that travels as a column of text: as it is, as text of JSON, or as JSON of which only a number counts. */
export interface Column {
  readonly key: string
  readonly reads: 'text' | 'json' | 'number'
}

/** A list of objects as columns, which the database need not make JSON of, nor we read again. */
export interface Rows {
  /** Writes `select …` of one text a column, in their order. */
  sql(build: Build): Sql
  /** The same a row at a time, for lists that no memory holds. */
  readonly each: Sql
  readonly columns: readonly Column[]
  /** What is left to do to each object. */
  readonly shape: Shape | null
  /** Key of the list. */
  readonly key: string
}

// ---- building -----------------------------------------------------------------------------------------------------------

/** One reading of rows: what an index would have to serve. */
export interface Need {
  readonly rows: 'records' | 'users'
  /** Null for users, and for records of no one table, which no index of a table serves. */
  readonly table: string | null
  readonly alive: boolean
  /** Columns or properties compared for equality; `optional` where the condition is dropped without its variable. */
  readonly equals: readonly { readonly key: IndexSpec['keys'][number]; readonly optional: boolean }[]
  readonly ranges: readonly { readonly key: IndexSpec['keys'][number]; readonly optional: boolean }[]
  readonly contains: readonly { readonly property: string; readonly optional: boolean }[]
  readonly elements: readonly { readonly property: string; readonly optional: boolean }[]
  readonly sort: readonly IndexSpec['keys'][number][]
  /** Conditions or sorts that no index can serve, with why in half a sentence, and where. */
  readonly unserved: readonly { readonly why: string; readonly at: Place | null }[]
  readonly at: Place | null
}

/** Tables as this database knows them. The compiler's has made-up ids. */
export interface Catalog {
  readonly data: DataSchema
  /** Number of a table, or null where the site has none of that name. */
  tableId(name: string): number | null
  tableName(id: number): string | null
  /** Declared properties of a table by name. */
  properties(table: string): ReadonlyMap<string, PropertyDef> | null
  readonly userProperties: ReadonlyMap<string, PropertyDef>
  profileProperties(type: string): ReadonlyMap<string, PropertyDef> | null
}

/** Collects one statement. */
export interface Build {
  readonly catalog: Catalog
  readonly options: BuildOptions
  /**
   * A parameter, cast. `convert` runs on the value of every execution and may throw a `QueryError`; null is a SQL null.
   * One that gives a promise is announced by `later`.
   */
  bind(leaf: Leaf, cast: Cast, convert?: (value: unknown, host: ParameterHost) => unknown): Sql
  /** A parameter that is no input of the caller: the signed-in user. */
  viewer(): Sql
  /** A name that the site declares, as a quoted SQL text. */
  declared(name: string): Sql
  /** Some parameter of the statement, or some part of its result, takes time to make. */
  later(): void
  /** A fresh table alias. */
  alias(hint: string): Sql
  /** Whether the value may be absent in another execution, so that its condition is dropped there. */
  isOptional(leaf: Leaf): boolean
  /** Reports; at run time throws, while the compiler goes on. */
  problem(problem: Problem): void
  /** Reports what is no error at run time: only the compiler hears of it. */
  remark(problem: Problem): void
  /** Callers of the document can write a property that is not declared: the one of this name, or, without one, any. */
  opens(property?: string): void
  need(need: Need): void
}

export interface BuildOptions {
  /** `require_table_for_record_delete_mutation`. */
  readonly requireTableForDelete: boolean
  /** Results are for templates, where a whole Float keeps its point: `4.0`. Others get the numbers of JSON. */
  readonly floats?: boolean
  /** `graphql_argument_type_mismatch_mode`: what becomes of a value that its variable does not take; absent: the operation fails. */
  readonly mismatch?: 'error' | 'warning' | 'ignore'
}

/** What one shape of variables runs. */
export interface Statement {
  /** Its values say how those of an execution are made. */
  readonly sql: SqlStatement
  /** The parameters of one execution; promises among them only where something comes `later`. */
  values(variables: Readonly<Record<string, unknown>>, viewer: string | null, host: ParameterHost): unknown[]
  readonly shape: Shape | null
  /** Parameters may be promises, and the shaped result may hold `Later`. */
  readonly later: boolean
  /** It gives rows, which are the list under the second key of the root field under the first; otherwise JSON in one column of one row. */
  readonly rows: (Omit<Rows, 'sql' | 'each'> & { readonly each: SqlStatement; readonly root: string }) | null
}

// ---- fields of the root types ---------------------------------------------------------------------------------------------

interface RootField {
  readonly name: string
  /** Its line of `RootQuery` or `RootMutation`, without the type around it: `records(filter: …): RecordCollection!`. */
  readonly sdl: string
  /** Types that only this field and its like need. Each type stands in one file. */
  readonly types?: string
  /**
   * Arguments of which each variable, at whatever depth, is one `Leaf` with the plain value: lists of thousands of input
   * objects are no part of a statement's shape.
   */
  readonly whole?: readonly string[]
}

/** Reads the database: a JSON-valued expression, part of the operation's one statement. */
export interface QueryField extends RootField {
  readonly kind: 'query'
  build(call: Selected, build: Build): Json
}

/** Reads the compiled site: plain values by field name, projected by the selection. Filters, sorts and pages like the others. */
export interface SiteField extends RootField {
  readonly kind: 'site'
  value(args: Readonly<Record<string, unknown>>, site: SiteFacts): Promise<unknown> | unknown
}

/** Writes: one statement with its result as JSON. Null JSON means that there was nothing to write to; `missing` then says so. */
export interface MutationField extends RootField {
  readonly kind: 'mutation'
  build(call: Selected, build: Build): Json
  /** The error when the statement gives no row. */
  missing?(args: Readonly<Record<string, unknown>>): string
  /** What the host does after the statement, in the same transaction: `constants` are read again, … */
  readonly touches?: 'constants'
  /**
   * What the statement sets off, in its transaction.
   * @param found what it gave, before it is shaped
   * @throws QueryError, which undoes it
   */
  after?(found: unknown, effects: EffectHost | null): Promise<void>
  /** How it is done where the call names a form. */
  readonly form?: FormRoute
}

/** What a mutation sends to a form. */
export interface FormSending {
  /** Of the row; null for a new one. */
  readonly id: string | null
  readonly table: string | null
  /** As the object `form` of a request; null where a row is deleted. */
  readonly raw: Readonly<Record<string, unknown>> | null
}

/** A mutation as the sending of a form. */
export interface FormRoute {
  readonly rows: 'records' | 'users'
  readonly operation: 'create' | 'update' | 'delete'
  /** @throws QueryError for what no form takes */
  read(args: Readonly<Record<string, unknown>>): FormSending
}

/** Sends a form of any resource, in a transaction of its own: `build` reads what became of it from the variables of `forms.ts`. */
export interface SubmitField extends RootField {
  readonly kind: 'submit'
  build(call: Selected, build: Build): Json
}

/**
 * Acts on the visitor's session, outside of any transaction: what was done to it stays. Mutations that follow see who is
 * signed in then.
 */
export interface SessionField extends RootField {
  readonly kind: 'session'
  /** @returns the field's value where `build` is absent. @throws QueryError */
  act(args: Readonly<Record<string, unknown>>, host: SessionActs): Promise<unknown> | unknown
  /** Reads the field's value after the act. */
  build?(call: Selected, build: Build): Json
}

/** What the act of a field may use. */
export interface SessionActs {
  readonly session: SessionHost
  readonly accounts: AccountHost
}

/** Sends or queues something: its value is made in memory, and projected by the selection. */
export interface EffectField extends RootField {
  readonly kind: 'effect'
  /**
   * It takes time: what was written before it is kept first, and no transaction waits for it. Without it the act is part of the
   * transaction of the mutations around it.
   */
  readonly slow: boolean
  /** @throws QueryError */
  act(args: Readonly<Record<string, unknown>>, effects: EffectHost): Promise<unknown> | unknown
}

export type AnyField = QueryField | SiteField | ChangeField

/** Fields of mutations. */
export type ChangeField = MutationField | SessionField | EffectField | SubmitField

/**
 * What `admin_*` fields read. Implemented by the server over the compiled site. All items have `id` (text, equal for equal
 * files from build to build), `created_at` and `updated_at` (as `JSONDate` prints), and those of files `physical_file_path`,
 * `metadata` (`{}` where there is none) and `manually_managed` (false). Texts of files are functions, which may be
 * asynchronous: they are read only when a query selects or compares them. Keys that are missing count as null.
 */
export interface SiteFacts {
  /**
   * `slug`, `format`, `request_method`, `handler` (`liquid`, `markdown`), `layout` and its old name `layout_name`, `content()`,
   * `html_content()`, `content_updated_at`, `searchable`, `max_deep_level`, `redirect_to`, `redirect_code`, `subdomain`,
   * `static_cache_expire`, `dynamic_cache_key`, `dynamic_cache_expire`, `dynamic_cache_layout`, `response_headers`, `policies`
   * (names, for filters) and `authorization_policies()`: items with `name`, `content()`, `flash_alert`, `redirect_to`,
   * `http_status` and `authorization_policy_associations` (`[]`).
   */
  pages(): Promise<readonly SiteItem[]>
  /** Partials and files of `lib`: `path` (the name they are called by), `format`, `body()`. */
  partials(): Promise<readonly SiteItem[]>
  /** `name` (path below `assets/`), `url`, `content_type`, `file_size` in bytes. */
  assets(): Promise<readonly SiteItem[]>
  /** `name`, `parameterized_name`, `properties` and its old name `fields` (as `userSchema`), `records_count_rc()`: living rows. */
  tables(): Promise<readonly SiteItem[]>
  /** `name`, `attribute_type`, `default_value` (text), `belongs_to`, `options`, `target_id` and `target_type` (`Table`, `User`). */
  userSchema(): readonly SiteItem[]
  /** `id`, `name`, `feature_flags` (`{}`). */
  instance(): SiteItem
}

/** A row of a site field: values by the field names of its GraphQL type. A function is called when the field is selected. */
export type SiteItem = Readonly<Record<string, unknown>>

// ---- what the compiler asks -------------------------------------------------------------------------------------------------

export interface VariableDef {
  readonly name: string
  /** As written: `[String!]`. */
  readonly type: string
  /** Non-null without a default. */
  readonly required: boolean
  readonly at: Place
}

/** All that the compiler wants to know about one document. */
export interface Analysis {
  readonly kind: 'query' | 'mutation'
  readonly name: string | null
  readonly variables: readonly VariableDef[]
  /** An object: the root fields. Null where the document does not hold. */
  readonly result: ResultType | null
  readonly problems: readonly Problem[]
  readonly needs: readonly Need[]
  readonly indexes: readonly IndexSpec[]
  /**
   * Properties that callers can write without a declaration; null where that is any, since the name, or the object that it
   * stands in, comes from a variable.
   */
  readonly opened: readonly string[] | null
}
