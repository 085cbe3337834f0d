/** Combines modules in one scope, in which they use names of the runtime and of each other directly. */
import { type Code, constant, ident, member, NOWHERE, type Statement } from '../../core/model/code.ts'
import { type Import, type Module, RUNTIME_ENTRY } from '../../core/model/module.ts'
import type { CodeLanguage, Printed } from '../../core/model/printed.ts'
import { withoutExports } from './code-writer.ts'
import { print } from './print.ts'

/**
 * Returns all modules as consecutive texts for one scope. The names of entry points are unique in the site, so that modules need not import each
 * other. The scope takes the values of the runtime from the variable named `runtime`, and declares `site`.
 */
export function oneScope(modules: readonly Module[], runtime: string, language: CodeLanguage): readonly Printed[] {
  const runtimeNames = new Set<string>()
  const hosted = new Set<string>()
  const filters = new Map<string, Import>()
  for (const { imports } of modules) {
    for (const each of imports) {
      const [name] = each.names
      if (each.from === RUNTIME_ENTRY) for (const name of each.names) runtimeNames.add(name)
      else if (each.own === true) for (const name of each.names) hosted.add(name)
      else if (each.filter !== undefined && name !== undefined) filters.set(name, each)
    }
  }
  const values = [
    ...takeFromRuntime([...runtimeNames], [...filters.values()], ident(runtime)),
    ...takeFromHost([...hosted], ident(runtime)),
  ]
  return [print(values, language), ...modules.map(({ body }) => withoutExports(body))]
}

/** Returns the declarations that take values and filters from the runtime. */
export function takeFromRuntime(
  names: readonly string[],
  filters: readonly Import[],
  runtime: Code,
): readonly Statement[] {
  const values: Statement[] = names.length > 0 ? [{ kind: 'take', names, from: runtime, span: NOWHERE }] : []
  return [
    ...values,
    ...filters.flatMap(({ names, filter }) =>
      names.map((name) => constant(name, filterCode(runtime, filter ?? '', name), NOWHERE)),
    ),
  ]
}

/** Returns the declaration that takes the functions of the library host. */
export function takeFromHost(names: readonly string[], runtime: Code): readonly Statement[] {
  return names.length === 0 ? [] : [{ kind: 'take', names, from: member(runtime, 'host'), span: NOWHERE }]
}

/** Returns the code of a registered filter in the runtime: `runtime.filters.upcase.upcase`. */
function filterCode(runtime: Code, registered: string, name: string): Code {
  return member(member(member(runtime, 'filters'), registered), name)
}
