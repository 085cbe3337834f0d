/** Prints modules for development. Each is a function of the runtime and the other modules, which are looked up in replaceable slots. */
import { dirname, join, relative, sep } from 'node:path'
import { MANIFEST } from '../../phases/emit/manifest.ts'
import { liveModule } from '../../phases/emit/live-module.ts'
import { print } from '../../phases/emit/print.ts'
import { inlineMap, type SourcePosition, sourceMap } from '../../phases/emit/source-map.ts'
import {
  assign,
  binary,
  choice,
  constant,
  element,
  give,
  ident,
  invoke,
  member,
  method,
  NOWHERE,
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

/** Prints one module as a file: `export default ($runtime, $modules) => exports`. */
export function devModule(
  module: Module,
  path: string,
  root: string,
  positionAt: (span: Span) => SourcePosition,
): string {
  const printedModule = print([{ kind: 'export-default', value: liveModule(module) }], 'javascript')
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
  const printedModule = print(
    [constant('factories', { kind: 'object', entries: factories, lines: true }, NOWHERE), ...LINK_FUNCTIONS],
    'javascript',
  )
  return { code: `${printedModule.text}\n`, map: sourceMap([printedModule], positionAt, relativeToMap(path, root)) }
}

const SITE = member(element(ident('modules'), string(MANIFEST)), 'site')
const SLOT = element(ident('modules'), ident('path'))

/** Functions that link the factories, and replace a module with a newer version. */
const LINK_FUNCTIONS: readonly Statement[] = [
  { kind: 'declare', keyword: 'let', variables: [{ name: 'runtime', type: null }], span: NOWHERE },
  constant('modules', object([])),
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
