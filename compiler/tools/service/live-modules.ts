/** Prints modules for development. Each is a function of the runtime and the other modules, which are looked up in replaceable slots. */
import { dirname, join, relative, sep } from 'node:path'
import { MANIFEST } from '../../phases/emit/manifest.ts'
import { calledModules, liveModule } from '../../phases/emit/live-module.ts'
import { print } from '../../phases/emit/print.ts'
import { inlineMap, type SourcePosition, sourceMap } from '../../phases/emit/source-map.ts'
import { type Code, constant, NOWHERE, NULL, object, property, type Statement, string } from '../../core/model/code.ts'
import type { Module } from '../../core/model/module.ts'
import type { Span } from '../../core/source/span.ts'

/** Prints one module as a file: `export const facts`, and `export default ($runtime, $modules) => exports`. */
export function devModule(
  module: Module,
  path: string,
  root: string,
  positionAt: (span: Span) => SourcePosition,
): string {
  const statements: readonly Statement[] = [
    exportedConstant('facts', moduleFacts(module)),
    { kind: 'export-default', value: liveModule(module) },
  ]
  const printedModule = print(statements, 'javascript')
  return `${printedModule.text}\n${inlineMap(sourceMap([printedModule], positionAt, relativeToMap(path, root)))}\n`
}

/** Prints all modules as one link module that can replace any of them. */
export function devEntry(
  modules: readonly Module[],
  path: string,
  root: string,
  positionAt: (span: Span) => SourcePosition,
): { readonly code: string; readonly map: string } {
  const factories = modules.map((module) => property(module.path, liveModule(module)))
  const facts = modules.map((module) => property(module.path, moduleFacts(module)))
  const statements = [constant('factories', object(factories), NOWHERE), exportedConstant('facts', object(facts))]
  const printedModule = print(statements, 'javascript')
  return {
    code: `${printedModule.text}\n${[STATE, LINK, SWAP].join('\n')}\n`,
    map: sourceMap([printedModule], positionAt, relativeToMap(path, root)),
  }
}

/** Returns `{ file, calls }`: the template of a module, or null, and the modules that it calls. */
function moduleFacts(module: Module): Code {
  const calls: Code = { kind: 'list', items: calledModules(module).map((path) => string(path)) }
  return object([property('file', module.source === null ? NULL : string(module.source)), property('calls', calls)])
}

/** `export const name = value`. */
function exportedConstant(name: string, value: Code): Statement {
  return { kind: 'declare', keyword: 'const', variables: [{ name, type: null, value }], exported: true, span: NOWHERE }
}

/** The modules, and the runtime that they were linked with. */
const STATE = `let runtime
export const modules = {}`

/** Links the factories. */
const LINK = `export default function link($runtime) {
  runtime = $runtime
  for (const path of Object.keys(factories)) {
    modules[path] = factories[path]($runtime, modules)
  }
  return modules['${MANIFEST}'].site
}`

/** Replaces a module with a newer version. */
const SWAP = `export function swap(path, namespace) {
  modules[path] = namespace.default(runtime, modules)
  return path === '${MANIFEST}' ? modules['${MANIFEST}'].site : undefined
}`

/** Returns a function that maps site files to paths relative to the source map at `path`. */
function relativeToMap(path: string, root: string): (file: string) => string {
  return (file) => relative(dirname(path), join(root, file)).split(sep).join('/')
}
