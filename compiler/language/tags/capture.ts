/** `capture`: stores the output of its body as plain text in a variable. */
import type { NameNode } from '../../core/tree/ast.ts'
import { STRING } from '../../core/model/type.ts'
import { withScore } from './scored.ts'
import { tag } from './tag.ts'

export const capture = tag<{ name: NameNode }>({
  name: 'capture',
  usage: '{% capture name %}…{% endcapture %}',
  docs: {
    description:
      'Stores the output of its body as plain text in a variable. `{{ }}` escapes it again; `print` prints it unchanged.',
    examples: [
      {
        template: "{% capture row %}<b>{{ 'Tea & milk' }}</b>{% endcapture %}\n{% print row %}",
        prints: '<b>Tea &amp; milk</b>',
      },
    ],
  },
  shape: 'block',
  blank: true,
  content: 'kept',
  grammar: ($) => ({ name: $.sub(0, $.quotableName) }),
  check(node, kit) {
    kit.body(node.body)
    kit.assign(node.markup.name, STRING)
  },
  emit(node, kit) {
    const { name } = node.markup
    kit.capture(
      name.name,
      () => kit.body(node.body),
      (text) => kit.assign(name, withScore(kit, text), node.span),
    )
  },
})
