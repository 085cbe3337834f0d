/** `assign`: sets a variable, sets a key in a hash or array (`h['a'].b = v`), or appends to an array (`list << v`). */
import type { Filtered, WriteTarget } from '../../core/tree/ast.ts'
import { withScore } from './scored.ts'
import * as T from '../syntax/tokens.ts'
import { tag } from './tag.ts'

export const assign = tag<{ target: WriteTarget; push: boolean; value: Filtered }>({
  name: 'assign',
  usage: '{% assign name = value | filter %}',
  docs: {
    description:
      'Sets a variable, sets a key in a hash or array, or appends to an array with `<<`. Hashes and arrays are assigned by reference; `deep_clone` makes a copy.',
    forms: [
      "{% assign hash['key'].other = value %}",
      '{% assign list << value %}',
      '{% assign hash = { "a": 1, "b": [1, two] } %}',
    ],
    examples: [
      { template: "{% assign name = 'ada' | capitalize %}{{ name }}", prints: 'Ada' },
      {
        description: 'Keys of hashes and arrays are written like they are read.',
        template:
          "{% assign cart = { \"items\": [] } %}\n{% assign cart.items << 'tea' %}\n{% assign cart['owner'] = 'Ada' %}\n{{ cart.items | join: ', ' }} for {{ cart.owner }}",
        prints: 'tea for Ada',
      },
    ],
  },
  shape: 'inline',
  blank: true,
  leftover: 'error',
  grammar: ($) => {
    const target = $.sub(0, $.target)
    const push = $.either<boolean>(0, [
      { ALT: () => $.sign(0, T.Assign, false) },
      { ALT: () => $.sign(0, T.Push, true) },
    ])
    const value = $.sub(0, $.filtered)
    return { target, push, value }
  },
  check(node, kit) {
    const { target, value, push } = node.markup
    const { input, filters } = value
    // `assign x = x` only declares that the template uses `x`, so any value is accepted, even nil.
    const isSelfAssignment =
      input.kind === 'lookup' &&
      filters.length === 0 &&
      input.path.length + target.path.length === 0 &&
      input.name?.name === target.name.name
    kit.write(target, kit.read(value, isSelfAssignment), push)
  },
  emit(node, kit) {
    const { target, push, value } = node.markup
    kit.guard(kit.guards(value) || target.path.length > 0 || push, node.span, () =>
      kit.store(target, withScore(kit, kit.value(value)), push, node.span),
    )
  },
})
