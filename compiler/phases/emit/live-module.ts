/** Creates standalone modules: functions of the runtime and of the other modules, which are called through live slots. */
import {
  arrow,
  asPrinted,
  type Code,
  constant,
  element,
  give,
  ident,
  method,
  NOWHERE,
  object,
  parameter,
  property,
  spread,
  type Statement,
  string,
} from '../../core/model/code.ts'
import { type Module, RUNTIME_ENTRY } from '../../core/model/module.ts'
import { takeFromRuntime, takeFromHost } from './one-scope.ts'
import { withoutExports } from './code-writer.ts'

const RUNTIME = ident('$runtime')
const MODULES = ident('$modules')

/**
 * Returns `($runtime, $modules) => exports`: a function that returns the exports of the module. The module has its runtime imports, and a
 * slot for each entry point that it calls.
 */
export function liveModule(module: Module): Code {
  const statements: Statement[] = []
  for (const each of module.imports) {
    if (each.from === RUNTIME_ENTRY) statements.push(...takeFromRuntime(each.names, [], RUNTIME))
    else if (each.own === true) statements.push(...takeFromHost(each.names, RUNTIME))
    else if (each.filter !== undefined) statements.push(...takeFromRuntime([], [each], RUNTIME))
    else {
      const other = element(MODULES, string(resolvedPath(module.path, each.from)))
      for (const name of each.names) {
        const slot = arrow([{ name: 'given', type: null, rest: true }], method(other, name, spread(ident('given'))))
        statements.push(constant(name, slot, NOWHERE))
      }
    }
  }
  const exports = object(module.exports.map((name) => property(name, ident(name))))
  return arrow(
    [parameter('$runtime'), parameter('$modules')],
    [...statements, asPrinted(withoutExports(module.body)), give(exports)],
  )
}

/** Returns the paths of the modules that a module calls. */
export function calledModules({ path, imports }: Module): readonly string[] {
  return imports
    .filter(({ from, own, filter }) => from !== RUNTIME_ENTRY && own !== true && filter === undefined)
    .map(({ from }) => resolvedPath(path, from))
}

/** Returns the path of a module that is imported as `to`. */
function resolvedPath(from: string, to: string): string {
  const path = from.split('/').slice(0, -1)
  for (const step of to.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '.') path.push(step)
  }
  return path.join('/')
}
