/** `cycle`: prints its values in turn. Tags with the same name, or otherwise with the same literal values, form a group. */
import type { Expression } from '../../core/tree/ast.ts'
import { binary, counted, element, invoke, list, method, number, string } from '../../core/model/code.ts'
import * as T from '../syntax/tokens.ts'
import { tag } from './tag.ts'

export const cycle = tag<{ group: Expression | null; values: Expression[] }>({
  name: 'cycle',
  usage: "{% cycle 'odd', 'even' %}",
  docs: {
    description:
      'Prints its values in turn. Tags with the same group name share their position. Without a name, tags with the same literal values share it.',
    forms: ["{% cycle 'group': 'odd', 'even' %}"],
    examples: [{ template: "{% for i in (1..3) %}{% cycle 'odd', 'even' %} {% endfor %}", prints: 'odd even odd' }],
  },
  shape: 'inline',
  grammar: ($) => {
    let group: Expression | null = null
    const values: Expression[] = []
    const firstExpression = $.sub(0, $.primary)
    $.act(() => values.push(firstExpression))
    $.maybe(0, () => {
      $.take(0, T.Colon)
      $.maybe(1, () => {
        const next = $.sub(1, $.primary)
        $.act(() => {
          group = values.pop() ?? null
          values.push(next)
        })
      })
    })
    $.repeat(0, () => {
      $.take(0, T.Comma)
      $.act(() => {
        if ($.is(1, T.Comma)) $.note('junk-between-arguments', $.spanOf($.peek(1)), ',')
      })
      $.maybe(2, () => {
        const next = $.sub(2, $.primary)
        $.act(() => values.push(next))
      })
    })
    return $.act(() => ({ group, values }))
  },
  check(node, kit) {
    const { group, values } = node.markup
    if (group !== null) kit.read(group)
    for (const value of values) kit.read(value)
    kit.register()
  },
  emit(node, kit) {
    const { group, values } = node.markup
    // Base Liquid skips a tag whose values are all nil.
    if (values.length === 0) return
    const areLiteral = values.every((value) => value.kind === 'literal')
    if (group === null && areLiteral && kit.alone) {
      // No other template shares these counters, so equal lists share a local variable.
      const counter = kit.local('cycle', values.map((value) => kit.source(value.span)).join(', '))
      const printed = values.map((value) => kit.printedCode(value))
      kit.print(element(list(printed), binary(counted(counter), '%', number(values.length))), node.span)
      return
    }
    const key =
      group !== null
        ? invoke(kit.use('groupKey'), kit.value(group))
        : string(
            areLiteral
              ? values.map((value) => kit.source(value.span)).join(', ')
              : `${node.span.file}:${node.span.start}`,
          )
    const choices = values.map((value) => kit.printedCode(value))
    kit.guard(kit.guards(...values), node.span, () =>
      kit.print(method(kit.registers(), 'cycle', key, list(choices)), node.span),
    )
  },
})
