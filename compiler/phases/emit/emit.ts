/** Emits the modules of a checked site: one for each template, and the manifest. */
import { FILTERS } from '../../language/types/runtime.generated.ts'
import type { ServedAssets } from '../../core/model/asset.ts'
import { attached } from '../../core/model/attached.ts'
import { digest } from '../../core/model/digest.ts'
import type { Node } from '../../core/tree/ast.ts'
import {
  asPrinted,
  BLANK,
  type Code,
  constant,
  ident,
  invoke,
  NOWHERE,
  type Statement,
  string,
} from '../../core/model/code.ts'
import type { Outline } from '../../core/model/outline.ts'
import type { Effects, EntryPoint } from '../../core/model/effects.ts'
import type { Facts } from '../../core/model/facts.ts'
import { FILTERS_ENTRY, type Import, type Module, RUNTIME_ENTRY } from '../../core/model/module.ts'
import { type Operations, storedNamed } from '../../core/model/operation.ts'
import type { CodeLanguage, Printed } from '../../core/model/printed.ts'
import type { FilterSignature } from '../../core/model/signature.ts'
import type { Site } from '../../core/model/site.ts'
import type { Memo } from '../../core/model/memo.ts'
import { wordCounter } from '../../core/model/word-counter.ts'
import { isBlock, type Unit, type DocBlock } from '../../core/model/unit.ts'
import { lineStarts, position } from '../../core/source/file.ts'
import { writtenSpan } from '../../core/source/template-values.ts'
import type { Tag } from '../../language/tags/tag.ts'
import { joinValues, UNKNOWN_VALUE, type ValueType } from '../../core/model/value-type.ts'
import { hasOldNamesEverywhere, hasOwnScope } from '../../language/types/old-variables.ts'
import type { EmitContext, SiteContext } from './context.ts'
import { bytesName, printsBytes } from './bytes.ts'
import { type Coverage, CoverageCounter } from './coverage.ts'
import type { AssumedUses } from './entry-point/variable-uses.ts'
import { emitEntryPoint } from './entry-point/entry-point.ts'
import { type PartialSignature, entryPointKey } from './signatures.ts'
import { withoutUnused } from './unused.ts'
import { formValueOf } from './host-values.ts'
import { HOST_GLOBALS, Imports } from './imports.ts'
import { camelCase, importPath, modulePath, operationNames } from './names.ts'
import { print } from './print.ts'
import { getOrMake } from '../../core/source/maps.ts'
import { derived } from '../../core/model/derived.ts'

export interface EmitInput {
  readonly site: Site
  readonly operations: Operations
  readonly tags: ReadonlyMap<string, Tag>
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** The bound templates by file, or by `file#path` for templates in front matter. */
  readonly outlines: ReadonlyMap<string, Outline>
  /** The results of the checker for the templates of the site. */
  readonly facts: Facts
  /** The exported names of the runtime. */
  readonly runtimeNames: ReadonlySet<string>
  readonly assets: ServedAssets
  /** The language in which modules are printed. */
  readonly printAs: CodeLanguage
}

const PREFIX: Readonly<Record<EntryPoint, string>> = { render: 'render', value: 'call', shared: 'include' }
const SUFFIX: Readonly<Record<string, string>> = {
  page: 'Page',
  layout: 'Layout',
  authorization_policy: 'Policy',
  email: 'Email',
  sms: 'Sms',
  api_call: 'ApiCall',
  form: 'Form',
  migration: 'Migration',
}

/**
 * Returns a function that returns the name of an entry point. Names are unique in the site and differ from those of the runtime, so that all
 * modules can share one scope.
 */
function entryPointNames(
  site: Site,
  runtimeNames: ReadonlySet<string>,
  memo: Memo,
): (file: string, entryPoint: EntryPoint) => string {
  const bases = memo.once('names of entryPoints by frame', '', [site.structureVersion], () => {
    const units = site.units.filter(({ template, inner }) => template !== null || inner.size > 0)
    const files = units.map(({ file: { path, format }, inner }) => [path, format, ...inner.keys()].join(' '))
    return memo.once('names of entryPoints', '', [files.join('\n')], () => baseNames(units, runtimeNames))
  })
  return memo.once('entry point names', '', [bases], () => (key: string, entryPoint: EntryPoint) => {
    const [file = '', inner = ''] = key.split('#')
    // The names of files contain no `_` in the middle, so that the name of a partial's function never equals the name of a block's
    // function.
    const name = isBlock(inner) ? `${bases.get(file) ?? 'Unit'}_${camelCase(inner)}` : (bases.get(key) ?? 'Unit')
    return `${PREFIX[entryPoint]}${name}`
  })
}

/** Returns the names of files, and of their templates in settings, which have the last word of the setting: `LogInPageTitle`. */
function baseNames(units: readonly Unit[], runtimeNames: ReadonlySet<string>): ReadonlyMap<string, string> {
  const bases = new Map<string, string>()
  const takenNames = new Set(entryPointsOfRuntime(runtimeNames))
  const add = (key: string, base: string): string => {
    let unique = base
    for (let n = 2; takenNames.has(unique); n++) unique = `${base}${n}`
    takenNames.add(unique)
    bases.set(key, unique)
    return unique
  }
  for (const { file, inner } of units) {
    const { name, kind, format } = file
    const words = `${name} ${kind === 'page' && format !== null && format !== 'html' ? format : ''} ${SUFFIX[kind] ?? ''}`
    const base = add(file.path, capitalized(camelCase(words)))
    for (const setting of inner.keys())
      if (!isBlock(setting))
        add(`${file.path}#${setting}`, `${base}${capitalized(camelCase(setting.split('.').at(-1) ?? ''))}`)
  }
  return bases
}

function capitalized(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`
}

/** The names of the runtime that look like names of entry points, without their prefixes. All sites of a process have the same runtime. */
const entryPointsOfRuntime = derived((runtimeNames: ReadonlySet<string>): readonly string[] => {
  const entryPointPrefix = new RegExp(`^(?:${Object.values(PREFIX).join('|')})(?=[A-Z])`)
  return [...runtimeNames].flatMap((name) => (entryPointPrefix.test(name) ? name.replace(entryPointPrefix, '') : []))
})

/** Creates the context for emitting a site. `memo` caches the names of functions as long as the files have the same names. */
export function emitContext(input: EmitInput, memo: Memo): SiteContext {
  const { site } = input
  const starts = new Map<string, readonly number[]>()
  const descriptions = new Map<string, string>()
  const modulePaths = new Map<string, string>()
  const file = (path: string) => site.byFile.get(path)?.file
  const entryPointName = entryPointNames(site, input.runtimeNames, memo)
  const { storedOperations } = input.operations
  return {
    site,
    operations: input.operations,
    tags: input.tags,
    filters: input.filters,
    outlines: input.outlines,
    effects: input.facts.linkedEffects.effects,
    facts: input.facts,
    entryPointName,
    modulePath: (path) => getOrMake(modulePaths, path, () => modulePath(path)),
    operationName: memo.once('names of operations', '', [storedOperations], () =>
      operationNames(storedOperations.keys()),
    ),
    effectsKey: (key) =>
      getOrMake(descriptions, key, () => {
        const effects = input.facts.linkedEffects.effects.get(key)
        return effects === undefined ? '' : digest(effectsText(effects, entryPointName(key, 'render')))
      }),
    resumes: resumeCounter(site.structureVersion, input.outlines).counts.size > 0,
    runtimeNames: reservedNames(input),
    line(path, offset) {
      const original = file(path)?.writtenText
      const table = getOrMake(starts, path, () => lineStarts(original?.text ?? file(path)?.text ?? ''))
      const at =
        original === undefined ? offset : writtenSpan(original, { file: path, start: offset, end: offset }).start
      return position(table, at).line
    },
    assets: input.assets,
    printAs: input.printAs,
    source: (path, start, end) => file(path)?.text.slice(start, end) ?? '',
  }
}

const resumeCounter = wordCounter(({ resumes }: Outline) => (resumes ? ['resumes'] : []))

/** The reserved names of each table of filters. The sites of a process share a few tables. */
const knownReserved = attached<
  EmitInput['filters'],
  Pick<EmitInput, 'runtimeNames'> & { readonly names: ReadonlySet<string> }
>()

/** Returns the imported names of modules, which their own declarations must not have. */
function reservedNames({ runtimeNames, filters }: EmitInput): ReadonlySet<string> {
  const known = knownReserved.get(filters)
  if (known?.runtimeNames === runtimeNames) return known.names
  const filterNames = [...FILTERS, ...filters.values()].map(({ exportName }) => exportName)
  const names = new Set([...runtimeNames, ...filterNames, HOST_GLOBALS])
  knownReserved.set(filters, { runtimeNames, names })
  return names
}

/** Returns the effects and the name of a template as one text. */
function effectsText(effects: Effects, name: string): string {
  const { entryPoints, formats, suspends, halts, recursive, frame, frameWrites, spills, registers } = effects
  const { counters, readsSelf, asksParent, included, rendered } = effects
  const lists = [entryPoints, formats, halts, frame, frameWrites, counters].map((names) => [...names].join(' '))
  return [name, ...lists, suspends, recursive, spills, registers, readsSelf, asksParent, included, rendered].join('|')
}

/** Returns the keys of the templates of a file: the path, and `file#path` for templates in settings and for blocks. */
export function keysOf({ file, inner }: Unit): readonly string[] {
  return [file.path, ...[...inner.keys()].map((each) => `${file.path}#${each}`)]
}

/**
 * Returns the inputs of a template's module apart from the template, its facts and the signatures of its callees: its effects, and the effects
 * and names of its callees.
 */
export function emitKey(context: EmitContext, unit: Unit): string {
  const { site, printAs } = context
  const form = site.formSchemas.get(unit.file.path)
  const parts = [printAs, site.raise, context.resumes, site.layoutParts.has(unit)].map(String)
  if (form !== undefined) parts.push(JSON.stringify(form.fields))
  for (const key of keysOf(unit)) {
    parts.push(context.effectsKey(key))
    for (const query of context.outlines.get(key)?.queries ?? []) {
      if (query.kind === 'inline' || query.literal === null) continue
      const operation = storedNamed(context.operations, query.literal)
      parts.push(`${operation?.span.file ?? ''} ${context.operationName(operation?.name ?? query.literal)}`)
    }
    for (const call of context.outlines.get(key)?.calls ?? []) {
      const target = call.literal === null ? undefined : site.partials.get(call.literal)
      if (target !== undefined) parts.push(context.effectsKey(target.file.path), String(site.layoutParts.has(target)))
      else parts.push(String(call.literal))
    }
    parts.push([...(context.effects.get(key)?.awaits ?? [])].join())
  }
  return parts.join('\n')
}

/** The result of emitting a template. */
export interface EmittedUnit {
  /** Null if no template calls the template. */
  readonly module: Module | null
  readonly entryPoints: ReadonlyMap<EntryPoint, PartialSignature>
  /** The types of the values that the template passes to entry points as separate arguments, by entry point key. */
  readonly passedTypes: ReadonlyMap<string, readonly ValueType[]>
  readonly coverage: Coverage
}

/**
 * Emits one template.
 * @param passedTypes the types of the values that callers pass to its entry points as separate arguments, by entry point key
 */
export function emitUnit(
  context: EmitContext,
  unit: Unit,
  passedTypes: ReadonlyMap<string, readonly ValueType[]>,
): EmittedUnit {
  const file = unit.file.path
  const path = context.modulePath(file)
  const unitName = `${context
    .entryPointName(file, 'render')
    .replace(/^render/, '')
    .replace(/^./, (first) => first.toLowerCase())}File`
  const form = formValueOf(context.site, unit)
  const formName = unitName.replace(/File$/, 'Fields')
  const imports = new Imports(unitName, formName)
  const entryPoints = new Map<EntryPoint, PartialSignature>()
  const passedTypesOut = new Map<string, readonly ValueType[]>()
  const coverage = new CoverageCounter()
  const names: string[] = []
  const functions: Statement[] = []
  const constants: Statement[] = []
  const hasHostScope = hasOwnScope(context.site, unit)
  const parts: { key: string; nodes: readonly Node[]; isRunByHost: boolean }[] = []
  if (unit.template !== null) parts.push({ key: file, nodes: unit.template.nodes, isRunByHost: hasHostScope })
  for (const [inner, template] of unit.inner)
    parts.push({ key: `${file}#${inner}`, nodes: template.nodes, isRunByHost: hasHostScope && !isBlock(inner) })
  for (const { key, nodes, isRunByHost } of parts) {
    const outline = context.outlines.get(key)
    const effects = context.effects.get(key)
    if (outline === undefined || effects === undefined) continue
    const passedNames = context.facts.givenNames.get(key) ?? null
    const types = () => context.facts.alone.get(key)?.types
    let textUses: AssumedUses | undefined
    let refusedPaths: ReadonlySet<string> | undefined
    const write = (entryPoint: EntryPoint, name: string, bytes?: (text: string) => Code) => {
      if (names.length > 0) functions.push(BLANK)
      names.push(name)
      const parameters =
        key === file && bytes === undefined && takesSeparateValues(context, unit, entryPoint)
          ? parametersOf(context, unit, entryPoint, passedTypes)
          : null
      const formType = isBlock(key.slice(file.length + 1)) ? null : (form?.type ?? null)
      const request = {
        ...{ context, file, nodes, entryPoint, isRunByHost, name, outline, effects, types, passedNames, parameters },
        form: formType,
      }
      const byteOptions = bytes === undefined ? {} : { bytes, ...(refusedPaths && { refusedPaths }) }
      const emitted = emitEntryPoint({ ...request, ...byteOptions }, imports, bytes && textUses)
      // The function that prints bytes uses its variables as the one that returns a text.
      if (entryPoint === 'render') ({ refusedPaths, uses: textUses } = emitted)
      coverage.add(emitted.coverage)
      const doc = names.length === 1 ? docstring(unit.template?.doc ?? null) : []
      functions.push({ ...withoutUnused(emitted.statement), ...(doc.length > 0 && { doc }) })
      if (key === file && bytes === undefined) entryPoints.set(entryPoint, emitted.signature)
      for (const [callee, types] of emitted.passedTypes)
        passedTypesOut.set(
          callee,
          types.map((type, at) => joinValues(type, passedTypesOut.get(callee)?.[at] ?? type)),
        )
    }
    for (const entryPoint of effects.entryPoints) write(entryPoint, context.entryPointName(key, entryPoint))
    if (key === file && printsBytes(context, unit)) {
      const name = bytesName(context, unit)
      const texts = new Map<string, Code>()
      const bytes = (text: string) =>
        getOrMake(texts, text, () => {
          imports.use('writeBytes')
          const constantName = `${name}${texts.size + 1}`
          constants.push(constant(constantName, invoke(imports.use('utf8'), string(text)), NOWHERE))
          return ident(constantName)
        })
      write('render', name, bytes)
    }
  }
  if (names.length === 0) return { module: null, entryPoints, passedTypes: passedTypesOut, coverage: coverage.coverage }
  if (imports.usesForm && form !== null) constants.unshift(constant(formName, form.names, NOWHERE))
  if (imports.usesUnit) constants.unshift(constant(unitName, string(file), NOWHERE))
  // Printed immediately, because the code trees of all modules would use most of the memory.
  const printedNames = new Set<string>()
  const statements = constants.length > 0 ? [...constants, BLANK, ...functions] : functions
  const body = print(statements, context.printAs, printedNames)
  const module = { path, source: file, imports: importsOf(context, imports, path, printedNames), exports: names, body }
  return { module, entryPoints, passedTypes: passedTypesOut, coverage: coverage.coverage }
}

/**
 * Returns whether a function takes its values as separate arguments instead of in an object. This is true only for partials that are called
 * by name.
 */
function takesSeparateValues(
  { site, outlines, effects, signatures }: EmitContext,
  { file }: Unit,
  entryPoint: EntryPoint,
): boolean {
  const outline = outlines.get(file.path)
  const templateEffects = effects.get(file.path)
  if (file.kind !== 'partial' || entryPoint === 'shared' || site.dialect !== 'platform' || hasOldNamesEverywhere(site))
    return false
  if (outline === undefined || templateEffects === undefined || signatures.isOpen(file.path)) return false
  if ([...outline.reads.keys(), ...templateEffects.frame].some((name) => site.globals.has(name))) return false
  return (
    !templateEffects.spills &&
    !templateEffects.recursive &&
    templateEffects.counters.size === 0 &&
    !outline.writes.has('context')
  )
}

/** Returns the types of the values that are passed as separate arguments, by name. */
function parametersOf(
  { signatures }: EmitContext,
  { file }: Unit,
  entryPoint: EntryPoint,
  passedTypes: ReadonlyMap<string, readonly ValueType[]>,
): ReadonlyMap<string, ValueType> {
  const types = passedTypes.get(entryPointKey(file.path, entryPoint)) ?? []
  const { parameters } = signatures.of(file.path, entryPoint)
  return new Map(parameters?.map(({ name }, at) => [name, types[at] ?? UNKNOWN_VALUE]))
}

/** Returns the imports of the names that were printed. Code that was written and then replaced may have imported others. */
function importsOf(
  { modulePath }: EmitContext,
  imports: Imports,
  path: string,
  printedNames: ReadonlySet<string>,
): Import[] {
  const list: Import[] = []
  const used = (names: Iterable<string>) => [...names].filter((name) => printedNames.has(name)).sort()
  const add = (each: Import) => each.names.length + each.types.length > 0 && list.push(each)
  add({ from: RUNTIME_ENTRY, names: used(imports.runtime), types: used(imports.types) })
  for (const [name, signature] of [...imports.filters].sort(([a], [b]) => (a < b ? -1 : 1)))
    add({ from: FILTERS_ENTRY, names: used([name]), types: [], filter: signature.registry })
  add({ from: '#own', names: used(imports.hosted), types: [], own: true })
  for (const [file, names] of [...imports.entryPoints].sort(([a], [b]) => (a < b ? -1 : 1)))
    add({ from: importPath(path, modulePath(file)), names: used(names), types: [] })
  return list
}

/** Returns `upcase`, or `liquid_join as join` if the registry has another name for it. */
function filterName({ names: [name = ''], filter = name }: Import): string {
  return filter === name ? name : `${filter} as ${name}`
}

/** Prints a whole module as TypeScript: a comment with its source, its imports and its body. */
export function printModule({ source, imports, body }: Module): Printed {
  const head: Statement[] = [{ kind: 'comment', text: source ?? 'the site' }]
  const filters = imports.filter(({ filter }) => filter !== undefined)
  for (const each of imports) {
    const { from, names, types } = each
    if (each === filters[0]) head.push({ kind: 'import', names: filters.map(filterName), types, from })
    else if (each.filter === undefined) head.push({ kind: 'import', names, types, from })
  }
  if (imports.length > 0) head.push(BLANK)
  return print([...head, asPrinted(body)], 'typescript')
}

// ---- docstrings of functions ---------------------------------------------------------------------------------------

/** Maximum length of a line of text, so that it fits into a line of code. */
const MAX_TEXT = 110

/** Returns the lines of the docstring: the description, and the parameters with their descriptions. */
function docstring(doc: DocBlock | null): readonly string[] {
  if (doc === null) return []
  const description = doc.description === '' ? [] : doc.description.split('\n').flatMap((line) => wrap(line.trimEnd()))
  const params = doc.params
    .filter(({ description }) => description !== '')
    .flatMap(({ name, description }) => wrap(`@param ${name} - ${description.replaceAll('\n', ' ')}`))
  return description.length > 0 && params.length > 0 ? [...description, '', ...params] : [...description, ...params]
}

/** Breaks a long line between words. */
function wrap(text: string): readonly string[] {
  if (text.length <= MAX_TEXT) return [text]
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + word.length < MAX_TEXT) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
