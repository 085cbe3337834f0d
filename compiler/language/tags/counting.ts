/** Emits the JavaScript loop of `for` and `tablerow`, and the fields of their loop objects. */
import { binary, type Code, counted, ident, member, number, type Statement, typed } from '../../core/model/code.ts'
import { BOOLEAN_VALUE, COUNT_VALUE } from '../../core/model/value-type.ts'
import type { Span } from '../../core/source/span.ts'
import type { LoopFields } from './tag.ts'

/** The JavaScript names of the index of a loop and of the number of its iterations. */
export interface Counting {
  readonly at: string
  readonly count: string
}

export function counting(at: string): Counting {
  return { at, count: `${at}$n` }
}

/** Emits `for (let i = 0, i$n = items.length; i < i$n; i++) { … }`. */
export function countingLoop({ at, count }: Counting, items: Code, body: readonly Statement[], span: Span): Statement {
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
  const at = ident(loop.at)
  const count = ident(loop.count)
  const left = () => binary(count, '-', at)
  return {
    index: () => oneMore(at),
    index0: () => typed(at, COUNT_VALUE),
    rindex: () => typed(left(), COUNT_VALUE),
    rindex0: () => typed(binary(left(), '-', number(1)), COUNT_VALUE),
    first: () => typed(binary(at, '===', number(0)), BOOLEAN_VALUE),
    last: () => typed(binary(at, '===', binary(count, '-', number(1))), BOOLEAN_VALUE),
    length: () => typed(count, COUNT_VALUE),
  }
}

/** Emits `value + 1`. */
export function oneMore(value: Code): Code {
  return typed(binary(value, '+', number(1)), COUNT_VALUE)
}
