/**
 * Reads the signatures of the runtime's filters from TypeScript, which is their only declaration. The build runs it; it is never used
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
import type {
  FilterOverload,
  FilterParameter,
  FilterSignature,
  OverloadType,
  ParameterKind,
} from '../../core/model/signature.ts'
import type { Type } from '../../core/model/type.ts'
import { TEXT_VALUE, UNKNOWN_VALUE } from '../../core/model/value-type.ts'
import { aliasOf, compareFilters, DEFAULTS, parametersText } from './filter-table.ts'

const REGISTRY = 'runtime/page/filters/index.ts'
const FILTERS = 'runtime/page/filters/'
const GENERATED = 'compiler/language/types/runtime.generated.ts'
const NAMES = 'runtime/page/filters/names.generated.ts'
const SUMMARIES = 'compiler/language/types/filter-summaries.generated.ts'

/** A filter with the first sentence of its docstring. */
export type DocumentedFilter = FilterSignature & { readonly summary: string }

/** The type aliases of `runtime/page/filters/types.ts`, and their parameter kinds. */
const KINDS: Readonly<Record<string, ParameterKind>> = {
  Textual: 'text',
  Numeric: 'number',
  List: 'list',
  Hash: 'hash',
  Bool: 'boolean',
  Value: 'value',
}

/** A type without maps, as it is in the generated file. */
type PlainType = Exclude<Type, { kind: 'record' }>

/**
 * Returns the generated modules by path: the signatures of all filters, and the filters by name, which emitted modules import. `root`
 * is the folder of the project.
 * @throws Error with the file of a filter whose signature is not valid
 */
export function generateSignatures(root: string): ReadonlyMap<string, string> {
  const project = new Project({
    tsConfigFilePath: join(root, 'tsconfig.json'),
    skipAddingFilesFromTsConfig: true,
  })
  const registry = project.addSourceFileAtPath(join(root, REGISTRY))
  const signatures = readSignatures(registry)
  const aliasesOf = ({ name, registry }: DocumentedFilter) =>
    signatures.flatMap((each) => (each.aliasOf === name && each.registry === registry ? [each.name] : []))
  const lines = signatures
    .filter(({ aliasOf }) => aliasOf === null)
    .map(
      (each) =>
        `  ${literal({ ...withoutDefaults(each), ...(aliasesOf(each).length > 0 && { aliases: aliasesOf(each) }) })},`,
    )
  const runtime = project.addSourceFileAtPath(join(root, 'runtime/index.ts'))
  const isValue = (declaration: Node) =>
    !Node.isInterfaceDeclaration(declaration) && !Node.isTypeAliasDeclaration(declaration)
  const names = [...runtime.getExportedDeclarations()]
    .flatMap(([name, declarations]) => (declarations.some(isValue) ? [name] : []))
    .sort()
  const table = [
    '/** Generated from the signatures of `runtime/page/filters/` by `node build.mjs signatures`; never edited by hand. */',
    "import { type FilterEntry, withAliases } from './filter-table.ts'",
    '',
    'const ENTRIES: readonly FilterEntry[] = [',
    ...lines,
    ']',
    '',
    'export const FILTERS = withAliases(ENTRIES)',
    '',
    '/** The values that `runtime/index.ts` exports. */',
    `export const RUNTIME_NAMES: readonly string[] = '${names.join(' ')}'.split(' ')`,
    '',
  ]
  return new Map([
    [GENERATED, table.join('\n')],
    [NAMES, generateNames(signatures)],
    [SUMMARIES, generateSummaries(signatures)],
  ])
}

/** Returns a module that exports each filter by its registry name, so that a bundler includes only the imported ones. */
function generateNames(signatures: readonly FilterSignature[]): string {
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

/** Returns a module with the summary of each filter by its registry name. Only tools for people need it. */
function generateSummaries(signatures: readonly DocumentedFilter[]): string {
  const lines = signatures
    .filter(({ aliasOf }) => aliasOf === null)
    .map(({ registry, summary }) => `  ${registry}: ${literal(summary)},`)
  return [
    '/** Generated from the docstrings of `runtime/page/filters/` by `node build.mjs signatures`; never edited by hand. */',
    'export const FILTER_SUMMARIES: Readonly<Record<string, string>> = {',
    ...lines,
    '}',
    '',
  ].join('\n')
}

/** Writes the generated modules that have changed. Returns whether there were any. */
export async function writeSignatures(root: string): Promise<boolean> {
  let hasChanged = false
  for (const [path, text] of generateSignatures(root)) {
    const file = join(root, path)
    if ((await readFile(file, 'utf8').catch(() => '')) === text) continue
    await writeFile(file, text)
    hasChanged = true
  }
  return hasChanged
}

/** Returns the signatures in a filter registry: one per name, including aliases, sorted by name. */
export function readSignatures(registry: SourceFile): readonly DocumentedFilter[] {
  const signatures: DocumentedFilter[] = []
  for (const declaration of registry.getExportDeclarations()) {
    const name = declaration.getNamespaceExport()?.getName()
    const module = declaration.getModuleSpecifierSourceFile()
    if (name === undefined || module === undefined)
      throw new Error(`${REGISTRY}: every line must export one filter: \`export * as name from './family/name.ts'\``)
    signatures.push(...readFilter(name, module))
  }
  return signatures.sort(compareFilters)
}

type Callable = FunctionDeclaration | ArrowFunction | FunctionExpression

/** `registryName` is `liquid_join` for the `join` of the other dialect. */
function readFilter(registryName: string, module: SourceFile): readonly DocumentedFilter[] {
  const path = module.getFilePath()
  const fail = (problem: string): never => {
    throw new Error(`${path.slice(path.indexOf(FILTERS))}: ${problem}`)
  }
  const dialect = readDialect(constant(module, 'dialect'), fail)
  const name = dialect === 'liquid' ? registryName.replace(/^liquid_/, '') : registryName.replace(/^platform_/, '')
  const nameInLiquid = name.replace(/_$/, '')
  const { exportName, callable, docs } =
    findExport(module, nameInLiquid) ??
    findExport(module, `${nameInLiquid}_`) ??
    fail(`it exports no function named \`${nameInLiquid}\``)
  const parameters = [...callable.getParameters()]
  const needsRender = parameters[0]?.getTypeNode()?.getText() === 'Render'
  if (needsRender) parameters.shift()
  const lastParameter = parameters.at(-1)
  const lastNamed = lastParameter === undefined ? null : readNamed(lastParameter)
  if (lastNamed !== null) parameters.pop()
  // Of several trailing hashes, the named arguments are the first one that is not positional.
  const otherNamed = parameters.flatMap((each) => readNamed(each) ?? [])
  const named =
    lastNamed === null
      ? null
      : {
          ...lastNamed,
          names: [...otherNamed.flatMap((each) => each.names), ...lastNamed.names],
          open: lastNamed.open || otherNamed.some((each) => each.open),
        }
  const rest = parameters.at(-1)?.isRestParameter() === true ? parameters.pop() : undefined
  const readParameter = (parameter: ParameterDeclaration): FilterParameter => ({
    name: parameter.getName().replace(/^_/, ''),
    kind:
      parameterKind(parameter) ??
      fail(`the parameter \`${parameter.getName()}\` must have one of the types ${Object.keys(KINDS).join(', ')}`),
    optional: parameter.isOptional(),
  })
  const declarations = Node.isFunctionDeclaration(callable) ? callable.getOverloads() : []
  // The last overload is the signature itself.
  const overloads = declarations.slice(0, -1).flatMap((each) => readOverload(each) ?? [])
  const returnType = callable.getReturnType()
  const suspends = returnType.getSymbol()?.getName() === 'Promise'
  const resultType = suspends ? (returnType.getTypeArguments()[0] ?? returnType) : returnType
  const signature: DocumentedFilter = {
    name: nameInLiquid,
    registry: registryName,
    exportName,
    module: path.slice(path.indexOf(FILTERS) + FILTERS.length),
    aliasOf: null,
    dialect,
    parameters: parameters.map(readParameter),
    rest: rest === undefined ? null : readParameter(rest),
    named,
    result: resultOf(resultType),
    ...(resultType.isUnion() && resultType.getUnionTypes().some(isEncoded) ? { encoded: true as const } : {}),
    ...(overloads.length > 0 && { overloads }),
    needsRender,
    suspends,
    fallible: docs.some((doc) => doc.getTags().some((tag) => tag.getTagName() === 'throws')),
    deprecated: stringValue(constant(module, 'deprecated')),
    summary: readSummary(docs),
  }
  if (signature.parameters.length === 0 && signature.rest === null && needsRender === false && named === null)
    fail('a filter needs at least a parameter for the piped value')
  const aliases = readStrings(constant(module, 'aliases'), fail)
  return [signature, ...aliases.map((alias) => aliasOf(signature, alias))]
}

function findExport(
  module: SourceFile,
  name: string,
): { readonly exportName: string; readonly callable: Callable; readonly docs: readonly JSDoc[] } | null {
  const declaration = module.getFunction(name)
  if (declaration?.isExported() === true) {
    // The first overload has the documentation; the implementation has the parameters.
    const overloads = declaration.getOverloads()
    return {
      exportName: name,
      callable: declaration,
      docs: [...overloads.flatMap((each) => each.getJsDocs()), ...declaration.getJsDocs()],
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

function stringValue(node: Node | undefined): string | null {
  return Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node) ? node.getLiteralText() : null
}

function readDialect(node: Node | undefined, fail: (problem: string) => never): FilterSignature['dialect'] {
  if (node === undefined) return 'both'
  const text = stringValue(node)
  return text === 'platform' || text === 'liquid' ? text : fail("`dialect` must be 'platform' or 'liquid'")
}

function readStrings(node: Node | undefined, fail: (problem: string) => never): readonly string[] {
  if (node === undefined) return []
  if (!Node.isArrayLiteralExpression(node)) return fail('`aliases` must be an array of strings')
  return node.getElements().map((each) => stringValue(each) ?? fail('`aliases` must be an array of strings'))
}

function parameterKind(parameter: ParameterDeclaration): ParameterKind | undefined {
  // A positional hash may also be JSON text.
  if (readNamed(parameter) !== null) return 'value'
  const writtenText = parameter.getTypeNode()?.getText() ?? ''
  const element = /^(?:readonly )?(\w+)\[\]$/.exec(writtenText)?.[1]
  return KINDS[parameter.isRestParameter() && element !== undefined ? element : writtenText]
}

/** Reads `NamedArguments<{ a?: Value }>`, or `NamedArguments` for any names. */
function readNamed(parameter: ParameterDeclaration): FilterSignature['named'] {
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

/** Converts a TypeScript type to the type of a Liquid value; unknown if it says nothing. */
function resultOf(type: TsType): PlainType {
  const members = type.isUnion() ? type.getUnionTypes() : [type]
  const kinds = new Map<string, PlainType>()
  for (const member of members) {
    const plainType = memberOf(member)
    if (plainType.kind === 'unknown') return UNKNOWN_TYPE
    kinds.set(JSON.stringify(plainType), plainType)
  }
  // An integer is a `number` or a `bigint`. A number may also be a `Float`.
  const hasKind = (kind: string) => [...kinds.values()].some((each) => each.kind === kind)
  const dropKind = (kind: string) => kinds.delete(JSON.stringify({ kind }))
  if (hasKind('number') && hasKind('integer') && !hasKind('float')) dropKind('number')
  else if (hasKind('number') || (hasKind('integer') && hasKind('float'))) {
    dropKind('integer')
    dropKind('float')
    kinds.set(JSON.stringify({ kind: 'number' }), { kind: 'number' })
  }
  const memberTypes = [...kinds.values()]
  const [only, ...others] = memberTypes
  return only !== undefined && others.length === 0 ? only : { kind: 'union', members: memberTypes }
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
  if (element !== undefined) return { kind: 'list', element: resultOf(element) }
  if (type.isTuple()) return { kind: 'list', element: UNKNOWN_TYPE }
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
  return values === undefined ? UNKNOWN_TYPE : { kind: 'hash', element: resultOf(values) }
}

/** Returns an overload; null if its result is not narrower than any value. */
function readOverload(overload: FunctionDeclaration): FilterOverload | null {
  const parameters = overload.getParameters().filter((each) => each.getTypeNode()?.getText() !== 'Render')
  const result = overloadTypeOf(overload.getReturnType())
  if (result === null || result.kind === 'unknown') return null
  return {
    parameters: parameters.map((each) => overloadTypeOf(each.getType()) ?? UNKNOWN_VALUE),
    required: parameters.filter((each) => !each.isOptional()).length,
    result,
  }
}

/** Returns a type of an overload; null if overloads cannot contain it. */
function overloadTypeOf(type: TsType): OverloadType | null {
  if (type.isUnknown()) return UNKNOWN_VALUE
  if (type.isTypeParameter()) return { kind: 'variable', name: type.getText() }
  if (type.isString()) return TEXT_VALUE
  const element = type.getArrayElementType()
  if (element !== undefined) {
    const inner = overloadTypeOf(element)
    return inner === null || inner.kind === 'present' || inner.kind === 'either'
      ? null
      : { kind: 'list', element: inner }
  }
  // `NonNullable<Input>` is `Input & {}`.
  if (type.isIntersection()) {
    const of = overloadTypeOf(type.getIntersectionTypes()[0] ?? type)
    return of === null ? null : { kind: 'present', of }
  }
  if (!type.isUnion()) return null
  const others = type.getUnionTypes().filter((each) => !each.isNull() && !each.isUndefined())
  const types = others.map(overloadTypeOf).filter((each) => each !== null)
  const [first] = types
  if (first === undefined || types.length < others.length) return null
  if (types.length > 1) return { kind: 'either', of: types }
  return first.kind === 'present' || first.kind === 'either' ? null : { kind: 'optional', inner: first }
}

/** Returns the first sentence of the docstring, without the name of the filter. */
function readSummary(docs: readonly JSDoc[]): string {
  const text = docs
    .map((doc) => doc.getDescription().trim())
    .find((each) => each !== '')
    ?.replace(/\s+/g, ' ')
  return text === undefined ? '' : (/^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text)
}

/** Returns the properties of a signature that differ from those that `withAliases` adds. Parameters are a text. */
function withoutDefaults({ summary: _, ...signature }: DocumentedFilter): Readonly<Record<string, unknown>> {
  const { name, module } = signature
  const [folder = ''] = module.split('/')
  const names = { registry: name, exportName: name, module: `${folder}/${name}.ts` }
  const defaults: Partial<FilterSignature> = { ...DEFAULTS, ...names }
  const isDefault = ([key, value]: [string, unknown]) =>
    Object.entries(defaults).some(([each, known]) => each === key && known === value)
  const parameters = parametersText(signature.parameters)
  const texts = { parameters, ...(signature.rest !== null && { rest: parametersText([signature.rest]) }) }
  const others = Object.fromEntries(Object.entries(signature).filter((entry) => !isDefault(entry)))
  return { name, folder, ...others, ...texts }
}

/** Returns a signature as an object literal on one line. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${key}: ${literal(each)}`)
      .join(', ')} }`
  }
  return JSON.stringify(value)
}
