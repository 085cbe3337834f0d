/** Reading arguments: what of an `Input` is an object, a list or a scalar, and what was given at all. */
import { type Input, type InputFields, Leaf, type Source } from '../model.ts'

/** The fields of an input object; null for anything else, and for what was not given. */
export function fieldsOf(input: Input | undefined): InputFields | null {
  if (input === undefined || input === null || input instanceof Leaf || isList(input)) return null
  return input
}

/** The items of a list of input objects; a single object is a list of one. */
export function itemsOf(input: Input | undefined): readonly InputFields[] {
  if (input === undefined || input === null) return []
  const items: readonly Input[] = isList(input) ? input : [input]
  return items.map(fieldsOf).filter((fields) => fields !== null)
}

/** A scalar or list of scalars that was given: conditions on nothing are dropped. */
export function leafOf(input: Input | undefined): Leaf | null {
  if (input instanceof Leaf) return input.known && input.isNull ? null : input
  if (!isList(input)) return null
  // A list literal whose items came one by one.
  const leaves = input.filter((item): item is Leaf => item instanceof Leaf)
  if (leaves.length !== input.length) return null
  return Leaf.list(leaves)
}

/** A text that decides the statement, null where none was given or the compiler does not know it. */
export function textOf(input: Input | undefined): string | null {
  const leaf = leafOf(input)
  return leaf?.known === true && typeof leaf.value === 'string' ? leaf.value : null
}

/** A boolean that decides the statement; `unknown` is what the compiler takes a variable for. */
export function flagOf(input: Input | undefined, unknown = true): boolean | null {
  const leaf = leafOf(input)
  if (leaf === null) return null
  return leaf.known ? leaf.value === true : unknown
}

/** Whether a key stands in the document, whatever its value. */
export function isWritten(fields: InputFields, name: string): boolean {
  return Object.hasOwn(fields, name)
}

/** Whether the value is written in the document, so that it is the same in every execution. */
export function isConstant(leaf: Leaf): boolean {
  return leaf.source.kind === 'constant'
}

/** An argument as one value with all that is in it: nothing is decided by it. */
export function wholeLeaf(input: Input): Leaf {
  return new Leaf(null, sourceOf(input), null, false)
}

function sourceOf(input: Input | undefined): Source {
  if (input === undefined || input === null) return { kind: 'constant', value: null }
  if (input instanceof Leaf) return input.source
  if (isList(input)) return { kind: 'list', items: input.map(sourceOf) }
  return { kind: 'object', fields: Object.entries(input).map(([name, inner]) => [name, sourceOf(inner)]) }
}

function isList(input: Input | undefined): input is readonly Input[] {
  return Array.isArray(input)
}
