/** `PropertyFilterInput`: conditions on a property, compared as its declared type. */
import type { Build, InputFields, Leaf } from '../model.ts'
import {
  givenBounds,
  idFilter,
  negate,
  type Operator,
  OPERATOR_SQL,
  type ConditionContext,
  substrings,
  timeFilter,
} from './column-filter.ts'
import { distance, type Circle, circleOf } from './geo.ts'
import { fieldsOf, flagOf, isConstant, knownTextOf, leafOf } from './input.ts'
import { ascending } from './index-need.ts'
import { MISSING, MISSING_SQL } from '../null-order.ts'
import { type IndexForm, INDEXED_PREFIX, typeNamed } from './property.ts'
import { keyValue } from './key-value.ts'
import { type Column, columnSql, type Property, propertyOf, type RowScope } from './scope.ts'
import {
  boundConverter,
  comparisonConverter,
  listJson,
  listConverter,
  numberText,
  plainText,
  startText,
  truthText,
  wholeList,
} from './comparison-values.ts'
import { integer, literal, sql, type Sql } from '../../sql/sql.ts'

/** The conditions of a property. */
interface PropertyConditions {
  readonly conditions: readonly Sql[]
  /** The `order by` terms for distances that the filter requests. */
  readonly orders: readonly Sql[]
}

/** Returns the conditions of a `PropertyFilterInput`, all of which must hold. */
export function propertyFilter(fields: InputFields, scope: RowScope, context: ConditionContext): PropertyConditions {
  const name = leafOf(fields['name'])
  const propertyType = typeNamed(leafOf(fields['property_type'])?.value)
  // A blank name means that the scope of the filter is absent, so the filter has no conditions.
  if (name === null || (name.isKnown && name.value === '')) return { conditions: [], orders: [] }
  const property = propertyOf(scope, name, context.build, 'filter', propertyType)
  const filter = new PropertyFilter(property, fields, context, flagOf(fields['allow_empty'], false) === true)
  const { column } = property
  if (column === null) {
    filter.values()
    filter.typedValues()
    filter.range()
  } else filter.column(column, columnSql(scope, column))
  filter.lists()
  filter.texts()
  filter.exists()
  filter.geography(scope)
  return filter
}

class PropertyFilter implements PropertyConditions {
  readonly conditions: Sql[] = []
  readonly orders: Sql[] = []
  readonly #property: Property
  readonly #fields: InputFields
  readonly #site: ConditionContext
  readonly #build: Build
  readonly #allowEmpty: boolean
  /** Whether conditions are reported as index needs. */
  #noting = true

  constructor(property: Property, fields: InputFields, context: ConditionContext, allowEmpty: boolean) {
    this.#property = property
    this.#fields = fields
    this.#site = context
    this.#build = context.build
    this.#allowEmpty = allowEmpty
  }

  values(): void {
    this.#both('value', (leaf) => (this.#isArray ? this.#hasElement(leaf) : this.#equals(leaf)))
    this.#both('value_in', (leaf) => {
      if (this.#skipsEmpty(leaf)) return null
      if (!this.#isArray) return this.#among(leaf)
      // The schema does not have this key. The old search sets it.
      return knownTextOf(this.#fields['value_in_operator']) === 'OR' ? this.#overlaps(leaf) : this.#isWithin(leaf)
    })
  }

  /** Adds the conditions of a property that is stored in a column. They are compared like other conditions on columns. */
  column(column: Column, expression: Sql): void {
    const { value_in, not_value_in, range } = this.#fields
    const compare = column.as === 'time' ? timeFilter : idFilter
    const lists = Object.entries({ value_in, not_value_in }).filter(([, list]) => {
      const leaf = leafOf(list)
      return leaf !== null && !this.#skipsEmpty(leaf)
    })
    const bounds = column.as === 'time' ? { ...fieldsOf(range) } : { range }
    this.conditions.push(...compare(expression, column, { ...Object.fromEntries(lists), ...bounds }, this.#site))
    for (const name of ['value', 'value_int', 'value_float', 'value_boolean']) {
      const single = { value: this.#fields[name], not_value: this.#fields[`not_${name}`] }
      this.conditions.push(...compare(expression, column, single, this.#site))
    }
  }

  lists(): void {
    const json = (): Sql => this.#property.sql('json')
    this.#both('value_array', (leaf) =>
      this.#skipsEmpty(leaf) ? null : sql`coalesce(${json()}, '[]') = ${this.#build.bind(leaf, 'jsonb', listJson)}`,
    )
    this.#both('array_contains', (leaf) => {
      if (this.#skipsEmpty(leaf)) return null
      this.#element(leaf)
      return this.#ofList(sql`${json()} ?& ${this.#build.bind(leaf, 'text[]', wholeList)}`)
    })
    this.#both('array_overlaps', (leaf) => {
      if (this.#skipsEmpty(leaf)) return null
      this.#element(leaf)
      return this.#ofList(sql`${json()} ?| ${this.#build.bind(leaf, 'text[]', listConverter(plainText))}`)
    })
  }

  texts(): void {
    const texts = { text: this.#property.sql('search'), nullableText: this.#property.sql('whole') }
    const condition = substrings(texts, this.#fields, this.#site, (leaf, name) => {
      const { declared } = this.#property
      // A shorter text contains no trigram, so the index would be scanned completely.
      const short = isConstant(leaf) && typeof leaf.value === 'string' && leaf.value.length < 3
      if (declared === null || short) return this.#loose(leaf, name)
      this.#site.need?.contains.push({ property: declared, optional: this.#build.isOptional(leaf) })
    })
    this.conditions.push(...condition)
    for (const name of ['not_contains', 'not_starts_with', 'not_ends_with']) {
      const leaf = leafOf(this.#fields[name])
      if (leaf !== null) this.#loose(leaf, name)
    }
  }

  typedValues(): void {
    const number = (leaf: Leaf): Sql => {
      this.#equal(leaf, 'number')
      return sql`${this.#property.sql('number')} = ${this.#build.bind(leaf, 'numeric', numberText)}`
    }
    this.#both('value_int', number)
    this.#both('value_float', number)
    this.#both('value_boolean', (leaf) => {
      this.#equal(leaf, 'boolean')
      return sql`${this.#property.sql('boolean')} = ${this.#build.bind(leaf, 'integer', truthText)}`
    })
  }

  range(): void {
    const bounds = givenBounds(this.#fields['range'])
    if (bounds.length === 0) return
    const { type, kind } = this.#property
    if (type === null || kind === null) {
      for (const { operator, leaf } of bounds) this.conditions.push(this.#looseBound(operator, leaf))
      return
    }
    const form = kind === 'array' || kind === 'text' ? 'whole' : kind
    const expression = this.#property.sql(form)
    const cast = kind === 'number' ? 'numeric' : kind === 'boolean' ? 'integer' : 'text'
    for (const { operator, leaf } of bounds) {
      this.conditions.push(
        sql`${expression} ${OPERATOR_SQL[operator]} ${this.#build.bind(leaf, cast, boundConverter(type, operator))}`,
      )
    }
    // The value of `MISSING` is greater than every bound, so it must be excluded. This is not written as an upper bound, because PostgreSQL
    // would
    // estimate a narrow range with few rows.
    const hasNoUpperBound = !bounds.some(({ operator }) => operator.startsWith('<'))
    if (hasNoUpperBound && form !== 'whole') this.conditions.push(sql`${expression} <> ${MISSING_SQL[form]}`)
    if (form === 'whole') {
      for (const { leaf } of bounds) this.#loose(leaf, 'range')
      return
    }
    const key = this.#key(form)
    if (key !== null)
      this.#site.need?.ranges.push({ key, optional: bounds.every(({ leaf }) => this.#build.isOptional(leaf)) })
  }

  exists(): void {
    const exists = flagOf(this.#fields['exists'])
    if (exists === null) return
    this.conditions.push(
      exists ? sql`${this.#property.sql('whole')} is not null` : sql`${this.#property.sql('whole')} is null`,
    )
    const leaf = leafOf(this.#fields['exists'])
    if (leaf !== null) this.#loose(leaf, 'exists')
  }

  geography(scope: RowScope): void {
    const sphere = circleOf(this.#fields['distance_sphere'], 'center', 'distance_in_km')
    if (sphere !== null) {
      const distanceSql = distance(this.#property.sql('json'), sphere.point, this.#build)
      if (sphere.limit !== null) {
        this.conditions.push(sql`${distanceSql} <= ${this.#build.bind(sphere.limit, 'double precision', kilometres)}`)
      }
      if (sphere.order !== 'NONE')
        this.orders.push(sql`${distanceSql} ${sphere.order === 'DESC' ? sql`desc` : sql`asc`}`)
      this.#loose(sphere.point, 'distance_sphere')
    }
    for (const [name, negated] of [
      ['within_radius', false],
      ['not_within_radius', true],
    ] as const) {
      const circle = circleOf(this.#fields[name], 'point', 'radius_in_km_from_property')
      const within = circle === null ? null : this.#within(circle, scope)
      if (within === null || circle === null) continue
      this.conditions.push(negated ? negate(within) : within)
      this.#loose(circle.point, name)
    }
  }

  /** Returns the condition that the point is within the radius that a property of the row contains. */
  #within(circle: Circle, scope: RowScope): Sql | null {
    const radius = circle.limit === null ? null : propertyOf(scope, circle.limit, this.#build, 'filter')
    if (radius === null) return null
    const distanceSql = distance(this.#property.sql('json'), circle.point, this.#build)
    return sql`${distanceSql}::numeric <= nullif(${radius.sql('number')}, ${literal(MISSING.number)})`
  }

  get #isArray(): boolean {
    return this.#property.kind === 'array'
  }

  /** Adds a condition and its negation. No index serves them. */
  #both(name: string, write: (leaf: Leaf) => Sql | null): void {
    const leaf = leafOf(this.#fields[name])
    const condition = leaf === null ? null : write(leaf)
    if (condition !== null) this.conditions.push(condition)
    const negatedLeaf = leafOf(this.#fields[`not_${name}`])
    if (negatedLeaf === null) return
    this.#noting = false
    const negated = write(negatedLeaf)
    this.#noting = true
    if (negated === null) return
    this.conditions.push(negate(negated))
    this.#loose(negatedLeaf, `not_${name}`)
  }

  #equals(leaf: Leaf): Sql {
    const { type, kind } = this.#property
    const convert = comparisonConverter(type)
    if (kind === null || kind === 'text' || kind === 'array') {
      this.#equal(leaf, 'match')
      const value = this.#build.bind(leaf, 'text', convert)
      // Compares only the prefix, because a short value equals its prefix.
      if (leaf.isShort) return sql`${this.#property.sql('match')} = ${value}`
      return sql`${this.#property.sql('match')} = left(${value}, ${integer(INDEXED_PREFIX)}) and ${estimatedAsCommon(sql`length(${value}) < ${integer(INDEXED_PREFIX)}`, sql`${this.#property.sql('search')} = ${value}`)}`
    }
    this.#equal(leaf, kind)
    return sql`${this.#property.sql(kind)} = ${this.#build.bind(leaf, CASTS[kind], convert)}`
  }

  #among(leaf: Leaf): Sql {
    const { type, kind } = this.#property
    const convert = listConverter(comparisonConverter(type))
    if (kind === null || kind === 'text' || kind === 'array') {
      this.#equal(leaf, 'match', true)
      if (leaf.isShort) return sql`${this.#property.sql('match')} = any(${this.#build.bind(leaf, 'text[]', convert)})`
      const starts = this.#build.bind(leaf, 'text[]', listConverter(startText))
      const values = this.#build.bind(leaf, 'text[]', convert)
      return sql`${this.#property.sql('match')} = any(${starts}) and ${estimatedAsCommon(sql`${starts} = ${values}`, sql`${this.#property.sql('search')} = any(${values})`)}`
    }
    this.#equal(leaf, kind, true)
    return sql`${this.#property.sql(kind)} = any(${this.#build.bind(leaf, LIST_CASTS[kind], convert)})`
  }

  #hasElement(leaf: Leaf): Sql {
    this.#element(leaf)
    const json = this.#property.sql('json')
    const value = this.#build.bind(leaf, 'text', plainText)
    if (isConstant(leaf) && leaf.value !== '') return sql`${json} ? ${value}`
    return sql`(${json} ? ${value} or (${value} = '' and ${emptyList(json)}))`
  }

  /** An array has elements, and only these. The first condition alone is served by an index. An empty array equals ''. */
  #isWithin(leaf: Leaf): Sql {
    this.#element(leaf)
    const json = this.#property.sql('json')
    const values = this.#build.bind(leaf, 'text[]', listConverter(plainText))
    const within = sql`${json} ?| ${values} and ${json} <@ to_jsonb(${values})`
    if (isConstant(leaf) && Array.isArray(leaf.value) && !leaf.value.includes('')) return within
    return sql`(${within} or ('' = any(${values}) and ${emptyList(json)}))`
  }

  #overlaps(leaf: Leaf): Sql {
    this.#element(leaf)
    const json = this.#property.sql('json')
    const values = this.#build.bind(leaf, 'text[]', listConverter(plainText))
    if (isConstant(leaf) && Array.isArray(leaf.value) && !leaf.value.includes('')) return sql`${json} ?| ${values}`
    return sql`(${json} ?| ${values} or ('' = any(${values}) and ${emptyList(json)}))`
  }

  /** Restricts a condition to lists, because its operators also match the keys of an object. */
  #ofList(condition: Sql): Sql {
    return this.#isArray ? condition : sql`(jsonb_typeof(${this.#property.sql('json')}) = 'array' and ${condition})`
  }

  /** Compares numbers as numbers and other values as texts. */
  #looseBound(operator: Operator, leaf: Leaf): Sql {
    const number = this.#property.sql('number')
    const asNumber = this.#build.bind(leaf, 'numeric', boundConverter('decimal', operator))
    const asText = this.#build.bind(leaf, 'text', plainText)
    this.#loose(leaf, 'range')
    return sql`case when ${number} = ${literal(MISSING.number)} then ${this.#property.sql('whole')} ${OPERATOR_SQL[operator]} ${asText}
      else ${number} ${OPERATOR_SQL[operator]} ${asNumber} end`
  }

  #skipsEmpty(leaf: Leaf): boolean {
    return this.#allowEmpty && leaf.isKnown && leaf.isEmptyList
  }

  #key(as: IndexForm): ReturnType<typeof ascending> {
    const { declared } = this.#property
    return declared === null ? null : ascending({ property: declared, as })
  }

  /**
   * Records that the property equals a value.
   * @param isAmong whether the leaf is a list, and the property equals one of its elements
   */
  #equal(leaf: Leaf, as: IndexForm, isAmong = false): void {
    if (!this.#noting) return
    const { name } = this.#property
    if (name !== null) {
      const keyWithValue = keyValue({ kind: 'property', name }, leaf, this.#build, isAmong)
      // With `allow_empty`, an empty list is not a condition.
      const optional = keyWithValue.optional || (isAmong && this.#allowEmpty && !isConstant(leaf))
      this.#site.need?.equalities.push({ ...keyWithValue, optional })
    }
    const key = this.#key(as)
    if (key !== null) this.#site.need?.equals.push({ key, optional: this.#build.isOptional(leaf) })
  }

  #element(leaf: Leaf): void {
    const { declared } = this.#property
    if (declared !== null && this.#noting)
      this.#site.need?.elements.push({ property: declared, optional: this.#build.isOptional(leaf) })
  }

  #loose(leaf: Leaf, condition: string): void {
    const name = this.#property.name ?? 'a property'
    this.#site.need?.unindexed.push({ reason: `no index serves \`${condition}\` on \`${name}\``, range: leaf.range })
  }
}

const CASTS = { number: 'numeric', boolean: 'integer', time: 'text' } as const
const LIST_CASTS = { number: 'numeric[]', boolean: 'bigint[]', time: 'text[]' } as const

/**
 * Writes a comparison of the complete text, which is needed only when the prefix is not sufficient. It has the form of a null test, which
 * PostgreSQL estimates to match nearly all rows. Otherwise PostgreSQL would not use the index for sorting, or would plan each execution
 * again.
 */
function estimatedAsCommon(enough: Sql, condition: Sql): Sql {
  return sql`case when ${enough} or ${condition} then 1 end is not null`
}

function emptyList(json: Sql): Sql {
  return sql`coalesce(${json}, 'null') in ('[]', 'null', '""')`
}

function kilometres(value: unknown): string | null {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? `${number}` : null
}
