/** `capture`: keeps what its body prints as plain text under a name. */
import type { NameNode } from '../../core/model/ast.ts'
import { STRING } from '../../core/model/type.ts'
import { scored } from './scored.ts'
import { tag } from './tag.ts'

export const capture = tag<{ name: NameNode }>({
  name: 'capture',
  usage: '{% capture name %}…{% endcapture %}',
  docs: {
    says: 'Keeps what its body prints, as plain text, under a name. What is printed of it is escaped again; `print` shows it as it is.',
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
      (text) => kit.assign(name, scored(kit, text), node.span),
    )
  },
})
