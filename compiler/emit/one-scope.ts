/** All modules in one scope: their faces have names of their own in the site, so none needs to import another. */
import type { Placed } from './source-map.ts'
import type { Module } from '../model/module.ts'

/** Lines of JavaScript that take what they need from `runtime` (a name in their scope) and declare `site`, with where each module stands in them. */
export function oneScope(
  modules: readonly Module[],
  runtime: string,
): { readonly lines: string[]; readonly placed: readonly Placed[] } {
  const used = new Set<string>()
  const filters = new Map<string, string>()
  for (const module of modules) {
    for (const { from, names, filter } of module.imports) {
      if (from === '#runtime') for (const name of names) used.add(name)
      else if (filter !== undefined) filters.set(names[0] as string, filter)
    }
  }
  const lines = [`const { ${[...used].join(', ')} } = ${runtime}`]
  for (const [name, registered] of filters) lines.push(`const ${name} = ${runtime}.filters.${registered}.${name}`)
  const placed: Placed[] = []
  for (const module of modules) {
    placed.push({ module, line: lines.length })
    lines.push(...module.plain.split('\n'))
  }
  return { lines, placed }
}
