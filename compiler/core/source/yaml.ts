/** Parses YAML with the grammar of libyaml and the values of Psych, like the platform. */
import { YamlRefusal } from './yaml-cursor.ts'
import { YamlReader } from './yaml-reader.ts'
import type { Yaml, YamlEntry, YamlNode } from './yaml-tree.ts'

export type {
  DuplicateKey,
  Yaml,
  YamlEntry,
  YamlMap,
  YamlNode,
  YamlProblem,
  YamlScalar,
} from './yaml-tree.ts'

/**
 * Parses a YAML text that begins at `offset` in `file`. A leading and a trailing `---` are accepted. A text with a syntax error has no
 * tree and one problem. Never throws.
 */
export function readYaml(text: string, file: string, offset: number): Yaml {
  try {
    const reader = new YamlReader(text, file, offset)
    return { tree: reader.document(), problems: reader.problems }
  } catch (problem) {
    if (!(problem instanceof YamlRefusal)) throw problem
    const { message, expectedText } = problem
    const start = Math.min(problem.start, Math.max(text.trimEnd().length - 1, 0))
    const line = lineAround(text, start)
    const liquid = BARE_LIQUID.exec(line.text)
    if (liquid !== null) {
      const from = line.start + liquid[0].length - 2
      const end = line.start + line.text.trimEnd().length
      const span = { file, start: offset + from, end: offset + end }
      return { tree: null, problems: [{ kind: 'bare-liquid', span, text: text.slice(from, end) }] }
    }
    const end = Math.max(Math.min(problem.end, line.start + line.text.length), start + 1)
    const span = { file, start: offset + start, end: offset + end }
    return { tree: null, problems: [{ kind: 'syntax', span, message, expected: expectedText }] }
  }
}

/** Converts a tree to plain values: maps without a prototype, integers beyond 2^53 as bigint, floats as numbers. */
export function toValue(tree: YamlNode | null): unknown {
  if (tree === null) return null
  switch (tree.kind) {
    case 'scalar':
      return tree.value
    case 'list':
      return tree.items.map(toValue)
    case 'map': {
      const map: Record<string, unknown> = Object.create(null)
      for (const entry of tree.entries) map[entry.key] = toValue(entry.value)
      return map
    }
  }
}

/** Returns the entry of a map by key, or undefined. */
export function entryOf(tree: YamlNode | null | undefined, key: string): YamlEntry | undefined {
  return tree?.kind === 'map' ? tree.entries.find((entry) => entry.key === key) : undefined
}

/** Liquid as an unquoted value. YAML parses it as a mapping, and usually with an error. */
const BARE_LIQUID = /^[^'"#]*(?::|^\s*-)\s+\{[{%]/

function lineAround(text: string, at: number): { readonly start: number; readonly text: string } {
  const start = text.lastIndexOf('\n', Math.max(at - 1, 0)) + 1
  const end = text.indexOf('\n', start)
  return { start, text: text.slice(start, end < 0 ? text.length : end) }
}
