/** Modules in one scope, where they take what they need from the runtime: by one name each, or from each other. */
import { type Code, constant, ident, member, NOWHERE, type Statement } from '../../core/model/code.ts'
import { type Import, type Module, RUNTIME_ENTRY } from '../../core/model/module.ts'
import type { CodeLanguage, Printed } from '../../core/model/printed.ts'
import { print, withoutExports } from './print.ts'

/**
 * All modules in one scope, one text below the other: their faces have names of their own in the site, so none needs to import another.
 * What stands there takes what it needs from `runtime`, a name in its scope, and declares `site`.
 */
export function oneScope(modules: readonly Module[], runtime: string, language: CodeLanguage): readonly Printed[] {
  const used = new Set<string>()
  const own = new Set<string>()
  const filters = new Map<string, Import>()
  for (const { imports } of modules) {
    for (const each of imports) {
      const [name] = each.names
      if (each.from === RUNTIME_ENTRY) for (const name of each.names) used.add(name)
      else if (each.own === true) for (const name of each.names) own.add(name)
      else if (each.filter !== undefined && name !== undefined) filters.set(name, each)
    }
  }
  const values = [
    ...taken([...used], [...filters.values()], ident(runtime)),
    ...takenFromHost([...own], ident(runtime)),
  ]
  return [print(values, language), ...modules.map(({ body }) => withoutExports(body))]
}

/** What takes values and filters from the runtime. */
export function taken(names: readonly string[], filters: readonly Import[], runtime: Code): readonly Statement[] {
  const values: Statement[] = names.length > 0 ? [{ kind: 'take', names, from: runtime, span: NOWHERE }] : []
  return [
    ...values,
    ...filters.flatMap(({ names, filter }) =>
      names.map((name) => constant(name, filterCode(runtime, filter ?? '', name), NOWHERE)),
    ),
  ]
}

/** What takes the functions of the host of the library. */
export function takenFromHost(names: readonly string[], runtime: Code): readonly Statement[] {
  return names.length === 0 ? [] : [{ kind: 'take', names, from: member(runtime, 'host'), span: NOWHERE }]
}

/** Where a registered filter stands in the runtime: `runtime.filters.upcase.upcase`. */
function filterCode(runtime: Code, registered: string, name: string): Code {
  return member(member(member(runtime, 'filters'), registered), name)
}
