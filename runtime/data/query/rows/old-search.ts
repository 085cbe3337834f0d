/** The old search, `customizations` and `people`, translated to the arguments of `records` and `users`. */
import { type Build, type Input, type InputFields, type Json, Leaf, type Selected } from '../model.ts'
import { aggregationsJson, propertyAt } from './aggregations.ts'
import { read } from './filter.ts'
import { fieldsOf, flagOf, itemsOf, leafOf, textOf } from './input.ts'
import { collectionJson } from './page.ts'
import { columnOf, type Scope } from './scope.ts'

/** Records for the old arguments. */
export function customizationsJson(call: Selected, build: Build): Json {
  const { args } = call
  const type = fieldsOf(args['model_schema']) ?? fieldsOf(args['custom_model_type']) ?? {}
  const typed = given({ value: type['name'], value_in: type['names'] })
  // The name of a record is that of its table.
  const named = given({ value: args['name'], value_in: args['names'], not_value_in: args['without_names'] })
  const filter = given({
    table: named ?? typed,
    table_id: given({ value: type['id'], value_in: type['ids'] }),
    or: named === undefined || typed === undefined ? undefined : [{ table: typed }],
    id: given({ value: args['id'], value_in: args['ids'], not_value_in: args['without_ids'] }),
    external_id: given({ value: args['external_id'], value_in: args['external_ids'] }),
    user_id: given({ value: args['user_id'], value_in: args['user_ids'] }),
    customizable_id: given({ value: args['customizable_id'], value_in: args['customizable_ids'] }),
    customizable_type: given({ value: args['customizable_type'] }),
    created_at: args['created_at'],
    updated_at: args['updated_at'],
    deleted_at: deletion(args['is_deleted']),
    properties: itemsOf(args['properties']).map((item) => propertyCondition(item, build)),
    fulltext: wordsOf(args['query']),
  })
  return searched(call, 'records', filter, build)
}

/** Users for the old arguments. */
export function peopleJson(call: Selected, build: Build): Json {
  const user = fieldsOf(call.args['user']) ?? {}
  const filter = given({
    id: given({ value: user['id'], value_in: user['ids'], not_value_in: user['without_ids'] }),
    email: given({ value: user['email'], value_in: user['emails'] }),
    external_id: given({ value: user['external_id'] }),
    first_name: given({ value: user['first_name'] }),
    middle_name: given({ value: user['middle_name'] }),
    last_name: given({ value: user['last_name'] }),
    name: given({ value: user['name'] }),
    slug: given({ value: user['slug'] }),
    created_at: user['created_at'],
    deleted_at: deletion(user['is_deleted']),
    fulltext: wordsOf(call.args['query']),
  })
  return searched(call, 'users', filter, build)
}

/** The fields of a search for words may be paths, such as `properties.title` and `properties.title.raw`. */
function wordsOf(input: Input | undefined): Input | undefined {
  const query = fieldsOf(input)
  if (query === null) return input
  const named = (fields: Input | undefined): Input =>
    itemsOf(fields).map((field) => {
      const text = textOf(field['name'])
      return text === null ? field : { ...field, name: constant(propertyAt(text)) }
    })
  return { ...query, fields: named(query['fields']), properties: named(query['properties']) }
}

/** The fields that were given; undefined when none was. */
function given(fields: Readonly<Record<string, Input | undefined>>): InputFields | undefined {
  const there = Object.entries(fields).filter(([, input]) => input !== undefined && input !== null)
  return there.length === 0 ? undefined : Object.fromEntries(there)
}

function constant(value: unknown): Leaf {
  return new Leaf(value, { kind: 'constant', value }, null)
}

/** `is_deleted: true` selects only deleted rows. */
function deletion(input: Input | undefined): InputFields | undefined {
  return flagOf(input, false) === true ? { exists: constant(true) } : undefined
}

/** Converts `QueryCustomAttribute` to `PropertyFilterInput`. */
function propertyCondition(item: InputFields, build: Build): InputFields {
  const not = flagOf(item['exclude'], false) === true ? 'not_' : ''
  const among = textOf(item['values_operator']) === 'AND' ? 'array_contains' : 'value_in'
  const exists = leafOf(item['exists']) === null ? null : flagOf(item['exists'])
  if (not !== '' && fieldsOf(item['range']) !== null) {
    const message = '`exclude` does not apply to a `range`.'
    build.problem({
      code: 'invalid',
      message,
      at: leafOf(item['name'])?.at ?? null,
      hint: 'Ask for the other side of it.',
    })
  }
  return {
    name: item['name'],
    [`${not}value`]: item['value'],
    [`${not}${among}`]: item['values'],
    ...(exists === null ? {} : { exists: constant(exists !== (not !== '')) }),
    range: item['range'],
  }
}

const OTHER_NAMES: Readonly<Record<string, string>> = { page: 'current_page', size: 'per_page' }

function searched(call: Selected, rows: 'records' | 'users', filter: InputFields | undefined, build: Build): Json {
  const reading = read({ rows, filter }, build)
  const sort = itemsOf(call.args['sort']).map((item) => sortOf(item, reading.scope))
  const selection = call.selection.map((field) => ({ ...field, name: OTHER_NAMES[field.name] ?? field.name }))
  const more = (field: Selected): Json | null =>
    field.name === 'aggregations' ? aggregationsJson(field, call, reading, build) : null
  return collectionJson({ ...call, args: { ...call.args, filter, sort }, selection }, reading, build, more)
}

/** Converts `SortOrder` to a sort by columns or properties. */
function sortOf(item: InputFields, scope: Scope): InputFields {
  const order = constant(textOf(item['order'])?.toUpperCase() === 'DESC' ? 'DESC' : 'ASC')
  const listed = fieldsOf(item['field'])
  const profile = leafOf(item['profile_property']) ?? leafOf(item['profile_field'])
  if (profile !== null) return { profile_properties: [{ name: profile, order }] }
  const property = leafOf(item['property_name'])
  if (property !== null) return { properties: [{ name: property, order }] }
  const name = leafOf(item['name']) ?? leafOf(listed?.['field_name'])
  if (name === null) return {}
  const text = textOf(name)
  if (text === null) return { properties: [{ name, order }] }
  if (columnOf(scope, text) === null) {
    const property = propertyAt(text)
    return { properties: [{ name: new Leaf(property, { kind: 'constant', value: property }, name.at), order }] }
  }
  return { [text]: listed === null ? { order } : { order, order_by_values: listed['values'] } }
}
