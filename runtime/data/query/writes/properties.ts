/**
 * Writes the properties in a mutation: `[{ name, value … }]`. Plain values are one JSON parameter, so that the statement does not grow with
 * them. `array_append`, `array_remove`, `increment` and `decrement` are computed by PostgreSQL from the stored value, so that no concurrent
 * change is lost.
 */
import type { PropertyDef, PropertyType } from '../../../page/compiled.ts'
import {
  type Build,
  type Input,
  type InputFields,
  Leaf,
  type ParameterHost,
  type SourceRange,
  type Problem,
  QueryError,
  type Source,
} from '../model.ts'
import { invalidValue } from './columns.ts'
import { fieldsOf, isConstant, itemsOf, leafOf, knownTextOf, asOneLeaf } from '../rows/input.ts'
import { isStorable } from '../rows/comparison-values.ts'
import { correctionOf } from '../suggest.ts'
import type { UploadOwner } from '../upload-host.ts'
import { HeldUpload, isUpload, storeUpload, claimUpload, uploadProblem } from './uploads.ts'
import { invalidPropertyValue, type StoredTexts, storedText } from './stored-values.ts'
import { objectText, plainJson } from '../../values/json-text.ts'
import { replaceLoneSurrogates } from '../../../page/values/well-formed.ts'
import { join, sql, type Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

/** A change of a property. A leaf with null clears the property. */
export interface PropertyChange {
  readonly name: string
  readonly range: SourceRange | null
  readonly does: 'set' | 'append' | 'remove' | 'increment' | 'decrement'
  readonly leaf: Leaf | null
  /** The type that the key of the value implies. An undeclared property is stored with this type. */
  readonly as: PropertyType | 'json'
  /** Set when the value is a file that the host creates. */
  readonly upload?: InputFields
}

const VALUE_KEYS = [
  ['value', 'string'],
  ['value_int', 'integer'],
  ['value_float', 'float'],
  ['value_boolean', 'boolean'],
  ['value_array', 'array'],
  ['value_json', 'json'],
] as const
const UPLOAD_KEY = 'value_upload'
const ATOMIC_KEYS = [
  ['array_append', 'append', 'array'],
  ['array_remove', 'remove', 'array'],
  ['increment', 'increment', 'decimal'],
  ['decrement', 'decrement', 'decimal'],
] as const

/** Returns the changes in `properties` of an input object, in order. An element without a value is skipped. */
export function changesOf(owner: InputFields, build: Build): readonly PropertyChange[] {
  const items = itemsOf(owner['properties'])
  // The compiler sees an empty object when a variable contains the whole object.
  if (Object.keys(owner).length === 0 || items.some(({ name }) => leafOf(name)?.isKnown !== true))
    build.allowUndeclaredWrite()
  return items.flatMap((fields) => {
    const name = knownTextOf(fields['name'])
    return name === null ? [] : changesOfProperty(name, fields)
  })
}

function changesOfProperty(name: string, fields: InputFields): readonly PropertyChange[] {
  const range = fields['name'] instanceof Leaf ? fields['name'].range : null
  const changes: PropertyChange[] = []
  for (const [key, does, as] of ATOMIC_KEYS) {
    const leaf = leafOf(fields[key])
    if (leaf !== null) changes.push({ name, range, does, leaf, as })
  }
  const upload = fieldsOf(fields[UPLOAD_KEY])
  if (upload !== null) return [{ name, range, does: 'set', leaf: asOneLeaf(upload), as: 'upload', upload }, ...changes]
  for (const [key, as] of VALUE_KEYS) {
    const leaf = leafOf(fields[key])
    if (leaf !== null) return [{ name, range, does: 'set', leaf, as }, ...changes]
  }
  const isCleared = [...VALUE_KEYS.map(([key]) => key), UPLOAD_KEY].some(
    (key) => fields[key] === null || isNullLeaf(fields[key]),
  )
  return isCleared ? [{ name, range, does: 'set', leaf: null, as: 'json' }, ...changes] : changes
}

/** Returns whether null was given. */
function isNullLeaf(input: Input | undefined): boolean {
  return input instanceof Leaf && input.isKnown && input.isNull
}

/**
 * Reports undeclared properties to the compiler.
 * @param owner begins the message: "Table `post` has no"
 */
export function remarkUndeclared(
  changes: readonly PropertyChange[],
  declaredProperties: ReadonlySet<string> | ReadonlyMap<string, PropertyDef>,
  owner: string,
  of: NonNullable<Problem['undeclared']>['of'],
  table: string | null,
  build: Build,
): void {
  const declaredNames = [...declaredProperties.keys()]
  for (const { name, range, leaf } of changes) {
    if (declaredProperties.has(name)) continue
    const use = leaf === null || isConstant(leaf) ? 'literal' : 'set'
    if (use === 'set') build.allowUndeclaredWrite(name)
    const message = `${owner} property \`${name}\`.`
    build.reportToCompiler({
      code: 'unknown-property',
      message,
      range,
      ...correctionOf(name, declaredNames),
      table,
      knownNames: declaredNames,
      undeclared: { property: name, use, of },
      mistake: { kind: 'unknown property', name, ...(table !== null && { type: table }) },
    })
  }
}

/** The SQL that writes the properties of a row. */
interface PropertiesSql {
  /** The new value, as `jsonb`. */
  readonly sql: Sql
  /**
   * With `lenient`: a text that says which values do not fit. It is null when all values fit. When it is not null, the parameter with the
   * values is null.
   */
  readonly complaint: Sql | null
}

interface PropertiesContext {
  /** The owner of the properties, for which uploads are authorized. */
  readonly owner: UploadOwner
  readonly properties: ReadonlyMap<string, PropertyDef>
  /** The SQL of the stored properties; null for a new row. */
  readonly storedPart: Sql | null
  /** The default values of a new row. */
  readonly defaults?: StoredTexts
  /** The SQL of the properties of an existing row with which an insert may conflict; absent when there is none. */
  readonly conflictingProperties?: Sql
  /**
   * Whether values that do not fit are described in `complaint`, instead of being an error, because the row may belong to a table with
   * other types.
   */
  readonly lenient?: boolean
}

/** Returns the SQL of the declared properties after the changes. */
export function propertiesSql(
  changes: readonly PropertyChange[],
  propertiesContext: PropertiesContext,
  build: Build,
): PropertiesSql {
  const typedChanges = changes.flatMap((change) => {
    const property = propertiesContext.properties.get(change.name)
    if (property === undefined || !checkChange(property, change, propertiesContext.lenient === true, build)) return []
    // Properties that are columns are not written here, but with the columns.
    return property.column === true ? [] : [{ change, property }]
  })
  return changedPropertiesSql(typedChanges, propertiesContext, build)
}

/**
 * Returns the SQL of the undeclared properties after the changes, for the column `undeclared`. The key of a value implies its type. Returns
 * null when nothing changes.
 * @param storedJson the SQL of the column; null for a new row
 */
export function undeclaredSql(
  changes: readonly PropertyChange[],
  declaredProperties: ReadonlyMap<string, PropertyDef>,
  storedJson: Sql | null,
  build: Build,
): Sql | null {
  const typedChanges = changes
    .filter(({ name }) => !declaredProperties.has(name))
    .map((change) => ({ change, property: impliedDefinition(change) }))
  if (typedChanges.length === 0) return null
  return changedPropertiesSql(
    typedChanges,
    { storedPart: storedJson === null ? null : sql`coalesce(${storedJson}, '{}'::jsonb)` },
    build,
  ).sql
}

/**
 * Returns the definition of an undeclared property that its change implies.
 * @throws QueryError for a name that cannot be stored
 */
function impliedDefinition({ name, as, range }: PropertyChange): PropertyDef {
  if (!isStorable(name)) throw invalidValue(name, 'A property has a name that cannot be stored.', range)
  return { name, type: as === 'json' ? 'string' : as, default: null, belongsTo: null, options: null }
}

/** The context in which changes are written. Undeclared properties cannot hold uploads, so they need no owner. */
type ChangeContext = Omit<PropertiesContext, 'properties' | 'owner'> & Partial<Pick<PropertiesContext, 'owner'>>

function changedPropertiesSql(allChanges: readonly TypedChange[], context: ChangeContext, build: Build): PropertiesSql {
  const effectiveChanges = withoutOverwritten(allChanges)
  const sets = effectiveChanges.filter(({ change }) => change.does === 'set')
  const boundValues = boundValuesSql(sets, context, build)
  const names = new Set(sets.map(({ property }) => property.name))
  const computed = new Map<string, Sql>()
  for (const { change, property } of effectiveChanges) {
    const { leaf } = change
    if (change.does === 'set' || leaf === null) continue
    const name = build.nameLiteral(property.name)
    const source = context.storedPart === null || names.has(property.name) ? boundValues.sql : context.storedPart
    const currentValue = computed.get(property.name) ?? sql`(${source} -> ${name})`
    computed.set(property.name, atomicSql(currentValue, { change, leaf, property }, build))
  }
  const isWhole = context.storedPart === null || sets.length === 0
  let expression = isWhole
    ? (context.storedPart ?? boundValues.sql)
    : sql`(${context.storedPart} || ${boundValues.sql})`
  for (const [name, value] of computed)
    expression = sql`(${expression} || jsonb_build_object(${build.nameLiteral(name)}, ${value}))`
  return { sql: expression, complaint: sets.length === 0 ? null : boundValues.complaint }
}

interface TypedChange {
  readonly change: PropertyChange
  readonly property: PropertyDef
}

/** Returns the last `set` of each property, and the changes after it. Earlier changes have no effect. */
function withoutOverwritten(changes: readonly TypedChange[]): readonly TypedChange[] {
  const lastSetIndex = new Map<string, number>()
  for (const [at, { change, property }] of changes.entries())
    if (change.does === 'set') lastSetIndex.set(property.name, at)
  return changes.filter(({ property }, at) => at >= (lastSetIndex.get(property.name) ?? 0))
}

const NUMERIC = new Set(['integer', 'float', 'decimal'])

/** Returns whether a property of this type supports this change. */
export function supportsChange(property: PropertyDef, { does }: PropertyChange): boolean {
  if (does === 'set') return true
  return does === 'append' || does === 'remove' ? property.type === 'array' : NUMERIC.has(property.type)
}

/** Returns whether the property's type supports the change. Reports a problem when the document itself shows that it does not. */
function checkChange(property: PropertyDef, change: PropertyChange, lenient: boolean, build: Build): boolean {
  if (!supportsChange(property, change)) {
    const needs = change.does === 'append' || change.does === 'remove' ? 'an array' : 'a number'
    const message = `Property \`${property.name}\` is declared \`${property.type}\`: \`${change.does}\` needs ${needs}.`
    const mistake = { kind: 'property type', name: property.name, type: property.type } as const
    build.reportProblem({
      code: 'property-type',
      message,
      range: change.range,
      hint: null,
      mistake,
      property: property.name,
    })
    return false
  }
  const problem = uploadProblem(property, change) ?? (lenient ? null : literalProblem(property, change))
  if (problem !== null) build.reportProblem(problem)
  return problem === null
}

/** Returns the problem of a literal value; null when it has none. Values of variables are cast in each execution. */
export function literalProblem(property: PropertyDef, { does, leaf, range }: PropertyChange): Problem | null {
  if (does !== 'set' || leaf === null || leaf.source.kind !== 'constant') return null
  try {
    storedText(property, leaf.source.value, leaf.range ?? range)
    return null
  } catch (error) {
    if (error instanceof QueryError) return error.problems[0] ?? null
    throw error
  }
}

/** Combines the values of changes into one parameter. */
function combineValues(sets: readonly TypedChange[]): Leaf {
  const leaves = sets.map(({ change }, index): readonly [string, Source] => [
    `${index}`,
    change.leaf?.source ?? { kind: 'constant', value: null },
  ])
  return new Leaf(null, { kind: 'object', fields: leaves }, null, false)
}

/** Returns the object of all plain values, which is a single parameter. */
function boundValuesSql(
  sets: readonly TypedChange[],
  context: ChangeContext,
  build: Build,
): { sql: Sql; complaint: Sql | null } {
  if (sets.length === 0 && context.storedPart !== null) return { sql: sql`'{}'::jsonb`, complaint: null }
  const leaf = combineValues(sets)
  const write = (values: unknown): string => {
    const plainValues = isObject(values) ? values : {}
    const texts = new Map(context.defaults)
    sets.forEach(({ property, change }, index) => {
      const value = plainValues[`${index}`]
      texts.set(
        property.name,
        value instanceof HeldUpload ? value.json : textOfChange(property, change, value, context),
      )
    })
    return objectText(texts)
  }
  const { owner } = context
  const uploads = sets.flatMap(({ property, change }, index) =>
    change.upload !== undefined || (owner !== undefined && isUpload(property)) ? [{ property, change, index }] : [],
  )
  if (uploads.length > 0) {
    build.markDeferred()
    const earlierProperties = context.storedPart ?? context.conflictingProperties ?? null
    const createFilesAndWrite = async (values: unknown, host: ParameterHost): Promise<string> => {
      const plainValues = isObject(values) ? { ...values } : {}
      for (const { property, change, index } of uploads) {
        const value = plainValues[`${index}`]
        plainValues[`${index}`] =
          change.upload !== undefined || owner === undefined
            ? await storeUpload(property, value, host)
            : await claimUpload(
                { property, owner, mayHold: earlierProperties !== null, range: change.leaf?.range ?? change.range },
                value,
                host,
              )
      }
      return write(plainValues)
    }
    const bound = sql`${build.bind(leaf, 'text', createFilesAndWrite)}::jsonb`
    const names = uploads.flatMap(({ property, change }) => (change.upload === undefined ? [property.name] : []))
    if (earlierProperties === null || names.length === 0) return { sql: bound, complaint: null }
    const listed = join(names.map((name) => build.nameLiteral(name)))
    return { sql: sql`ingot.held_uploads(${bound}, ${earlierProperties}, array[${listed}]::text[])`, complaint: null }
  }
  if (context.lenient !== true) return { sql: sql`${build.bind(leaf, 'text', write)}::jsonb`, complaint: null }
  const texts = build.bind(leaf, 'text', (values) => textOrReason(() => write(values)).text)
  const complaint = build.bind(leaf, 'text', (values) => textOrReason(() => write(values)).reason)
  return { sql: sql`${texts}::jsonb`, complaint }
}

function textOfChange(
  property: PropertyDef,
  { as, leaf, range }: PropertyChange,
  value: unknown,
  context: ChangeContext,
): string {
  if (as !== 'json' || 'properties' in context) return storedText(property, value, leaf?.range ?? range)
  return undeclaredText(property.name, value, leaf?.range ?? range)
}

/**
 * Returns the JSON text that stores plain data in an undeclared property.
 * @throws QueryError for a value that cannot be stored
 */
export function undeclaredText(name: string, value: unknown, range: SourceRange | null): string {
  const text = plainJson(value ?? null)
  if (text !== null && isStorable(name)) return text
  const printableName = replaceLoneSurrogates(name.replaceAll('\0', '\ufffd'))
  const message = `Property \`${printableName}\` has a name or a value that cannot be stored.`
  throw invalidValue(name, message, range)
}

function textOrReason(write: () => string): { text: string | null; reason: string | null } {
  try {
    return { text: write(), reason: null }
  } catch (error) {
    if (error instanceof QueryError) return { text: null, reason: error.message }
    throw error
  }
}

/**
 * Returns the next value, computed from `before`. It contains `before` only once, so that the SQL of a chain of changes grows linearly. A
 * stored value of another type counts as empty.
 */
function atomicSql(
  currentValue: Sql,
  { change, leaf, property }: TypedChange & { readonly leaf: Leaf },
  build: Build,
): Sql {
  if (change.does === 'append' || change.does === 'remove') {
    const text = build.bind(leaf, 'text', (value) => elementText(property, value, leaf.range))
    const list = sql`jsonb_path_query_array(coalesce(${currentValue}, '[]'::jsonb), 'lax $[*] ? (@ != null)')`
    return change.does === 'append' ? sql`(${list} || jsonb_build_array(${text}))` : sql`(${list} - ${text})`
  }
  const amount = build.bind(leaf, 'numeric', (value) => {
    const text = storedText(property, value, leaf.range ?? change.range)
    return text === 'null' ? '0' : text
  })
  const number = sql`(jsonb_path_query_first(${currentValue}, 'strict $ ? (@.type() == "number")') #>> '{}')::numeric`
  return sql`to_jsonb(coalesce(${number}, 0) ${change.does === 'increment' ? sql`+` : sql`-`} ${amount})`
}

function elementText(property: PropertyDef, value: unknown, range: SourceRange | null): string {
  const text = String(value)
  if (text.includes('\0')) throw invalidPropertyValue(property, value, range)
  return replaceLoneSurrogates(text)
}
