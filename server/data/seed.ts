/** The rows that a site brings along: `seed/*.json`, one import, run as often as one likes. */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { schemaOf } from './check.ts'
import { inputFiles, readFiles } from './files.ts'
import type { DataHome } from './home.ts'
import { type ImportResult, type ImportOptions, importRows } from './import.ts'

export interface SeedOptions extends Pick<ImportOptions, 'dryRun' | 'report' | 'progress'> {
  /** Rows that are there already become again what the files say. */
  readonly reset: boolean
}

/** Files of the seed in the order in which they are read. */
export function seedFiles(root: string): readonly string[] {
  try {
    const names = readdirSync(join(root, 'seed')).filter((name) => name.endsWith('.json'))
    return names.sort().map((name) => relative('.', join(root, 'seed', name)))
  } catch {
    // Without the folder there is no seed.
    return []
  }
}

/** Adds what is missing. @throws what `importRows` throws */
export async function seedSite(home: DataHome, options: SeedOptions): Promise<ImportResult> {
  const schema = schemaOf(home.data)
  const files = inputFiles(seedFiles(home.root), { format: 'json', table: undefined }, schema)
  return importRows(home.sql, readFiles(files, schema), {
    ...options,
    data: home.data,
    ids: home.ids,
    policy: options.reset ? 'replace' : 'only missing',
    known: true,
  })
}

/**
 * Seeds a site whose database holds nothing yet, so that there is something to see at once.
 * @param report is told of what does not fit, in a sentence
 * @returns how many rows were added; null where rows are there already, or nothing to add
 * @throws what `importRows` throws
 */
export async function seedWhenEmpty(home: DataHome, report: (sentence: string) => void): Promise<number | null> {
  if (seedFiles(home.root).length === 0 || !(await isEmpty(home))) return null
  const { added } = await seedSite(home, {
    reset: false,
    dryRun: false,
    report: ({ place, reason }) => report(`${place.file}:${place.line}: ${reason}`),
    progress: () => undefined,
  })
  return added
}

/** Whether the database holds no row yet: neither records nor users nor documents. */
async function isEmpty({ sql }: DataHome): Promise<boolean> {
  const [row] = await sql<{ empty: boolean }[]>`
    select not exists (select from ingot.records) and not exists (select from ingot.users)
      and not exists (select from ingot.documents) as empty`
  return row?.empty === true
}
