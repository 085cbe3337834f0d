/**
 * Builds the single statement that writes a resource and its nested resources: parts of a `with` clause and their
 * parameters.
 */
import { identifier, parameter, sql, type Sql } from '../../../runtime/data/sql/sql.ts'
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import type { ValidationProblem } from '../../../runtime/data/forms/messages.ts'
import { QueryError } from '../../../runtime/data/query/model.ts'
import { maxCharacters } from '../../../runtime/data/query/writes/columns.ts'
import { defaultTexts, storedText } from '../../../runtime/data/query/writes/stored-values.ts'
import { objectText } from '../../../runtime/data/values/json-text.ts'
import { type ColumnDef, NEVER_NULL, RECORD_COLUMNS } from './attributes.ts'

/**
 * Collects the parts of the statement. A value that cannot be stored is recorded at its path, and the statement must
 * then not run.
 */
export class WriteStatement {
  /** `name as (…)`, in order. */
  readonly parts: Sql[] = []
  readonly problems = new Map<string, ValidationProblem>()

  /** Adds a part; returns the name that its rows are selected from. */
  part(name: string, statement: Sql): Sql {
    const part = identifier(name)
    this.parts.push(sql`${part} as (${statement})`)
    return part
  }

  /**
   * SQL by column for the given attributes that the table has.
   * @param prefix of the paths
   */
  columns(
    given: Readonly<Record<string, unknown>>,
    known: Readonly<Record<string, ColumnDef>>,
    neverNull: ReadonlySet<string>,
    prefix: string,
  ): Map<string, Sql> {
    const columns = new Map<string, Sql>()
    if (isEmpty(given)) return columns
    for (const [name, column] of Object.entries(known)) {
      if (!Object.hasOwn(given, name)) continue
      const value = given[name]
      const maxLength = typeof value === 'string' ? maxCharacters(name, value) : null
      if (maxLength !== null) this.problems.set(prefix + name, { key: 'too_long', count: maxLength })
      const text = maxLength === null ? this.#textOrNull(prefix + name, () => column.text(value)) : undefined
      if (text === undefined || (text === null && neverNull.has(name))) continue
      columns.set(name, parameter(text, column.cast))
    }
    return columns
  }

  /**
   * SQL by column for a record: its attributes, and properties that are stored in columns. The attribute wins when both
   * are given.
   * @param prefix of the paths
   */
  recordColumns(
    attributes: Readonly<Record<string, unknown>>,
    properties: Readonly<Record<string, unknown>>,
    declared: ReadonlyMap<string, PropertyDef>,
    prefix: string,
  ): Map<string, Sql> {
    const own = ownOf(properties, declared)
    if (own === NONE) return this.columns(attributes, RECORD_COLUMNS, NEVER_NULL, prefix)
    const columns = this.columns(own, RECORD_COLUMNS, NEVER_NULL, `${prefix}properties.`)
    for (const [name, value] of this.columns(attributes, RECORD_COLUMNS, NEVER_NULL, prefix)) columns.set(name, value)
    return columns
  }

  /**
   * A parameter with the properties as an object.
   * @param fresh whether to add the defaults of a new row
   */
  properties(
    given: Readonly<Record<string, unknown>>,
    declared: ReadonlyMap<string, PropertyDef>,
    fresh: boolean,
    prefix: string,
  ): Sql | null {
    const texts = this.propertyTexts(given, declared, fresh, prefix)
    return texts.size === 0 && !fresh ? null : sql`${parameter(objectText(texts), 'text')}::jsonb`
  }

  /** The JSON texts of the properties that are not columns, by name. */
  propertyTexts(
    given: Readonly<Record<string, unknown>>,
    declared: ReadonlyMap<string, PropertyDef>,
    fresh: boolean,
    prefix: string,
  ): ReadonlyMap<string, string> {
    const texts = new Map(fresh ? defaultTexts(declared.values()) : [])
    for (const [name, value] of Object.entries(given)) {
      const property = declared.get(name)
      if (property === undefined || property.column === true) continue
      const text = this.#textOrNull(`${prefix}properties.${name}`, () => storedText(property, value))
      if (text !== undefined) texts.set(name, text)
    }
    return texts
  }

  #textOrNull<T>(path: string, make: () => T): T | undefined {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      this.problems.set(path, { key: 'invalid' })
      return undefined
    }
  }
}

function isEmpty(given: Readonly<Record<string, unknown>>): boolean {
  for (const _ in given) return false
  return true
}

const NONE: Readonly<Record<string, unknown>> = {}

/** The properties that are stored in columns. */
function ownOf(
  properties: Readonly<Record<string, unknown>>,
  declared: ReadonlyMap<string, PropertyDef>,
): Readonly<Record<string, unknown>> {
  let own: Record<string, unknown> | null = null
  for (const name in properties) if (declared.get(name)?.column === true) (own ??= {})[name] = properties[name]
  return own ?? NONE
}
