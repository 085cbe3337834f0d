/** Creates texts from YAML values that may contain Liquid, and maps their characters to positions in the file. */
import type { LiquidText, SettingTree } from '../../core/model/settings.ts'
import { type Span, span } from '../../core/source/span.ts'
import type { YamlNode, YamlScalar } from '../../core/source/yaml.ts'

export function liquidText(scalar: YamlScalar): LiquidText {
  return { kind: 'liquid', text: scalar.text, span: scalar.span, segments: scalar.segments }
}

/** Returns whether the text contains Liquid. */
export function hasLiquid(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}

/** Returns the span in the file of a part of the text; the span of the whole value if YAML escapes or folding changed the text. */
export function spanIn(text: LiquidText, start: number, end: number): Span {
  const from = sourceOffset(text, start)
  // The end belongs to the line of the last character, not to the beginning of the next line.
  const last = sourceOffset(text, Math.max(end - 1, start))
  if (from === null || last === null) return text.span
  return span(text.span.file, from, end > start ? last + 1 : from)
}

/** Returns the offset in the file of a character of the text; null if YAML escapes or folding changed it. */
function sourceOffset(text: LiquidText, textOffset: number): number | null {
  const segment = text.segments?.findLast((each) => each.textOffset <= textOffset)
  return segment === undefined ? null : segment.sourceOffset + textOffset - segment.textOffset
}

export const NO_TREE: SettingTree = { kind: 'map', entries: new Map() }

/** Converts a value of any shape. Texts with Liquid keep their positions. */
export function settingTree(node: YamlNode): SettingTree {
  switch (node.kind) {
    case 'scalar':
      return typeof node.value === 'string' && hasLiquid(node.text)
        ? liquidText(node)
        : { kind: 'plain', value: node.value, float: node.float }
    case 'list':
      return { kind: 'list', items: node.items.map(settingTree) }
    case 'map':
      return { kind: 'map', entries: new Map(node.entries.map((entry) => [entry.key, settingTree(entry.value)])) }
  }
}
