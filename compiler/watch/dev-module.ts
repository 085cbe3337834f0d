/** Modules as development runs them: each a function of the runtime and of the other modules, which it reaches through live slots. */
import { dirname, join, relative, sep } from 'node:path'
import { inlineMap, type Placed, sourceMap } from '../emit/source-map.ts'
import { MANIFEST } from '../emit/manifest.ts'
import type { Module } from '../model/module.ts'

/** The statements in front of a module's body: what it takes from the runtime, and a slot for each face that it calls. */
function prelude(module: Module): string[] {
  const lines: string[] = []
  for (const { from, names, filter } of module.imports) {
    if (from === '#runtime') {
      if (names.length > 0) lines.push(`const { ${names.join(', ')} } = $runtime`)
    } else if (filter !== undefined) lines.push(`const ${names[0]} = $runtime.filters.${filter}.${names[0]}`)
    else {
      const path = JSON.stringify(resolved(module.path, from))
      for (const name of names) lines.push(`const ${name} = (...given) => $modules[${path}].${name}(...given)`)
    }
  }
  return lines
}

function resolved(from: string, to: string): string {
  return join(dirname(from), to).split(sep).join('/')
}

/** One module as a file: `export default ($runtime, $modules) => exports`. */
export function devModule(module: Module, path: string, root: string, texts: ReadonlyMap<string, string>): string {
  const head = ['export default ($runtime, $modules) => {', ...prelude(module)]
  const map = mapOf([{ module, line: head.length }], path, root, texts)
  return `${[...head, module.plain, `return { ${module.exports.join(', ')} }`, '}'].join('\n')}\n${inlineMap(map)}\n`
}

/** All modules as one link module that can swap any of them. */
export function devEntry(
  modules: readonly Module[],
  path: string,
  root: string,
  texts: ReadonlyMap<string, string>,
): { readonly code: string; readonly map: string } {
  const lines = ['const factories = {']
  const placed: Placed[] = []
  for (const module of modules) {
    lines.push(`${JSON.stringify(module.path)}: ($runtime, $modules) => {`, ...prelude(module))
    placed.push({ module, line: lines.length })
    lines.push(...module.plain.split('\n'), `return { ${module.exports.join(', ')} }`, '},')
  }
  lines.push(
    '}',
    'let runtime',
    'const modules = {}',
    'export default function link($runtime) {',
    '  runtime = $runtime',
    '  for (const path of Object.keys(factories)) modules[path] = factories[path]($runtime, modules)',
    `  return modules['${MANIFEST}'].site`,
    '}',
    'export function swap(path, namespace) {',
    '  modules[path] = namespace.default(runtime, modules)',
    `  return path === '${MANIFEST}' ? modules[path].site : undefined`,
    '}',
  )
  return { code: `${lines.join('\n')}\n`, map: mapOf(placed, path, root, texts) }
}

function mapOf(placed: readonly Placed[], path: string, root: string, texts: ReadonlyMap<string, string>): string {
  return sourceMap(
    placed,
    (file) => relative(dirname(path), join(root, file)).split(sep).join('/'),
    (file) => texts.get(file) ?? '',
  )
}
