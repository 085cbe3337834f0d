/** `increment` and `decrement`: counters of a name space of their own; one prints then adds, the other subtracts then prints. */
import type { NameNode } from '../model/ast.ts'
import { type AnyTag, tag } from './tag.ts'

export const increment = counter('increment')
export const decrement = counter('decrement')

function counter(name: 'increment' | 'decrement'): AnyTag {
  return tag<{ name: NameNode }>({
    name,
    usage: `{% ${name} counter %}`,
    shape: 'inline',
    grammar: ($) => ({ name: $.sub(0, $.name) }),
    check(node, kit) {
      kit.counter(node.markup.name)
    },
    emit(node, kit) {
      kit.print(
        `${kit.registers()}.${name}(${kit.quoted(node.markup.name.name)}, ${kit.data(node.markup.name.name)})`,
        node.span,
      )
    },
  })
}
