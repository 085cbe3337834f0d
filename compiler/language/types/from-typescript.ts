/**
 * Reads the filters of the runtime as TypeScript: their signatures are their only declaration. Run by the build, never
 * while a site is compiled.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ArrowFunction,
  type FunctionDeclaration,
  type FunctionExpression,
  type JSDoc,
  Node,
  type ParameterDeclaration,
  Project,
  type SourceFile,
  type Type as TsType,
} from 'ts-morph'
import type { FilterParameter, FilterSignature, ParameterKind } from '../../core/model/signature.ts'
import type { Type } from '../../core/model/type.ts'

const REGISTRY = 'runtime/page/filters/index.ts'
const FILTERS = 'runtime/page/filters/'
const GENERATED = 'compiler/language/types/runtime.generated.ts'
const NAMES = 'runtime/page/filters/names.generated.ts'

/** The aliases of `runtime/page/filters/types.ts`, and what they say. */
const KINDS: Readonly<Record<string, ParameterKind>> = {
  Textual: 'text',
  Numeric: 'number',
  List: 'list',
  Hash: 'hash',
  Bool: 'boolean',
  Value: 'value',
}

/** A type without maps, as it is written into the generated file. */
type PlainType = Exclude<Type, { kind: 'record' }>

/**
 * The generated modules by their paths: the signatures of all filters, and the filters by name, which emitted modules import. `root` is
 * the project's folder.
 * @throws Error naming the file of a filter whose signature cannot be read
 */
export function generateSignatures(root: string): ReadonlyMap<string, string> {
  const project = new Project({
    tsConfigFilePath: join(root, 'tsconfig.json'),
    skipAddingFilesFromTsConfig: true,
  })
  const registry = project.addSourceFileAtPath(join(root, REGISTRY))
  const signatures = readSignatures(registry)
  const lines = signatures.map((each) => `  ${literal(each)},`)
  const runtime = project.addSourceFileAtPath(join(root, 'runtime/index.ts'))
  const names = [...runtime.getExportedDeclarations().keys()].sort()
  const table = [
    '/** Generated from the signatures of `runtime/page/filters/` by `node build.mjs signatures`; never edited by hand. */',
    "import type { FilterSignature } from '../../core/model/signature.ts'",
    '',
    'export const FILTERS: readonly FilterSignature[] = [',
    ...lines,
    ']',
    '',
    '/** All that `runtime/index.ts` exports. */',
    `export const RUNTIME_NAMES: readonly string[] = ${literal(names)}`,
    '',
  ]
  return new Map([
    [GENERATED, table.join('\n')],
    [NAMES, namesOf(signatures)],
  ])
}

/** Each filter by its name in the registry, in a module of which a bundler keeps what is imported. */
function namesOf(signatures: readonly FilterSignature[]): string {
  const lines = signatures
    .filter(({ aliasOf }) => aliasOf === null)
    .map(({ exportName, registry, module }) => {
      const name = exportName === registry ? registry : `${exportName} as ${registry}`
      return `export { ${name} } from './${module}'`
    })
  const head =
    '/** Generated from `runtime/page/filters/index.ts` by `node build.mjs signatures`; never edited by hand. */'
  return `${[head, ...lines].join('\n')}\n`
}

/** Writes the generated modules where they differ. Gives whether any did. */
export async function writeSignatures(root: string): Promise<boolean> {
  let changed = false
  for (const [path, text] of generateSignatures(root)) {
    const file = join(root, path)
    if ((await readFile(file, 'utf8').catch(() => '')) === text) continue
    await writeFile(file, text)
    changed = true
  }
  return changed
}

/** The signatures that a registry of filters declares: one for each name, aliases included, sorted by name. */
export function readSignatures(registry: SourceFile): readonly FilterSignature[] {
  const signatures: FilterSignature[] = []
  for (const declaration of registry.getExportDeclarations()) {
    const name = declaration.getNamespaceExport()?.getName()
    const module = declaration.getModuleSpecifierSourceFile()
    if (name === undefined || module === undefined)
      throw new Error(`${REGISTRY}: every line exports one filter: \`export * as name from './family/name.ts'\``)
    signatures.push(...filterOf(name, module))
  }
  return signatures.sort((a, b) => compare(a.name, b.name) || compare(a.dialect, b.dialect))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

type Callable = FunctionDeclaration | ArrowFunction | FunctionExpression

/** `registryName` is `liquid_join` for the twin of `join` in the other dialect. */
function filterOf(registryName: string, module: SourceFile): readonly FilterSignature[] {
  const path = module.getFilePath()
  const fail = (problem: string): never => {
    throw new Error(`${path.slice(path.indexOf(FILTERS))}: ${problem}`)
  }
  const dialect = dialectOf(constant(module, 'dialect'), fail)
  const name = dialect === 'liquid' ? registryName.replace(/^liquid_/, '') : registryName.replace(/^platform_/, '')
  const bare = name.replace(/_$/, '')
  const { exportName, callable, docs } =
    exported(module, bare) ?? exported(module, `${bare}_`) ?? fail(`it exports no function named \`${bare}\``)
  const parameters = [...callable.getParameters()]
  const needsRender = parameters[0]?.getTypeNode()?.getText() === 'Render'
  if (needsRender) parameters.shift()
  const last = parameters.at(-1)
  const group = last === undefined ? null : namedOf(last)
  if (group !== null) parameters.pop()
  // Of several trailing hashes the named arguments are the first that was not given by position.
  const before = parameters.flatMap((each) => namedOf(each) ?? [])
  const named =
    group === null
      ? null
      : {
          ...group,
          names: [...before.flatMap((each) => each.names), ...group.names],
          open: group.open || before.some((each) => each.open),
        }
  const rest = parameters.at(-1)?.isRestParameter() === true ? parameters.pop() : undefined
  const read = (parameter: ParameterDeclaration): FilterParameter => ({
    name: parameter.getName().replace(/^_/, ''),
    kind:
      kindOf(parameter) ??
      fail(`the parameter \`${parameter.getName()}\` has none of the types ${Object.keys(KINDS).join(', ')}`),
    optional: parameter.isOptional(),
  })
  const returned = callable.getReturnType()
  const suspends = returned.getSymbol()?.getName() === 'Promise'
  const given = suspends ? (returned.getTypeArguments()[0] ?? returned) : returned
  const signature: FilterSignature = {
    name: bare,
    registry: registryName,
    exportName,
    module: path.slice(path.indexOf(FILTERS) + FILTERS.length),
    aliasOf: null,
    dialect,
    parameters: parameters.map(read),
    rest: rest === undefined ? null : read(rest),
    named,
    result: resultOf(given),
    ...(given.isUnion() && given.getUnionTypes().some(isEncoded) ? { encoded: true as const } : {}),
    needsRender,
    suspends,
    fallible: docs.some((doc) => doc.getTags().some((tag) => tag.getTagName() === 'throws')),
    deprecated: textOf(constant(module, 'deprecated')),
    summary: summaryOf(docs),
  }
  if (signature.parameters.length === 0 && signature.rest === null && needsRender === false && named === null)
    fail('a filter takes at least the piped value')
  const aliases = listOf(constant(module, 'aliases'), fail)
  // Base Liquid's own second names (`h`) are current; the platform's are older spellings.
  const successor = dialect === 'both' ? null : (signature.deprecated ?? bare)
  return [signature, ...aliases.map((alias) => ({ ...signature, name: alias, aliasOf: bare, deprecated: successor }))]
}

function exported(
  module: SourceFile,
  name: string,
): { readonly exportName: string; readonly callable: Callable; readonly docs: readonly JSDoc[] } | null {
  const declared = module.getFunction(name)
  if (declared?.isExported() === true) {
    // Overloads document themselves on the first; the implementation has the parameters.
    const overloads = declared.getOverloads()
    return {
      exportName: name,
      callable: declared,
      docs: [...overloads.flatMap((each) => each.getJsDocs()), ...declared.getJsDocs()],
    }
  }
  const variable = module.getVariableDeclaration(name)
  const value = variable?.getInitializer()
  if (variable?.isExported() !== true || !(Node.isArrowFunction(value) || Node.isFunctionExpression(value))) return null
  return { exportName: name, callable: value, docs: variable.getVariableStatement()?.getJsDocs() ?? [] }
}

function constant(module: SourceFile, name: string): Node | undefined {
  const declaration = module.getVariableDeclaration(name)
  const value = declaration?.isExported() === true ? declaration.getInitializer() : undefined
  return Node.isAsExpression(value) ? value.getExpression() : value
}

function textOf(node: Node | undefined): string | null {
  return Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node) ? node.getLiteralText() : null
}

function dialectOf(node: Node | undefined, fail: (problem: string) => never): FilterSignature['dialect'] {
  if (node === undefined) return 'both'
  const text = textOf(node)
  return text === 'platform' || text === 'liquid' ? text : fail("`dialect` is 'platform' or 'liquid'")
}

function listOf(node: Node | undefined, fail: (problem: string) => never): readonly string[] {
  if (node === undefined) return []
  if (!Node.isArrayLiteralExpression(node)) return fail('`aliases` is a list of texts')
  return node.getElements().map((each) => textOf(each) ?? fail('`aliases` is a list of texts'))
}

function kindOf(parameter: ParameterDeclaration): ParameterKind | undefined {
  // A hash that is given by position may also be a JSON text.
  if (namedOf(parameter) !== null) return 'value'
  const written = parameter.getTypeNode()?.getText() ?? ''
  const element = /^(?:readonly )?(\w+)\[\]$/.exec(written)?.[1]
  return KINDS[parameter.isRestParameter() && element !== undefined ? element : written]
}

/** `NamedArguments<{ a?: Value }>`, `NamedArguments` alone for any names. */
function namedOf(parameter: ParameterDeclaration): FilterSignature['named'] {
  const node = parameter.getTypeNode()
  if (!Node.isTypeReference(node) || node.getTypeName().getText() !== 'NamedArguments') return null
  const argument = node.getTypeArguments()[0]
  const required = !parameter.isOptional()
  if (argument === undefined) return { names: [], open: true, required }
  const type = argument.getType()
  return {
    names: type.getProperties().map((each) => each.getName()),
    open: type.getStringIndexType() !== undefined,
    required,
  }
}

const UNKNOWN_TYPE: PlainType = { kind: 'unknown' }

/** What a TypeScript type says about a Liquid value; unknown where it says nothing. */
function resultOf(type: TsType): PlainType {
  const members = type.isUnion() ? type.getUnionTypes() : [type]
  const kinds = new Map<string, PlainType>()
  for (const member of members) {
    const plain = memberOf(member)
    if (plain.kind === 'unknown') return UNKNOWN_TYPE
    kinds.set(JSON.stringify(plain), plain)
  }
  // An integer is a `number` or a `bigint`, a number may be a `Float` too.
  const has = (kind: string) => [...kinds.values()].some((each) => each.kind === kind)
  const drop = (kind: string) => kinds.delete(JSON.stringify({ kind }))
  if (has('number') && has('integer') && !has('float')) drop('number')
  else if (has('number') || (has('integer') && has('float'))) {
    drop('integer')
    drop('float')
    kinds.set(JSON.stringify({ kind: 'number' }), { kind: 'number' })
  }
  const of = [...kinds.values()]
  const [only, ...others] = of
  return only !== undefined && others.length === 0 ? only : { kind: 'union', of }
}

function isEncoded(type: TsType): boolean {
  return type.getSymbol()?.getName() === 'Encoded'
}

function memberOf(type: TsType): PlainType {
  if (type.isNull() || type.isUndefined() || type.isVoid()) return { kind: 'nil' }
  if (type.isBoolean() || type.isBooleanLiteral()) return { kind: 'boolean' }
  if (type.isString() || type.isStringLiteral() || type.isTemplateLiteral()) return { kind: 'string' }
  if (type.isNumber() || type.isNumberLiteral()) return { kind: 'number' }
  if (type.isBigInt() || type.isBigIntLiteral()) return { kind: 'integer' }
  const element = type.getArrayElementType()
  if (element !== undefined) return { kind: 'list', of: resultOf(element) }
  if (type.isTuple()) return { kind: 'list', of: UNKNOWN_TYPE }
  const name = type.getSymbol()?.getName()
  switch (name) {
    case 'Float':
      return { kind: 'float' }
    case 'Encoded':
      return { kind: 'string' }
    case 'Safe':
      return { kind: 'string', safe: 'safe' }
    case 'Json':
      return { kind: 'string', safe: 'json' }
    case 'Range':
      return { kind: 'range' }
    case 'Moment':
      return { kind: 'time' }
  }
  const values = type.getStringIndexType()
  return values === undefined ? UNKNOWN_TYPE : { kind: 'hash', of: resultOf(values) }
}

/** The first sentence of the docstring, without what names the filter. */
function summaryOf(docs: readonly JSDoc[]): string {
  const text = docs
    .map((doc) => doc.getDescription().trim())
    .find((each) => each !== '')
    ?.replace(/\s+/g, ' ')
  return text === undefined ? '' : (/^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text)
}

/** A signature as an object literal on one line. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${key}: ${literal(each)}`)
      .join(', ')} }`
  }
  return JSON.stringify(value)
}
