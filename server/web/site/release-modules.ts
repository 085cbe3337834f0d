/**
 * Reads the modules of a release. One file contains the code of all modules, and a list has their positions. Each module
 * is run separately under its digest, so that releases share equal modules, and the code of unused modules is freed.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import * as z from 'zod'
import { StartError } from '../../core/start-error.ts'

export type Factory = (runtime: object, modules: Record<string, object>) => object

/** The position of a module in the code file. */
const positionSchema = z.object({
  digest: z.string().regex(/^[\da-f]{64}$/),
  /** Offset of its first character, and the number of characters. */
  at: z.number().int().nonnegative(),
  length: z.number().int().positive(),
})
const listSchema = z.object({ manifest: z.string(), modules: z.record(z.string(), positionSchema) })

/** The modules of a release, in the order of the file. */
interface ModuleList {
  /** Path of the module that is linked last. */
  readonly manifest: string
  readonly modules: ReadonlyMap<string, z.infer<typeof positionSchema>>
}

/** Reads the list of a release's modules; null for a build without a list. */
export async function readModuleList(folder: string): Promise<ModuleList | null> {
  try {
    const { manifest, modules } = listSchema.parse(JSON.parse(await readFile(join(folder, 'modules.json'), 'utf8')))
    return { manifest, modules: new Map(Object.entries(modules)) }
  } catch {
    // A build without a list, or with one of another version, is loaded as a whole.
    return null
  }
}

export async function readReleaseCode(folder: string): Promise<string> {
  return readFile(join(folder, 'site.mjs'), 'utf8')
}

const NAMES = 'ingot-module:'

/** Returns the digest in a module's name from a stack; null for other names. */
export function digestIn(file: string): string | null {
  return file.startsWith(NAMES) ? file.slice(NAMES.length) : null
}

const factory = z.custom<Factory>((value) => typeof value === 'function')

/**
 * Wraps the code of a module into a script. The code is one statement that sets the module's factory. Also returns the
 * line offset of the code.
 */
export function wrapModuleCode(code: string): { readonly script: string; readonly lineOffset: number } {
  return { script: `((factories) => { 'use strict'\n${code}\n})`, lineOffset: -1 }
}

/**
 * Runs a script that sets the factory of a module: `factories["…"] = …`.
 * @throws StartError
 */
export function runModule(path: string, digest: string, script: string, lineOffset = 0): Factory {
  try {
    const factories: Record<string, unknown> = {}
    setter.parse(new Script(script, { filename: NAMES + digest, lineOffset }).runInThisContext())(factories)
    return factory.parse(factories[path])
  } catch (error) {
    throw new StartError(
      `The module '${path}' does not load (${error instanceof Error ? error.message : String(error)}).`,
    )
  }
}

const setter = z.custom<(factories: Record<string, unknown>) => void>((value) => typeof value === 'function')

const sections = z.object({ sections: z.array(z.object({ map: z.custom<SourceMapPayload>() })) })

/**
 * Returns the source map of one module. The code file has an index map, with a section for each module.
 * @param at position of the module
 */
export function mapOfModule(folder: string, at: number): SourceMapPayload | null {
  try {
    const indexMap = sections.safeParse(JSON.parse(readFileSync(join(folder, 'site.mjs.map'), 'utf8')))
    return indexMap.success ? (indexMap.data.sections[at]?.map ?? null) : null
  } catch {
    // Without a source map, the fault is reported without its location.
    return null
  }
}
