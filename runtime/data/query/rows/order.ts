/** Sorts: by the given keys, then by id. Missing values sort as described in `null-order.ts`. */
import type { IndexKey } from '../../../page/compiled.ts'
import type { Build, Input, InputFields, Leaf } from '../model.ts'
import type { RowQuery } from './filter.ts'
import { fieldsOf, flagOf, itemsOf, leafOf, knownTextOf, directionOf } from './input.ts'
import { indexedColumn } from './index-need.ts'
import { sortForm } from './property.ts'
import { type Column, columnOf, columnSql, propertyOf, relationOf, type RowScope } from './scope.ts'
import { listConverter, plainText } from './comparison-values.ts'
import { join, sql, type Sql } from '../../sql/sql.ts'
import { type Direction, listedValuesTerm, sortTerm } from '../null-order.ts'

/**
 * Returns the terms of `order by`, ending with the id.
 * @param wantsLast whether the last row of a given sort shall come first
 */
export function orderSql(sort: Input | undefined, reading: RowQuery, build: Build, wantsLast = false): Sql {
  const order = new Order(reading, build, wantsLast)
  for (const item of itemsOf(sort)) order.add(item)
  return order.finish()
}

class Order {
  readonly #reading: RowQuery
  readonly #build: Build
  readonly #wantsLast: boolean
  readonly #terms: Sql[] = []
  #byId = false

  constructor(reading: RowQuery, build: Build, wantsLast: boolean) {
    this.#reading = reading
    this.#build = build
    this.#wantsLast = wantsLast
  }

  add(item: InputFields): void {
    for (const [key, input] of Object.entries(item)) {
      if (input === undefined || input === null) continue
      if (key === 'properties') for (const one of itemsOf(input)) this.#property(one, this.#reading.scope)
      else if (key === 'profile_properties') for (const one of itemsOf(input)) this.#profileProperty(one)
      else if (key === 'random_sort') this.#random(input)
      else this.#column(key, input)
    }
  }

  finish(): Sql {
    const { scope, need, orders } = this.#reading
    const order: Direction = this.#wantsLast && this.#terms.length > 0 ? 'desc' : 'asc'
    this.#terms.push(...orders)
    if (!this.#byId) {
      this.#terms.push(sortTerm(sql`${scope.alias}.id`, order))
      need.sort.push({ key: { column: 'id', order }, hasVariableDirection: false })
    }
    return join(this.#terms)
  }

  #direction(order: Leaf): Direction {
    const isDescending = directionOf(order) === 'desc'
    return isDescending === this.#wantsLast ? 'asc' : 'desc'
  }

  #random(input: Input): void {
    if (flagOf(input) !== true) return
    this.#terms.push(sql`random()`)
    this.#unserved('`random_sort` reads all rows', leafOf(input))
  }

  #column(name: string, input: Input): void {
    const { scope } = this.#reading
    const fields = fieldsOf(input)
    const column = columnOf(scope, name)
    const order = leafOf(fields?.['order'])
    if (fields === null || column === null || order === null) return
    this.#byColumn(column, order, fields)
  }

  #byColumn(column: Column, order: Leaf, fields: InputFields): void {
    const { scope, need } = this.#reading
    const expression = columnSql(scope, column)
    const values = leafOf(fields['order_by_values'])
    if (values !== null) {
      const list = this.#build.bind(values, 'text[]', listConverter(plainText))
      this.#terms.push(listedValuesTerm(list, sql`${expression}::text`, this.#direction(order)))
      this.#unserved('no index serves `order_by_values`', values)
      return
    }
    this.#terms.push(sortTerm(expression, this.#direction(order)))
    const key = indexedColumn(column.name)
    if (key === null) this.#unserved(`\`${column.name}\` has no index`, order)
    else need.sort.push({ key: { column: key, order: this.#direction(order) }, hasVariableDirection: !order.isKnown })
    if (column.name === 'id') this.#byId = true
  }

  #property(fields: InputFields, scope: RowScope): void {
    const name = leafOf(fields['name'])
    const order = leafOf(fields['order'])
    if (name === null || order === null || (name.isKnown && name.value === '')) return
    const property = propertyOf(scope, name, this.#build, 'sort')
    if (property.column !== null) return this.#byColumn(property.column, order, fields)
    const direction = this.#direction(order)
    if (property.kind === null) {
      // When the type is unknown, numbers sort by value, and other texts follow in alphabetical order.
      this.#terms.push(sortTerm(property.sql('number'), direction), sortTerm(property.sql('text'), direction))
      this.#unserved('the type of the property is not known', name)
      return
    }
    const form = sortForm(property.kind)
    this.#terms.push(sortTerm(property.sql(form), direction))
    if (property.declared === null) return
    const key: IndexKey = { property: property.declared, as: form, order: direction }
    this.#reading.need.sort.push({ key, hasVariableDirection: !order.isKnown })
  }

  /** Sorts by the property of the first profile that has it. */
  #profileProperty(fields: InputFields): void {
    const name = leafOf(fields['name'])
    const order = leafOf(fields['order'])
    if (name === null || order === null) return
    const alias = this.#build.newAlias('p')
    const types = this.#build.catalog.data.profiles
      .filter(({ properties }) => properties.some((property) => property.name === knownTextOf(name)))
      .map((profile) => profile.name)
    const isTypeKnown = types.length > 0 || !name.isKnown
    const allTypes = this.#build.catalog.data.profiles.map((profile) => profile.name)
    const property = propertyOf(
      { rows: 'profiles', alias, tables: isTypeKnown ? types : allTypes },
      name,
      this.#build,
      'sort',
    )
    const expression = property.sql(property.kind === null ? 'text' : sortForm(property.kind))
    const { scope } = this.#reading
    const firstValue = sql`(select ${expression} from ${relationOf('profiles')} ${alias} where ${alias}.user_id = ${scope.alias}.id
      and ${property.sql('whole')} is not null order by ${alias}.id limit 1)`
    this.#terms.push(sortTerm(firstValue, this.#direction(order)))
    this.#unserved('no index serves `profile_properties`', name)
  }

  #unserved(reason: string, leaf: Leaf | null): void {
    this.#reading.need.unserved.push({ reason, range: leaf?.range ?? null })
  }
}
