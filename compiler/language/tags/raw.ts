/** `raw`: prints its text unchanged. */
import { tag } from './tag.ts'

export const raw = tag({
  name: 'raw',
  usage: '{% raw %}…{% endraw %}',
  docs: {
    description: 'Prints its text unchanged.',
    examples: [{ template: '{% raw %}{{ name | upcase }}{% endraw %}', prints: '{{ name | upcase }}' }],
  },
  shape: 'raw',
  raw: 'verbatim',
  grammar: () => undefined,
  leftover: 'error',
  check() {},
  emit(node, kit) {
    kit.text(node.raw ?? '')
  },
})
