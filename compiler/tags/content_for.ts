/** `content_for`: stores what its body prints for a later `yield`; later bodies append unless `flush` is set. */
import type { Expression, NamedArgument } from '../model/ast.ts'
import { argument } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = { flush: { takes: 'any' } }

export const content_for = tag<{ name: Expression; arguments: readonly NamedArgument[] }>({
  name: 'content_for',
  usage: "{% content_for 'name' %}…{% endcontent_for %}",
  shape: 'block',
  blank: true,
  platform: true,
  content: 'kept',
  grammar: ($) => ({ name: $.sub(0, $.primary), arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    kit.read(node.markup.name)
    kit.note({ kind: 'content-for', name: node.markup.name })
    readOptions('content_for', node.markup.arguments, OPTIONS, kit)
    kit.detached('content_for', () => kit.body(node.body))
  },
  emit(node, kit) {
    const flush = argument(node.markup.arguments, 'flush')
    kit.capture(
      'content',
      () => kit.body(node.body),
      (text) => {
        const replace = flush === undefined ? 'false' : kit.condition(flush)
        kit.statement(`${kit.use('storeBlock')}(r, ${kit.value(node.markup.name)}, ${text}, ${replace})`, node.span)
      },
    )
  },
})
