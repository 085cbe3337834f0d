/** Classifies where a statement runs when tables are distributed, by the documented rules of Citus. Gives the reason and a hint. */
import { capitalize } from '../../core/diagnostics/words.ts'
import type { RowKey, StatementAccess, RowAccess, KeyValueSource } from '../../core/model/operation.ts'
import { isDistributed, isSameKey, type Layout } from './layout.ts'
import { findCommonValue, type RowLocation, rowLocations, writtenKeyValues } from './row-locations.ts'

export const CLASSES = ['one shard', 'colocated join', 'all shards', 'impossible'] as const
export type Class = (typeof CLASSES)[number]

export interface Verdict {
  readonly class: Class
  readonly why: string
  /** How to make the statement possible, or to reach fewer shards. Null if nothing should change. */
  readonly hint: string | null
}

/** Classifies a statement. */
export function classifyStatement(statement: StatementAccess, layout: Layout): Verdict {
  const allLocations = rowLocations(statement, layout)
  const locations = allLocations.filter(({ distributed }) => distributed)
  const impossibleWrite = findImpossibleWrite(locations, layout)
  if (impossibleWrite !== null) return impossibleWrite
  if (locations.length === 0) return addWriteNotes(classifyReferenceTables(allLocations), statement, layout)
  const commonValue = findCommonValue(locations)
  if (commonValue !== undefined)
    return addWriteNotes(classifyOneShard(locations, commonValue, layout), statement, layout)
  const [only, another] = locations
  if (only !== undefined && another === undefined && isSingleInsert(only.access))
    return addWriteNotes(classifyNewRow(only.access, layout), statement, layout)
  const apart = findImpossibleRead(locations, layout)
  return apart ?? addWriteNotes(classifyAllShards(locations, layout), statement, layout)
}

/** Returns true if a part inserts a single row, which has an id. */
function isSingleInsert({ action: does, fixedValues: fixed }: RowAccess): boolean {
  return does === 'insert' && fixed.length > 0
}

// ---- what is impossible ---------------------------------------------------------------------------------------------------

function impossible(reason: string, hint: string): Verdict {
  return { class: 'impossible', why: reason, hint }
}

/** Checks for a new row without a value of the distribution column, and for a row that would move to another shard. */
function findImpossibleWrite(locations: readonly RowLocation[], layout: Layout): Verdict | null {
  const { key } = layout
  const column = quoteName(key)
  for (const { access, values } of locations) {
    const writtenValues = writtenKeyValues(access, key)
    if (access.action === 'insert' && !access.hasUnknownValues && !isOfTable(access, key)) {
      const certainValue = writtenValues.find((each) => !each.optional)
      const optionalValue = writtenValues.find((each) => each.optional)
      if (certainValue === undefined && optionalValue !== undefined)
        return impossible(
          `A new row of ${describeRows(access)} needs a value of ${column}, and ${formatValue(optionalValue.value)} may be omitted.`,
          required(optionalValue.value),
        )
      if (certainValue === undefined || isNull(certainValue.value))
        return impossible(`A new row of ${describeRows(access)} gets no value of ${column}.`, `Give it ${column}.`)
    }
    if (access.action !== 'update') continue
    const moved = writtenValues.find(({ value }) => !values.has(JSON.stringify(value)))
    if (moved !== undefined)
      return impossible(
        `An update of ${describeRows(access)} would change ${column}, by which the rows are distributed.`,
        `Leave ${column} unchanged: delete the row, and create it again with the other value.`,
      )
    const target = access.writtenKeyValues.find((each) =>
      isSameKey(each.key, { kind: 'column', name: 'table_id' }),
    )?.value
    const table = target?.kind === 'constant' && typeof target.value === 'string' ? target.value : null
    if (table !== null && !isDistributed({ rows: 'records', tables: [table] }, layout))
      return impossible(
        `Rows of ${describeRows(access)}, which are distributed, would move to \`${table}\`, a reference table.`,
        `Declare ${column} in \`${table}\` as well.`,
      )
  }
  return null
}

function isOfTable({ tables }: RowAccess, { kind, name }: RowKey): boolean {
  return kind === 'column' && name === 'table_id' && tables?.length === 1
}

/** Checks for rows that are looked up from rows in other shards. */
function findImpossibleRead(locations: readonly RowLocation[], layout: Layout): Verdict | null {
  const column = quoteName(layout.key)
  for (const place of locations) {
    const { access, parents: above, isLookedUp: isBelow, shardGroup: together } = place
    if (access.action === 'lock' && place.values.size === 0)
      return impossible(
        `Rows of ${describeRows(access)} are locked by \`select … for update\`, which needs one shard, and are not found by ${column}.`,
        'Set the property to null with `record_update`.',
      )
    if (!isBelow || access.action === 'insert') continue
    const own = describeRows(access)
    const reference = above.find(({ distributed }) => !distributed)
    if (reference !== undefined || above.length === 0) {
      const outer = reference === undefined ? "Ingot's own tables" : describeRows(reference.access)
      return impossible(
        `${capitalize(own)} is distributed and looked up for each row of ${outer}, a reference table, in more than one shard.`,
        `Filter ${own} by ${column}, or start with ${own} and include ${outer}.`,
      )
    }
    const apart = above.find((other) => other.shardGroup !== together && findCommonValue([other, place]) === undefined)
    if (apart !== undefined)
      return impossible(
        `${capitalize(own)} is joined with ${describeRows(apart.access)}${joinText(access)}, not on ${column}: the rows are in different shards.`,
        `Join on ${column} instead, or filter both by one value of ${column}${referenceTableHint(layout)}.`,
      )
  }
  return null
}

/**
 * Suggests making a small table a reference table. This is possible only if the distribution key is a property: tables that do not declare
 * it are copied to every node.
 */
function referenceTableHint({ key }: Layout): string {
  return key.kind === 'column' ? '' : `, or do not declare it in a small table: every node then has a copy`
}

function joinText({ relations }: RowAccess): string {
  const [tie] = relations
  if (tie === undefined) return ''
  if (tie.key === null || tie.toKey === null) return ' through a list or an unknown property'
  return tie.key.name === tie.toKey.name
    ? ` on ${quoteName(tie.key)}`
    : ` on ${quoteName(tie.key)} = ${quoteName(tie.toKey)}`
}

// ---- what is possible -------------------------------------------------------------------------------------------------------

function classifyReferenceTables(allLocations: readonly RowLocation[]): Verdict {
  if (allLocations.length === 0) return { class: 'one shard', why: "Uses only Ingot's internal tables.", hint: null }
  const names = joinList(allLocations.map(({ access }) => describeRows(access)))
  const writes = allLocations.some(({ access }) => access.action !== 'read')
  const reason = writes ? `Writes a reference table, on every node: ${names}.` : `Every node has a copy: ${names}.`
  return { class: 'one shard', why: reason, hint: null }
}

/** Classifies a new row whose value is not known in advance. */
function classifyNewRow({ hasUnknownValues }: RowAccess, { key }: Layout): Verdict {
  const column = quoteName(key)
  const reason = hasUnknownValues
    ? `The new row comes from a variable, which must contain ${column}.`
    : `The new row goes to the shard of its ${column}.`
  return { class: 'one shard', why: reason, hint: null }
}

function classifyOneShard(locations: readonly RowLocation[], name: string, { key }: Layout): Verdict {
  const value = locations[0]?.values.get(name)
  const following = locations.filter(({ access }) => !determinesShard(access, key))
  const [first] = locations
  const is = value === undefined ? '' : ` = ${formatValue(value)}`
  const rows =
    first?.access.action === 'insert'
      ? `The new row has ${quoteName(key)}${is}.`
      : `All rows have ${quoteName(key)}${is}.`
  const joined = following.filter(({ isLookedUp: isBelow }) => isBelow)
  if (joined.length === 0) return { class: 'one shard', why: rows, hint: null }
  const reason = `${rows} For ${joinList(joined.map(({ access }) => describeRows(access)))} this follows from the join.`
  return { class: 'one shard', why: reason, hint: `Filter them by ${quoteName(key)} as well: Citus may not infer it.` }
}

/** Returns true if the part determines the shard without related rows. */
function determinesShard(access: RowAccess, key: RowKey): boolean {
  if (isOfTable(access, key) || access.action === 'insert') return true
  return access.fixedValues.some((each) => isSameKey(each.key, key) && !each.isList && !each.optional)
}

function classifyAllShards(locations: readonly RowLocation[], layout: Layout): Verdict {
  const joined = locations.filter(({ access, isLookedUp: isBelow }) => isBelow && access.action !== 'insert')
  const reason = explainAllShards(locations, layout)
  if (joined.length === 0) return { class: 'all shards', ...reason }
  const names = joinList(
    joined.map(
      ({ access, parents: above }) =>
        `${describeRows(access)} with ${joinList(above.map((each) => describeRows(each.access)))}`,
    ),
  )
  const why = `Joined on ${quoteName(layout.key)}, in each shard: ${names}. ${reason.why}`
  const isShown = joined.some(({ access }) => access.relations.some(({ as }) => as === 'shown'))
  const caution = isShown
    ? ' Citus rejects related rows of a page that is collected from all shards: see the reference.'
    : ''
  return { class: 'colocated join', why: why + caution, hint: reason.hint }
}

/** Explains why the statement needs more than one shard. */
function explainAllShards(locations: readonly RowLocation[], { key }: Layout): Pick<Verdict, 'why' | 'hint'> {
  const column = quoteName(key)
  if (locations.every(({ access }) => access.action === 'insert')) {
    return locations.some(({ access }) => access.hasUnknownValues)
      ? { why: `The new rows come from a variable; each needs a value of ${column}.`, hint: null }
      : { why: `The new rows have, or may have, different values of ${column}.`, hint: null }
  }
  const [first] = locations
  const location = locations.find(({ values }) => values.size === 0) ?? first
  if (location === undefined) throw new Error('no part of the statement reads distributed rows')
  const { access } = location
  const own = access.fixedValues.filter((each) => isSameKey(each.key, key))
  const optional = own.find((each) => each.optional)
  if (optional !== undefined)
    return {
      why: `${column} is compared with ${formatValue(optional.value)}, which may be omitted.`,
      hint: required(optional.value),
    }
  const many = own.find((each) => each.isList)
  if (many !== undefined)
    return {
      why: `${column} may have any of several values, ${formatValue(many.value)}. All of their shards are reached.`,
      hint: `Compare ${column} with one \`value\`.`,
    }
  if (access.action === 'insert') return { why: `The new rows may have different values of ${column}.`, hint: null }
  const does = access.action === 'read' ? 'Reads' : 'Changes'
  const unnamed =
    access.tables === null && access.rows === 'records' && key.kind === 'property' ? ', and no table is named' : ''
  return {
    why: `${does} ${describeRows(access)} in all shards: no condition on ${column} always holds${unnamed}.`,
    hint:
      access.action === 'update' && isUpdateById(access)
        ? `Use \`records_update_all\` or \`records_delete_all\` instead, and filter by \`id\` and ${column}.`
        : `Filter by ${column}.`,
  }
}

/** Returns true if an update finds its only row by id. It cannot have other conditions. */
function isUpdateById({ fixedValues: fixed }: RowAccess): boolean {
  const [only, another] = fixed
  return only !== undefined && another === undefined && isSameKey(only.key, { kind: 'column', name: 'id' })
}

/** Adds notes about values that come from variables, or from a form that writes the row. */
function addWriteNotes(
  verdict: Verdict,
  { throughForm, rowAccesses: touched }: StatementAccess,
  layout: Layout,
): Verdict {
  const { key } = layout
  const opaque = touched.some(
    (access) => access.action === 'update' && access.hasUnknownValues && isDistributed(access, layout),
  )
  if (opaque)
    return {
      ...verdict,
      why: `${verdict.why} A variable contains the new values, and must not change ${quoteName(key)}.`,
    }
  if (!throughForm) return verdict
  return {
    ...verdict,
    hint: null,
    why: `${verdict.why} A form writes the rows: new ones need ${quoteName(key)} among the form's fields.`,
  }
}

// ---- words ----------------------------------------------------------------------------------------------------------------

function quoteName({ name }: RowKey): string {
  return `\`${name}\``
}

/** Describes the rows of a part by their tables. */
function describeRows({ rows, tables }: RowAccess): string {
  if (rows !== 'records') return rows
  return tables === null || tables.length === 0 ? 'records' : joinList(tables.map((table) => `\`${table}\``))
}

function joinList(names: readonly string[]): string {
  return [...new Set(names)].join(', ')
}

/** Formats a value as in the document. */
function formatValue(value: KeyValueSource): string {
  switch (value.kind) {
    case 'viewer':
      return 'the signed-in user'
    case 'drawn':
      return 'a new id'
    case 'constant':
      return `\`${JSON.stringify(value.value)}\``
    case 'list':
      return joinList(value.items.map(formatValue))
    case 'object':
      return 'an object'
    case 'variable':
      return `\`$${value.path.join('.')}\``
  }
}

function required(value: KeyValueSource): string {
  if (value.kind !== 'variable') return 'Pass the value in every call.'
  if (value.path.length > 1)
    return `Pass \`${value.path.at(-1)}\` as a separate variable, with a type that ends in \`!\`.`
  return `Declare \`$${value.path[0]}\` with a type that ends in \`!\`.`
}

function isNull(value: KeyValueSource): boolean {
  return value.kind === 'constant' && (value.value === null || value.value === '')
}
