/**
 * `increment` and `decrement`: counters in a separate namespace. `increment` prints and then adds one; `decrement` subtracts one and
 * then prints.
 */
import type { TagDocs } from '../../core/model/reference.ts'
import type { NameNode } from '../../core/tree/ast.ts'
import { method, string } from '../../core/model/code.ts'
import { type AnyTag, tag } from './tag.ts'

const DOCS: Readonly<Record<'increment' | 'decrement', TagDocs>> = {
  increment: {
    description:
      'Prints a counter and then adds one. Counters start at 0. They have a separate namespace, which `decrement` shares.',
    examples: [{ template: '{% increment row %} {% increment row %} {% increment row %}', prints: '0 1 2' }],
  },
  decrement: {
    description:
      'Subtracts one from a counter and then prints it. The first value is -1. `increment` shares the counters.',
    examples: [{ template: '{% decrement row %} {% decrement row %}', prints: '-1 -2' }],
  },
}

export const increment = counter('increment')
export const decrement = counter('decrement')

function counter(name: 'increment' | 'decrement'): AnyTag {
  return tag<{ name: NameNode }>({
    name,
    usage: `{% ${name} counter %}`,
    docs: DOCS[name],
    shape: 'inline',
    grammar: ($) => ({ name: $.sub(0, $.name) }),
    check(node, kit) {
      kit.counter(node.markup.name)
    },
    emit(node, kit) {
      kit.print(method(kit.registers(), name, string(node.markup.name.name)), node.span)
    },
  })
}
