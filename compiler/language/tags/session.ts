/** `session`: writes a field of the visitor's session; nil and blank values delete it. */
import type { Filtered, NameNode } from '../../core/model/ast.ts'
import { method, run, string } from '../../core/model/code.ts'
import * as T from '../syntax/tokens.ts'
import { tag } from './tag.ts'

export const session = tag<{ name: NameNode; value: Filtered }>({
  name: 'session',
  usage: '{% session field = value %}',
  docs: {
    says: "Writes a field of the visitor's session, to be read at `context.session` at once and in later requests. nil and blank values delete it.",
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
    kit.offered('sessions')
  },
  emit(node, kit) {
    const { name, value } = node.markup
    kit.guard(true, node.span, () =>
      kit.add(run(method(kit.port('sessions', 'session'), 'set', string(name.name), kit.value(value)), node.span)),
    )
  },
})
