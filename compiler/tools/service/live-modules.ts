/** Prints modules for development. Each is a function of the runtime and the other modules, which are looked up in replaceable slots. */
import { dirname, join, relative, sep } from 'node:path'
import { MANIFEST } from '../../phases/emit/manifest.ts'
import { calledModules, liveModule } from '../../phases/emit/live-module.ts'
import { print } from '../../phases/emit/print.ts'
import { inlineMap, type SourcePosition, sourceMap } from '../../phases/emit/source-map.ts'
import {
  assign,
  binary,
  type Code,
  choice,
  constant,
  element,
  give,
  ident,
  invoke,
  member,
  method,
  NOWHERE,
  NULL,
  object,
  parameter,
  property,
  type Statement,
  string,
  UNDEFINED,
} from '../../core/model/code.ts'
import type { Module } from '../../core/model/module.ts'
import type { Span } from '../../core/source/span.ts'

const RUNTIME = ident('$runtime')

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
  const printedModule = print(
    [constant('factories', object(factories), NOWHERE), exportedConstant('facts', object(facts)), ...LINK_FUNCTIONS],
    'javascript',
  )
  return { code: `${printedModule.text}\n`, map: sourceMap([printedModule], positionAt, relativeToMap(path, root)) }
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

const SITE = member(element(ident('modules'), string(MANIFEST)), 'site')
const SLOT = element(ident('modules'), ident('path'))

/** Functions that link the factories, and replace a module with a newer version. */
const LINK_FUNCTIONS: readonly Statement[] = [
  { kind: 'declare', keyword: 'let', variables: [{ name: 'runtime', type: null }], span: NOWHERE },
  exportedConstant('modules', object([])),
  {
    kind: 'function',
    name: 'link',
    async: false,
    parameters: [parameter('$runtime')],
    result: null,
    body: [
      assign(ident('runtime'), RUNTIME),
      {
        kind: 'for-of',
        name: 'path',
        iterable: method(ident('Object'), 'keys', ident('factories')),
        body: [assign(SLOT, invoke(element(ident('factories'), ident('path')), RUNTIME, ident('modules')))],
        span: null,
      },
      give(SITE),
    ],
    exported: 'default',
    span: null,
  },
  {
    kind: 'function',
    name: 'swap',
    async: false,
    parameters: [parameter('path'), parameter('namespace')],
    result: null,
    body: [
      assign(SLOT, method(ident('namespace'), 'default', ident('runtime'), ident('modules'))),
      give(choice(binary(ident('path'), '===', string(MANIFEST)), SITE, UNDEFINED)),
    ],
    exported: true,
    span: null,
  },
]

/** Returns a function that maps site files to paths relative to the source map at `path`. */
function relativeToMap(path: string, root: string): (file: string) => string {
  return (file) => relative(dirname(path), join(root, file)).split(sep).join('/')
}
