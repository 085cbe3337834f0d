/** Says how a query that runs in a loop becomes one query, with the fields of the query where they are known. */
import {
  type ArgumentNode,
  type FieldNode,
  Kind,
  type ObjectValueNode,
  parse,
  print,
  type SelectionNode,
  type ValueNode,
} from 'graphql'
import { isObject } from '../../../runtime/data/values/json-data.ts'
import type { StoredQuery } from './recorded-request.ts'

const GENERAL =
  'Fetch the related rows with one query: `related_record` or `related_records` in the query before the loop, or a filter `id: { value_in: … }`.'

/** A query that ran before a loop. */
export interface EarlierQuery {
  readonly name: string
  /** Null when it is unknown. */
  readonly document: string | null
  /** Number of its results. */
  readonly rows: number | null
}

/**
 * @param document null when it is unknown
 * @param earlier the queries before the loop, in their order
 * @returns what to change, and the name of the query whose rows the loop can use, when there is one
 */
export function describeLoop(
  name: string,
  document: string | null,
  runs: readonly StoredQuery[],
  earlier: readonly EarlierQuery[],
): { readonly change: string; readonly list: string | null } {
  const list = document === null ? null : sameTableChange(name, document, runs, earlier)
  return list ?? { change: joinChange(name, document, runs), list: null }
}

/** Says which fields to add to an earlier query that has the rows of the loop; null when there is none. */
function sameTableChange(
  name: string,
  document: string,
  runs: readonly StoredQuery[],
  earlier: readonly EarlierQuery[],
): { readonly change: string; readonly list: string } | null {
  const changing = changingVariables(runs)
  const inner = rootField(document)
  const use = inner === null ? null : findUse(inner, changing)
  if (inner === null || use === null || use.key !== 'id') return null
  const source = sourceOf(use.field, use.table)
  const wanted = rowFields(inner)
  if (source === null || wanted === null) return null
  const ids = valuesOf(use.variable, runs)
  const list = earlier.findLast(({ document: text, rows }) => {
    const root = text === null || rows === null || rows < ids ? null : rootField(text)
    return root !== null && sourceOf(root.name.value, tableOfField(root)) === source && rowFields(root) !== null
  })
  const root = list === undefined || list.document === null ? null : rootField(list.document)
  if (list === undefined || root === null || list.name === name) return null
  const present = rowFields(root) ?? new Map<string, string>()
  const missing = [...wanted].flatMap(([key, text]) => (present.get(key) === text ? [] : [`\`${text}\``]))
  const change =
    missing.length === 0
      ? `\`${list.name}\` reads the same rows with the same fields: use them in the loop instead of ${name}.`
      : `Select ${missing.join(', ')} in \`${list.name}\`, which reads the same rows, and use its results in the loop instead of ${name}.`
  return { change, list: list.name }
}

/** Returns the number of different values of a variable. */
function valuesOf(name: string, runs: readonly StoredQuery[]): number {
  return new Set(runs.map(({ variables }) => (isObject(variables) ? JSON.stringify(variables[name]) : ''))).size
}

/** Returns the name of what a root field reads; null when it is unknown. */
function sourceOf(field: string, table: string | null): string | null {
  return field === 'user' || field === 'users' ? '(users)' : table
}

/** Returns the fields of each row as texts by their names in the result; null when fragments hide some. */
function rowFields(root: FieldNode): ReadonlyMap<string, string> | null {
  const selections: readonly SelectionNode[] = root.selectionSet?.selections ?? []
  const results = selections.find((each) => each.kind === Kind.FIELD && each.name.value === 'results')
  const rows = results?.kind === Kind.FIELD ? (results.selectionSet?.selections ?? []) : selections
  const fields = new Map<string, string>()
  for (const each of rows) {
    if (each.kind !== Kind.FIELD) return null
    fields.set(each.alias?.value ?? each.name.value, print(each).replace(/\s+/g, ' '))
  }
  return fields
}

function joinChange(name: string, document: string | null, runs: readonly StoredQuery[]): string {
  const changing = changingVariables(runs)
  const [first] = runs
  if (changing.length === 0 && first !== undefined)
    return `Every run has the same variables: run ${name} once before the loop, and use its result inside.`
  const root = document === null ? null : rootField(document)
  const use = root === null ? null : findUse(root, changing)
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

/** Returns the first root field of a document; null when it has none or cannot be parsed. */
function rootField(document: string): FieldNode | null {
  try {
    const [definition] = parse(document).definitions
    const [selection] = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : []
    return selection?.kind === Kind.FIELD ? selection : null
  } catch {
    return null
  }
}

function findUse(root: FieldNode, variables: readonly string[]): VariableUse | null {
  const field = root.name.value
  const filter = valueOf(root.arguments ?? [], 'filter')
  // Old root fields take conditions as arguments.
  const table = tableOfField(root)
  if (filter?.kind !== Kind.OBJECT) return direct(field, table, root.arguments ?? [], variables)
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

function direct(
  field: string,
  table: string | null,
  args: readonly ArgumentNode[],
  variables: readonly string[],
): VariableUse | null {
  for (const { name, value } of args) {
    const variable = variableIn(value, variables)
    if (variable !== null) return { field, table, key: name.value, isProperty: false, variable }
  }
  return null
}

function tableOfField(root: FieldNode): string | null {
  const filter = valueOf(root.arguments ?? [], 'filter')
  if (filter?.kind === Kind.OBJECT) return tableOf(filter)
  const table = valueOf(root.arguments ?? [], 'table')
  return table?.kind === Kind.STRING ? table.value : null
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
