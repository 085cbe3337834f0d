/** `render`, `include` and `theme_render_rc`: print another file; only `include` shares the caller's names. */
import { dynamicRenderName } from '../diagnostics/codes/dynamic-render-name.ts'
import type { Expression, NamedArgument, NameNode, TagNode } from '../model/ast.ts'
import type { Grammar } from '../syntax/grammar.ts'
import * as T from '../syntax/tokens.ts'
import { type AnyTag, type PartialCall, tag } from './tag.ts'

interface Markup {
  readonly name: Expression
  readonly bound: PartialCall['bound']
  readonly arguments: readonly NamedArgument[]
}

export const render = partialTag('render', 'render', "{% render 'name', key: value %}")
export const include = partialTag('include', 'include', "{% include 'name', key: value %}")
export const theme_render_rc = partialTag('theme_render_rc', 'theme', "{% theme_render_rc 'name', key: value %}")

function partialTag(name: string, kind: 'render' | 'include' | 'theme', usage: string): AnyTag {
  const callOf = (node: TagNode<Markup>): PartialCall => ({
    kind,
    name: node.markup.name,
    arguments: node.markup.arguments,
    bound: node.markup.bound,
    span: node.markup.name.span,
  })
  return tag<Markup>({
    name,
    usage,
    shape: 'inline',
    leftover: 'warning',
    ...(kind === 'theme' ? { platform: true as const } : {}),
    grammar: ($) => markup($, kind),
    check(node, kit) {
      if (kind === 'render' && !isText(node.markup.name))
        kit.report(dynamicRenderName(node.markup.name.span, kit.source(node.markup.name.span)))
      kit.call(callOf(node), node)
    },
    emit(node, kit) {
      kit.call(callOf(node), node)
    },
  })
}

function isText(name: Expression): boolean {
  return name.kind === 'literal' && name.value.type === 'string'
}

function markup($: Grammar, kind: PartialCall['kind']): Markup {
  const name = $.either<Expression>(9, [
    // Base Liquid refuses a computed name as it reads the tag; in the platform's dialect the checker does.
    { GATE: () => kind === 'render' && $.dialect === 'liquid', ALT: () => $.sub(8, $.stringLiteral) },
    { GATE: () => kind !== 'render' || $.dialect === 'platform', ALT: () => $.sub(0, $.primary) },
  ])
  let bound: PartialCall['bound'] = null
  $.maybe(0, {
    // `with` directly before named arguments just passes them.
    GATE: () => !$.is(2, T.Name) || !$.is(3, T.Colon),
    DEF: () => {
      const each = $.either<boolean>(0, [
        { ALT: () => $.sign(0, T.With, false) },
        { ALT: () => $.sign(0, T.For, true) },
      ])
      const value = $.sub(1, $.plainValue)
      let as: NameNode | null = null
      $.maybe(1, () => {
        $.take(0, T.As)
        const written = $.sub(0, $.name)
        $.act(() => {
          as = written
        })
      })
      $.act(() => {
        bound = { value, as, each }
      })
    },
  })
  $.maybe(2, () => $.take(1, T.With))
  const args = $.sub(0, $.namedArguments)
  return $.act(() => ({ name, bound, arguments: args }))
}
