/**
 * SQL as a value that keeps its text and its parameters together. A string cannot become SQL: text is written in
 * templates of `sql` and `raw`, names are added with `identifier`, and every other value becomes a parameter.
 */
import { quotedName, quotedText } from './quote.ts'

/** What a template of `sql` accepts between its texts: SQL, which is inserted, or the value of a parameter. */
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

/** A parameter. It is numbered once, however often it occurs in a statement. */
class Parameter {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

type SqlFragment = string | Parameter | Sql

let createSql: (fragments: readonly SqlFragment[]) => Sql
let fragmentsOf: (sql: Sql) => readonly SqlFragment[]

/** A fragment of SQL, which only the functions of this file create. */
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

/** The texts of each template, with every line break and its indentation replaced by a space. */
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

/** Empty SQL. */
export const emptySql: Sql = createSql([])

/**
 * The name of a column, table or alias, quoted when necessary.
 * @throws TypeError for a text that cannot be a name
 */
export function identifier(name: string): Sql {
  return createSql([quotedName(name)])
}

/**
 * A text that must be part of the statement: a property name, which the planner matches to its index; a JSON key; or a
 * value in a statement that takes no parameters. All other texts are parameters.
 * @throws TypeError for the character NUL
 */
export function literal(text: string): Sql {
  return createSql([quotedText(text)])
}

/**
 * An integer that must be part of the statement: a table number, which the planner matches to its indexes, or a limit.
 * @throws TypeError for another number
 */
export function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not an integer.`)
  return createSql([String(value)])
}

/** A list of integers. */
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
 * A parameter that is sent as text and cast. The client then needs no type information, and does not convert times and
 * JSON.
 */
export function parameter(value: unknown, cast: Cast): Sql {
  // A cast that depends on session settings prevents the planner from evaluating it and estimating the rows, so these
  // types are cast directly.
  const direct = cast === 'text' || cast === 'timestamptz' || cast.endsWith('[]')
  return createSql([new Parameter(value), direct ? `::${cast}` : `::text::${cast}`])
}

let createStatement: (text: string, values: readonly unknown[]) => SqlStatement

/** A statement, ready to be sent. Only `toStatement` creates one. */
export class SqlStatement {
  // A private field makes the type nominal: no object of the same shape is accepted.
  readonly #text: string
  readonly values: readonly unknown[]

  private constructor(text: string, values: readonly unknown[]) {
    this.#text = text
    this.values = values
  }

  static {
    createStatement = (text, values) => new SqlStatement(text, values)
  }

  /** The SQL text, with `$1`, `$2` … for the parameters. */
  get text(): string {
    return this.#text
  }

  /**
   * The statement with other values, in the same order.
   * @throws TypeError for a different number of values
   */
  withValues(values: readonly unknown[]): SqlStatement {
    if (values.length !== this.values.length)
      throw new TypeError(`A statement of ${this.values.length} parameters was given ${values.length} values.`)
    return new SqlStatement(this.#text, values)
  }
}

/**
 * Prefixes a statement, for example with `explain`.
 * @throws TypeError when the prefix has parameters
 */
export function prefixed(prefix: Sql, { text, values }: SqlStatement): SqlStatement {
  const prefixStatement = toStatement(prefix)
  if (prefixStatement.values.length > 0) throw new TypeError('The prefix of a statement must not have parameters.')
  return createStatement(`${prefixStatement.text} ${text}`, values)
}

/**
 * Creates the statement of a fragment of SQL. Parameters are numbered in the order of their occurrence, so equal SQL gives
 * equal text.
 */
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
  // There is one placeholder for each value, which the type of an array cannot express.
  const statement = toStatement(write(...(placeholders as unknown as { readonly [At in keyof Values]: Sql })))
  return (...values) => statement.withValues(statement.values.map((at) => values[Number(at)]))
}
