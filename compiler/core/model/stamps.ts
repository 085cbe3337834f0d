/** Stamps of the inputs of a compilation. Equal stamps mean equal inputs, also in another process. */
import type { SourceFile } from '../source/file.ts'
import { headOf } from '../source/front-matter.ts'
import { attached } from './attached.ts'
import { derived } from './derived.ts'
import { digest } from './digest.ts'
import type { ConfigSettings } from './settings.ts'
import { EDITABLE, type Unit } from './unit.ts'

/** Returns a stamp of the text of a file and of everything else about it. */
export const fileStamp: (file: SourceFile) => string = derived((file: SourceFile) => {
  const { text, ...rest } = file
  return digest(`${JSON.stringify(rest, (_, each: unknown) => (each instanceof Map ? [...each] : each))}\n${text}`)
})

const configStamps = attached<ConfigSettings, string>()

/** Sets the stamp of a configuration to that of its file. */
export function stampConfig(config: ConfigSettings, file: SourceFile): void {
  configStamps.set(config, fileStamp(file))
}

export function configStamp(config: ConfigSettings): string {
  return configStamps.get(config) ?? objectStamp(config)
}

/** The last stamp of each parsed file. One string is compared with itself faster than with an equal string. */
const unitStamps = attached<SourceFile, { readonly config: string; readonly stamp: string }>()

/** Returns a stamp of everything that the parsed file depends on. */
export function unitStamp({ file }: Unit, settings: ConfigSettings): string {
  const config = configStamp(settings)
  const known = unitStamps.get(file)
  if (known?.config === config) return known.stamp
  const stamp = `${fileStamp(file)} ${config}`
  unitStamps.set(file, { config, stamp })
  return stamp
}

/** Matches the end of a query that is written in a template. */
const INLINE_QUERY = /\bendgraphql\b/

/** Returns a stamp of everything that other files use by name: the whole file, or a page, partial or layout without its template. */
export const structureStamp: (unit: Unit) => string = derived(({ file, refused, template, inner }: Unit) => {
  if (!EDITABLE.has(file.kind) || refused === true || file.writtenText !== undefined || INLINE_QUERY.test(file.text))
    return fileStamp(file)
  return fileStamp({ ...file, text: [template === null, ...inner.keys(), headOf(file.text)].join('\n') })
})

let objects = 0

/** Returns a stamp of an object, which is the same only for the same object of this process. */
export const objectStamp: (object: object) => string = derived(() => `#${++objects}`)
