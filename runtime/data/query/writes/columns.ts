/** The columns that a mutation writes: the ids, times and texts of an input object, as parameters. */
import { type Build, type Input, Leaf, type InputFields, type SourceRange, QueryError } from '../model.ts'
import { leafOf } from '../rows/input.ts'
import { idText } from '../rows/comparison-values.ts'
import { isoText, momentOf } from '../../values/moments.ts'
import { replaceLoneSurrogates } from '../../../page/values/well-formed.ts'
import { identifier, join, type Sql, sql } from '../../sql/sql.ts'

/** The kind of a column. Columns of a `required` kind, `email` and passwords always have a value. Null leaves them unchanged. */
export type ColumnKind =
  | 'id'
  | 'text'
  | 'time'
  | 'required text'
  | 'required time'
  | 'email'
  | 'password'
  /** The password of a new user. */
  | 'first password'

/** The SQL of the given columns, by name. */
export type ColumnsSql = ReadonlyMap<string, Sql>

/** Returns the column list of an `insert`. */
export function columnNames(columns: ColumnsSql): Sql {
  return join([...columns.keys()].map(identifier))
}

/** Returns the `set` list of an `update`. */
export function assignedColumns(columns: ColumnsSql): Sql {
  return join([...columns].map(([column, value]) => sql`${identifier(column)} = ${value}`))
}

/**
 * Returns the SQL of the columns in the fields. A missing field, or a variable without a value, leaves the column unchanged. Null clears
 * it.
 */
export function columnsSql(fields: InputFields, kinds: Readonly<Record<string, ColumnKind>>, build: Build): ColumnsSql {
  const columns = new Map<string, Sql>()
  for (const [column, kind] of Object.entries(kinds)) {
    const input = fields[column]
    if (input === undefined) continue
    const leaf = leafOf(input)
    if (leaf !== null) columns.set(column, columnSql(column, kind, leaf, build))
    else if (NULL_BY_KIND[kind] !== null) columns.set(column, NULL_BY_KIND[kind])
  }
  return columns
}

const NULL_BY_KIND: Readonly<Record<ColumnKind, Sql | null>> = {
  id: sql`null::bigint`,
  text: sql`null::text`,
  time: sql`null::timestamptz`,
  'required text': null,
  'required time': null,
  email: null,
  password: null,
  'first password': null,
}

/** The SQL of a column whose value may be invalid, because the row may belong to a table without this column. */
interface ValidatedColumn {
  /** The value. It is null when the value is invalid. */
  readonly sql: Sql
  /** The text that says why the value is invalid. It is null when the value is valid. */
  readonly complaint: Sql
}

/** Returns the SQL of a column whose value may be invalid; null when the column cannot be written. */
export function validatedColumn(
  column: string,
  kind: ColumnKind,
  { leaf, range }: { readonly leaf: Leaf | null; readonly range: SourceRange | null },
  build: Build,
): ValidatedColumn | null {
  if (leaf === null) {
    const expression = NULL_BY_KIND[kind]
    return expression === null ? null : { sql: expression, complaint: sql`null::text` }
  }
  const convertOrExplain = (value: unknown): { readonly text: string | null; readonly reason: string | null } => {
    if (value === '' && isClearedByEmptyText(column, kind)) return { text: null, reason: null }
    try {
      return { text: columnText(column, kind, value, leaf.range ?? range), reason: null }
    } catch (error) {
      if (error instanceof QueryError) return { text: null, reason: error.message }
      throw error
    }
  }
  const cast = kind === 'id' ? 'bigint' : kind === 'time' || kind === 'required time' ? 'timestamptz' : 'text'
  return {
    sql: build.bind(leaf, cast, (value) => convertOrExplain(value).text),
    complaint: build.bind(leaf, 'text', (value) => convertOrExplain(value).reason),
  }
}

function columnSql(column: string, kind: ColumnKind, leaf: Leaf, build: Build): Sql {
  const convert = (value: unknown): string => columnText(column, kind, value, leaf.range)
  if (isClearedByEmptyText(column, kind)) {
    const orNull = (value: unknown): string | null => (value === '' ? null : convert(value))
    checkLiteral(leaf, orNull, build)
    return build.bind(leaf, kind === 'id' ? 'bigint' : 'timestamptz', orNull)
  }
  checkLiteral(leaf, convert, build)
  if (isPassword(kind)) {
    build.markDeferred()
    const isNew = kind === 'first password'
    return build.bind(leaf, 'text', (value, host) => host.accounts.hashPassword(convert(value), isNew))
  }
  if (kind === 'id') return build.bind(leaf, 'bigint', convert)
  return build.bind(leaf, kind === 'time' || kind === 'required time' ? 'timestamptz' : 'text', convert)
}

function isPassword(kind: ColumnKind): boolean {
  return kind === 'password' || kind === 'first password'
}

/** Returns whether an empty text clears the column, which is the id of a related row or an optional time. */
function isClearedByEmptyText(column: string, kind: ColumnKind): boolean {
  return kind === 'time' || (kind === 'id' && column !== 'id')
}

/** Reports an invalid literal. Values of variables are checked in each execution. */
export function checkLiteral(leaf: Leaf, convert: (value: unknown) => unknown, build: Build): void {
  if (leaf.source.kind !== 'constant') return
  try {
    convert(leaf.value)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    for (const problem of error.problems) build.reportProblem(problem)
  }
}

/** The largest id that callers may choose. It leaves space for ids that the database generates later. */
const MAX_ID = 10n ** 15n

/**
 * Converts a value to the text of a column.
 * @throws QueryError for an invalid value
 */
export function columnText(column: string, kind: ColumnKind, value: unknown, range: SourceRange | null): string {
  const text = String(value)
  if (kind === 'id') {
    const digits = /^\s*(\d{1,19})\s*$/.exec(text)?.[1]
    const id = digits === undefined ? 0n : BigInt(digits)
    if (id <= 0n || id > MAX_ID)
      throw invalidValue(column, `\`${column}\` must be a whole number from 1 to 10^15.`, range)
    return `${id}`
  }
  if (kind !== 'time' && kind !== 'required time') {
    if (isPassword(kind)) return passwordText(text, range)
    if (text.includes('\0'))
      throw invalidValue(column, `\`${column}\` contains the character NUL, which cannot be stored.`, range)
    if (kind === 'email') return emailText(text, range)
    const maximumLength = maxCharacters(column, text)
    if (maximumLength !== null)
      throw invalidValue(column, `\`${column}\` is too long: at most ${maximumLength} of its characters fit.`, range)
    return replaceLoneSurrogates(text)
  }
  const moment = momentOf(value)
  if (moment === null)
    throw invalidValue(
      column,
      `\`${column}\` is not a time.`,
      range,
      'Pass a time such as `2020-03-15T14:28:48Z`, or seconds since 1970.',
    )
  return isoText(moment)
}

/** Columns that have an index. PostgreSQL limits an index entry to a third of a page. */
const INDEXED_COLUMNS: ReadonlySet<string> = new Set(['external_id', 'slug', 'customizable_type'])
const MAX_INDEXED_BYTES = 2_600

/** Returns the maximum number of characters of the column when the text is too long; null when the text fits. */
export function maxCharacters(column: string, text: string): number | null {
  if (!INDEXED_COLUMNS.has(column) || text.length <= MAX_INDEXED_BYTES / 4) return null
  let bytes = 0
  let maximumLength = 0
  for (const letter of text) {
    bytes += Buffer.byteLength(letter)
    if (bytes > MAX_INDEXED_BYTES) return maximumLength
    maximumLength++
  }
  return null
}

/** The syntax of an e-mail address. Whether the address exists cannot be checked. */
const EMAIL = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/

function emailText(text: string, range: SourceRange | null): string {
  const email = text.trim().toLowerCase()
  if (email.length > 254 || !EMAIL.test(email)) throw invalidValue('email', '`email` is not an e-mail address.', range)
  return replaceLoneSurrogates(email)
}

/** The length of a password. The maximum bounds the time of hashing it. */
const PASSWORD = { least: 6, most: 1_024 }

function passwordText(text: string, range: SourceRange | null): string {
  const { length } = [...text]
  if (length < PASSWORD.least)
    throw invalidValue('password', `A \`password\` has at least ${PASSWORD.least} characters.`, range)
  if (length > PASSWORD.most)
    throw invalidValue('password', `A \`password\` has at most ${PASSWORD.most} characters.`, range)
  return text
}

/** Creates the error of an invalid value of an input. */
export function invalidValue(
  name: string,
  message: string,
  range: SourceRange | null,
  hint: string | null = null,
): QueryError {
  return new QueryError([{ code: 'value', message, range, hint, mistake: { kind: 'refused value', name } }])
}

/** Returns the parameter of an `id` argument. An invalid id becomes null, which matches no row. */
export function idParameter(input: Input | undefined, build: Build): Sql {
  const leaf = leafOf(input)
  return leaf === null ? sql`null::bigint` : build.bind(leaf, 'bigint', idText)
}

/** Returns the text of an argument, for error messages. */
export function textForError(input: Input | undefined, build: Build): Sql {
  const leaf = input instanceof Leaf ? input : null
  return leaf === null
    ? sql`null::text`
    : build.bind(leaf, 'text', (value) => replaceLoneSurrogates(String(value).replaceAll('\0', '')))
}
