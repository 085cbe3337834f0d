/**
 * Lists that grow in place: `assign list = list | array_add: item` copies the list, which makes a loop quadratic. Where
 * nobody can hold the list of before, growing it in place is the same.
 */
import type { Expression, FilterCall, Node, TagNode, WriteTarget } from '../../core/model/ast.ts'
import { asMarkupNode } from '../../core/model/markup.ts'
import { isRecord } from '../../core/source/records.ts'
import { assign } from '../../language/tags/assign.ts'
import { isNodeOf } from '../../language/tags/tag.ts'

/** Where something happens: its place in the text, and the blocks around it, outermost first. */
interface Occurrence {
  readonly at: number
  readonly blocks: readonly number[]
}

interface Uses {
  /** `assign list = '[]' | parse_json`: a list that is new. */
  readonly fresh: Occurrence[]
  readonly grown: (Occurrence & { readonly filter: FilterCall })[]
  /** Reads that can keep the list itself, not only an element of it. */
  readonly kept: Occurrence[]
  /** Set in some other way. */
  foreign: boolean
}

/** Filters that may add to their input in place, in the order of the text. */
export function growingFilters(nodes: readonly Node[]): ReadonlySet<FilterCall> {
  const walk = new Walk()
  walk.body(nodes)
  const found = new Set<FilterCall>()
  for (const uses of walk.names.values()) {
    if (uses.foreign) continue
    if (uses.grown.every((place) => isAlone(place, uses, walk.loops)))
      for (const { filter } of uses.grown) found.add(filter)
  }
  return found
}

/** Whether the list is new since the last moment at which somebody could have kept it. */
function isAlone(grown: Occurrence, { fresh, kept }: Uses, loops: ReadonlySet<number>): boolean {
  // The newest list that surely was made before this place is reached.
  const made = fresh.findLast(
    (place) => place.at < grown.at && place.blocks.every((block, depth) => grown.blocks[depth] === block),
  )
  if (made === undefined) return false
  return kept.every((place) => {
    if (place.at > made.at && place.at < grown.at) return false
    // A loop that goes round between the two, and makes no new list, comes from there to here.
    return !place.blocks.some(
      (block) => loops.has(block) && grown.blocks.includes(block) && !made.blocks.includes(block),
    )
  })
}

/** Tags whose bodies run once at most. All others count as loops. */
const ONCE = new Set(['if', 'unless', 'case', 'capture', 'try', 'cache', 'content_for', 'transaction', 'parse_json'])

class Walk {
  readonly names = new Map<string, Uses>()
  readonly loops = new Set<number>()
  #at = 0
  #block = 0
  #blocks: readonly number[] = []

  body(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'output') {
        if (node.value !== null) this.#markup(node.value)
      } else if (node.kind === 'tag') this.#tag(node)
    }
  }

  #tag(node: TagNode): void {
    if (!isNodeOf(assign, node, 'target', 'value') || !this.#assign(node.markup)) this.#markup(node.markup)
    for (const { markup, body } of [node, ...node.branches]) {
      if (markup !== node.markup) this.#markup(markup)
      if (body.length === 0) continue
      const outer = this.#blocks
      this.#blocks = [...outer, ++this.#block]
      if (!ONCE.has(node.name)) this.loops.add(this.#block)
      this.body(body)
      this.#blocks = outer
    }
  }

  /** Reads the two forms of an assignment that keep a list ours; false for all others. */
  #assign({ target, push, value }: { target: WriteTarget; push: boolean; value: Expression }): boolean {
    if (push || target.path.length > 0 || value.kind !== 'filtered') return false
    const { name } = target.name
    const [filter, ...more] = value.filters
    if (isNewList(value.input, filter) && more.length === 0) {
      this.#of(name).fresh.push(this.#here())
      return true
    }
    const { input } = value
    if (
      filter === undefined ||
      more.length > 0 ||
      input.kind !== 'lookup' ||
      input.path.length > 0 ||
      input.name?.name !== name
    )
      return false
    if ((filter.name.name !== 'array_add' && filter.name.name !== 'add_to_array') || filter.named.length > 0)
      return false
    const [item, ...rest] = filter.positional
    if (item === undefined || rest.length > 0) return false
    this.#markup(item)
    this.#of(name).grown.push({ ...this.#here(), filter })
    return true
  }

  /** Any part of a tag's markup: names in it that are not read are set. */
  #markup(part: unknown): void {
    if (Array.isArray(part)) {
      for (const each of part) this.#markup(each)
      return
    }
    if (!isRecord(part)) return
    const { kind, name } = part
    const tree = asMarkupNode(part)
    if (tree?.kind === 'lookup') {
      const { name: read, path } = tree
      if (read !== null && path.length === 0) this.#of(read.name).kept.push(this.#here())
      this.#markup(path)
      return
    }
    if (typeof name === 'string' && kind === undefined) this.#of(name).foreign = true
    for (const [key, each] of Object.entries(part)) {
      // The names of filters and of arguments are no variables.
      const label = key === 'name' && ('ignoredFilters' in part || 'positional' in part)
      if (!label && key !== 'span') this.#markup(each)
    }
  }

  #of(name: string): Uses {
    let known = this.names.get(name)
    if (known === undefined) this.names.set(name, (known = { fresh: [], grown: [], kept: [], foreign: false }))
    return known
  }

  #here(): Occurrence {
    return { at: this.#at++, blocks: this.#blocks }
  }
}

function isNewList(input: Expression, filter: FilterCall | undefined): boolean {
  if (filter === undefined) return input.kind === 'array' && input.items.length === 0
  const text = input.kind === 'literal' && input.value.type === 'string' ? input.value.value : null
  return text === '[]' && filter.name.name === 'parse_json' && filter.positional.length + filter.named.length === 0
}
