/** `raw`: its text as it stands. */
import { tag } from './tag.ts'

export const raw = tag({
  name: 'raw',
  usage: '{% raw %}…{% endraw %}',
  shape: 'raw',
  raw: 'verbatim',
  grammar: () => undefined,
  leftover: 'error',
  check() {},
  emit(node, kit) {
    kit.text(node.raw ?? '')
  },
})
