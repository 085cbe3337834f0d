/** `ifchanged`: prints its body only if the text differs from the last output of any `ifchanged` in the render. */
import { method } from '../../core/model/code.ts'
import { tag } from './tag.ts'

export const ifchanged = tag({
  name: 'ifchanged',
  usage: '{% ifchanged %}…{% endifchanged %}',
  docs: {
    description: 'Prints its body only if the text differs from the last output of any `ifchanged` in the render.',
    examples: [
      {
        template:
          "{% assign days = 'Mon,Mon,Tue' | split: ',' %}{% for day in days %}{% ifchanged %}{{ day }} {% endifchanged %}{% endfor %}",
        prints: 'Mon Tue',
      },
    ],
  },
  shape: 'block',
  blank: 'body',
  grammar: () => undefined,
  check(node, kit) {
    kit.register()
    kit.body(node.body)
  },
  emit(node, kit) {
    kit.capture(
      'changed',
      () => kit.body(node.body),
      (text) => kit.print(method(kit.registers(), 'changed', text), node.span),
    )
  },
})
