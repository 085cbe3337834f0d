/** `echo`: prints a value like `{{ }}`. */
import type { Filtered } from '../../core/tree/ast.ts'
import { tag } from './tag.ts'

export const echo = tag<{ value: Filtered | undefined }>({
  name: 'echo',
  usage: '{% echo value | filter %}',
  docs: {
    description: 'Prints a value with escaping, like `{{ }}`. Use it in the lines of a `liquid` tag.',
    examples: [{ template: "{% echo 'Tea & milk' | upcase %}", prints: 'TEA &amp; MILK' }],
  },
  shape: 'inline',
  leftover: 'error',
  grammar: ($) => ({ value: $.maybe(0, () => $.sub(0, $.filtered)) }),
  check(node, kit) {
    if (node.markup.value !== undefined) kit.read(node.markup.value)
  },
  emit(node, kit) {
    if (node.markup.value !== undefined) kit.output(node.markup.value, node.span)
  },
})
