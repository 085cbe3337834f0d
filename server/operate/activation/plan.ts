/** What an activation does to the tables, in words. */
import { type CountedTable, type SchemaPlan, removedTableSentences } from '../../data/store/tables.ts'

/** A line for each thing that will be done to the tables, and for the migrations. */
export function planLines(plan: SchemaPlan, migrations: readonly string[]): readonly string[] {
  const tables = (verb: string, list: readonly CountedTable[]): readonly string[] =>
    list.map(({ name, rows }) => `  ${verb} the table \`${name}\` (${counted(rows)})`)
  return [
    ...plan.created.map((name) => `  create the table \`${name}\``),
    ...tables('bring back', plan.revived),
    ...tables('remove', plan.removed),
    ...plan.converted.map(
      ({ owner, property, from, to, rows }) =>
        `  convert \`${property}\` of ${owner} ${from === null ? '' : `from ${from} `}to ${to} (${counted(rows)} with a value)`,
    ),
    ...migrations.map((name) => `  run the migration ${name}`),
  ]
}

/**
 * Sentences about what stands against an activation.
 * @param isBack whether the release was served before the present one
 */
export function obstacles(plan: SchemaPlan, isBack: boolean, isForced: boolean): readonly string[] {
  const { problems, removed, revived, converted } = plan
  if (isForced) return problems
  if (!isBack) return [...problems, ...removedTableSentences(removed)]
  const full = removed.filter(({ rows }) => rows > 0)
  return [
    ...problems,
    ...full.map(
      ({ name, rows }) =>
        `the release does not know the table \`${name}\`, and could not reach its ${counted(rows)}${FORCE}`,
    ),
    ...revived.map(
      ({ name, rows }) => `the table \`${name}\` was removed since, and ${counted(rows)} of it are left${FORCE}`,
    ),
    ...converted
      .filter(({ from, rows }) => from !== null && rows > 0)
      .map(
        ({ owner, property, from, to, rows }) =>
          `\`${property}\` of ${owner} was converted to ${from} since; ${counted(rows)} would become ${to} again${FORCE}`,
      ),
  ]
}

const FORCE = ': `--force` does it all the same'

function counted(rows: number): string {
  return `${rows} row${rows === 1 ? '' : 's'}`
}
