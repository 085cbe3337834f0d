/** What a backup says of itself: it is written last, and names every file with its digest, so that a torn backup shows. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { codeOf } from '../../core/error-code.ts'
import { StartError } from '../../core/start-error.ts'

export const MANIFEST = 'backup.json'
/** Folders of a backup: the cluster of the database, and what else the data folder holds. */
export const CLUSTER = 'postgres'
export const KEPT = 'data'

/** A name of a segment of the write-ahead log: timeline, and number in two halves. */
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
  /** The cluster's own number, which its write-ahead log carries too. */
  system: z.string(),
  startedAt: z.iso.datetime(),
  /** From then on the backup holds all that was committed before. */
  finishedAt: z.iso.datetime(),
  /** The segments of the write-ahead log without which the copy is of no use. */
  firstSegment: z.string().regex(SEGMENT),
  lastSegment: z.string().regex(SEGMENT),
  /** Paths below the backup, with sizes in bytes and SHA-256 digests in hexadecimal. */
  files: z.array(z.strictObject({ path, size: z.number().int().nonnegative(), sha256: z.string().length(64) })),
  /** Folders of the cluster that hold no file. */
  folders: z.array(path),
})

export type Manifest = z.infer<typeof manifest>
export type CopiedFile = Manifest['files'][number]

/** @throws StartError where the folder is no backup, or one that was not finished */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
    throw new StartError(`'${folder}' is no backup that was finished: it has no ${MANIFEST}.`)
  }
  const read = manifest.safeParse(parsed(text))
  if (!read.success) throw new StartError(`${MANIFEST} in '${folder}' is not as \`ingot backup\` writes it.`)
  return read.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A text that is no JSON is refused like JSON of another shape.
    return null
  }
}
