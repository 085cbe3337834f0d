/**
 * The modules of a release: the file of its code holds one after the other, and a list beside it says where. Each is run by itself, under
 * its digest, so that releases share those that are the same, and the code of one that no release has any more is given free.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import * as z from 'zod'
import { StartError } from '../../core/start-error.ts'

export type Factory = (runtime: object, modules: Record<string, object>) => object

/** Where a module stands in the file of the code. */
const place = z.object({
  digest: z.string().regex(/^[\da-f]{64}$/),
  /** Its first letter, and how many they are. */
  at: z.number().int().nonnegative(),
  length: z.number().int().positive(),
})
const listSchema = z.object({ manifest: z.string(), modules: z.record(z.string(), place) })

/** The modules of a release, in the order of the file. */
export interface ModuleList {
  /** The path of the module that is linked last. */
  readonly manifest: string
  readonly modules: ReadonlyMap<string, z.infer<typeof place>>
}

/** What a release consists of; null for a build whose modules are not told apart. */
export async function modulesOf(folder: string): Promise<ModuleList | null> {
  try {
    const { manifest, modules } = listSchema.parse(JSON.parse(await readFile(join(folder, 'modules.json'), 'utf8')))
    return { manifest, modules: new Map(Object.entries(modules)) }
  } catch {
    // A build without a list, or with one of another version, is loaded as a whole.
    return null
  }
}

export async function codeOf(folder: string): Promise<string> {
  return readFile(join(folder, 'site.mjs'), 'utf8')
}

const NAMES = 'ingot-module:'

/** The digest of the module that a stack names; null where it names something else. */
export function digestIn(file: string): string | null {
  return file.startsWith(NAMES) ? file.slice(NAMES.length) : null
}

const factory = z.custom<Factory>((value) => typeof value === 'function')

/** The code of a module, one statement that sets its factory, as a script, and the number that its lines are moved by. */
export function scriptOf(code: string): { readonly script: string; readonly lineOffset: number } {
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

const sections = z.object({ sections: z.array(z.object({ map: z.unknown() })) })

/**
 * The map of one module: the file of the code has a map of maps, in the order of the modules.
 * @param at the module's place among them
 */
export function mapOfModule(folder: string, at: number): SourceMapPayload | null {
  try {
    const read = sections.safeParse(JSON.parse(readFileSync(join(folder, 'site.mjs.map'), 'utf8')))
    return read.success ? ((read.data.sections[at]?.map as SourceMapPayload | undefined) ?? null) : null
  } catch {
    // A fault is told without its place rather than not at all.
    return null
  }
}
