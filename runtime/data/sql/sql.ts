/**
 * SQL as a value that keeps its text and its parameters together. A string cannot become SQL: text is written in
 * templates of `sql` and `raw`, names are added with `identifier`, and every other value becomes a parameter.
 */
import { quotedName, quotedText } from './quote.ts'

/** The values that a template of `sql` accepts: SQL, which is inserted, or the value of a parameter. */
type SqlPart = Sql | string | number | bigint | boolean | null | Date | Uint8Array

/** The type that a text parameter is cast to. Arrays are sent as array texts, times in ISO 8601, ids as digits. */
export type Cast =
  | 'text'
  | 'bigint'
  | 'integer'
  | 'double precision'
  | 'numeric'
  | 'boolean'
  | 'timestamptz'
  | 'jsonb'
  | 'text[]'
  | 'bigint[]'
  | 'numeric[]'
  | 'timestamptz[]'

/** The separators of `join`. */
type Separator = '' | ' ' | ', ' | ' and ' | ' or ' | ' || ' | ' + ' | ' union ' | ' union all ' | '; '

/** A parameter. In a statement, it has one number, however often it occurs. */
class Parameter {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

type SqlFragment = string | Parameter | Sql

let createSql: (fragments: readonly SqlFragment[]) => Sql
let fragmentsOf: (sql: Sql) => readonly SqlFragment[]

/** A fragment of SQL. Only the functions of this file create fragments. */
export class Sql {
  readonly #fragments: readonly SqlFragment[]

  private constructor(fragments: readonly SqlFragment[]) {
    this.#fragments = fragments
  }

  static {
    createSql = (fragments) => new Sql(fragments)
    fragmentsOf = (sql) => sql.#fragments
  }
}

/** The texts of each template. Every line break and its indentation are replaced by a space. */
const templateTexts = new WeakMap<TemplateStringsArray, readonly string[]>()

function textsOf(template: TemplateStringsArray): readonly string[] {
  let texts = templateTexts.get(template)
  if (texts === undefined) {
    texts = template.map((text, at) => {
      const trimmed = at === 0 ? text.replace(/^\s*\n\s*/, '') : text
      const ended = at === template.length - 1 ? trimmed.replace(/\s*\n\s*$/, '') : trimmed
      return ended.replace(/\s*\n\s*/g, ' ')
    })
    templateTexts.set(template, texts)
  }
  return texts
}

/** Creates SQL. Line breaks and indentation become single spaces, and values become parameters. */
export function sql(template: TemplateStringsArray, ...parts: readonly SqlPart[]): Sql {
  const texts = textsOf(template)
  const fragments: SqlFragment[] = [texts[0] ?? '']
  for (const [at, part] of parts.entries()) {
    fragments.push(part instanceof Sql ? part : new Parameter(part), texts[at + 1] ?? '')
  }
  return createSql(fragments)
}

/** Creates SQL without parameters and keeps line breaks, for function bodies and scripts. */
export function raw(template: TemplateStringsArray): Sql {
  return createSql([template[0] ?? ''])
}

/** An empty fragment of SQL. */
export const emptySql: Sql = createSql([])

/**
 * Returns the name of a column, table or alias, quoted when necessary.
 * @throws TypeError for a text that cannot be a name
 */
export function identifier(name: string): Sql {
  return createSql([quotedName(name)])
}

/**
 * Returns a text as a literal in the statement. Only some texts must be literals: property names, which PostgreSQL matches to indexes, JSON
 * keys, and values in statements that take no parameters. All other texts should be parameters.
 * @throws TypeError for the character NUL
 */
export function literal(text: string): Sql {
  return createSql([quotedText(text)])
}

/**
 * Returns an integer as a literal in the statement: a table number, which PostgreSQL matches to indexes, or a limit.
 * @throws TypeError when the number is not an integer
 */
export function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not an integer.`)
  return createSql([String(value)])
}

/** Returns a list of integers as literals. */
export function integers(values: Iterable<number>): Sql {
  return join([...values].map(integer))
}

/** Joins parts with a separator. */
export function join(parts: Iterable<Sql>, separator: Separator = ', '): Sql {
  const fragments: SqlFragment[] = []
  for (const part of parts) {
    if (fragments.length > 0) fragments.push(separator)
    fragments.push(part)
  }
  return createSql(fragments)
}

/**
 * Creates a parameter that is sent as text and cast in the statement. The client then needs no type information, and does not convert times
 * and JSON.
 */
export function parameter(value: unknown, cast: Cast): Sql {
  // The casts from text to `timestamptz` and to arrays depend on settings of the session. PostgreSQL would not evaluate them to estimate the
  // rows, so these parameters have the type themselves.
  const direct = cast === 'text' || cast === 'timestamptz' || cast.endsWith('[]')
  return createSql([new Parameter(value), direct ? `::${cast}` : `::text::${cast}`])
}

let createStatement: (text: string, values: readonly unknown[]) => SqlStatement

/** A statement that is ready to be sent. Only `toStatement` creates statements. */
export class SqlStatement {
  // A private field makes the type nominal: TypeScript accepts no other object of the same shape.
  readonly #text: string
  readonly values: readonly unknown[]

  private constructor(text: string, values: readonly unknown[]) {
    this.#text = text
    this.values = values
  }

  static {
    createStatement = (text, values) => new SqlStatement(text, values)
  }

  /** Returns the text of the SQL, with `$1`, `$2` … in place of the parameters. */
  get text(): string {
    return this.#text
  }

  /**
   * Returns the same statement with other values. They must be in the order of the parameters.
   * @throws TypeError for a different number of values
   */
  withValues(values: readonly unknown[]): SqlStatement {
    if (values.length !== this.values.length)
      throw new TypeError(`A statement with ${this.values.length} parameters got ${values.length} values.`)
    return new SqlStatement(this.#text, values)
  }
}

/**
 * Returns the statement with a prefix, for example `explain`.
 * @throws TypeError when the prefix has parameters
 */
export function prefixed(prefix: Sql, { text, values }: SqlStatement): SqlStatement {
  const prefixStatement = toStatement(prefix)
  if (prefixStatement.values.length > 0) throw new TypeError('The prefix of a statement must not have parameters.')
  return createStatement(`${prefixStatement.text} ${text}`, values)
}

/** Creates the statement of a fragment of SQL. Parameters are numbered in the order of their first use, so equal SQL gives equal text. */
export function toStatement(statementSql: Sql): SqlStatement {
  const numbers = new Map<Parameter, number>()
  const values: unknown[] = []
  const texts: string[] = []
  const write = (fragment: SqlFragment): void => {
    if (typeof fragment === 'string') texts.push(fragment)
    else if (fragment instanceof Sql) for (const nestedFragment of fragmentsOf(fragment)) write(nestedFragment)
    else {
      let number = numbers.get(fragment)
      if (number === undefined) {
        number = values.push(fragment.value)
        numbers.set(fragment, number)
      }
      texts.push(`$${number}`)
    }
  }
  write(statementSql)
  return createStatement(texts.join(''), values)
}

/**
 * Creates a statement once, and returns a function that binds values to it.
 * @param write creates the SQL from one parameter for each value
 */
export function prepared<Values extends readonly unknown[]>(
  write: (...places: { readonly [At in keyof Values]: Sql }) => Sql,
): (...values: Values) => SqlStatement {
  const placeholders = Array.from({ length: write.length }, (_, at) => createSql([new Parameter(at)]))
  // The cast is needed because the type of the mapped array does not show that there is one placeholder for each value.
  const statement = toStatement(write(...(placeholders as unknown as { readonly [At in keyof Values]: Sql })))
  return (...values) => statement.withValues(statement.values.map((at) => values[Number(at)]))
}
