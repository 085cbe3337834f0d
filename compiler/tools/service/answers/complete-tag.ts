/** Completes tag names: tags that can begin here, and those that continue or end the open block. */
import { LANGUAGE } from '../../../language/language.ts'
import type { Markup } from './cursor.ts'
import type { Suggestion } from './suggestion.ts'
import { tagsByName, describeTag } from './descriptions.ts'

export function completeTag(text: string, { name, inLines }: Markup): readonly Suggestion[] {
  const open = openBlock(text.slice(0, name.start))
  const ends: Suggestion[] = open === null ? [] : [{ label: `end${open}`, kind: 'tag', detail: `ends \`${open}\`` }]
  const branches = open === null ? [] : Object.keys(LANGUAGE.tags.get(open)?.branches ?? {})
  const inside = branches.map((label): Suggestion => ({ label, kind: 'tag', detail: `in \`${open}\`` }))
  const tags = [...tagsByName()].flatMap(([label, tag]): Suggestion[] => {
    if (inLines && (label === 'liquid' || label === '#')) return []
    const isOld = tag.deprecated !== null || label !== tag.name
    const words = { label, kind: 'tag', detail: tag.usage, documentation: describeTag(tag) } as const
    return [isOld ? { ...words, deprecated: true } : words]
  })
  return [...ends, ...inside, ...tags]
}

/** Returns the innermost block that is open at the end of a text. */
function openBlock(textBefore: string): string | null {
  const open: string[] = []
  for (const [, name = ''] of textBefore.matchAll(/(?:\{%-?|^|\n)[ \t]*(end\w+|[a-z_]+)(?=[\s%-]|$)/g)) {
    if (name.startsWith('end')) {
      const at = open.lastIndexOf(name.slice(3))
      if (at >= 0) open.length = at
    } else if (isBlock(name)) open.push(name)
  }
  return open.at(-1) ?? null
}

function isBlock(name: string): boolean {
  const tag = LANGUAGE.tagsByName.get(name)
  return tag !== undefined && (tag.shape === 'block' || tag.shape === 'raw')
}
