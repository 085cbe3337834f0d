/**
 * Builds the single statement that writes a resource and its nested resources, as common table expressions with
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
 * Collects the common table expressions of the statement. A value that cannot be stored is recorded as a problem at its
 * path. With problems, the statement must not run.
 */
export class WriteStatement {
  /** Parts of the form `name as (…)`, in order. */
  readonly parts: Sql[] = []
  readonly problems = new Map<string, ValidationProblem>()

  /** Adds a part. Returns its name for use in `from`. */
  part(name: string, statement: Sql): Sql {
    const part = identifier(name)
    this.parts.push(sql`${part} as (${statement})`)
    return part
  }

  /**
   * Returns the SQL value of each given attribute that is a column of the table.
   * @param prefix prefix of the paths of problems
   */
  columns(
    attributes: Readonly<Record<string, unknown>>,
    known: Readonly<Record<string, ColumnDef>>,
    neverNull: ReadonlySet<string>,
    prefix: string,
  ): Map<string, Sql> {
    const columns = new Map<string, Sql>()
    if (isEmpty(attributes)) return columns
    for (const [name, column] of Object.entries(known)) {
      if (!Object.hasOwn(attributes, name)) continue
      const value = attributes[name]
      const maxLength = typeof value === 'string' ? maxCharacters(name, value) : null
      if (maxLength !== null) this.problems.set(prefix + name, { key: 'too_long', count: maxLength })
      const text = maxLength === null ? this.#tryConvert(prefix + name, () => column.text(value)) : undefined
      if (text === undefined || (text === null && neverNull.has(name))) continue
      columns.set(name, parameter(text, column.cast))
    }
    return columns
  }

  /**
   * Returns the SQL value of each column of a record: its attributes, and properties that are stored in columns. When
   * both are given, the attribute is used.
   * @param prefix prefix of the paths of problems
   */
  recordColumns(
    attributes: Readonly<Record<string, unknown>>,
    properties: Readonly<Record<string, unknown>>,
    declaredProperties: ReadonlyMap<string, PropertyDef>,
    prefix: string,
  ): Map<string, Sql> {
    const columnProperties = selectColumnProperties(properties, declaredProperties)
    if (columnProperties === NONE) return this.columns(attributes, RECORD_COLUMNS, NEVER_NULL, prefix)
    const columns = this.columns(columnProperties, RECORD_COLUMNS, NEVER_NULL, `${prefix}properties.`)
    for (const [name, value] of this.columns(attributes, RECORD_COLUMNS, NEVER_NULL, prefix)) columns.set(name, value)
    return columns
  }

  /**
   * Returns a parameter with the properties as a JSON object, or null when nothing changes.
   * @param isNew whether to add the default values
   */
  properties(
    givenValues: Readonly<Record<string, unknown>>,
    declaredProperties: ReadonlyMap<string, PropertyDef>,
    isNew: boolean,
    prefix: string,
  ): Sql | null {
    const texts = this.propertyTexts(givenValues, declaredProperties, isNew, prefix)
    return texts.size === 0 && !isNew ? null : sql`${parameter(objectText(texts), 'text')}::jsonb`
  }

  /** Returns the JSON texts of the properties that are not stored in columns, by name. */
  propertyTexts(
    givenValues: Readonly<Record<string, unknown>>,
    declaredProperties: ReadonlyMap<string, PropertyDef>,
    fresh: boolean,
    prefix: string,
  ): ReadonlyMap<string, string> {
    const texts = new Map(fresh ? defaultTexts(declaredProperties.values()) : [])
    for (const [name, value] of Object.entries(givenValues)) {
      const property = declaredProperties.get(name)
      if (property === undefined || property.column === true) continue
      const text = this.#tryConvert(`${prefix}properties.${name}`, () => storedText(property, value))
      if (text !== undefined) texts.set(name, text)
    }
    return texts
  }

  #tryConvert<T>(path: string, convert: () => T): T | undefined {
    try {
      return convert()
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      this.problems.set(path, { key: 'invalid' })
      return undefined
    }
  }
}

function isEmpty(givenValues: Readonly<Record<string, unknown>>): boolean {
  for (const _ in givenValues) return false
  return true
}

const NONE: Readonly<Record<string, unknown>> = {}

/** Returns the properties that are stored in columns. */
function selectColumnProperties(
  properties: Readonly<Record<string, unknown>>,
  declaredProperties: ReadonlyMap<string, PropertyDef>,
): Readonly<Record<string, unknown>> {
  let selected: Record<string, unknown> | null = null
  for (const name in properties)
    if (declaredProperties.get(name)?.column === true) (selected ??= {})[name] = properties[name]
  return selected ?? NONE
}
