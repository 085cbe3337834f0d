/** `parse_json` (deprecated): parses its body as JSON into a variable. HTML entities are decoded first, so that escaped values work. */
import type { NameNode } from '../../core/tree/ast.ts'
import { invoke } from '../../core/model/code.ts'
import { UNKNOWN } from '../../core/model/type.ts'
import { tag } from './tag.ts'

export const parse_json = tag<{ name: NameNode }>({
  name: 'parse_json',
  deprecated: 'assign',
  usage: '{% parse_json name %}{ "a": 1 }{% endparse_json %}',
  docs: {
    description: 'Parses its body as JSON into a variable. A hash literal in `assign` is safer and shorter.',
    examples: [
      { template: '{% parse_json cart %}{ "items": [1, 2] }{% endparse_json %}{{ cart.items | size }}', prints: '2' },
    ],
  },
  shape: 'block',
  blank: true,
  content: 'data',
  platform: true,
  grammar: ($) => ({ name: $.sub(0, $.quotableName) }),
  check(node, kit) {
    kit.body(node.body)
    kit.note({ kind: 'json', body: node.body })
    kit.assign(node.markup.name, UNKNOWN)
  },
  emit(node, kit) {
    kit.guard(true, node.span, () =>
      kit.capture(
        'json',
        () => kit.body(node.body),
        (text) => kit.assign(node.markup.name, invoke(kit.use('parseJsonBody'), text), node.span),
      ),
    )
  },
})
