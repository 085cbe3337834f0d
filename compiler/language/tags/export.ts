/** `export`: makes variables available in the whole request, in `context.exports`. */
import type { Expression, NamedArgument, NameNode } from '../../core/tree/ast.ts'
import { invoke, run } from '../../core/model/code.ts'
import * as T from '../syntax/tokens.ts'
import { findArgument, argumentCode } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = { namespace: { takes: 'text' } }

export const export_ = tag<{ names: NameNode[]; arguments: readonly NamedArgument[] }>({
  name: 'export',
  usage: "{% export name, namespace: 'cart' %}",
  docs: {
    description: 'Makes variables available in the whole request, in `context.exports`.',
    arguments: {
      namespace:
        'The key in `context.exports`, as in `context.exports.cart.total`. Without it, the variables are directly in `context.exports`.',
    },
    examples: [
      {
        template: "{% render 'total' %}{{ context.exports.cart.total }}",
        files: { 'app/views/partials/total.liquid': "{% assign total = 42 %}{% export total, namespace: 'cart' %}" },
        prints: '42',
      },
    ],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => {
    const names: NameNode[] = []
    const first = $.sub(0, $.name)
    $.act(() => names.push(first))
    $.repeat(0, {
      GATE: () => !($.is(1, T.Comma) && $.is(2, T.Name) && $.is(3, T.Colon)),
      DEF: () => {
        $.take(0, T.Comma)
        const next = $.sub(1, $.name)
        $.act(() => names.push(next))
      },
    })
    const args = $.sub(0, $.namedArguments)
    return { names, arguments: args }
  },
  check(node, kit) {
    const namespace = findArgument(node.markup.arguments, 'namespace') ?? null
    for (const name of node.markup.names)
      kit.note({ kind: 'export', namespace, name: name.name, type: kit.read(lookup(name)) })
    readOptions('export', node.markup.arguments, OPTIONS, kit, node.span)
  },
  emit(node, kit) {
    const values = kit.named(node.markup.names.map((name) => ({ name, value: lookup(name), ignoredFilters: null })))
    const namespace = argumentCode(node.markup.arguments, 'namespace', kit)
    kit.add(run(invoke(kit.use('exportTo'), kit.render, namespace, values), node.span))
  },
})

function lookup(name: NameNode): Expression {
  return { kind: 'lookup', name, path: [], span: name.span }
}
