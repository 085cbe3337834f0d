/** Describes what an activation changes in the tables, and what prevents it. */
import { type CountedTable, type SchemaPlan, removedTableSentences } from '../../data/store/tables.ts'

/** Returns one line for each change of the tables, and one for each migration. */
export function describeTableChanges(plan: SchemaPlan, migrations: readonly string[]): readonly string[] {
  const tables = (verb: string, list: readonly CountedTable[]): readonly string[] =>
    list.map(({ name, rows }) => `  ${verb} the table \`${name}\` (${formatRows(rows)})`)
  return [
    ...plan.created.map((name) => `  create the table \`${name}\``),
    ...tables('restore', plan.revived),
    ...tables('remove', plan.removedTables),
    ...plan.converted.map(
      ({ owner, property, from, to, rows }) =>
        `  convert \`${property}\` of ${owner} ${from === null ? '' : `from ${from} `}to ${to} (${formatRows(rows)} with a value)`,
    ),
    ...migrations.map((name) => `  run the migration ${name}`),
  ]
}

/**
 * Returns sentences about what prevents an activation.
 * @param isRollback whether the release was active earlier
 */
export function findObstacles(plan: SchemaPlan, isRollback: boolean, isForced: boolean): readonly string[] {
  const { problems, removedTables, revived, converted } = plan
  if (isForced) return problems
  if (!isRollback) return [...problems, ...removedTableSentences(removedTables, deletingMutation)]
  const nonEmptyTables = removedTables.filter(({ rows }) => rows > 0)
  return [
    ...problems,
    ...nonEmptyTables.map(
      ({ name, rows }) =>
        `the release does not declare the table \`${name}\`, so its ${formatRows(rows)} would be unreachable${FORCE}`,
    ),
    ...revived.map(
      ({ name, rows }) => `the table \`${name}\` was removed later, and it still has ${formatRows(rows)}${FORCE}`,
    ),
    ...converted
      .filter(({ from, rows }) => from !== null && rows > 0)
      .map(
        ({ owner, property, from, to, rows }) =>
          `\`${property}\` of ${owner} was later converted to ${from}; ${formatRows(rows)} would be converted back to ${to}${FORCE}`,
      ),
  ]
}

/** The active release still declares the table, so its mutation works. */
function deletingMutation(table: string): string {
  return `with the mutation \`records_delete_all(table: ${JSON.stringify(table)})\``
}

const FORCE = ': use `--force` to do it anyway'

function formatRows(rows: number): string {
  return `${rows} row${rows === 1 ? '' : 's'}`
}
