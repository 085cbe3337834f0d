/** Says how a query that runs in a loop becomes one query, with the fields of the query where they are known. */
import { type ArgumentNode, type FieldNode, Kind, type ObjectValueNode, parse, type ValueNode } from 'graphql'
import { isObject } from '../../../runtime/data/values/json-data.ts'
import type { StoredQuery } from './recorded-request.ts'

const GENERAL =
  'Fetch the related rows with one query: `related_record` or `related_records` in the query before the loop, or a filter `id: { value_in: … }`.'

/** @param document null when it is unknown */
export function describeLoop(name: string, document: string | null, runs: readonly StoredQuery[]): string {
  const changing = changingVariables(runs)
  const [first] = runs
  if (changing.length === 0 && first !== undefined)
    return `Every run has the same variables: run ${name} once before the loop, and use its result inside.`
  const use = document === null ? null : findUse(document, changing)
  if (use === null) return GENERAL
  const { field, table, key, variable } = use
  const rows = table === null ? '' : `table: "${table}", `
  if (key === 'id') {
    const related =
      field === 'users' || field === 'user' ? 'related_user' : `related_record(${rows}join_on_property: "…")`
    return `Select \`${related}\` in the query before the loop, or run ${name} once before the loop with all ids: \`id: { value_in: $${variable}s }\`.`
  }
  return `Select \`related_records(${rows}join_on_property: "id", foreign_property: "${key}")\` in the query before the loop, or run ${name} once before the loop for all values: ${inList(use)}.`
}

function inList({ key, variable, isProperty }: VariableUse): string {
  return isProperty
    ? `\`properties: [{ name: "${key}", value_in: $${variable}s }]\``
    : `\`${key}: { value_in: $${variable}s }\``
}

/** Returns the names of variables whose values differ between runs. */
function changingVariables(runs: readonly StoredQuery[]): readonly string[] {
  const values = new Map<string, Set<string>>()
  for (const { variables } of runs)
    if (isObject(variables))
      for (const [name, value] of Object.entries(variables)) {
        const known = values.get(name)
        if (known === undefined) values.set(name, new Set([JSON.stringify(value)]))
        else known.add(JSON.stringify(value))
      }
  return [...values].flatMap(([name, different]) => (different.size > 1 ? [name] : []))
}

/** How a query finds its rows by a variable. */
interface VariableUse {
  /** The root field. */
  readonly field: string
  readonly table: string | null
  /** The property or the column that the variable is compared with. */
  readonly key: string
  readonly isProperty: boolean
  readonly variable: string
}

function findUse(document: string, variables: readonly string[]): VariableUse | null {
  let root: FieldNode | null = null
  try {
    const [definition] = parse(document).definitions
    const [selection] = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : []
    root = selection?.kind === Kind.FIELD ? selection : null
  } catch {
    return null
  }
  if (root === null) return null
  const field = root.name.value
  const filter = valueOf(root.arguments ?? [], 'filter')
  // Old root fields take conditions as arguments.
  if (filter?.kind !== Kind.OBJECT) return direct(field, root.arguments ?? [], variables)
  const table = tableOf(filter)
  for (const { name, value } of filter.fields) {
    if (name.value === 'properties' || name.value === 'table') continue
    const variable = variableIn(value, variables)
    if (variable !== null) return { field, table, key: name.value, isProperty: false, variable }
  }
  const properties = valueOf(filter.fields, 'properties')
  const items = properties?.kind === Kind.LIST ? properties.values : properties === null ? [] : [properties]
  for (const item of items) {
    if (item.kind !== Kind.OBJECT) continue
    const key = valueOf(item.fields, 'name')
    const variable = variableIn(item, variables)
    if (variable !== null && key?.kind === Kind.STRING)
      return { field, table, key: key.value, isProperty: true, variable }
  }
  return null
}

function direct(field: string, args: readonly ArgumentNode[], variables: readonly string[]): VariableUse | null {
  for (const { name, value } of args) {
    const variable = variableIn(value, variables)
    if (variable !== null) return { field, table: null, key: name.value, isProperty: false, variable }
  }
  return null
}

function tableOf(filter: ObjectValueNode): string | null {
  const table = valueOf(filter.fields, 'table')
  const value = table?.kind === Kind.OBJECT ? valueOf(table.fields, 'value') : table
  return value?.kind === Kind.STRING ? value.value : null
}

function valueOf(
  named: readonly { readonly name: { readonly value: string }; readonly value: ValueNode }[],
  name: string,
): ValueNode | null {
  return named.find((each) => each.name.value === name)?.value ?? null
}

/** Returns a variable of the list that a condition compares with: `$id`, or `{ value: $id }`. */
function variableIn(value: ValueNode, variables: readonly string[]): string | null {
  if (value.kind === Kind.VARIABLE) return variables.includes(value.name.value) ? value.name.value : null
  if (value.kind !== Kind.OBJECT) return null
  for (const { value: inner } of value.fields) {
    const variable = variableIn(inner, variables)
    if (variable !== null) return variable
  }
  return null
}
