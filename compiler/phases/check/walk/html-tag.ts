/** Parses an HTML tag character by character. */

/** A tag that is being parsed: its name and attributes so far. */
export interface TagState {
  readonly at: 'tag'
  readonly closing: boolean
  name: string
  readonly start: number
  /**
   * The values of the attributes; null for a value that contains Liquid. The map itself is null until the first attribute, and for end
   * tags.
   */
  attributes: Map<string, string | null> | null
  begins: Map<string, string> | null
  dynamic: boolean
  /** The current attribute: its name, then its value after `=`. */
  attribute: string
  value: string | null
  quote: string
  /** The offset at which the current quoted value begins. */
  quotedAt: number
  /** The offset of a possible end of the tag in the current value; null if no end was found. */
  endAt: number | null
  phase: 'name' | 'between' | 'attribute' | 'equals' | 'value'
  selfClosed: boolean
  /** Whether the name of the tag contains Liquid. */
  unnamed: boolean
}

/**
 * Returns the state after `<`, or after `</` of an end tag.
 * @param start the offset of `<` in the file
 */
export function newTag(closing: boolean, start: number): TagState {
  return {
    at: 'tag',
    closing,
    name: '',
    start,
    attributes: null,
    begins: null,
    dynamic: false,
    attribute: '',
    value: null,
    quote: '',
    quotedAt: 0,
    endAt: null,
    phase: 'name',
    selfClosed: false,
    unnamed: false,
  }
}

/** Completes the current attribute. */
export function finishAttribute(tag: TagState): void {
  if (tag.attribute !== '' && !tag.closing)
    (tag.attributes ??= new Map()).set(tag.attribute.toLowerCase(), tag.phase === 'value' ? tag.value : '')
  tag.attribute = ''
  tag.value = null
  tag.quote = ''
  tag.phase = 'between'
}

/** Parses the next character, which is not in quotes and does not end the tag. */
export function readCharacter(tag: TagState, char: string): void {
  const isSpace = char === ' ' || char === '\n' || char === '\t' || char === '\r' || char === '\f'
  if (!isSpace && char !== '/') tag.selfClosed = false
  switch (tag.phase) {
    case 'name':
      if (isSpace) tag.phase = 'between'
      else if (char === '/') tag.selfClosed = true
      else tag.name += char
      return
    case 'between':
      if (isSpace) return
      if (char === '/') {
        tag.selfClosed = true
        return
      }
      tag.phase = 'attribute'
      tag.attribute = char
      return
    case 'attribute':
      if (char === '=') {
        tag.phase = 'equals'
        tag.value = ''
      } else if (isSpace) tag.phase = 'equals'
      else if (char === '/') {
        finishAttribute(tag)
        tag.selfClosed = true
      } else tag.attribute += char
      return
    case 'equals':
      if (char === '=' || isSpace) {
        if (char === '=') tag.value = ''
        return
      }
      // Without `=`, the attribute has no value and the next attribute begins.
      if (tag.value === null) {
        finishAttribute(tag)
        readCharacter(tag, char)
        return
      }
      tag.phase = 'value'
      if (char === '"' || char === "'") {
        tag.quote = char
        tag.value = ''
      } else tag.value = char
      return
    case 'value':
      if (isSpace) finishAttribute(tag)
      else if (tag.value !== null) tag.value += char
  }
}
