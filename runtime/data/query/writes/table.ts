/** Finds the table that a mutation names. */
import type { PropertyDef } from '../../../page/compiled.ts'
import type { Build, Input, SourceRange, Selected } from '../model.ts'
import { Leaf } from '../model.ts'
import { leafOf, knownTextOf } from '../rows/input.ts'
import { correctionOf } from '../suggest.ts'

export interface Table {
  readonly name: string
  readonly id: number
  readonly properties: ReadonlyMap<string, PropertyDef>
}

/**
 * The table that a mutation names. `absent`: the mutation names no table. `unknown`: the compiler does not know the table, or a problem was
 * reported.
 */
export type TableChoice = Table | 'absent' | 'unknown'

/** Returns the table in the first given argument. Reports an unknown table. */
export function tableOf(inputs: readonly (Input | undefined)[], build: Build): TableChoice {
  const input = inputs.find((one) => leafOf(one) !== null)
  if (input === undefined) return 'absent'
  const name = knownTextOf(input)
  return name === null ? 'unknown' : (tableNamed(name, rangeOfInput(input), build) ?? 'unknown')
}

/** Returns the table with a number. Reports an unknown number. */
export function tableNumbered(input: Input | undefined, build: Build): TableChoice {
  const leaf = leafOf(input)
  if (leaf === null) return 'absent'
  // The database assigns the numbers, so the compiler does not know them.
  if (!leaf.isKnown) return 'unknown'
  const table = allTables(build).find(({ id }) => `${id}` === String(leaf.value))
  if (table !== undefined) return table
  const message = `There is no table with id=${String(leaf.value)}.`
  build.reportProblem({
    code: 'unknown-table',
    message,
    range: leaf.range,
    hint: null,
    mistake: { kind: 'unknown table', name: String(leaf.value) },
  })
  return 'unknown'
}

/** Returns the table of a name; null after it has reported a problem. */
export function tableNamed(name: string, range: SourceRange | null, build: Build): Table | null {
  const id = build.catalog.tableId(name)
  const properties = build.catalog.properties(name)
  if (id !== null && properties !== null) return { name, id, properties }
  const names = build.catalog.data.tables.map((table) => table.name)
  build.reportProblem({
    code: 'unknown-table',
    message: `There is no table \`${name}\`.`,
    range,
    ...correctionOf(name, names),
    table: name,
    mistake: { kind: 'unknown table', name },
  })
  return null
}

/** Returns all tables of the site. */
export function allTables(build: Build): readonly Table[] {
  return build.catalog.data.tables.flatMap(({ name }) => {
    const id = build.catalog.tableId(name)
    const properties = build.catalog.properties(name)
    return id === null || properties === null ? [] : [{ name, id, properties }]
  })
}

/** Returns the location of an argument. */
export function rangeOfInput(input: Input | undefined): SourceRange | null {
  return input instanceof Leaf ? input.range : null
}

/**
 * Reports an error when the call names a form in a place where no form can be submitted. Without the form, its validation would be skipped.
 */
export function refuseForm(call: Selected, build: Build): void {
  for (const name of ['form_name', 'form_configuration_name']) {
    const leaf = leafOf(call.args[name])
    if (leaf === null) continue
    const message = `\`${name}\`: this mutation cannot be sent through a form.`
    build.reportProblem({
      code: 'invalid',
      message,
      range: leaf.range,
      hint: null,
      mistake: { kind: 'refused input', name: name, field: call.name },
    })
  }
}
