/** Where a statement runs when tables are distributed, by the documented rules of Citus, with the reason and how to change it. */
import type { RowKey, StatementAccess, RowAccess, KeyValueSource } from '../../core/model/operation.ts'
import { isDistributed, isSame, type Layout } from './layout.ts'
import { common, type RowLocation, rowLocations, writtenTo } from './row-locations.ts'

export const CLASSES = ['one shard', 'colocated join', 'all shards', 'impossible'] as const
export type Class = (typeof CLASSES)[number]

export interface Verdict {
  readonly class: Class
  readonly why: string
  /** How it would reach fewer shards, or become possible; null where there is nothing to change. */
  readonly hint: string | null
}

/** The class of a statement. */
export function verdictOf(statement: StatementAccess, layout: Layout): Verdict {
  const places = rowLocations(statement, layout)
  const spread = places.filter(({ distributed }) => distributed)
  const refused = refusedWrite(spread, layout)
  if (refused !== null) return refused
  if (spread.length === 0) return withWritten(ofReference(places), statement, layout)
  const shared = common(spread)
  if (shared !== undefined) return withWritten(ofOneShard(spread, shared, layout), statement, layout)
  const [only, another] = spread
  if (only !== undefined && another === undefined && isOneRow(only.part))
    return withWritten(ofNewRow(only.part, layout), statement, layout)
  const apart = refusedRead(spread, layout)
  return apart ?? withWritten(ofAllShards(spread, layout), statement, layout)
}

/** Whether a part inserts a single row, which has an id. */
function isOneRow({ does, fixed }: RowAccess): boolean {
  return does === 'insert' && fixed.length > 0
}

// ---- what is impossible ---------------------------------------------------------------------------------------------------

function impossible(why: string, hint: string): Verdict {
  return { class: 'impossible', why, hint }
}

/** A new row without a value of the distribution column, or a row that would have to move to another shard. */
function refusedWrite(spread: readonly RowLocation[], layout: Layout): Verdict | null {
  const { key } = layout
  const column = quoted(key)
  for (const { part, values } of spread) {
    const given = writtenTo(part, key)
    if (part.does === 'insert' && !part.opaque && !isOfTable(part, key)) {
      const sure = given.find((each) => !each.optional)
      const maybe = given.find((each) => each.optional)
      if (sure === undefined && maybe !== undefined)
        return impossible(
          `A new row of ${labelOf(part)} needs a value of ${column}, and ${shown(maybe.value)} may be left out.`,
          required(maybe.value),
        )
      if (sure === undefined || isNull(sure.value))
        return impossible(`A new row of ${labelOf(part)} gets no value of ${column}.`, `Give it ${column}.`)
    }
    if (part.does !== 'update') continue
    const moved = given.find(({ value }) => !values.has(JSON.stringify(value)))
    if (moved !== undefined)
      return impossible(
        `${capital(labelOf(part))} would change ${column}, by which its rows are distributed.`,
        `Leave ${column} as it is: delete the row, and create it with the other value.`,
      )
    const target = part.written.find((each) => isSame(each.key, { of: 'column', name: 'table_id' }))?.value
    const table = target?.kind === 'constant' && typeof target.value === 'string' ? target.value : null
    if (table !== null && !isDistributed({ rows: 'records', tables: [table] }, layout))
      return impossible(
        `Rows of ${labelOf(part)}, which are distributed, would move to \`${table}\`, a reference table.`,
        `Declare ${column} in \`${table}\` as well.`,
      )
  }
  return null
}

function isOfTable({ tables }: RowAccess, { of, name }: RowKey): boolean {
  return of === 'column' && name === 'table_id' && tables?.length === 1
}

/** Rows that are looked up for each of other rows, and do not lie in their shard. */
function refusedRead(spread: readonly RowLocation[], layout: Layout): Verdict | null {
  const column = quoted(layout.key)
  for (const place of spread) {
    const { part, above, isBelow, together } = place
    if (part.does === 'lock' && place.values.size === 0)
      return impossible(
        `Rows of ${labelOf(part)} are locked by \`select … for update\`, which needs one shard, and are not found by ${column}.`,
        'Set the property to null by `record_update`.',
      )
    if (!isBelow || part.does === 'insert') continue
    const own = labelOf(part)
    const reference = above.find(({ distributed }) => !distributed)
    if (reference !== undefined || above.length === 0) {
      const outer = reference === undefined ? "Ingot's own tables" : labelOf(reference.part)
      return impossible(
        `${capital(own)} is distributed and looked up for each row of ${outer}, a reference table, in more than one shard.`,
        `Filter ${own} by ${column}, or begin with ${own} and show ${outer} with it.`,
      )
    }
    const apart = above.find((other) => other.together !== together && common([other, place]) === undefined)
    if (apart !== undefined)
      return impossible(
        `${capital(own)} is joined with ${labelOf(apart.part)}${joinedOn(part)}, not on ${column}: the rows lie in different shards.`,
        `Join on ${column} instead, or filter both by one value of ${column}${copied(layout)}.`,
      )
  }
  return null
}

/** What rows that belong to nobody can be, where tables choose to be distributed by declaring a property. */
function copied({ key }: Layout): string {
  return key.of === 'column' ? '' : `, or do not declare it in a table that is small: every node then has a copy`
}

function joinedOn({ ties }: RowAccess): string {
  const [tie] = ties
  if (tie === undefined) return ''
  if (tie.key === null || tie.toKey === null) return ' through a list or an unknown property'
  return tie.key.name === tie.toKey.name ? ` on ${quoted(tie.key)}` : ` on ${quoted(tie.key)} = ${quoted(tie.toKey)}`
}

// ---- what is possible -------------------------------------------------------------------------------------------------------

function ofReference(places: readonly RowLocation[]): Verdict {
  if (places.length === 0) return { class: 'one shard', why: "Uses only tables of Ingot's own.", hint: null }
  const names = listed(places.map(({ part }) => labelOf(part)))
  const writes = places.some(({ part }) => part.does !== 'read')
  const why = writes ? `Writes a reference table, on every node: ${names}.` : `Every node has a copy: ${names}.`
  return { class: 'one shard', why, hint: null }
}

/** A new row whose value is not known until it is written. */
function ofNewRow({ opaque }: RowAccess, { key }: Layout): Verdict {
  const column = quoted(key)
  const why = opaque
    ? `The new row comes from a variable, which has to contain ${column}.`
    : `The new row goes to the shard of its ${column}.`
  return { class: 'one shard', why, hint: null }
}

function ofOneShard(spread: readonly RowLocation[], name: string, { key }: Layout): Verdict {
  const value = spread[0]?.values.get(name)
  const following = spread.filter(({ part }) => !isFixed(part, key))
  const [first] = spread
  const is = value === undefined ? '' : ` = ${shown(value)}`
  const rows =
    first?.part.does === 'insert' ? `The new row has ${quoted(key)}${is}.` : `All rows have ${quoted(key)}${is}.`
  const joined = following.filter(({ isBelow }) => isBelow)
  if (joined.length === 0) return { class: 'one shard', why: rows, hint: null }
  const why = `${rows} For ${listed(joined.map(({ part }) => labelOf(part)))} that follows from the join.`
  return { class: 'one shard', why, hint: `Filter them by ${quoted(key)} as well: Citus may not see what follows.` }
}

/** Whether the part itself says which shard it is. */
function isFixed(part: RowAccess, key: RowKey): boolean {
  if (isOfTable(part, key) || part.does === 'insert') return true
  return part.fixed.some((each) => isSame(each.key, key) && !each.many && !each.optional)
}

function ofAllShards(spread: readonly RowLocation[], layout: Layout): Verdict {
  const joined = spread.filter(({ part, isBelow }) => isBelow && part.does !== 'insert')
  const reason = reasonOf(spread, layout)
  if (joined.length === 0) return { class: 'all shards', ...reason }
  const names = listed(
    joined.map(({ part, above }) => `${labelOf(part)} with ${listed(above.map((each) => labelOf(each.part)))}`),
  )
  const why = `Joined on ${quoted(layout.key)}, in each shard: ${names}. ${reason.why}`
  const isShown = joined.some(({ part }) => part.ties.some(({ as }) => as === 'shown'))
  const caution = isShown
    ? ' Citus refuses related rows of a page that it collects from all shards: see the reference.'
    : ''
  return { class: 'colocated join', why: why + caution, hint: reason.hint }
}

/** Why it is not one shard. */
function reasonOf(spread: readonly RowLocation[], { key }: Layout): Pick<Verdict, 'why' | 'hint'> {
  const column = quoted(key)
  if (spread.every(({ part }) => part.does === 'insert')) {
    return spread.some(({ part }) => part.opaque)
      ? { why: `The new rows come from a variable; each needs a value of ${column}.`, hint: null }
      : { why: `The new rows have different values of ${column}, or such that may differ.`, hint: null }
  }
  const { part } = spread.find(({ values }) => values.size === 0) ?? spread[0]!
  const own = part.fixed.filter((each) => isSame(each.key, key))
  const optional = own.find((each) => each.optional)
  if (optional !== undefined)
    return {
      why: `${column} is compared with ${shown(optional.value)}, which may be left out.`,
      hint: required(optional.value),
    }
  const many = own.find((each) => each.many)
  if (many !== undefined)
    return {
      why: `${column} may have any of several values, ${shown(many.value)}, whose shards are all reached.`,
      hint: `Compare ${column} with one \`value\`.`,
    }
  if (part.does === 'insert') return { why: `The new rows may have different values of ${column}.`, hint: null }
  const does = part.does === 'read' ? 'Reads' : 'Changes'
  const unnamed =
    part.tables === null && part.rows === 'records' && key.of === 'property' ? ', and no table is named' : ''
  return {
    why: `${does} ${labelOf(part)} in all shards: no condition on ${column} always holds${unnamed}.`,
    hint:
      part.does === 'update' && isById(part)
        ? `By \`records_update_all\` or \`records_delete_all\`, filter by \`id\` and ${column}.`
        : `Filter by ${column}.`,
  }
}

/** Whether an update finds its only row by id, for which there are no other conditions. */
function isById({ fixed }: RowAccess): boolean {
  const [only, another] = fixed
  return only !== undefined && another === undefined && isSame(only.key, { of: 'column', name: 'id' })
}

/** What the statement leaves to its variables, or to the form that writes the row that it shows. */
function withWritten(verdict: Verdict, { throughForm, touched }: StatementAccess, layout: Layout): Verdict {
  const { key } = layout
  const opaque = touched.some((part) => part.does === 'update' && part.opaque && isDistributed(part, layout))
  if (opaque)
    return {
      ...verdict,
      why: `${verdict.why} A variable contains what is written, and must not change ${quoted(key)}.`,
    }
  if (!throughForm) return verdict
  return {
    ...verdict,
    hint: null,
    why: `${verdict.why} A form writes the rows: what it creates needs ${quoted(key)} among its fields.`,
  }
}

// ---- words ----------------------------------------------------------------------------------------------------------------

function quoted({ name }: RowKey): string {
  return `\`${name}\``
}

/** The rows of a part, by their tables. */
function labelOf({ rows, tables }: RowAccess): string {
  if (rows !== 'records') return rows
  return tables === null || tables.length === 0 ? 'records' : listed(tables.map((table) => `\`${table}\``))
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].join(', ')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A value, as the document has it. */
function shown(value: KeyValueSource): string {
  switch (value.kind) {
    case 'viewer':
      return 'the signed-in user'
    case 'drawn':
      return 'a new id'
    case 'constant':
      return `\`${JSON.stringify(value.value)}\``
    case 'list':
      return listed(value.items.map(shown))
    case 'object':
      return 'an object'
    case 'variable':
      return `\`$${value.path.join('.')}\``
  }
}

function required(value: KeyValueSource): string {
  if (value.kind !== 'variable') return 'Give it in every call.'
  if (value.path.length > 1)
    return `Take \`${value.path.at(-1)}\` as a variable of its own, with a type that ends in \`!\`.`
  return `Declare \`$${value.path[0]}\` with a type that ends in \`!\`.`
}

function isNull(value: KeyValueSource): boolean {
  return value.kind === 'constant' && (value.value === null || value.value === '')
}
