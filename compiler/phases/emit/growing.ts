/**
 * Finds lists that can grow in place. `assign list = list | array_add: item` copies the list, so a loop takes quadratic time. If nothing
 * else can refer to the old list, adding to it in place is equivalent.
 */
import {
  type Expression,
  type FilterCall,
  type Node,
  type TagNode,
  type WriteTarget,
  stringOf,
} from '../../core/tree/ast.ts'
import { asMarkupNode } from '../../core/model/markup.ts'
import { isRecord } from '../../core/source/records.ts'
import { assign } from '../../language/tags/assign.ts'
import { isNodeOf } from '../../language/tags/tag.ts'
import { getOrMake } from '../../core/source/maps.ts'

/** A place in the template: its number in the order of reads and assignments, and the blocks around it, outermost first. */
interface Occurrence {
  readonly at: number
  readonly blocks: readonly number[]
}

interface ListUses {
  /** `assign list = '[]' | parse_json`: assignments of a new list. */
  readonly newLists: Occurrence[]
  readonly additions: (Occurrence & { readonly filter: FilterCall })[]
  /** Reads that may store the list itself, not only one of its elements. */
  readonly escapes: Occurrence[]
  /** Whether the variable is set in another way. */
  isOtherwiseSet: boolean
}

/** Returns the filters that may add to their input in place. */
export function growingFilters(nodes: readonly Node[]): ReadonlySet<FilterCall> {
  const walk = new Walk()
  walk.body(nodes)
  const found = new Set<FilterCall>()
  for (const uses of walk.uses.values()) {
    if (uses.isOtherwiseSet) continue
    if (uses.additions.every((place) => isUnshared(place, uses, walk.loops)))
      for (const { filter } of uses.additions) found.add(filter)
  }
  return found
}

/** Returns whether the list is newer than the last read that may have stored it. */
function isUnshared(addition: Occurrence, { newLists, escapes }: ListUses, loops: ReadonlySet<number>): boolean {
  // The last new list that was definitely assigned before this place.
  const newest = newLists.findLast(
    (place) => place.at < addition.at && place.blocks.every((block, depth) => addition.blocks[depth] === block),
  )
  if (newest === undefined) return false
  return escapes.every((place) => {
    if (place.at > newest.at && place.at < addition.at) return false
    // A later read reaches this place in the next iteration of a loop that contains both, but not the assignment of a new list.
    return !place.blocks.some(
      (block) => loops.has(block) && addition.blocks.includes(block) && !newest.blocks.includes(block),
    )
  })
}

/** Tags whose bodies run at most once. All other tags count as loops. */
const RUN_ONCE = new Set([
  'if',
  'unless',
  'case',
  'capture',
  'try',
  'cache',
  'content_for',
  'transaction',
  'parse_json',
])

class Walk {
  readonly uses = new Map<string, ListUses>()
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
      if (!RUN_ONCE.has(node.name)) this.loops.add(this.#block)
      this.body(body)
      this.#blocks = outer
    }
  }

  /** Records the two kinds of assignments after which only the variable refers to the list. Returns false for any other assignment. */
  #assign({ target, push, value }: { target: WriteTarget; push: boolean; value: Expression }): boolean {
    if (push || target.path.length > 0 || value.kind !== 'filtered') return false
    const { name } = target.name
    const [filter, ...more] = value.filters
    if (isNewList(value.input, filter) && more.length === 0) {
      this.#usesOf(name).newLists.push(this.#here())
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
    this.#usesOf(name).additions.push({ ...this.#here(), filter })
    return true
  }

  /** Walks any part of the markup of a tag. A name outside of an expression counts as a variable that the tag sets. */
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
      if (read !== null && path.length === 0) this.#usesOf(read.name).escapes.push(this.#here())
      this.#markup(path)
      return
    }
    if (typeof name === 'string' && kind === undefined) this.#usesOf(name).isOtherwiseSet = true
    for (const [key, each] of Object.entries(part)) {
      // The names of filters and arguments are not variables.
      const isLabel = key === 'name' && ('ignoredFilters' in part || 'positional' in part)
      if (!isLabel && key !== 'span') this.#markup(each)
    }
  }

  #usesOf(name: string): ListUses {
    return getOrMake(this.uses, name, () => ({ newLists: [], additions: [], escapes: [], isOtherwiseSet: false }))
  }

  #here(): Occurrence {
    return { at: this.#at++, blocks: this.#blocks }
  }
}

function isNewList(input: Expression, filter: FilterCall | undefined): boolean {
  if (filter === undefined) return input.kind === 'array' && input.items.length === 0
  return (
    stringOf(input) === '[]' &&
    filter.name.name === 'parse_json' &&
    filter.positional.length + filter.named.length === 0
  )
}
