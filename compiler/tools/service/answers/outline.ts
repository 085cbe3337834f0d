/** The outline of a file: parameters, variables and calls of a template, fields of a query, keys of settings. */
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
} from 'graphql'
import type { Unit } from '../../../core/model/unit.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { writtenSpan } from '../../../core/source/template-values.ts'
import { readYaml, type YamlNode } from '../../../core/source/yaml.ts'
import type { Workspace } from '../workspace.ts'
import { collectMentions } from './mentions.ts'
import { currentText } from './template-tokens.ts'

export type OutlineKind = 'parameter' | 'variable' | 'partial' | 'query' | 'operation' | 'field' | 'key'

export interface OutlineItem {
  readonly name: string
  readonly kind: OutlineKind
  readonly detail: string
  /** The range of the whole item, and of its name. */
  readonly start: number
  readonly end: number
  readonly nameStart: number
  readonly nameEnd: number
  readonly children: readonly OutlineItem[]
}

/** Maximum number of entries in an outline. */
const MAX_ITEMS = 5_000
const MAX_DEPTH = 12

/** Returns the outline of a file, with its unsaved text. */
export function buildOutline(workspace: Workspace, path: string): readonly OutlineItem[] {
  const text = currentText(workspace, path)
  if (text === null) return []
  if (/\.(?:graphql|gql)$/.test(path)) return queryOutline(text)
  if (/\.ya?ml$/.test(path)) return yamlOutline(text, 0)
  if (!path.endsWith('.liquid')) return []
  const { yaml } = cutFrontMatter(text)
  const settings = yaml === null ? [] : yamlOutline(yaml.text, yaml.start)
  const reading = workspace.analyzeFile(path)
  return [...settings, ...(reading === null ? [] : mapToWritten(reading.unit.file, templateOutline(reading.unit)))]
}

/** Maps items from the text with substituted values to the author's text. */
function mapToWritten({ writtenText }: SourceFile, items: readonly OutlineItem[]): readonly OutlineItem[] {
  if (writtenText === undefined) return items
  return items.map(({ name, kind, detail, start, end }) => {
    const span = writtenSpan(writtenText, { file: '', start, end })
    return leafItem(name, kind, detail, span.start, span.end)
  })
}

function leafItem(name: string, kind: OutlineKind, detail: string, start: number, end: number): OutlineItem {
  return { name, kind, detail, start, end, nameStart: start, nameEnd: end, children: [] }
}

// ---- templates ----------------------------------------------------------------------------------------------------------

/** Each name is listed at its first occurrence. */
function templateOutline(unit: Unit): readonly OutlineItem[] {
  const found = new Map<string, OutlineItem>()
  const parameters = new Set(unit.template?.doc?.params.map(({ name }) => name))
  for (const { mentions } of collectMentions(unit))
    for (const { kind, name, span, isAssigned: sets } of mentions) {
      if (span.file !== unit.file.path || (kind === 'variable' && !sets)) continue
      const shown = kind === 'variable' && parameters.has(name) ? 'parameter' : kind
      if (shown !== 'variable' && shown !== 'parameter' && shown !== 'partial' && shown !== 'query') continue
      const key = `${shown} ${name}`
      if (!found.has(key)) found.set(key, leafItem(name, shown, shown, span.start, span.end))
    }
  return [...found.values()].toSorted((a, b) => a.start - b.start)
}

// ---- queries ------------------------------------------------------------------------------------------------------------

function queryOutline(text: string): readonly OutlineItem[] {
  let document: DocumentNode | null = null
  try {
    document = parse(text)
  } catch {
    // A query that does not parse has no outline.
    return []
  }
  return document.definitions.flatMap((each) => {
    if (each.kind !== Kind.OPERATION_DEFINITION && each.kind !== Kind.FRAGMENT_DEFINITION) return []
    const keyword = each.kind === Kind.FRAGMENT_DEFINITION ? 'fragment' : each.operation
    const variables = each.kind === Kind.OPERATION_DEFINITION ? variableItems(each) : []
    return [
      itemAt(each, each.name ?? each, each.name?.value ?? keyword, 'operation', keyword, [
        ...variables,
        ...fieldItems(each.selectionSet.selections),
      ]),
    ]
  })
}

function variableItems({ variableDefinitions }: OperationDefinitionNode): readonly OutlineItem[] {
  return (variableDefinitions ?? []).map((each) =>
    itemAt(each, each.variable, `$${each.variable.name.value}`, 'parameter', '', []),
  )
}

function fieldItems(selections: readonly SelectionNode[]): readonly OutlineItem[] {
  return selections.flatMap((each) => {
    if (each.kind === Kind.FRAGMENT_SPREAD) return [itemAt(each, each.name, `...${each.name.value}`, 'field', '', [])]
    if (each.kind === Kind.INLINE_FRAGMENT) return fieldItems(each.selectionSet.selections)
    return [
      itemAt(
        each,
        each.alias ?? each.name,
        (each.alias ?? each.name).value,
        'field',
        displayName(each),
        fieldItems(each.selectionSet?.selections ?? []),
      ),
    ]
  })
}

function displayName({ alias, name }: FieldNode): string {
  return alias === undefined ? '' : name.value
}

function itemAt(
  whole: ASTNode,
  named: ASTNode,
  name: string,
  kind: OutlineKind,
  detail: string,
  children: readonly OutlineItem[],
): OutlineItem {
  const { start = 0, end = 0 } = whole.loc ?? {}
  const nameStart = named.loc?.start ?? start
  return { name, kind, detail, start, end, nameStart, nameEnd: Math.min(named.loc?.end ?? end, end), children }
}

// ---- settings -----------------------------------------------------------------------------------------------------------

function yamlOutline(text: string, base: number): readonly OutlineItem[] {
  let count = 0
  const walk = (node: YamlNode, depth: number): readonly OutlineItem[] => {
    if (depth > MAX_DEPTH || count > MAX_ITEMS) return []
    if (node.kind === 'list') return node.items.flatMap((each) => listItem(each, depth))
    if (node.kind !== 'map') return []
    return node.entries.map(({ key, keySpan, value }) => {
      count++
      const end = Math.max(keySpan.end, value.span.end)
      const detail = value.kind === 'scalar' ? (value.text.split('\n')[0] ?? '').slice(0, 80) : ''
      return {
        name: key,
        kind: 'key',
        detail,
        start: keySpan.start,
        end,
        nameStart: keySpan.start,
        nameEnd: keySpan.end,
        children: walk(value, depth + 1),
      }
    })
  }
  /** A list item with a `name` is shown by that name. */
  const listItem = (node: YamlNode, depth: number): readonly OutlineItem[] => {
    if (node.kind === 'scalar') return [leafItem(node.text, 'key', '', node.span.start, node.span.end)]
    const name = node.kind === 'map' ? node.entries.find(({ key }) => key === 'name')?.value : undefined
    if (name?.kind !== 'scalar' || name.text === '') return walk(node, depth)
    const { start, end } = node.span
    return [
      {
        name: name.text,
        kind: 'field',
        detail: '',
        start,
        end,
        nameStart: name.span.start,
        nameEnd: name.span.end,
        children: walk(node, depth + 1),
      },
    ]
  }
  const { tree } = readYaml(text, '', base)
  return tree === null ? [] : walk(tree, 0)
}
