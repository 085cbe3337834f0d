/** `form`: prints the form element of the surrounding form configuration, with its hidden inputs. */
import { FORM_METHODS } from '../../../runtime/page/tag-keywords.ts'
import { joinWithOr } from '../../core/diagnostics/words.ts'
import type { Expression, NamedArgument } from '../../core/tree/ast.ts'
import { method } from '../../core/model/code.ts'
import * as T from '../syntax/tokens.ts'
import { DISH_FORM } from './dish-files.ts'
import { type Options, readOption } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = {
  method: {
    takes: 'any',
    pattern: { test: new RegExp(`^(?:${FORM_METHODS.join('|')})$`, 'i'), description: joinWithOr(FORM_METHODS) },
    hint: 'Any other word is ignored.',
  },
}

export const form = tag<{ model: Expression | undefined; arguments: readonly NamedArgument[] }>({
  name: 'form',
  usage: "{% form html-class: 'wide' %}…{% endform %}",
  docs: {
    description:
      'Prints the `<form>` element of the surrounding form configuration, with its URL, method and hidden inputs. Arguments that begin with `html-` are attributes of the element.',
    examples: [
      {
        template: "{% include_form 'dish' %}",
        files: DISH_FORM,
        prints: '<form…class="simple_form wide"…<input name="form[properties_attributes][title]"></form>',
      },
    ],
  },
  shape: 'block',
  platform: true,
  grammar: ($) => {
    // In an older syntax, the form builder comes first.
    const model = $.maybe(0, { GATE: () => !$.named(1) && !$.is(2, T.Assign), DEF: () => $.sub(0, $.primary) })
    $.maybe(1, () => $.take(0, T.Comma))
    const list: NamedArgument[] = []
    const readArguments = (at: 0 | 1): void => {
      const moreArguments = $.sub(at, $.namedArguments)
      $.act(() => list.push(...moreArguments))
    }
    $.maybe(2, { GATE: () => !$.is(2, T.Assign), DEF: () => readArguments(0) })
    // Attributes can also be written as in HTML: `html-class='wide'`.
    $.repeat(0, {
      GATE: () => $.is(1, T.Name) && $.is(2, T.Assign),
      DEF: () => {
        const name = $.sub(2, $.name)
        $.take(1, T.Assign)
        const value = $.sub(3, $.tagArgument)
        $.maybe(3, () => $.take(2, T.Comma))
        $.act(() => list.push({ name, ...value }))
        $.maybe(4, { GATE: () => $.named(1), DEF: () => readArguments(1) })
      },
    })
    return { model, arguments: list }
  },
  check(node, kit) {
    if (node.markup.model !== undefined) kit.read(node.markup.model)
    for (const argument of node.markup.arguments) readOption('form', argument, OPTIONS, kit)
    kit.syncPort('forms')
    kit.note({ kind: 'form' })
    kit.body(node.body)
  },
  emit(node, kit) {
    const attributes = kit.named(node.markup.arguments)
    kit.guard(true, node.span, () => {
      kit.print(method(kit.asyncPort('forms', 'form'), 'open', attributes), node.span)
      kit.body(node.body)
      kit.text('</form>')
    })
  },
})
