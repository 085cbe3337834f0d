/** `transaction`: runs all database work of its body, or none of it. `rollback` undoes the work and continues after the block. */
import type { NamedArgument } from '../../core/tree/ast.ts'
import { invoke, method, run, settled } from '../../core/model/code.ts'
import { findArgument, optionalCode, writeEffect } from './arguments.ts'
import { DISH_QUERIES } from './dish-files.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = {
  timeout: { takes: 'number', exact: true, above: 0, strict: true, hint: 'Remove `timeout` if there is no limit.' },
  force_custom_plan: { takes: 'any' },
}

export const transaction = tag<{ arguments: readonly NamedArgument[] }>({
  name: 'transaction',
  usage: '{% transaction timeout: 5 %}…{% endtransaction %}',
  docs: {
    description:
      'Runs all database work of its body, or none of it: an error or a `rollback` inside undoes the work. Variables keep their values. A query that fails is an error only with `liquid_raise_mode: true`; otherwise test its `errors`.',
    arguments: {
      timeout: 'The time limit in seconds, after which the work is undone.',
      force_custom_plan: 'Ignored. It has an effect only on the platform.',
    },
    examples: [
      {
        template:
          "{% transaction timeout: 5 %}\n{% graphql made = 'dishes/create', title: 'Soup' %}\n{% endtransaction %}\n{% graphql found = 'dishes/search', title: 'Soup' %}\n{{ found.records.total_entries }}",
        files: DISH_QUERIES,
        prints: '1',
      },
    ],
  },
  shape: 'block',
  platform: true,
  grammar: ($) => ({ arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    readOptions('transaction', node.markup.arguments, OPTIONS, kit, node.span, 'error')
    kit.asyncPort('transactions')
    kit.detached('transaction', () => kit.body(node.body))
  },
  emit(node, kit) {
    const timeout = findArgument(node.markup.arguments, 'timeout')
    kit.guard(true, node.span, () =>
      kit.within(
        () => kit.body(node.body),
        (closure) =>
          kit.add(
            run(settled(invoke(kit.use('transacted'), kit.render, optionalCode(timeout, kit), closure)), node.span),
          ),
      ),
    )
  },
})

export const rollback = tag({
  name: 'rollback',
  usage: '{% rollback %}',
  docs: {
    description: 'Undoes the surrounding `transaction` and continues after it.',
    examples: [
      {
        template:
          "{% transaction %}\n{% graphql made = 'dishes/create', title: 'Soup' %}\n{% rollback %}{% endtransaction %}\n{% graphql found = 'dishes/search', title: 'Soup' %}\n{{ found.records.total_entries }}",
        files: DISH_QUERIES,
        prints: '0',
      },
    ],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: () => undefined,
  check(node, kit) {
    kit.note({ kind: 'rollback', span: node.span })
    kit.syncPort('transactions')
  },
  emit(node, kit) {
    writeEffect(node.span, kit, () => method(kit.asyncPort('transactions', 'rollback'), 'rollback'))
  },
})
