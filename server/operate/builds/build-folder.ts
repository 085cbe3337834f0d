/** Folders of builds. A folder gets its final name only when the build in it is complete, even if the process is killed meanwhile. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { errorCodeOf } from '../../core/error-code.ts'
import { ownMark } from '../../core/leftovers.ts'

export const MANIFEST = 'manifest.json'
const MAX_FILES = 200_000

/** A relative path without empty parts, `.`, `..`, backslashes and control characters. */
const path = z
  .string()
  .max(1000)
  .refine((text) => text.split('/').every((part) => /^[^\\\p{Cc}]+$/u.test(part) && !/^\.{1,2}$/.test(part)))
const digest = z.string().regex(/^[\da-f]{64}$/)
const manifestSchema = z.object({
  files: z
    .record(path, z.object({ digest, size: z.number().int().nonnegative() }))
    .refine((files) => Object.keys(files).length <= MAX_FILES),
})
/** The files of a build, by path. */
export type Files = z.infer<typeof manifestSchema>['files']

/** Parses a manifest; returns null when it is invalid, or has a path that leads out of the folder. */
export function parseManifest(text: string): Files | null {
  const result = manifestSchema.safeParse(parseJson(text))
  return result.success ? result.data.files : null
}

/** Reads the manifest in a folder; returns null when there is none. */
export async function readManifest(folder: string): Promise<Files | null> {
  // A folder with an unreadable manifest is not a usable build, whatever the reason.
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  return text === null ? null : parseManifest(text)
}

/**
 * Creates a folder atomically.
 * @param folder the parent folder, which is created
 * @param writeBuild writes the build into an empty folder, and returns its final name
 * @returns the path of the folder
 */
export async function createBuildFolder(
  folder: string,
  writeBuild: (unfinished: string) => Promise<string>,
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const unfinished = join(folder, `.${ownMark()}-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(unfinished)
    const target = join(folder, await writeBuild(unfinished))
    await moveToTarget(unfinished, target)
    return target
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Returns whether all files exist with their sizes. After a power failure, files may exist without their contents. */
export async function isComplete(folder: string): Promise<boolean> {
  const listed = await readManifest(folder)
  if (listed === null) return false
  const files = Object.entries(listed)
  for (let at = 0; at < files.length; at += 64) {
    const results = await Promise.all(
      files.slice(at, at + 64).map(async ([path, { size }]) => {
        // An unreadable file counts as missing: the build is then unpacked again.
        const info = await stat(join(folder, path)).catch(() => null)
        return info?.isFile() === true && info.size === size
      }),
    )
    if (results.includes(false)) return false
  }
  return true
}

async function moveToTarget(unfinished: string, target: string): Promise<void> {
  try {
    await rename(unfinished, target)
  } catch (error) {
    const code = errorCodeOf(error)
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    // Another server has unpacked the same archive meanwhile, or the target is damaged.
    if (await isComplete(target)) return
    await rm(target, { recursive: true, force: true })
    await rename(unfinished, target)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Computes the SHA-256 digest of a file, in hexadecimal. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
