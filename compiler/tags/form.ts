/** `form`: the form element of the form configuration that it stands in, with its hidden inputs. */
import type { Expression, NamedArgument } from '../model/ast.ts'
import { UNKNOWN } from '../model/type.ts'
import { readArguments } from './arguments.ts'
import { tag } from './tag.ts'

export const form = tag<{ model: Expression | undefined; arguments: readonly NamedArgument[] }>({
  name: 'form',
  usage: "{% form html-class: 'wide' %}…{% endform %}",
  shape: 'block',
  platform: true,
  grammar: ($) => ({
    model: $.maybe(0, { GATE: () => !$.named(1), DEF: () => $.sub(0, $.primary) }),
    arguments: $.sub(0, $.namedArguments),
  }),
  check(node, kit) {
    if (node.markup.model !== undefined) kit.read(node.markup.model)
    readArguments(node.markup.arguments, kit)
    kit.offered('forms')
    kit.loop([{ name: 'form_builder', span: null, type: UNKNOWN }], () => kit.body(node.body))
  },
  emit(node, kit) {
    const { arguments: args } = node.markup
    kit.guard(true, node.span, () => {
      kit.print(`${kit.port('forms', 'form')}.open(${kit.named(args) ?? '{}'})`, node.span)
      kit.scope(['form_builder'], ([builder]) => {
        kit.statement(`${kit.declares('form_builder')} ${builder}${kit.type('Liquid')} = null`, node.span)
        kit.body(node.body)
      })
      kit.text('</form>')
    })
  },
})
