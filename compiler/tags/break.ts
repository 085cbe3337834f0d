/** `break` and `continue`: end the loop or its turn; outside of a loop they end the template. */
import { type AnyTag, tag } from './tag.ts'

export const break_ = interrupt('break')
export const continue_ = interrupt('continue')

function interrupt(name: 'break' | 'continue'): AnyTag {
  return tag({
    name,
    usage: `{% ${name} %}`,
    shape: 'inline',
    grammar: () => undefined,
    check(_node, kit) {
      kit.halt(name, null)
    },
    emit(node, kit) {
      kit.halt(name, null, node.span)
    },
  })
}
