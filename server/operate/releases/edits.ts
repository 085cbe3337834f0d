/** Edits of a release, stored in the database: the files and modules that they change. */
import type { ISql } from 'postgres'
import type { ReplacedModule } from '../../web/site/builds.ts'
import type { BuildEdits } from '../../web/site/load.ts'

/** A file that an edit has changed. */
export interface EditedFile {
  readonly path: string
  /** Null for a removed file. */
  readonly digest: string | null
  readonly size: number | null
}

/** Returns the modules that were changed after the edit `after`, up to the given edit, in their latest version. */
export async function editedModules(
  sql: ISql,
  { release, revision }: BuildEdits,
  after: number,
): Promise<readonly ReplacedModule[]> {
  return sql<ReplacedModule[]>`
    select distinct on (path) path, digest, script, file, source from ingot.edited_modules
    where release = ${release} and revision > ${after} and revision <= ${revision} order by path, revision desc`
}

/** Returns the files that edits have changed. */
export async function editedFiles(sql: ISql, { release, revision }: BuildEdits): Promise<readonly EditedFile[]> {
  const rows = await sql<{ path: string; digest: string | null; size: string | null }[]>`
    select distinct on (path) path, digest, size from ingot.edited_files
    where release = ${release} and revision <= ${revision} order by path, revision desc`
  return rows.map(({ path, digest, size }) => ({ path, digest, size: size === null ? null : Number(size) }))
}

export interface Edit {
  readonly release: string
  /** Number of the edit. The pointer that activates the edit gets the same number. */
  readonly revision: number
  readonly files: readonly EditedFile[]
  readonly modules: readonly ReplacedModule[]
}

/** Stores an edit in one statement; the caller then changes the pointer to it. Only one process may call it at a time. */
export async function storeEdit(sql: ISql, { release, revision, files, modules }: Edit): Promise<void> {
  await sql`
    with files as (
      insert into ingot.edited_files (release, path, revision, digest, size)
      select ${release}, path, ${revision}, digest, size
      from jsonb_to_recordset(${JSON.stringify(files)}::text::jsonb) as file(path text, digest text, size bigint)
    )
    insert into ingot.edited_modules (release, path, revision, digest, script, file, source)
    select ${release}, path, ${revision}, digest, script, file, source
    from jsonb_to_recordset(${JSON.stringify(modules)}::text::jsonb)
      as module(path text, digest text, script text, file text, source text)`
}

/**
 * Removes edits that are later than the pointer's: their process ended before it changed the pointer, or the release was built again.
 * Only one process may call it at a time.
 */
export async function removeLaterEdits(sql: ISql, { release, revision }: BuildEdits): Promise<void> {
  await sql`delete from ingot.edited_files where release = ${release} and revision > ${revision}`
  await sql`delete from ingot.edited_modules where release = ${release} and revision > ${revision}`
}
