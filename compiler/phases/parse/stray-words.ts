/** Words for tags that stand where they do not belong. */
import type { Tag } from '../../language/tags/tag.ts'
import { words } from './base/refusal.ts'

/** Ends of blocks as other languages write them. */
export const ENDS_ELSEWHERE: Readonly<Record<string, string>> = {
  fi: 'if',
  end_if: 'if',
  done: 'for',
  next: 'for',
  loop: 'for',
  end_for: 'for',
  esac: 'case',
}

/** What the reference says of a branch or an end that does not belong where it stands. `block`: null outside of one. */
export function strayWords(name: string, block: string | null, lines: number): string {
  const around = block ?? (lines < 0 ? null : 'liquid')
  if (around === null) return name === 'else' ? words.outerTag(name) : words.unknownTag(name)
  if (name === 'else') return words.unexpectedElse(around)
  return name.startsWith('end')
    ? words.delimiter(name, around, around === 'liquid' ? '%}' : `end${around}`)
    : words.unknownTag(name)
}

/** What stands behind the name in the tag of a `doc` block. */
export function wordsOfDoc(text: string): string {
  const opener = text.split('%}')[0] ?? ''
  return opener.replace(/^\{%-?\s*doc\s*/, '').trim()
}

/** How a tag that may have a body is written without one; null for others. */
export function bodyless(tag: Tag | null): string | null {
  return tag !== null && typeof tag.shape === 'function' ? (tag.usage ?? null) : null
}

/** Whether what stands behind the `else` of a block never runs. */
export function hasOneElse(tag: Tag | null): boolean {
  return /^(?:if|unless)$/.test(`${tag?.name}`)
}
