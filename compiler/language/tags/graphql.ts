/** `graphql`: runs a stored query by name, or the query in its body. The arguments are the variables of the query. */
import { type Expression, type FilterCall, type NamedArgument, type NameNode, stringOf } from '../../core/tree/ast.ts'
import { invoke } from '../../core/model/code.ts'
import type { TagDocs } from '../../core/model/reference.ts'
import type { Grammar } from '../syntax/grammar.ts'
import * as T from '../syntax/tokens.ts'
import { findArgument, withoutOptions } from './arguments.ts'
import { DISH_QUERIES, DISH_SEARCH } from './dish-files.ts'
import { type AnyTag, tag } from './tag.ts'

interface Markup {
  readonly target: NameNode
  /** The name of the stored query; null in the block form, whose body is the query. */
  readonly query: Expression | null
  readonly arguments: readonly NamedArgument[]
  readonly filters: readonly FilterCall[]
}

export const graphql = tag<Markup>({
  name: 'graphql',
  usage: "{% graphql result = 'folder/query', id: 1 %}",
  docs: {
    description:
      'Runs a stored query by name, or the inline query in its body. The arguments are the variables of the query. Filters on a stored query are applied to its result. The result is a hash with the fields of the operation. If the query fails, the result has `errors`, the errors are logged, and the template continues. With `liquid_raise_mode: true` in the configuration, a failed query raises an error.',
    forms: [
      "{% graphql result = 'folder/query', args: hash | dig: 'records', 'results' %}",
      '{% graphql result, id: 1 %}query($id: ID) { … }{% endgraphql %}',
    ],
    arguments: { args: 'A hash of variables. Named arguments override it.' },
    examples: [
      {
        template:
          "{% graphql created = 'dishes/create', title: 'Soup' %}\n{% graphql found = 'dishes/search', title: 'Soup' %}\n{% for dish in found.records.results %}{{ dish.title }}{% endfor %}",
        files: DISH_QUERIES,
        prints: 'Soup',
      },
    ],
  },
  shape: (markup) => (markup.query === null ? 'block' : 'inline'),
  blank: true,
  content: 'data',
  platform: true,
  leftover: 'warning',
  grammar: markup,
  check(node, kit) {
    const { target, query, arguments: args, filters } = node.markup
    kit.asyncPort('graphql')
    const type = kit.query({
      name: query,
      body: node.body,
      arguments: withoutOptions(args, ['args']),
      spread: findArgument(args, 'args') ?? null,
      filters: query === null ? [] : filters,
      span: node.span,
    })
    kit.assign(target, type)
  },
  emit(node, kit) {
    const { target, query, arguments: args, filters } = node.markup
    const argsOption = findArgument(args, 'args')
    const namedVariables = kit.variables(
      withoutOptions(args, ['args']),
      query === null ? { body: node.body } : { name: query },
    )
    const variables =
      argsOption === undefined
        ? namedVariables
        : invoke(kit.use('operationArguments'), kit.value(argsOption), namedVariables)
    kit.guard(true, node.span, () => {
      if (query !== null)
        return kit.assign(target, kit.filtered(kit.query({ name: query }, variables, node.span), filters), node.span)
      // In the block form, there are no filters on the result.
      kit.capture(
        'document',
        () => kit.body(node.body),
        (document) => kit.assign(target, kit.query({ document }, variables, node.span), node.span),
      )
    })
  },
})

/** Older syntax: the value of every argument is the name of a variable, and the result is stored in `g`. */
export const execute_query = olderTag('execute_query')
export const query_graph = olderTag('query_graph')

function olderTag(name: string): AnyTag {
  return tag<{ query: Expression; arguments: readonly NamedArgument[] }>({
    name,
    deprecated: 'graphql',
    usage: `{% ${name} 'folder/query', result_name: 'g' %}`,
    docs: olderDocs(name),
    shape: 'inline',
    blank: true,
    platform: true,
    grammar: ($) => ({ query: $.sub(0, $.primary), arguments: $.sub(0, $.namedArguments) }),
    check(node, kit) {
      kit.asyncPort('graphql')
      const type = kit.query({
        name: node.markup.query,
        body: [],
        arguments: toVariables(node.markup.arguments),
        spread: null,
        filters: [],
        span: node.span,
      })
      kit.assign(resultName(node.markup.arguments, node.writtenName), type)
    },
    emit(node, kit) {
      const namedVariables = kit.variables(toVariables(node.markup.arguments), { name: node.markup.query })
      kit.guard(true, node.span, () => {
        const result = kit.query({ name: node.markup.query }, namedVariables, node.span)
        kit.assign(resultName(node.markup.arguments, node.writtenName), result, node.span)
      })
    },
  })
}

/** Converts the arguments: `id: some_var` and `id: 'some_var'` both mean the variable `some_var`. */
function toVariables(args: readonly NamedArgument[]): readonly NamedArgument[] {
  return withoutOptions(args, ['result_name']).map((each) => {
    const { value } = each
    const name = stringOf(value)
    if (name === null) return each
    const { span } = value
    return { ...each, value: { kind: 'lookup', name: { name, span }, path: [], span } }
  })
}

function resultName(args: readonly NamedArgument[], writtenName: NameNode): NameNode {
  const resultOption = findArgument(args, 'result_name')
  const name = stringOf(resultOption)
  if (resultOption !== undefined && name !== null) return { name, span: resultOption.span }
  if (resultOption?.kind === 'lookup' && resultOption.name !== null) return resultOption.name
  return { name: 'g', span: writtenName.span }
}

function markup($: Grammar): Markup {
  const target = $.sub(0, $.name)
  let query: Expression | null = null
  $.maybe(0, () => {
    $.take(0, T.Assign)
    const name = $.sub(0, $.primary)
    $.act(() => {
      query = name
    })
  })
  const args = $.sub(0, $.argumentsBeforePipe)
  const filters: FilterCall[] = []
  $.repeat(0, () => {
    const filter = $.sub(0, $.filter, true)
    $.act(() => filter !== null && filters.push(filter))
  })
  return $.act(() => ({ target, query, arguments: args, filters }))
}

function olderDocs(name: string): TagDocs {
  return {
    description: 'An older form of `graphql`, in which the value of every argument is the name of a variable.',
    arguments: { result_name: 'The name of the variable for the result. The default is `g`.' },
    examples: [
      {
        template: `{% assign wanted = 'Soup' %}\n{% ${name} 'dishes/search', title: wanted, result_name: 'found' %}\n{{ found.records.total_entries }}`,
        files: DISH_SEARCH,
        prints: '0',
      },
    ],
  }
}
