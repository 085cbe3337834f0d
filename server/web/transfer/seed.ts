/** Imports the seed of a site, `seed/*.json`. The import can be repeated. */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createImportSchema } from './import-schema.ts'
import { outsidePath } from '../../../runtime/data/site-links.ts'
import { StartError } from '../../core/start-error.ts'
import { findInputFiles, readFiles } from './files.ts'
import type { DataHome } from './home.ts'
import { type ImportResult, type ImportOptions, importRows } from './import.ts'

export interface SeedOptions extends Pick<ImportOptions, 'dryRun' | 'report' | 'progress'> {
  /** Whether stored rows are reset to the values in the files. */
  readonly reset: boolean
}

/** Returns the seed files in the order in which they are read. */
export function seedFiles(root: string): readonly string[] {
  try {
    const names = readdirSync(join(root, 'seed')).filter((name) => name.endsWith('.json'))
    return names.sort().map((name) => relative('.', join(root, 'seed', name)))
  } catch {
    // A missing folder means that there is no seed.
    return []
  }
}

/**
 * Imports missing rows of the seed.
 * @throws StartError when a seed file is a link out of the site, and the errors of `importRows`
 */
export async function seedSite(home: DataHome, options: SeedOptions): Promise<ImportResult> {
  const schema = createImportSchema(home.data)
  for (const file of seedFiles(home.root)) {
    const outsideFile = outsidePath([home.root], file)
    if (outsideFile !== null)
      throw new StartError(`'${file}' is a link to '${outsideFile}', outside of the site: copy the file.`)
  }
  const files = await findInputFiles(seedFiles(home.root), { format: 'json', table: undefined }, schema)
  return importRows(home.sql, readFiles(files, { schema }), {
    ...options,
    data: home.data,
    ids: home.ids,
    policy: options.reset ? 'replace' : 'only missing',
    isKnown: true,
  })
}

/**
 * Seeds an empty database, so that a new site has content.
 * @param report called with a sentence about each invalid row
 * @returns the number of added rows; null when the database is not empty or there is no seed
 * @throws the errors of `importRows`
 */
export async function seedWhenEmpty(home: DataHome, report: (sentence: string) => void): Promise<number | null> {
  if (seedFiles(home.root).length === 0 || !(await isEmpty(home))) return null
  const { added } = await seedSite(home, {
    reset: false,
    dryRun: false,
    report: ({ location, reason }) => report(`${location.file}:${location.line}: ${reason}`),
    progress: () => undefined,
  })
  return added
}

/** Returns whether the database contains no records, users or documents. */
async function isEmpty({ sql }: DataHome): Promise<boolean> {
  const [row] = await sql<{ empty: boolean }[]>`
    select not exists (select from ingot.records) and not exists (select from ingot.users)
      and not exists (select from ingot.documents) as empty`
  return row?.empty === true
}
