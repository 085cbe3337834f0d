/** Emits the JavaScript loop of `for` and `tablerow`, and the fields of their loop objects. */
import { binary, type Code, counted, ident, member, number, type Statement, typed } from '../../core/model/code.ts'
import { BOOLEAN_VALUE, COUNT_VALUE } from '../../core/model/value-type.ts'
import type { Span } from '../../core/source/span.ts'
import type { LoopFields } from './tag.ts'

/** The JavaScript names of the index of a loop and of the number of its iterations. */
export interface Counting {
  readonly index: string
  readonly count: string
}

/** Emits `for (let i = 0, end = items.length; i < end; i++) { … }`. Items that the body adds to the list are not visited. */
export function countingLoop(
  { index: at, count }: Counting,
  items: Code,
  body: readonly Statement[],
  span: Span,
): Statement {
  return {
    kind: 'for',
    variables: [
      { name: at, type: null, value: number(0) },
      { name: count, type: null, value: member(items, 'length') },
    ],
    test: binary(ident(at), '<', ident(count)),
    step: counted(ident(at)),
    body,
    span,
  }
}

/** Returns the fields that every loop object has. */
export function countingFields(loop: Counting): LoopFields {
  const index = ident(loop.index)
  const count = ident(loop.count)
  const remaining = () => binary(count, '-', index)
  return {
    index: () => addOne(index),
    index0: () => typed(index, COUNT_VALUE),
    rindex: () => typed(remaining(), COUNT_VALUE),
    rindex0: () => typed(binary(remaining(), '-', number(1)), COUNT_VALUE),
    first: () => typed(binary(index, '===', number(0)), BOOLEAN_VALUE),
    last: () => typed(binary(index, '===', binary(count, '-', number(1))), BOOLEAN_VALUE),
    length: () => typed(count, COUNT_VALUE),
  }
}

/** Emits `value + 1`. */
export function addOne(value: Code): Code {
  return typed(binary(value, '+', number(1)), COUNT_VALUE)
}
