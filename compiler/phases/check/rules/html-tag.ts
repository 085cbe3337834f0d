/** A tag of HTML that is being read, character by character: its name and its attributes so far. */

export interface TagState {
  readonly at: 'tag'
  readonly closing: boolean
  name: string
  readonly start: number
  /** Null where it has none yet, as all end tags. */
  attributes: Map<string, string | null> | null
  begins: Map<string, string> | null
  dynamic: boolean
  /** The attribute that is being read: its name, then its value behind `=`. */
  attribute: string
  value: string | null
  quote: string
  /** Where the quoted value begins that is being read. */
  quotedAt: number
  /** Where the value holds what may be the end of its tag; null where it does not. */
  endAt: number | null
  phase: 'name' | 'between' | 'attribute' | 'equals' | 'value'
  selfClosed: boolean
  /** The name itself holds Liquid. */
  unnamed: boolean
}

/** A tag of which nothing was read but its `<`, or `</`. @param start where that stands in the file */
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

/** Ends the attribute that is being read. */
export function finishAttribute(tag: TagState): void {
  if (tag.attribute !== '' && !tag.closing)
    (tag.attributes ??= new Map()).set(tag.attribute.toLowerCase(), tag.phase === 'value' ? tag.value : '')
  tag.attribute = ''
  tag.value = null
  tag.quote = ''
  tag.phase = 'between'
}

/** Goes on by a character outside of quotes, which ends no tag. */
export function readCharacter(tag: TagState, char: string): void {
  const space = char === ' ' || char === '\n' || char === '\t' || char === '\r' || char === '\f'
  if (!space && char !== '/') tag.selfClosed = false
  switch (tag.phase) {
    case 'name':
      if (space) tag.phase = 'between'
      else if (char === '/') tag.selfClosed = true
      else tag.name += char
      return
    case 'between':
      if (space) return
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
      } else if (space) tag.phase = 'equals'
      else if (char === '/') {
        finishAttribute(tag)
        tag.selfClosed = true
      } else tag.attribute += char
      return
    case 'equals':
      if (char === '=' || space) {
        if (char === '=') tag.value = ''
        return
      }
      // Without `=` the attribute has no value and another one begins.
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
      if (space) finishAttribute(tag)
      else if (tag.value !== null) tag.value += char
  }
}
