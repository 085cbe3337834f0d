/** The manifest of a backup. It is written last and lists every file with its digest, so that incomplete backups are detected. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { errorCodeOf } from '../../core/error-code.ts'
import { StartError } from '../../core/start-error.ts'

export const MANIFEST = 'backup.json'
/** Folders of a backup: the database cluster, and the rest of the data folder. */
export const CLUSTER = 'postgres'
export const DATA = 'data'

/** Name of a write-ahead log segment: the timeline, and the number in two halves. */
export const SEGMENT = /^[0-9A-F]{24}$/

const path = z
  .string()
  .refine((text) => text !== '' && text.split('/').every((part) => !['', '.', '..'].includes(part)))

const manifest = z.strictObject({
  format: z.literal(1),
  /** Version of Ingot. */
  ingot: z.string(),
  /** Major version of PostgreSQL. */
  postgres: z.number().int(),
  /** The cluster's system identifier, which its write-ahead log contains too. */
  system: z.string(),
  startedAt: z.iso.datetime(),
  /** The backup contains all that was committed before this time. */
  finishedAt: z.iso.datetime(),
  /** The first and last segment of the write-ahead log that the backup needs. */
  firstSegment: z.string().regex(SEGMENT),
  lastSegment: z.string().regex(SEGMENT),
  /** Paths in the backup, with sizes in bytes and SHA-256 digests in hexadecimal. */
  files: z.array(z.strictObject({ path, size: z.number().int().nonnegative(), sha256: z.string().length(64) })),
  /** Folders of the cluster without files. */
  folders: z.array(path),
})

export type Manifest = z.infer<typeof manifest>
export type CopiedFile = Manifest['files'][number]

/** Reads the manifest of a backup. @throws StartError when the folder is not a finished backup */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT' && errorCodeOf(error) !== 'ENOTDIR') throw error
    throw new StartError(
      `'${folder}' is not a finished backup, because it has no ${MANIFEST}: give the folder of a backup.`,
    )
  }
  const result = manifest.safeParse(parseJson(text))
  if (!result.success)
    throw new StartError(`${MANIFEST} in '${folder}' was not written by \`ingot backup\`: give the folder of a backup.`)
  return result.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Invalid JSON fails the schema like JSON of another shape.
    return null
  }
}
