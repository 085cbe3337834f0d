/** Modules as development runs them: each a function of the runtime and of the other modules, which it reaches through live slots. */
import { dirname, join, relative, sep } from 'node:path'
import { MANIFEST } from '../emit/manifest.ts'
import { taken } from '../emit/one-scope.ts'
import { print, withoutExports } from '../emit/print.ts'
import { inlineMap, type Place, sourceMap } from '../emit/source-map.ts'
import {
  arrow,
  asPrinted,
  assign,
  binary,
  choice,
  type Code,
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
  spread,
  type Statement,
  string,
  UNDEFINED,
} from '../model/code.ts'
import { type Module, RUNTIME_ENTRY } from '../model/module.ts'
import type { Span } from '../source/span.ts'

const RUNTIME = ident('$runtime')
const MODULES = ident('$modules')

/** `($runtime, $modules) => exports`: the module with what it takes from the runtime, and a slot for each face that it calls. */
function factory(module: Module): Code {
  const statements: Statement[] = []
  for (const each of module.imports) {
    if (each.from === RUNTIME_ENTRY) statements.push(...taken(each.names, [], RUNTIME))
    else if (each.filter !== undefined) statements.push(...taken([], [each], RUNTIME))
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

function resolvedPath(from: string, to: string): string {
  return join(dirname(from), to).split(sep).join('/')
}

/** One module as a file: `export default ($runtime, $modules) => exports`. */
export function devModule(module: Module, path: string, root: string, positionAt: (span: Span) => Place): string {
  const printed = print([{ kind: 'export-default', value: factory(module) }], 'javascript')
  return `${printed.text}\n${inlineMap(sourceMap([printed], positionAt, namesFrom(path, root)))}\n`
}

/** All modules as one link module that can swap any of them. */
export function devEntry(
  modules: readonly Module[],
  path: string,
  root: string,
  positionAt: (span: Span) => Place,
): { readonly code: string; readonly map: string } {
  const factories = modules.map((module) => property(module.path, factory(module)))
  const printed = print(
    [constant('factories', { kind: 'object', entries: factories, lines: true }, NOWHERE), ...LINK_FUNCTIONS],
    'javascript',
  )
  return { code: `${printed.text}\n`, map: sourceMap([printed], positionAt, namesFrom(path, root)) }
}

const SITE = member(element(ident('modules'), string(MANIFEST)), 'site')
const SLOT = element(ident('modules'), ident('path'))

/** What links the factories, and what puts a newer module in the place of one. */
const LINK_FUNCTIONS: readonly Statement[] = [
  { kind: 'declare', how: 'let', variables: [{ name: 'runtime', type: null }], span: NOWHERE },
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
        of: method(ident('Object'), 'keys', ident('factories')),
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

/** How a map that lies at `path` names the site's files. */
function namesFrom(path: string, root: string): (file: string) => string {
  return (file) => relative(dirname(path), join(root, file)).split(sep).join('/')
}
