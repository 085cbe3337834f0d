/** Reads arguments as objects, lists or scalars. */
import { type Input, type InputFields, isInputList, Leaf, type Source } from '../model.ts'
import type { Direction } from '../null-order.ts'

/** Returns the fields of an input object; null for other inputs, and when the input was not given. */
export function fieldsOf(input: Input | undefined): InputFields | null {
  if (input === undefined || input === null || input instanceof Leaf || isInputList(input)) return null
  return input
}

/** Returns the items of a list of input objects; a single object counts as a list of one. */
export function itemsOf(input: Input | undefined): readonly InputFields[] {
  if (input === undefined || input === null) return []
  const items: readonly Input[] = isInputList(input) ? input : [input]
  return items.map(fieldsOf).filter((fields) => fields !== null)
}

/** Returns a scalar or a list of scalars as a leaf; null when it was not given. */
export function leafOf(input: Input | undefined): Leaf | null {
  if (input instanceof Leaf) return input.isKnown && input.isNull ? null : input
  if (!isInputList(input)) return null
  // The items of a list literal are separate leaves.
  const leaves = input.filter((item): item is Leaf => item instanceof Leaf)
  if (leaves.length !== input.length) return null
  return Leaf.list(leaves)
}

/** Returns a text, which becomes part of the statement's shape; null when it was not given, or the compiler does not know it. */
export function knownTextOf(input: Input | undefined): string | null {
  const leaf = leafOf(input)
  return leaf?.isKnown === true && typeof leaf.value === 'string' ? leaf.value : null
}

/**
 * Returns a boolean, which becomes part of the statement's shape.
 * @param unknown the value that the compiler assumes for a variable
 */
export function flagOf(input: Input | undefined, unknown = true): boolean | null {
  const leaf = leafOf(input)
  if (leaf === null) return null
  return leaf.isKnown ? leaf.value === true : unknown
}

/** Returns the direction in the field `order` of a sort. The compiler assumes ascending order when it is a variable. */
export function directionOf(order: Leaf): Direction {
  return order.isKnown && order.value === 'DESC' ? 'desc' : 'asc'
}

/** Returns whether the document contains a key, even with the value null. */
export function isInDocument(fields: InputFields, name: string): boolean {
  return Object.hasOwn(fields, name)
}

/** Returns whether the value is a literal. A literal has the same value in every execution. */
export function isConstant(leaf: Leaf): boolean {
  return leaf.source.kind === 'constant'
}

/** Combines an argument into one leaf. No decision about the SQL may depend on its value. */
export function asOneLeaf(input: Input): Leaf {
  return new Leaf(null, sourceOf(input), null, false)
}

function sourceOf(input: Input | undefined): Source {
  if (input === undefined || input === null) return { kind: 'constant', value: null }
  if (input instanceof Leaf) return input.source
  if (isInputList(input)) return { kind: 'list', items: input.map(sourceOf) }
  return { kind: 'object', fields: Object.entries(input).map(([name, inner]) => [name, sourceOf(inner)]) }
}
