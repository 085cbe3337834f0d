/** Determines what string values in a query name: a table, or a property of a table. */
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  parse,
  type StringValueNode,
} from 'graphql'

interface TextInQuery {
  /** The offset of the text, without its opening quote. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly nameKind: 'table' | 'property' | null
  /** For a property: its table; null if the query does not determine it. */
  readonly table: string | null
}

/** Arguments and input fields whose value names a property. */
const PROPERTIES: ReadonlySet<string> = new Set(['name', 'join_on_property', 'foreign_property'])
/** Columns that every record has. They are not properties. */
const COLUMNS: ReadonlySet<string> = new Set(['id', 'user_id', 'external_id', 'created_at', 'updated_at', 'deleted_at'])
/** Fields of users. User properties are declared with users, not with a table. */
const USERS = /^(?:users?|current_user|user_\w+|creator|related_users?)$/

/** The name for users and their profiles where a table name is expected. */
export const USER_TABLE = 'User'

const textsByDocument = new Map<string, readonly TextInQuery[]>()
const MAX_CACHED = 4000

/** Returns the texts of a document; empty if it does not parse. */
export function findQueryTexts(document: string): readonly TextInQuery[] {
  const known = textsByDocument.get(document)
  if (known !== undefined) return known
  let tree: DocumentNode | null = null
  try {
    tree = parse(document)
  } catch {
    return []
  }
  const texts = new TextCollector(tree).texts()
  if (textsByDocument.size >= MAX_CACHED) textsByDocument.clear()
  textsByDocument.set(document, texts)
  return texts
}

interface TextContext {
  /** The table of the selected records. */
  readonly table: string | null
  /** Names of arguments and input fields, outermost first. */
  readonly names: readonly string[]
}

/** Walks a document. A fragment is visited wherever it is spread, because the parent determines the table. */
class TextCollector {
  readonly #tree: DocumentNode
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #found = new Map<number, TextInQuery>()
  readonly #open = new Set<string>()
  readonly #spread = new Set<string>()

  constructor(tree: DocumentNode) {
    this.#tree = tree
    this.#fragments = new Map(
      tree.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
    )
  }

  texts(): readonly TextInQuery[] {
    const nowhere: TextContext = { table: null, names: [] }
    for (const each of this.#tree.definitions) if (each.kind !== Kind.FRAGMENT_DEFINITION) this.#walk(each, nowhere)
    for (const [name, each] of this.#fragments) if (!this.#spread.has(name)) this.#walk(each, nowhere)
    return [...this.#found.values()].toSorted((a, b) => a.start - b.start)
  }

  #walk(node: ASTNode, context: TextContext): void {
    if (node.kind === Kind.FIELD) return this.#field(node, context)
    if (node.kind === Kind.FRAGMENT_SPREAD) return this.#fragment(node.name.value, context)
    if (node.kind === Kind.STRING) return this.#add(toTextInQuery(node, context))
    const isNamed = node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD
    const inside = isNamed ? { ...context, names: [...context.names, node.name.value] } : context
    for (const child of childrenOf(node)) this.#walk(child, inside)
  }

  #field(node: FieldNode, context: TextContext): void {
    const name = node.name.value
    const isRelated = name.startsWith('related_')
    const named = tableIn(node) ?? (USERS.test(name) ? USER_TABLE : null)
    const table = named ?? (isRelated || name.startsWith('record') ? null : context.table)
    for (const argument of node.arguments ?? []) {
      // `join_on_property` names a property of the outer records.
      const isOuter = isRelated && argument.name.value === 'join_on_property'
      this.#walk(argument, { table: isOuter ? context.table : table, names: [] })
    }
    if (node.selectionSet !== undefined) this.#walk(node.selectionSet, { table, names: [] })
  }

  #fragment(name: string, context: TextContext): void {
    const fragment = this.#fragments.get(name)
    if (fragment === undefined || this.#open.has(name)) return
    this.#spread.add(name)
    this.#open.add(name)
    this.#walk(fragment.selectionSet, { table: context.table, names: [] })
    this.#open.delete(name)
  }

  #add(text: TextInQuery | null): void {
    if (text === null) return
    const before = this.#found.get(text.start)
    // A fragment may be used for two tables. Then the text has no single table.
    this.#found.set(text.start, before === undefined || before.table === text.table ? text : { ...text, table: null })
  }
}

function toTextInQuery({ value, loc }: StringValueNode, { names, table }: TextContext): TextInQuery | null {
  if (loc === undefined || value.includes('\n')) return null
  const last = names.at(-1) ?? ''
  const isTable = last === 'table' || (names.at(-2) === 'table' && /^(?:value|value_in)$/.test(last))
  const isProperty = PROPERTIES.has(last) && !COLUMNS.has(value)
  const nameKind = isTable ? 'table' : isProperty ? 'property' : null
  return { start: loc.start + 1, end: loc.end - 1, text: value, nameKind, table: isProperty ? table : null }
}

/** Returns the table named by the arguments of a field, if there is exactly one. */
function tableIn(node: ASTNode): string | null {
  for (const child of childrenOf(node)) {
    if (child.kind === Kind.SELECTION_SET) continue
    if (child.kind === Kind.ARGUMENT && child.name.value === 'profile_type' && child.value.kind === Kind.STRING)
      return child.value.value
    if ((child.kind === Kind.ARGUMENT || child.kind === Kind.OBJECT_FIELD) && child.name.value === 'table') {
      const { value } = child
      if (value.kind === Kind.STRING) return value.value
      const inner = value.kind === Kind.OBJECT ? value.fields.find(({ name }) => name.value === 'value') : undefined
      return inner?.value.kind === Kind.STRING ? inner.value.value : null
    }
    const found = tableIn(child)
    if (found !== null) return found
  }
  return null
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
  return Object.entries(node).flatMap(([key, value]): readonly ASTNode[] => {
    if (key === 'loc' || typeof value !== 'object' || value === null) return []
    return (Array.isArray(value) ? value : [value]).filter((each) => typeof each?.kind === 'string')
  })
}

/** Returns the text at an offset, even if the query does not parse. Null outside of texts. */
export function findTextAt(document: string, offset: number): TextInQuery | null {
  const known = findQueryTexts(document).find(({ start, end }) => start <= offset && offset <= end)
  if (known !== undefined) return known
  const lineStart = document.lastIndexOf('\n', offset - 1) + 1
  const textBefore = document.slice(lineStart, offset)
  const open = /"([^"]*)$/.exec(textBefore)
  if (open === null || (textBefore.split('"').length - 1) % 2 === 0) return null
  const start = offset - (open[1]?.length ?? 0)
  const end = /^[\w/-]*/.exec(document.slice(offset))?.[0].length ?? 0
  const writtenText = document.slice(0, start - 1)
  const nameKind = /table:\s*(?:\{\s*value(?:_in)?:\s*\[?\s*)?$/.test(writtenText)
    ? 'table'
    : /(?:name|join_on_property|foreign_property):\s*$/.test(writtenText)
      ? 'property'
      : null
  const table = [...writtenText.matchAll(/table:\s*(?:\{\s*value:\s*)?"([^"]+)"/g)].at(-1)?.[1] ?? null
  return { start, end: offset + end, text: document.slice(start, offset + end), nameKind, table }
}
