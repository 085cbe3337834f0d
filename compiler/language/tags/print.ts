/** `print`: prints a value without escaping. */
import type { Filtered } from '../../core/tree/ast.ts'
import { invoke } from '../../core/model/code.ts'
import { tag } from './tag.ts'

export const print = tag<{ value: Filtered }>({
  name: 'print',
  usage: '{% print value | filter %}',
  docs: {
    description: 'Prints a value without escaping. Use it only for trusted HTML.',
    examples: [{ template: "{{ '<b>' }} {% print '<b>' %}", prints: '&lt;b&gt; <b>' }],
  },
  shape: 'inline',
  platform: true,
  leftover: 'error',
  grammar: ($) => ({ value: $.sub(0, $.filtered) }),
  check(node, kit) {
    kit.read(node.markup.value)
  },
  emit(node, kit) {
    const { value } = node.markup
    kit.guard(kit.guards(value), node.span, () => kit.print(invoke(kit.use('printed'), kit.value(value)), node.span))
  },
})
