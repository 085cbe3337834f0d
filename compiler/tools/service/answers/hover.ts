/** Hover texts: the type, the documentation, the query or the table of the word at an offset. */
import type { Observer } from '../../../phases/check/check.ts'
import type { Accessor } from '../../../core/tree/ast.ts'
import type { Type } from '../../../core/model/type.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { Span } from '../../../core/source/span.ts'
import { keyDocs } from '../../../language/settings/key-docs.ts'
import { translationAt } from '../../../language/settings/translations.ts'
import type { SiteAnalysis, Workspace } from '../workspace.ts'
import { callAt } from './complete-arguments.ts'
import { cursorAt } from './cursor.ts'
import { keysAbove, keysBelow } from './complete-settings.ts'
import { nameKindOf } from './names-in-texts.ts'
import { describeQuery, hoverQuery } from './hover-graphql.ts'
import { describeProperty, hoverProperty } from './properties.ts'
import { propertyRead } from './property-reads.ts'
import {
  filtersByName,
  describeFilter,
  fenceLiquid,
  type Hover,
  tagsByName,
  describeTag,
  describeType,
} from './descriptions.ts'

export function hoverAt(workspace: Workspace, path: string, offset: number): Hover | null {
  const file = workspace.file(path)
  const { siteAnalysis } = workspace
  if (file === null || siteAnalysis === null) return null
  return hoverWord(workspace, siteAnalysis, file, offset) ?? hoverModuleValue(file, offset)
}

function hoverWord(workspace: Workspace, siteAnalysis: SiteAnalysis, file: SourceFile, offset: number): Hover | null {
  if (file.kind === 'graphql') return hoverQuery(siteAnalysis, file, offset)
  if (!file.path.endsWith('.liquid')) return hoverProperty(siteAnalysis, file, offset) ?? hoverSetting(file, offset)
  const cursor = cursorAt(file.text, offset, cutFrontMatter(file.text).bodyStart)
  if (cursor.kind === 'front-matter') return hoverProperty(siteAnalysis, file, offset) ?? hoverSetting(file, offset)
  if (cursor.kind === 'text') return null
  if (cursor.at === 'tag-name') {
    const tag = tagsByName().get(cursor.tag ?? '')
    return tag === undefined ? null : { ...cursor.name, text: describeTag(tag) }
  }
  if (cursor.at === 'filter') {
    const filter = filtersByName().get(file.text.slice(cursor.word.start, cursor.word.end))
    return filter === undefined ? null : { ...cursor.word, text: describeFilter(filter) }
  }
  const { quoted } = cursor
  if (quoted !== null) {
    const nameKind = nameKindOf(file.text, cursor, quoted)
    const text = nameKind === null ? null : describeNamed(siteAnalysis, nameKind, quoted.text, cursor.tag ?? 'render')
    if (text !== null) return { start: quoted.start, end: quoted.end, text }
  }
  return typeAt(workspace, siteAnalysis, file, offset) ?? hoverArgument(workspace, file, offset, cursor)
}

/**
 * Returns the hover for a substituted module value, if nothing else is known at the offset. In a name, the value is part of that name.
 */
function hoverModuleValue({ text, writtenText }: SourceFile, offset: number): Hover | null {
  const value = writtenText?.replacements.find(({ start, end }) => start <= offset && offset < Math.max(end, start + 1))
  if (writtenText === undefined || value === undefined) return null
  const { start, end, markupStart: from, markupEnd: to } = value
  return { start, end, text: `\`${writtenText.text.slice(from, to)}\`: ${JSON.stringify(text.slice(start, end))}` }
}

function hoverArgument(
  workspace: Workspace,
  file: SourceFile,
  offset: number,
  cursor: Extract<ReturnType<typeof cursorAt>, { readonly kind: 'markup' }>,
): Hover | null {
  const name = file.text.slice(cursor.word.start, cursor.word.end)
  const parameter = callAt(workspace, file.text, offset, cursor)?.parameters.find((each) => each.name === name)
  if (parameter === undefined) return null
  const { type, required, description } = parameter
  return {
    ...cursor.word,
    text: `${fenceLiquid(`${name}: ${type}${required ? '' : ' (optional)'}`)}\n\n${description}`.trim(),
  }
}

/** Returns the type of the innermost value or part of a value at the offset. */
function typeAt(workspace: Workspace, siteAnalysis: SiteAnalysis, file: SourceFile, offset: number): Hover | null {
  let best: (Hover & { readonly size: number }) | null = null
  const consider = (span: Span, words: string): void => {
    if (span.file !== file.path || span.start > offset || span.end < offset) return
    const size = span.end - span.start
    if (best === null || size <= best.size) best = { start: span.start, end: span.end, text: words, size }
  }
  const formatTyped = (name: string, type: Type): string => fenceLiquid(`${name}: ${describeType(type)}`)
  const observer: Observer = {
    value(expression, type) {
      if (expression.kind === 'lookup' && expression.name !== null && expression.path.length === 0)
        consider(expression.name.span, formatTyped(expression.name.name, type))
      else if (expression.kind === 'lookup' && expression.name !== null) {
        const [first] = expression.path
        const own = first === undefined ? undefined : owners.get(first)
        if (own !== undefined) consider(expression.name.span, formatTyped(expression.name.name, own))
      }
    },
    visitAccessor(accessor, owner, type) {
      owners.set(accessor, owner)
      if (accessor.span.start > offset || accessor.span.end < offset) return
      const name = nameOfAccessor(accessor)
      if (name === null) return
      const read = propertyRead(siteAnalysis, accessor, owner)
      const property = read === null ? null : describeProperty(siteAnalysis, read.table, read.name)
      consider(accessor.span, [formatTyped(name, type), ...(property === null ? [] : [property])].join('\n\n'))
    },
    set(name, type) {
      consider(name.span, formatTyped(name.name, type))
    },
  }
  const owners = new Map<Accessor, Type>()
  workspace.analyzeText(file, observer)
  return best
}

function nameOfAccessor(accessor: Accessor): string | null {
  if (accessor.kind === 'key') return accessor.name
  const { value } = accessor
  return value.kind === 'literal' && value.value.type === 'string' ? value.value.value : null
}

function describeNamed(siteAnalysis: SiteAnalysis, nameKind: string, name: string, tag: string): string | null {
  const { site, operations, checked } = siteAnalysis.analysis
  if (nameKind === 'partial') {
    const unit = site.partials.get(name)
    if (unit === undefined) return null
    const parameters = checked.signature?.(unit.file.path)?.parameters ?? []
    const rows = parameters.map(
      (each) => `- \`${each.name}\`: ${describeType(each.type)}${each.required ? '' : ', optional'}`,
    )
    const { description = '' } = unit.template?.doc ?? {}
    return [fenceLiquid(`${tag} '${name}'`), `\`${unit.file.path}\``, description, rows.join('\n')]
      .filter((each) => each !== '')
      .join('\n\n')
  }
  if (nameKind === 'query') return describeQuery(siteAnalysis, name)
  if (nameKind === 'translation') {
    const rows = [...site.translations].flatMap(([locale, tree]) => {
      const node = translationAt(tree, name)
      return node?.kind === 'value' ? [`- ${locale}: ${String(node.value)}`] : []
    })
    return rows.length === 0 ? null : rows.join('\n')
  }
  const path =
    nameKind === 'form' ? site.forms.get(name)?.file.path : nameKind === 'asset' ? site.assets.get(name) : undefined
  return path === undefined || operations === undefined ? null : `\`${path}\``
}

/** Returns the reference text for a key of the settings. */
function hoverSetting(file: SourceFile, offset: number): Hover | null {
  const lineStart = file.text.lastIndexOf('\n', offset - 1) + 1
  const match = /^(\s*(?:- )?)(\w+):/.exec(file.text.slice(lineStart))
  if (match === null) return null
  const [, textBefore = '', name = ''] = match
  const start = lineStart + textBefore.length
  if (offset < start || offset > start + name.length) return null
  const key = keysBelow(file, keysAbove(file.text, lineStart, textBefore.length))?.[name]
  const docs = key === undefined ? undefined : keyDocs({ [name]: key })[0]
  if (docs === undefined) return null
  const otherwise = docs.otherwise === null ? '' : ` Without it: ${docs.otherwise}.`
  return { start, end: start + name.length, text: `\`${name}\`: ${docs.takes}\n\n${docs.description}${otherwise}` }
}
