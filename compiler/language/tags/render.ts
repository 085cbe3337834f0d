/** `render`, `include` and `theme_render_rc`: print another file. Only `include` shares the variables of the caller. */
import { dynamicRenderName } from '../../core/diagnostics/codes/calls/dynamic-render-name.ts'
import { type Expression, type NamedArgument, type NameNode, type TagNode, stringOf } from '../../core/tree/ast.ts'
import type { TagDocs } from '../../core/model/reference.ts'
import type { Grammar } from '../syntax/grammar.ts'
import * as T from '../syntax/tokens.ts'
import { type AnyTag, type PartialCall, tag } from './tag.ts'

interface Markup {
  readonly name: Expression
  readonly bindingClause: PartialCall['bindingClause']
  readonly arguments: readonly NamedArgument[]
}

const DOCS: Readonly<Record<'render' | 'include' | 'theme_render_rc', TagDocs>> = {
  render: {
    description:
      'Prints another file. The file can read only its arguments and `context`, and its variables stay inside it.',
    forms: ["{% render 'name' with value as key %}", "{% render 'name' for list as item %}"],
    examples: [
      {
        template: "{% render 'card', title: 'Tea' %}",
        files: { 'app/views/partials/card.liquid': '<b>{{ title }}</b>' },
        prints: '<b>Tea</b>',
      },
      {
        description: 'Prints the file once for each item.',
        template: "{% assign teas = 'green,black' | split: ',' %}{% render 'card' for teas as title %}",
        files: { 'app/views/partials/card.liquid': '<b>{{ title }}</b>' },
        prints: '<b>green</b><b>black</b>',
      },
    ],
  },
  include: {
    description:
      'Prints another file, which can read and change the variables of its caller. New variables stay inside it. `render` is safer and is checked more strictly.',
    forms: [
      '{% include variable, key: value %}',
      "{% include 'name' with value %}",
      "{% include 'name' for list as item %}",
    ],
    examples: [
      {
        template: "{% assign title = 'Tea' %}{% include 'shout' %}{{ title }}",
        files: { 'app/views/partials/shout.liquid': '<b>{{ title }}</b>{% assign title = title | upcase %}' },
        prints: '<b>Tea</b>TEA',
      },
    ],
  },
  theme_render_rc: {
    description:
      'Works like `render`, but searches for the name in each of the `theme_search_paths` of `app/config.yml` and uses the first match.',
    examples: [
      {
        template: "{% theme_render_rc 'card', title: 'Tea' %}",
        files: {
          'app/config.yml': 'theme_search_paths:\n  - theme/dark\n',
          'app/views/partials/theme/dark/card.liquid': '<i>{{ title }}</i>',
          'app/views/partials/card.liquid': '<b>{{ title }}</b>',
        },
        prints: '<i>Tea</i>',
      },
    ],
  },
}

export const render = partialTag('render', 'render', "{% render 'name', key: value %}")
export const include = partialTag('include', 'include', "{% include 'name', key: value %}")
export const theme_render_rc = partialTag('theme_render_rc', 'theme', "{% theme_render_rc 'name', key: value %}")

function partialTag(name: keyof typeof DOCS, kind: 'render' | 'include' | 'theme', usage: string): AnyTag {
  const callOf = (node: TagNode<Markup>): PartialCall => ({
    kind,
    name: node.markup.name,
    arguments: node.markup.arguments,
    bindingClause: node.markup.bindingClause,
    span: node.markup.name.span,
  })
  return tag<Markup>({
    name,
    usage,
    docs: DOCS[name],
    shape: 'inline',
    leftover: 'warning',
    ...(kind === 'theme' ? { platform: true as const } : {}),
    grammar: ($) => markup($, kind),
    check(node, kit) {
      if (kind === 'render' && stringOf(node.markup.name) === null)
        kit.report(dynamicRenderName(node.markup.name.span, kit.source(node.markup.name.span)))
      kit.call(callOf(node), node)
    },
    emit(node, kit) {
      kit.call(callOf(node), node)
    },
  })
}

function markup($: Grammar, kind: PartialCall['kind']): Markup {
  const name = $.either<Expression>(9, [
    // Base Liquid rejects a computed name when it parses the tag. In the platform dialect, the checker reports it.
    { GATE: () => kind === 'render' && $.dialect === 'liquid', ALT: () => $.sub(8, $.stringLiteral) },
    { GATE: () => kind !== 'render' || $.dialect === 'platform', ALT: () => $.sub(0, $.primary) },
  ])
  let bindingClause: PartialCall['bindingClause'] = null
  $.maybe(0, {
    // `with` directly before named arguments has no effect.
    GATE: () => !$.is(2, T.Name) || !$.is(3, T.Colon),
    DEF: () => {
      const isForEach = $.either<boolean>(0, [
        { ALT: () => $.sign(0, T.With, false) },
        { ALT: () => $.sign(0, T.For, true) },
      ])
      const value = $.sub(1, $.plainValue)
      let aliasNode: NameNode | null = null
      $.maybe(1, () => {
        $.take(0, T.As)
        const alias = $.sub(0, $.name)
        $.act(() => {
          aliasNode = alias
        })
      })
      $.act(() => {
        bindingClause = { value, alias: aliasNode, isForEach }
      })
    },
  })
  $.maybe(2, () => $.take(1, T.With))
  const args = $.sub(0, $.scannedArguments)
  return $.act(() => ({ name, bindingClause, arguments: args }))
}
