/** Messages for misplaced tags. */
import type { Tag } from '../../language/tags/tag.ts'
import { formatMessage } from './base/reference-messages.ts'

/** End tags of other languages, each with the block it ends. */
export const FOREIGN_END_TAGS: Readonly<Record<string, string>> = {
  fi: 'if',
  end_if: 'if',
  done: 'for',
  next: 'for',
  loop: 'for',
  end_for: 'for',
  esac: 'case',
}

/** Returns the reference implementation's message for a misplaced branch or end. `block` is null outside of a block. */
export function strayTagMessage(name: string, block: string | null, lines: number): string {
  const container = block ?? (lines < 0 ? null : 'liquid')
  if (container === null) return name === 'else' ? formatMessage.outerTag(name) : formatMessage.unknownTag(name)
  if (name === 'else') return formatMessage.unexpectedElse(container)
  return name.startsWith('end')
    ? formatMessage.delimiter(name, container, container === 'liquid' ? '%}' : `end${container}`)
    : formatMessage.unknownTag(name)
}

/** Returns the text after the name in a `doc` tag. */
export function docTagText(text: string): string {
  const opener = text.split('%}')[0] ?? ''
  return opener.replace(/^\{%-?\s*doc\s*/, '').trim()
}

/** Returns the usage of a tag without its optional body; null for other tags. */
export function bodylessUsage(tag: Tag | null): string | null {
  return tag !== null && typeof tag.shape === 'function' ? (tag.usage ?? null) : null
}

/** Returns true if anything after the `else` of the block never runs. */
export function allowsOneElse(tag: Tag | null): boolean {
  return /^(?:if|unless)$/.test(`${tag?.name}`)
}
