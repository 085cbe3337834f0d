/** `content_for`: stores the output of its body for a later `yield`. Later bodies are appended unless `flush` is set. */
import type { Expression, NamedArgument } from '../../core/tree/ast.ts'
import { FALSE, invoke, run } from '../../core/model/code.ts'
import { findArgument } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = { flush: { takes: 'any' } }

export const content_for = tag<{ name: Expression; arguments: readonly NamedArgument[] }>({
  name: 'content_for',
  usage: "{% content_for 'name' %}…{% endcontent_for %}",
  docs: {
    description:
      'Renders its body and stores the output for a later `yield`, usually in the layout. Several bodies with the same name are appended.',
    arguments: { flush: 'With `true`, replaces the content that was stored before.' },
    examples: [
      {
        template: "---\nlayout: shop\n---\n{% content_for 'title' %}Our shop{% endcontent_for %}<p>Welcome</p>",
        files: { 'app/views/layouts/shop.liquid': "<title>{% yield 'title' %}</title>{{ content_for_layout }}" },
        prints: '<title>Our shop</title><p>Welcome</p>',
      },
    ],
  },
  shape: 'block',
  blank: true,
  platform: true,
  content: 'kept',
  grammar: ($) => ({ name: $.sub(0, $.primary), arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    kit.read(node.markup.name)
    kit.note({ kind: 'content-for', name: node.markup.name })
    readOptions('content_for', node.markup.arguments, OPTIONS, kit, node.span)
    kit.detached('content_for', () => kit.body(node.body))
  },
  emit(node, kit) {
    const flush = findArgument(node.markup.arguments, 'flush')
    kit.capture(
      'content',
      () => kit.body(node.body),
      (text) => {
        const replace = flush === undefined ? FALSE : kit.condition(flush)
        const store = invoke(kit.use('storeBlock'), kit.render, kit.value(node.markup.name), text, replace)
        kit.add(run(store, node.span))
      },
    )
  },
})
