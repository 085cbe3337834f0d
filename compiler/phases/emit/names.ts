/** Converts Liquid names and files to JavaScript names and module paths. */
import { type Code, type Entry, property } from '../../core/model/code.ts'
import type { Outline } from '../../core/model/outline.ts'

/** Names that emitted functions use, in addition to those of the runtime. */
const EMITTED_NAMES: ReadonlySet<string> = new Set([
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

/** Returns a JavaScript identifier similar to a Liquid name, and never a reserved word. */
function identifier(name: string): string {
  const cleaned = PLAIN_NAME.test(name) ? name : name.replace(/[^A-Za-z0-9_]/g, '_')
  if (cleaned === '' || /^[0-9]/.test(cleaned)) return `_${cleaned}`
  return RESERVED.has(cleaned) ? `${cleaned}_` : cleaned
}

/** The names in one function. No name is used twice. */
export class Names {
  readonly #takenNames = new Set<string>()
  readonly #reserved: ReadonlySet<string>
  readonly #uses: Pick<Outline['uses'], 'has'>

  /** @param outline the template. No other name becomes that of one of its variables, so that tools can tell which variable a name means */
  constructor(reserved: ReadonlySet<string>, { uses }: Pick<Outline, 'uses'>) {
    this.#reserved = reserved
    this.#uses = uses
  }

  fresh(hint: string): string {
    const plain = identifier(hint)
    // No name with a number at its end is free if it begins like the name of an entry point.
    const base = FACE_NAME.test(plain) ? `_${plain}` : this.#isReserved(plain) ? `${plain}Value` : plain
    let name = base
    for (let n = 2; this.#isTaken(name, hint); n++) name = `${base}${n}`
    this.#takenNames.add(name)
    return name
  }

  #isTaken(name: string, hint: string): boolean {
    return this.#takenNames.has(name) || this.#isReserved(name) || (name !== hint && this.#uses.has(name))
  }

  #isReserved(name: string): boolean {
    return this.#reserved.has(name) || EMITTED_NAMES.has(name) || isModuleName(name)
  }
}

/** Patterns of the names of entry points and module constants. */
const FACE_NAME = /^(?:render|call|include|bytes|query)[A-Z_]\w*$/
const UNIT_NAME = /^\w+(?:File|FormFields)$/

function isModuleName(name: string): boolean {
  return ((name.endsWith('File') || name.endsWith('FormFields')) && UNIT_NAME.test(name)) || FACE_NAME.test(name)
}

/** Returns a camel-cased name for a unit: `lists/badge` → `listsBadge`. */
export function camelCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const joined = words
    .map((word, at) => (at === 0 ? word[0]?.toLowerCase() + word.slice(1) : word[0]?.toUpperCase() + word.slice(1)))
    .join('')
  return identifier(joined === '' ? 'unit' : joined)
}

/**
 * Returns the path of the module of a template: `app/views/pages/a.liquid` → `app/views/pages/a.ts`. A file with another extension may be
 * next to a template with the same name, so its path gets a `~`: `a.svg` → `a.svg~.ts`. Other characters are replaced by their code points,
 * so that no two files share a module: `a b.liquid` → `a~20~b.ts`.
 */
export function modulePath(file: string): string {
  const bareName = file.replace(/\.(?:liquid|graphql)$/, '')
  const plainText = bareName.replace(
    /[^A-Za-z0-9_./-]/gu,
    (character) => `~${(character.codePointAt(0) ?? 0).toString(16)}~`,
  )
  return `${plainText}${bareName === file ? '~' : ''}.ts`
}

/** Returns the import path from one module to another. */
export function importPath(from: string, to: string): string {
  const fromFolders = from.split('/').slice(0, -1)
  const toParts = to.split('/')
  let commonCount = 0
  while (
    commonCount < fromFolders.length &&
    commonCount < toParts.length - 1 &&
    fromFolders[commonCount] === toParts[commonCount]
  )
    commonCount++
  const levelsUp = fromFolders.length - commonCount
  return `${levelsUp === 0 ? './' : '../'.repeat(levelsUp)}${toParts.slice(commonCount).join('/')}`
}

/** The names of the properties of the object prototype. */
const OBJECT_NAMES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Returns whether a variable with this name can be read with a plain property access on an object of variables. */
export function isPlainVariable(name: string): boolean {
  return !OBJECT_NAMES.has(name)
}

/** Returns the key of a variable in an object of variables: its name, except for the name that would set the prototype. */
export function variableKey(name: string): string {
  return name === '__proto__' ? '$__proto__' : name
}

/** Returns the frame key of a variable that is hidden by another variable at the call (base Liquid). */
export function hiddenKey(name: string): string {
  return `$behind:${name}`
}

/** Returns the entry of a variable in an object literal. */
export function variableEntry(name: string, code: Code): Entry {
  return property(variableKey(name), code)
}

/** Returns a function that maps logical names to function names: `books/all` → `queryBooksAll`, unique in the site. */
export function operationNames(operations: Iterable<string>): (name: string) => string {
  const names = new Map<string, string>()
  const takenNames = new Set<string>()
  for (const name of operations) {
    const base = camelCase(name).replace(/^./, (first) => first.toUpperCase())
    let unique = base
    const bothNames = () => [unique, answerName(unique)].map((each) => each.toLowerCase())
    for (let n = 2; bothNames().some((each) => takenNames.has(each)); n++) unique = `${base}${n}`
    for (const each of bothNames()) takenNames.add(each)
    names.set(name, `query${unique}`)
  }
  return (name) => names.get(name) ?? 'query'
}

/** Returns the name of the decoder of an operation: `queryBooksAll` → `queryBooksAllAnswer`. */
export function answerName(functionName: string): string {
  return `${functionName}Answer`
}

/** Returns the prefix of the types of an operation: `queryBooksAll` → `BooksAll`. */
export function operationType(functionName: string): string {
  return functionName.replace(/^query/, '')
}
