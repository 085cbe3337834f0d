/** Builds in folders that have their name only when all of a build is there, whoever is killed while one is written. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { codeOf } from '../../core/error-code.ts'
import { ownMark } from '../../core/leftovers.ts'

export const MANIFEST = 'manifest.json'
const MOST_FILES = 200_000

/** Relative and plain: no part of it is empty, `.` or `..`, and none has a separator or a sign of another system. */
const path = z
  .string()
  .max(1000)
  .refine((text) => text.split('/').every((part) => /^[^\\\p{Cc}]+$/u.test(part) && !/^\.{1,2}$/.test(part)))
const digest = z.string().regex(/^[\da-f]{64}$/)
const manifestSchema = z.object({
  files: z
    .record(path, z.object({ digest, size: z.number().int().nonnegative() }))
    .refine((files) => Object.keys(files).length <= MOST_FILES),
})
/** What a build consists of, by path. */
export type Files = z.infer<typeof manifestSchema>['files']

/** What a manifest lists; null where it cannot be read, or names what is no plain path. */
export function readFiles(text: string): Files | null {
  const read = manifestSchema.safeParse(parsed(text))
  return read.success ? read.data.files : null
}

/** What the manifest of a folder lists; null without one. */
export async function filesIn(folder: string): Promise<Files | null> {
  // A folder whose manifest cannot be read, for whatever reason, is no build that can be served.
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  return text === null ? null : readFiles(text)
}

/**
 * Makes a folder that is there whole or not at all.
 * @param folder of all such folders; it is made
 * @param fill writes the build into an empty folder and gives the name that it is to have
 * @returns the path of the folder
 */
export async function placeWhole(folder: string, fill: (unfinished: string) => Promise<string>): Promise<string> {
  await mkdir(folder, { recursive: true })
  const unfinished = join(folder, `.${ownMark()}-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(unfinished)
    const target = join(folder, await fill(unfinished))
    await putInPlace(unfinished, target)
    return target
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Whether all files are there. After a loss of power names may be there whose bytes are not. */
export async function isWhole(folder: string): Promise<boolean> {
  const listed = await filesIn(folder)
  if (listed === null) return false
  const files = Object.entries(listed)
  for (let at = 0; at < files.length; at += 64) {
    const there = await Promise.all(
      files.slice(at, at + 64).map(async ([path, { size }]) => {
        // What cannot be looked at is not there: the folder is then unpacked anew.
        const info = await stat(join(folder, path)).catch(() => null)
        return info?.isFile() === true && info.size === size
      }),
    )
    if (there.includes(false)) return false
  }
  return true
}

async function putInPlace(unfinished: string, target: string): Promise<void> {
  try {
    await rename(unfinished, target)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    // Another server has unpacked the same archive meanwhile, or something broken stands there.
    if (await isWhole(target)) return
    await rm(target, { recursive: true, force: true })
    await rename(unfinished, target)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The SHA-256 digest of a file, in hexadecimal. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
