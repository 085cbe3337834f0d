/** `hash_assign` (deprecated): sets a key of a hash. Its target ends with a bracket. */
import { invalidHashAssignTarget } from '../../core/diagnostics/codes/syntax/invalid-hash-assign-target.ts'
import type { Filtered, WriteTarget } from '../../core/tree/ast.ts'
import * as T from '../syntax/tokens.ts'
import { tag } from './tag.ts'

export const hash_assign = tag<{ target: WriteTarget; value: Filtered }>({
  name: 'hash_assign',
  deprecated: 'assign',
  renamed: true,
  usage: "{% hash_assign hash['key'] = value %}",
  docs: {
    description: 'Sets a key of a hash.',
    examples: [
      {
        template: '{% assign cart = { "owner": "Ada" } %}\n{% hash_assign cart[\'total\'] = 42 %}{{ cart | json }}',
        prints: '{"owner":"Ada","total":42}',
      },
    ],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => {
    const target = $.sub(0, $.target)
    $.take(0, T.Assign)
    const value = $.sub(0, $.filtered)
    return { target, value }
  },
  check(node, kit) {
    const { target, value } = node.markup
    if (target.path.at(-1)?.kind !== 'index') kit.report(invalidHashAssignTarget(target.span, kit.source(target.span)))
    kit.write(target, kit.read(value), false)
  },
  emit(node, kit) {
    const { target, value } = node.markup
    kit.guard(true, node.span, () => kit.store(target, kit.value(value), false, node.span))
  },
})
