/**
 * Stores modules for a deployed site. Each module is a statement that sets its factory, so that a release is a list of modules and an edit
 * replaces one. The printed code of a module is cached as long as the module lives.
 */
import { createHash } from 'node:crypto'
import { liveModule } from '../../phases/emit/live-module.ts'
import { MANIFEST } from '../../phases/emit/manifest.ts'
import { print } from '../../phases/emit/print.ts'
import { inlineMap, type SourcePosition, sourceMap } from '../../phases/emit/source-map.ts'
import { assign, element, ident, NOWHERE, string } from '../../core/model/code.ts'
import type { Module } from '../../core/model/module.ts'
import type { Span } from '../../core/source/span.ts'

/** A printed module. */
export interface PrintedModule {
  readonly path: string
  /** The digest of the code. */
  readonly digest: string
  /** `factories["…"] = ($runtime, $modules) => …` */
  readonly code: string
  readonly lines: number
  /** The source map of the code. */
  readonly map: string
}

/** Prints modules, each once. */
export class ModulePrinter {
  readonly #printed = new WeakMap<Module, PrintedModule>()

  print(module: Module, positionAt: (span: Span) => SourcePosition): PrintedModule {
    const known = this.#printed.get(module)
    if (known !== undefined) return known
    const printedCode = print([assign(FACTORY(module.path), liveModule(module), NOWHERE)], 'javascript')
    const { text: code, lines } = printedCode
    const digest = createHash('sha256').update(code).digest('hex')
    const printedModule = {
      path: module.path,
      digest,
      code,
      lines,
      map: sourceMap([printedCode], positionAt, (file) => file),
    }
    this.#printed.set(module, printedModule)
    return printedModule
  }
}

const FACTORY = (path: string) => element(ident('factories'), string(path))

/** Returns a module as a script: a function that takes the factories and sets its own. */
export function moduleScript({ code, map }: PrintedModule): string {
  return `((factories) => {${code}\n})\n${inlineMap(map)}\n`
}

/** The position of a module in the code of a build. */
interface ModulePlace {
  readonly digest: string
  /** The start offset and the length of the module. */
  readonly at: number
  readonly length: number
}

/** The code of a build with all modules, its source map (composed of the maps of the modules), and the list of modules. */
interface LinkEntry {
  readonly code: string
  readonly map: string
  /** The path of the module that is linked last, and the places of all modules by path, in order. */
  readonly list: { readonly manifest: string; readonly modules: Readonly<Record<string, ModulePlace>> }
}

/** Returns all modules as the link module of a build. */
export function linkEntry(modules: readonly PrintedModule[]): LinkEntry {
  const texts = [HEAD, ...modules.map(({ code }) => code), LINK]
  const sections: string[] = []
  const places: [string, ModulePlace][] = []
  let line = HEAD.split('\n').length
  let at = HEAD.length + 1
  for (const { path, digest, code, map, lines } of modules) {
    sections.push(`{"offset":{"line":${line},"column":0},"map":${map}}`)
    places.push([path, { digest, at, length: code.length }])
    line += lines
    at += code.length + 1
  }
  return {
    code: `${texts.join('\n')}\n`,
    map: `{"version":3,"sections":[\n${sections.join(',\n')}\n]}\n`,
    list: { manifest: MANIFEST, modules: Object.fromEntries(places) },
  }
}

/** The factories by module path, and the path of the module that is linked last. */
const HEAD = `export const factories = {}
export const manifest = '${MANIFEST}'`

const LINK = `export default function link($runtime) {
  const modules = {}
  for (const path of Object.keys(factories)) {
    modules[path] = factories[path]($runtime, modules)
  }
  return modules[manifest].site
}`
