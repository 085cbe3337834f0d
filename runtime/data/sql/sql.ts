/**
 * SQL as a value that keeps its text and its parameters together. A plain string is none: text stands in the program between the
 * backticks of `sql` and `raw`, names come by `identifier`, and whatever else is put between is a parameter.
 */
import { quotedName, quotedText } from './quote.ts'

/** What can stand between the texts of `sql`: SQL, which becomes part of it, or the value of a parameter. */
export type SqlPart = Sql | string | number | bigint | boolean | null | Date | Uint8Array

/** How a parameter that travels as text is read. Lists are the text of an array literal, times ISO text, ids digits. */
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

/** What may stand between parts that are put in a row. */
export type Separator = '' | ' ' | ', ' | ' and ' | ' or ' | ' || ' | ' + ' | ' union ' | ' union all ' | '; '

/** The place of a parameter. One that stands several times in a statement is one parameter of it. */
class Parameter {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

type Piece = string | Parameter | Sql

let make: (pieces: readonly Piece[]) => Sql
let piecesOf: (sql: Sql) => readonly Piece[]

/** A piece of SQL. Only the functions of this file make one. */
export class Sql {
  readonly #pieces: readonly Piece[]

  private constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces
  }

  static {
    make = (pieces) => new Sql(pieces)
    piecesOf = (sql) => sql.#pieces
  }
}

/** The texts of a template without the line breaks of its source: each, with the spaces around it, is one space. */
const written = new WeakMap<TemplateStringsArray, readonly string[]>()

function textsOf(template: TemplateStringsArray): readonly string[] {
  let texts = written.get(template)
  if (texts === undefined) {
    texts = template.map((text, at) => {
      const begun = at === 0 ? text.replace(/^\s*\n\s*/, '') : text
      const ended = at === template.length - 1 ? begun.replace(/\s*\n\s*$/, '') : begun
      return ended.replace(/\s*\n\s*/g, ' ')
    })
    written.set(template, texts)
  }
  return texts
}

/** SQL as it is written between the backticks. A line break with the spaces around it is one space. */
export function sql(template: TemplateStringsArray, ...parts: readonly SqlPart[]): Sql {
  const texts = textsOf(template)
  const pieces: Piece[] = [texts[0] ?? '']
  for (const [at, part] of parts.entries()) {
    pieces.push(part instanceof Sql ? part : new Parameter(part), texts[at + 1] ?? '')
  }
  return make(pieces)
}

/** SQL as it is written, line breaks too: bodies of functions, scripts. Nothing can stand between. */
export function raw(template: TemplateStringsArray): Sql {
  return make([template[0] ?? ''])
}

/** No SQL. */
export const nothing: Sql = make([])

/** The name of a column, a table or an alias, in quotes where it needs them. @throws TypeError for what no name can hold */
export function identifier(name: string): Sql {
  return make([quotedName(name)])
}

/**
 * A text that must stand in the statement: the name of a property, by which the planner finds its index, a key of JSON, what a statement
 * that takes no parameters is given. All other values are parameters. @throws TypeError for what no text can hold
 */
export function literal(text: string): Sql {
  return make([quotedText(text)])
}

/** A whole number that must stand in the statement: that of a table, by which the planner finds its indexes, a limit. */
export function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is no whole number.`)
  return make([String(value)])
}

/** Whole numbers in a row. */
export function integers(values: Iterable<number>): Sql {
  return join([...values].map(integer))
}

/** Parts in a row. */
export function join(parts: Iterable<Sql>, separator: Separator = ', '): Sql {
  const pieces: Piece[] = []
  for (const part of parts) {
    if (pieces.length > 0) pieces.push(separator)
    pieces.push(part)
  }
  return make(pieces)
}

/**
 * A parameter whose value travels as text, read as its cast says. PostgreSQL then asks nobody for its type, and the client needs no idea
 * of times or JSON of its own.
 */
export function parameter(value: unknown, cast: Cast): Sql {
  // Where reading a text depends on settings of the session, the planner would not know the value, and guess how many rows it finds.
  const direct = cast === 'text' || cast === 'timestamptz' || cast.endsWith('[]')
  return make([new Parameter(value), direct ? `::${cast}` : `::text::${cast}`])
}

let begin: (text: string, values: readonly unknown[]) => SqlStatement

/** What the database is sent: only `toStatement` makes one. */
export class SqlStatement {
  // A private field makes the type one that no object of the same shape has.
  readonly #text: string
  readonly values: readonly unknown[]

  private constructor(text: string, values: readonly unknown[]) {
    this.#text = text
    this.values = values
  }

  static {
    begin = (text, values) => new SqlStatement(text, values)
  }

  /** With `$1`, `$2` … in the places of the parameters. */
  get text(): string {
    return this.#text
  }

  /** The same with other values, in their order. @throws TypeError for another number of them */
  with(values: readonly unknown[]): SqlStatement {
    if (values.length !== this.values.length)
      throw new TypeError(`A statement of ${this.values.length} parameters was given ${values.length} values.`)
    return new SqlStatement(this.#text, values)
  }
}

/** A statement behind words that hold no parameters, as `explain`. @throws TypeError where they hold some */
export function prefixed(prefix: Sql, { text, values }: SqlStatement): SqlStatement {
  const before = toStatement(prefix)
  if (before.values.length > 0) throw new TypeError('What stands before a statement holds parameters.')
  return begin(`${before.text} ${text}`, values)
}

/** Numbers the parameters in the order in which they stand. Equal SQL gives equal text. */
export function toStatement(whole: Sql): SqlStatement {
  const numbers = new Map<Parameter, number>()
  const values: unknown[] = []
  const texts: string[] = []
  const write = (piece: Piece): void => {
    if (typeof piece === 'string') texts.push(piece)
    else if (piece instanceof Sql) for (const inner of piecesOf(piece)) write(inner)
    else {
      let number = numbers.get(piece)
      if (number === undefined) {
        number = values.push(piece.value)
        numbers.set(piece, number)
      }
      texts.push(`$${number}`)
    }
  }
  write(whole)
  return begin(texts.join(''), values)
}

/**
 * A statement that is written once, for values that come with each execution.
 * @param write of the places of the values, which it casts
 */
export function prepared<Values extends readonly unknown[]>(
  write: (...places: { readonly [At in keyof Values]: Sql }) => Sql,
): (...values: Values) => SqlStatement {
  const places = Array.from({ length: write.length }, (_, at) => make([new Parameter(at)]))
  const statement = toStatement(write(...(places as unknown as { readonly [At in keyof Values]: Sql })))
  return (...values) => statement.with(statement.values.map((at) => values[Number(at)]))
}
