/** Finds the selections of queries that give the fields of their results. */
import { type ASTNode, type DocumentNode, type FieldNode, Kind, parse, type SelectionSetNode } from 'graphql'
import type { Span } from '../../../core/source/span.ts'
import type { SiteAnalysis } from '../workspace.ts'
import { findQueryTexts } from './query-texts.ts'
import { addTo, getOrMake } from '../../../core/source/maps.ts'

/** A query with its place: a whole file, or the body of a tag. */
export interface PlacedDocument {
  readonly document: string
  readonly span: Span
}

/** A field of a result that is the value of a property. */
interface SelectedProperty {
  /** The table of the property; null if the query does not determine it. */
  readonly table: string | null
  readonly name: string
  /** The key of the field in the result: its alias, or its name. */
  readonly key: string
  /** The place of the key. */
  readonly span: Span
}

/** Yields the documents of a site. */
export function* documentsOf({ analysis: { operations } }: Pick<SiteAnalysis, 'analysis'>): Generator<PlacedDocument> {
  yield* operations.storedOperations.values()
  yield* operations.inline.values()
}

/** Returns the properties that a query selects under a key of a record. @param owner offset of the record's field in its file */
export function selectedProperties(place: PlacedDocument, owner: number, key: string): readonly SelectedProperty[] {
  const { pathsByOffset, fieldsByPath } = selectionsOf(place.document)
  const paths = pathsByOffset.get(owner - place.span.start) ?? []
  const fields = new Set([...paths].flatMap((path) => fieldsByPath.get(`${path}.${key}`) ?? []))
  return [...fields].flatMap((field) => propertyOf(place, field) ?? [])
}

/** Returns all properties that a query selects. */
export function allSelectedProperties(place: PlacedDocument): readonly SelectedProperty[] {
  const fields = new Set([...selectionsOf(place.document).fieldsByPath.values()].flat())
  return [...fields].flatMap((field) => propertyOf(place, field) ?? [])
}

function propertyOf({ document, span }: PlacedDocument, field: FieldNode): SelectedProperty | null {
  const argument = field.arguments?.find(({ name }) => name.value === 'name')
  if (!/^property(?:_|$)/.test(field.name.value) || argument?.value.kind !== Kind.STRING) return null
  const start = (argument.value.loc?.start ?? 0) + 1
  const text = findQueryTexts(document).find((each) => each.start === start)
  const keyNode = field.alias ?? field.name
  if (text?.nameKind !== 'property' || keyNode.loc === undefined) return null
  const place = { ...span, start: span.start + keyNode.loc.start, end: span.start + keyNode.loc.end }
  return { table: text.table, name: text.text, key: keyNode.value, span: place }
}

interface Selections {
  /** The paths of results at which a field is selected, by the offset of the field. A field of a fragment can have several. */
  readonly pathsByOffset: ReadonlyMap<number, ReadonlySet<string>>
  readonly fieldsByPath: ReadonlyMap<string, readonly FieldNode[]>
}

const NO_SELECTIONS: Selections = { pathsByOffset: new Map(), fieldsByPath: new Map() }
const MAX_CACHED = 4000
/** Fragments that spread fragments can make a short document arbitrarily large. */
const MAX_FIELDS = 20_000

const selectionsByDocument = new Map<string, Selections>()

function selectionsOf(document: string): Selections {
  return getOrMake(selectionsByDocument, document, () => {
    if (selectionsByDocument.size >= MAX_CACHED) selectionsByDocument.clear()
    return collectSelections(document)
  })
}

function collectSelections(document: string): Selections {
  let tree: DocumentNode
  try {
    tree = parse(document)
  } catch {
    return NO_SELECTIONS
  }
  const pathsByOffset = new Map<number, Set<string>>()
  const fieldsByPath = new Map<string, FieldNode[]>()
  const fragments = new Map(
    tree.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  )
  const open = new Set<string>()
  let count = 0
  const note = ({ loc }: ASTNode, path: string): void => {
    getOrMake(pathsByOffset, loc?.start ?? 0, () => new Set<string>()).add(path)
  }
  const walk = ({ selections }: SelectionSetNode, path: string): void => {
    for (const each of selections) {
      if (++count > MAX_FIELDS) return
      if (each.kind === Kind.INLINE_FRAGMENT) walk(each.selectionSet, path)
      else if (each.kind === Kind.FIELD) {
        const own = `${path}.${(each.alias ?? each.name).value}`
        note(each, own)
        addTo(fieldsByPath, own, each)
        if (each.selectionSet !== undefined) walk(each.selectionSet, own)
      } else {
        const fragment = fragments.get(each.name.value)
        if (fragment === undefined || open.has(each.name.value)) continue
        open.add(each.name.value)
        walk(fragment.selectionSet, path)
        open.delete(each.name.value)
      }
    }
  }
  for (const each of tree.definitions) {
    if (each.kind !== Kind.OPERATION_DEFINITION) continue
    note(each.selectionSet, '')
    walk(each.selectionSet, '')
  }
  return { pathsByOffset, fieldsByPath }
}
