/** `break` and `continue`: end the loop or its iteration. Outside of a loop, they end the template. */
import type { TagDocs } from '../../core/model/reference.ts'
import { type AnyTag, tag } from './tag.ts'

const DOCS: Readonly<Record<'break' | 'continue', TagDocs>> = {
  break: {
    description:
      'Ends the surrounding loop. Outside of a loop, it ends the file. In an included file, it also ends the file that includes it.',
    examples: [
      { template: '{% for i in (1..5) %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}', prints: '12' },
    ],
  },
  continue: {
    description: 'Continues with the next item of the surrounding loop. Outside of a loop, it works like `break`.',
    examples: [
      { template: '{% for i in (1..5) %}{% if i == 3 %}{% continue %}{% endif %}{{ i }}{% endfor %}', prints: '1245' },
    ],
  },
}

export const break_ = interrupt('break')
export const continue_ = interrupt('continue')

function interrupt(name: 'break' | 'continue'): AnyTag {
  return tag({
    name,
    usage: `{% ${name} %}`,
    docs: DOCS[name],
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
