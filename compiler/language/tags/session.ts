/** `session`: sets a field of the visitor's session. nil and blank values delete the field. */
import type { Filtered, NameNode } from '../../core/tree/ast.ts'
import { method, string } from '../../core/model/code.ts'
import * as T from '../syntax/tokens.ts'
import { tag } from './tag.ts'
import { writeEffect } from './arguments.ts'

export const session = tag<{ name: NameNode; value: Filtered }>({
  name: 'session',
  usage: '{% session field = value %}',
  docs: {
    description:
      "Sets a field of the visitor's session. `context.session` has it immediately and in later requests. nil and blank values delete the field.",
    examples: [{ template: "{% session cart = 'abc' | upcase %}{{ context.session.cart }}", prints: 'ABC' }],
  },
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
    kit.syncPort('sessions')
  },
  emit(node, kit) {
    const { name, value } = node.markup
    writeEffect(node.span, kit, () =>
      method(kit.asyncPort('sessions', 'session'), 'set', string(name.name), kit.value(value)),
    )
  },
})
