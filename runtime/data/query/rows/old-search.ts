/** The old search, `customizations` and `people`, translated to the arguments of `records` and `users`. */
import { type Build, type Input, type InputFields, type JsonExpression, Leaf, type Selected } from '../model.ts'
import { aggregationsJson, propertyNameIn } from './aggregations.ts'
import { rowQuery } from './filter.ts'
import { constantLeaf, givenFields, propertyCondition } from './old-arguments.ts'
import { fieldsOf, flagOf, itemsOf, leafOf, knownTextOf } from './input.ts'
import { collectionJson } from './page.ts'
import { columnOf, type RowScope } from './scope.ts'

/** Returns the page of records for the arguments of `customizations`. */
export function customizationsJson(call: Selected, build: Build): JsonExpression {
  const { args } = call
  const type = fieldsOf(args['model_schema']) ?? fieldsOf(args['custom_model_type']) ?? {}
  const typeFilter = givenFields({ value: type['name'], value_in: type['names'] })
  // In the old search, the name of a record is the name of its table.
  const nameFilter = givenFields({ value: args['name'], value_in: args['names'], not_value_in: args['without_names'] })
  const filter = givenFields({
    table: nameFilter ?? typeFilter,
    table_id: givenFields({ value: type['id'], value_in: type['ids'] }),
    or: nameFilter === undefined || typeFilter === undefined ? undefined : [{ table: typeFilter }],
    id: givenFields({ value: args['id'], value_in: args['ids'], not_value_in: args['without_ids'] }),
    external_id: givenFields({ value: args['external_id'], value_in: args['external_ids'] }),
    user_id: givenFields({ value: args['user_id'], value_in: args['user_ids'] }),
    customizable_id: givenFields({ value: args['customizable_id'], value_in: args['customizable_ids'] }),
    customizable_type: givenFields({ value: args['customizable_type'] }),
    created_at: args['created_at'],
    updated_at: args['updated_at'],
    deleted_at: deletedFilter(args['is_deleted']),
    properties: itemsOf(args['properties']).map((item) => propertyCondition(item, build)),
    fulltext: fulltextInput(args['query']),
  })
  return searchJson(call, 'records', filter, build)
}

/** Returns the page of users for the arguments of `people`. */
export function peopleJson(call: Selected, build: Build): JsonExpression {
  const user = fieldsOf(call.args['user']) ?? {}
  const filter = givenFields({
    id: givenFields({ value: user['id'], value_in: user['ids'], not_value_in: user['without_ids'] }),
    email: givenFields({ value: user['email'], value_in: user['emails'] }),
    external_id: givenFields({ value: user['external_id'] }),
    first_name: givenFields({ value: user['first_name'] }),
    middle_name: givenFields({ value: user['middle_name'] }),
    last_name: givenFields({ value: user['last_name'] }),
    name: givenFields({ value: user['name'] }),
    slug: givenFields({ value: user['slug'] }),
    created_at: user['created_at'],
    deleted_at: deletedFilter(user['is_deleted']),
    fulltext: fulltextInput(call.args['query']),
  })
  return searchJson(call, 'users', filter, build)
}

/** Converts a search for words. The field names may be paths, such as `properties.title` and `properties.title.raw`. */
function fulltextInput(input: Input | undefined): Input | undefined {
  const query = fieldsOf(input)
  if (query === null) return input
  const withPropertyNames = (fields: Input | undefined): Input =>
    itemsOf(fields).map((field) => {
      const text = knownTextOf(field['name'])
      return text === null ? field : { ...field, name: constantLeaf(propertyNameIn(text)) }
    })
  return { ...query, fields: withPropertyNames(query['fields']), properties: withPropertyNames(query['properties']) }
}

/** Returns the filter for `is_deleted`: true selects only deleted rows. */
function deletedFilter(input: Input | undefined): InputFields | undefined {
  return flagOf(input, false) === true ? { exists: constantLeaf(true) } : undefined
}

const OTHER_NAMES: Readonly<Record<string, string>> = { page: 'current_page', size: 'per_page' }

function searchJson(
  call: Selected,
  rows: 'records' | 'users',
  filter: InputFields | undefined,
  build: Build,
): JsonExpression {
  const reading = rowQuery({ rows, filter }, build)
  const sort = itemsOf(call.args['sort']).map((item) => sortOf(item, reading.scope))
  const selection = call.selection.map((field) => ({ ...field, name: OTHER_NAMES[field.name] ?? field.name }))
  const aggregationsField = (field: Selected): JsonExpression | null =>
    field.name === 'aggregations' ? aggregationsJson(field, call, reading, build) : null
  return collectionJson({ ...call, args: { ...call.args, filter, sort }, selection }, reading, build, aggregationsField)
}

/** Converts `SortOrder` to a sort by columns or properties. */
function sortOf(item: InputFields, scope: RowScope): InputFields {
  const order = constantLeaf(knownTextOf(item['order'])?.toUpperCase() === 'DESC' ? 'DESC' : 'ASC')
  const listed = fieldsOf(item['field'])
  const profile = leafOf(item['profile_property']) ?? leafOf(item['profile_field'])
  if (profile !== null) return { profile_properties: [{ name: profile, order }] }
  const property = leafOf(item['property_name'])
  if (property !== null) return { properties: [{ name: property, order }] }
  const name = leafOf(item['name']) ?? leafOf(listed?.['field_name'])
  if (name === null) return {}
  const text = knownTextOf(name)
  if (text === null) return { properties: [{ name, order }] }
  if (columnOf(scope, text) === null) {
    const property = propertyNameIn(text)
    return { properties: [{ name: new Leaf(property, { kind: 'constant', value: property }, name.range), order }] }
  }
  return { [text]: listed === null ? { order } : { order, order_by_values: listed['values'] } }
}
