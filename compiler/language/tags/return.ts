/** `return`: ends the file. In a `function` call, it also sets the result. */
import type { Filtered } from '../../core/tree/ast.ts'
import { tag } from './tag.ts'

export const return_ = tag<{ value: Filtered | undefined }>({
  name: 'return',
  aliases: ['return_rc'],
  usage: '{% return value | filter %}',
  docs: {
    description:
      'Ends this file. A file that includes it continues after the tag. In a file that is called with `function`, it also sets the result.',
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
