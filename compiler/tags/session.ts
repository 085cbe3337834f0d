/** `session`: writes a field of the visitor's session; nil and blank values delete it. */
import type { Filtered, NameNode } from '../model/ast.ts'
import * as T from '../syntax/tokens.ts'
import { tag } from './tag.ts'

export const session = tag<{ name: NameNode; value: Filtered }>({
  name: 'session',
  usage: '{% session field = value %}',
  shape: 'inline',
  blank: true,
  platform: true,
  leftover: 'error',
  grammar: ($) => {
    const name = $.sub(0, $.name)
    $.take(0, T.Assign)
    return { name, value: $.sub(0, $.filtered) }
  },
  check(node, kit) {
    kit.note({ kind: 'session', name: node.markup.name.name, type: kit.read(node.markup.value) })
    kit.offered('sessions')
  },
  emit(node, kit) {
    const { name, value } = node.markup
    kit.guard(true, node.span, () =>
      kit.statement(`${kit.port('sessions', 'session')}.set(${kit.quoted(name.name)}, ${kit.value(value)})`, node.span),
    )
  },
})
