/** Reads the arguments of the old search as those of `records`. */
import { type Build, type Input, type InputFields, Leaf } from '../model.ts'
import { fieldsOf, flagOf, itemsOf, knownTextOf, leafOf } from './input.ts'

/** Returns the fields that were given; undefined when none were given. */
export function givenFields(fields: Readonly<Record<string, Input | undefined>>): InputFields | undefined {
  const givenEntries = Object.entries(fields).filter(([, input]) => input !== undefined && input !== null)
  return givenEntries.length === 0 ? undefined : Object.fromEntries(givenEntries)
}

export function constantLeaf(value: unknown): Leaf {
  return new Leaf(value, { kind: 'constant', value }, null)
}

/** Converts `QueryCustomAttribute` to `PropertyFilterInput`. */
export function propertyCondition(item: InputFields, build: Build): InputFields {
  const negationPrefix = flagOf(item['exclude'], false) === true ? 'not_' : ''
  const listOperator = knownTextOf(item['values_operator']) === 'AND' ? 'array_contains' : 'value_in'
  const exists = leafOf(item['exists']) === null ? null : flagOf(item['exists'])
  if (negationPrefix !== '' && fieldsOf(item['range']) !== null) {
    const message = '`exclude` does not apply to a `range`.'
    build.reportProblem({
      code: 'invalid',
      message,
      range: leafOf(item['name'])?.range ?? null,
      hint: 'Use the opposite range.',
      mistake: { kind: 'refused input', name: 'exclude' },
    })
  }
  return {
    name: item['name'],
    [`${negationPrefix}value`]: item['value'],
    [`${negationPrefix}${listOperator}`]: item['values'],
    value_in_operator: constantLeaf('OR'),
    ...(exists === null ? {} : { exists: constantLeaf(exists !== (negationPrefix !== '')) }),
    range: item['range'],
  }
}

/** Returns the filter for the arguments of `customizations` below a user or a profile. */
export function ownedFilter(args: InputFields, build: Build): InputFields | undefined {
  return givenFields({
    table: givenFields({ value: args['name'] }),
    id: givenFields({ value_in: args['id'] }),
    user_id: givenFields({ value: args['user_id'] }),
    customizable_id: givenFields({ value: args['customizable_id'] }),
    customizable_type: givenFields({ value: args['customizable_type'] }),
    properties: itemsOf(args['properties']).map((item) => propertyCondition(item, build)),
  })
}

/** Converts `CustomizationSortOrder` to a sort by a column or a property. */
export function ownedSort(args: InputFields): readonly InputFields[] {
  return itemsOf(args['sort']).map((item) => {
    const order = constantLeaf(knownTextOf(item['order'])?.toUpperCase() === 'DESC' ? 'DESC' : 'ASC')
    const property = leafOf(item['property'])
    if (property !== null) return { properties: [{ name: property, order }] }
    const field = knownTextOf(item['field'])
    return field === null ? {} : { [field]: { order } }
  })
}
