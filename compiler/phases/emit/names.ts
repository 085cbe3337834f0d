/** Liquid names and files as JavaScript names and module paths. */
import { type Code, type Entry, property } from '../../core/model/code.ts'

/** Names that emitted functions use themselves, beside the runtime's own. */
const OWN: ReadonlySet<string> = new Set([
  'r',
  'out',
  'scope',
  'frame',
  'result',
  'body',
  'error',
  'registers',
  'sink',
  'written',
  'depth',
  'escapeText',
  'escapeAttributeText',
  'UNIT',
  'Math',
  'undefined',
  'Promise',
  'Object',
  'NaN',
  'Infinity',
  'arguments',
  'eval',
  'await',
  'async',
  'of',
  'let',
  'static',
  'yield',
  'implements',
  'interface',
  'package',
  'private',
  'protected',
  'public',
  'as',
  'get',
  'set',
  'type',
])

const RESERVED = new Set(
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with'.split(
    ' ',
  ),
)

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A JavaScript identifier like a Liquid name; never a word of the language. */
function identifier(name: string): string {
  const clean = PLAIN_NAME.test(name) ? name : name.replace(/[^A-Za-z0-9_]/g, '_')
  if (clean === '' || /^[0-9]/.test(clean)) return `_${clean}`
  return RESERVED.has(clean) ? `${clean}_` : clean
}

/** Names of one function: every taken name once. */
export class Names {
  readonly #taken = new Set<string>()
  readonly #reserved: ReadonlySet<string>
  constructor(reserved: ReadonlySet<string>) {
    this.#reserved = reserved
  }

  fresh(hint: string): string {
    const base = identifier(hint)
    let name = base
    for (let n = 2; this.#isTaken(name); n++) name = `${base}$${n}`
    this.#taken.add(name)
    return name
  }

  #isTaken(name: string): boolean {
    return this.#taken.has(name) || this.#reserved.has(name) || OWN.has(name) || isModuleName(name)
  }
}

/** What a module calls faces of units, and its own constants. */
const FACE_NAME = /^(?:render|call|include|bytes|query)[A-Z_]\w*$/
const UNIT_NAME = /^\w+(?:File|FormFields)$/

function isModuleName(name: string): boolean {
  return ((name.endsWith('File') || name.endsWith('FormFields')) && UNIT_NAME.test(name)) || FACE_NAME.test(name)
}

/** A camel-cased name for a unit: `lists/badge` → `listsBadge`. */
export function camel(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const joined = words
    .map((word, at) => (at === 0 ? word[0]?.toLowerCase() + word.slice(1) : word[0]?.toUpperCase() + word.slice(1)))
    .join('')
  return identifier(joined === '' ? 'unit' : joined)
}

/**
 * Path of the module of a template: `app/views/pages/a.liquid` → `app/views/pages/a.ts`. A file of another ending, which may lie beside
 * a template that is called like it, has a path that no such template has: `a.svg` → `a.svg~.ts`. Other characters stand as their
 * numbers, so that no two files share a module: `a b.liquid` → `a~20~b.ts`.
 */
export function modulePath(file: string): string {
  const bare = file.replace(/\.(?:liquid|graphql)$/, '')
  const plain = bare.replace(/[^A-Za-z0-9_./-]/gu, (character) => `~${(character.codePointAt(0) ?? 0).toString(16)}~`)
  return `${plain}${bare === file ? '~' : ''}.ts`
}

/** An import path from one module to another. */
export function importPath(from: string, to: string): string {
  const here = from.split('/').slice(0, -1)
  const there = to.split('/')
  let common = 0
  while (common < here.length && common < there.length - 1 && here[common] === there[common]) common++
  const up = here.length - common
  return `${up === 0 ? './' : '../'.repeat(up)}${there.slice(common).join('/')}`
}

/** Names that stand on the prototype of every plain object. */
const OBJECT_NAMES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Whether a variable of that name is read from the object that carries variables as any other property. */
export function isPlainVariable(name: string): boolean {
  return !OBJECT_NAMES.has(name)
}

/** How a variable's name stands in the object that carries it: as itself, but for the one name that would set a prototype. */
export function variableKey(name: string): string {
  return name === '__proto__' ? '$__proto__' : name
}

/** A variable in an object literal. */
export function variableEntry(name: string, code: Code): Entry {
  return property(variableKey(name), code)
}

/** Names of the functions by logical name: `books/all` → `queryBooksAll`, unique in the site. */
export function operationNames(operations: Iterable<string>): (name: string) => string {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of operations) {
    const base = camel(name).replace(/^./, (first) => first.toUpperCase())
    let unique = base
    const both = () => [unique, answerName(unique)].map((each) => each.toLowerCase())
    for (let n = 2; both().some((each) => taken.has(each)); n++) unique = `${base}${n}`
    for (const each of both()) taken.add(each)
    names.set(name, `query${unique}`)
  }
  return (name) => names.get(name) ?? 'query'
}

/** The decoder beside the function of an operation: `queryBooksAll` → `queryBooksAllAnswer`. */
export function answerName(functionName: string): string {
  return `${functionName}Answer`
}

/** How the types of an operation begin: `queryBooksAll` → `BooksAll`. */
export function operationType(functionName: string): string {
  return functionName.replace(/^query/, '')
}
