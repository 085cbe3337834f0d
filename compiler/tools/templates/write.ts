/** Writes a new site: all of its files, or none. */
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { withErrorPath } from '../../core/source/name-errors.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { Files } from '../generate/model.ts'

/** Signals that interrupt the command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Writes the files of a site into a folder, which may exist. They are written beside their place first, and then moved.
 * @throws UsageError when the folder has such files already, or the command is interrupted
 */
export async function writeSite(dir: string, files: Files): Promise<void> {
  // The folder usually does not exist. Any other error appears again when the files are written.
  const existing = await readdir(dir).catch(() => null)
  const tops = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? path))]
  if (existing?.includes('app') || existing?.includes('marketplace_builder'))
    throw new UsageError(`'${dir}' already holds a site: give a folder without 'app'.`)
  const taken = tops.filter((name) => existing?.includes(name))
  if (taken.length > 0)
    throw new UsageError(`'${dir}' already has ${taken.join(', ')}: give a new name, or an empty folder.`)
  const target = resolve(dir)
  const beside = existing === null ? dirname(target) : target
  await mkdir(beside, { recursive: true })
  const draft = await mkdtemp(join(beside, '.ingot-init-'))
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  for (const signal of SIGNALS) process.once(signal, abort)
  try {
    // The draft's own folder is readable by its user only.
    const site = join(draft, 'site')
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(site, path)), { recursive: true })
      // The message names the file in its final place.
      await withErrorPath(join(dir, path), writeFile(join(site, path), text))
      if (stop.signal.aborted) throw new UsageError('Interrupted. Nothing was written.')
    }
    if (existing === null) await rename(site, target)
    else await moveAll(tops, site, target)
  } finally {
    for (const signal of SIGNALS) process.off(signal, abort)
    await rm(draft, { recursive: true, force: true })
  }
}

/** Moves entries into a folder, or none of them if one cannot be moved. */
async function moveAll(names: readonly string[], from: string, to: string): Promise<void> {
  const moved: string[] = []
  try {
    for (const name of names) {
      await rename(join(from, name), join(to, name))
      moved.push(name)
    }
  } catch (error) {
    for (const name of moved) await rm(join(to, name), { recursive: true, force: true })
    throw error
  }
}
