/** Parses GraphQL and YAML to the trees that checks get. Templates are parsed by the package of the author (`parser.ts`). */
import { GraphQLError, parse } from 'graphql'
import { readYaml, type YamlNode } from '../../../core/source/yaml.ts'
import type { Span } from '../../../core/source/span.ts'

/** Returns the document of a query, or its syntax error. A check gets both kinds of files. */
export function graphqlTree(content: string): object {
  try {
    return { type: 'Document', content, document: parse(content) }
  } catch (error) {
    const syntaxError = error instanceof GraphQLError ? error : new GraphQLError(String(error))
    return { type: 'Document', content, syntaxError }
  }
}

/** Returns the tree of a YAML text with the nodes of JSON: `Object`, `Property`, `Identifier`, `Array` and `Literal`. */
export function yamlTree(content: string, path: string): object {
  const { tree, problems } = readYaml(content, path, 0)
  const [problem] = problems.filter(({ kind }) => kind === 'syntax' || kind === 'bare-liquid')
  if (tree === null && problem !== undefined)
    return new Error('message' in problem ? problem.message : 'Liquid must be in quotes')
  return tree === null ? { type: 'Object', children: [], loc: place({ start: 0, end: 0 }) } : jsonNode(tree)
}

function jsonNode(node: YamlNode): object {
  const loc = place(node.span)
  switch (node.kind) {
    case 'list':
      return { type: 'Array', children: node.items.map(jsonNode), loc }
    case 'map': {
      const children = node.entries.map(({ key, keySpan, value }) => ({
        type: 'Property',
        key: { type: 'Identifier', value: key, raw: JSON.stringify(key), loc: place(keySpan) },
        value: jsonNode(value),
        loc: place({ start: keySpan.start, end: Math.max(value.span.end, keySpan.end) }),
      }))
      return { type: 'Object', children, loc }
    }
    case 'scalar': {
      const value = typeof node.value === 'bigint' ? Number(node.value) : node.value
      return { type: 'Literal', value, raw: JSON.stringify(value), loc }
    }
  }
}

function place({ start, end }: Pick<Span, 'start' | 'end'>): object {
  return { start: { offset: start }, end: { offset: end } }
}
