/** `include_form`: prints a form for a new or an existing resource. */
import type { Expression, NamedArgument } from '../../core/tree/ast.ts'
import { invoke, method, settled } from '../../core/model/code.ts'
import { readArguments } from './arguments.ts'
import { DISH_FORM } from './dish-files.ts'
import { tag } from './tag.ts'

export const include_form = tag<{ name: Expression; arguments: readonly NamedArgument[] }>({
  name: 'include_form',
  aliases: ['render_form'],
  usage: "{% include_form 'name', id: record.id %}",
  docs: {
    description:
      "Prints a form for a new resource or, with `id`, for an existing one. Other arguments are variables of the form's file.",
    arguments: {
      id: 'The id of the resource to change. Without it, or with `new`, the form creates a resource.',
      parent_resource_id: 'The id of the resource that a new resource belongs to.',
    },
    examples: [
      {
        template: "{% include_form 'dish' %}",
        files: DISH_FORM,
        prints: '<form…class="simple_form wide"…<input name="form[properties_attributes][title]"></form>',
      },
    ],
  },
  shape: 'inline',
  platform: true,
  leftover: 'warning',
  grammar: ($) => ({ name: $.sub(0, $.primary), arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    kit.read(node.markup.name)
    readArguments(node.markup.arguments, kit)
    kit.asyncPort('forms')
    kit.note({ kind: 'include-form', name: node.markup.name, arguments: node.markup.arguments })
  },
  emit(node, kit) {
    const { name, arguments: args } = node.markup
    kit.guard(true, node.span, () =>
      kit.print(
        settled(
          method(
            kit.asyncPort('forms', 'include_form'),
            'render',
            invoke(kit.use('str'), kit.value(name)),
            kit.passed(args),
          ),
        ),
        node.span,
      ),
    )
  },
})
