/** `return`: ends the file at once; in a `function` call it gives the value. */
import type { Filtered } from '../../core/model/ast.ts'
import { tag } from './tag.ts'

export const return_ = tag<{ value: Filtered | undefined }>({
  name: 'return',
  aliases: ['return_rc'],
  usage: '{% return value | filter %}',
  docs: {
    says: 'Ends the file at once, and this file only: one that includes it goes on behind the tag. In a file that `function` calls, it gives the value.',
    forms: ['{% return %}', '{% return { "key": value } %}'],
    examples: [
      {
        template: "{% function price = 'price', tea: 'green' %}{{ price }}",
        files: { 'app/lib/price.liquid': "{% if tea == 'green' %}{% return 3 %}{% endif %}{% return 4 %}" },
        prints: '3',
      },
    ],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  leftover: 'error',
  grammar: ($) => ({ value: $.maybe(0, () => $.sub(0, $.filtered)) }),
  check(node, kit) {
    const { value } = node.markup
    kit.halt('return', value === undefined ? null : kit.read(value))
  },
  emit(node, kit) {
    const { value } = node.markup
    kit.guard(value !== undefined && kit.guards(value), node.span, () =>
      kit.halt('return', value === undefined ? null : kit.value(value), node.span),
    )
  },
})
