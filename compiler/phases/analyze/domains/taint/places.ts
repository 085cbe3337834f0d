/**
 * Finds the place in HTML where a template prints: in text, in a script or a style, or in the value of an attribute. Also lists the hazards
 * that a text from outside must not have there. The parser accepts incomplete HTML, because a template may begin or end anywhere in it.
 */
import { HAZARD } from './changes.ts'

/** Openers of strings and comments in a script. */
const SCRIPT_OPENERS = ['"', "'", '`', '//', '/*'] as const

/** The state within a script: code, a string (identified by its quote), or a comment. */
type ScriptState = 'code' | (typeof SCRIPT_OPENERS)[number]

export interface Place {
  readonly at: 'content' | 'comment' | 'raw' | 'open' | 'tag' | 'name' | 'equals' | 'value'
  /** The element that is being opened, or that contains the text. */
  readonly element: string
  readonly closing: boolean
  readonly attribute: string
  readonly quote: '' | '"' | "'"
  readonly script: ScriptState
  /** The value of the attribute so far, or at least its beginning. */
  readonly value: string
  /** The `type` attribute of the element. */
  readonly type: string
}

export const CONTENT: Place = {
  at: 'content',
  element: '',
  closing: false,
  attribute: '',
  quote: '',
  script: 'code',
  value: '',
  type: '',
}

/** The place at the beginning of a file that contains only a script. */
export const SCRIPT: Place = { ...CONTENT, at: 'raw', element: 'script' }

/** Elements that contain only text up to their end tag. */
const TEXT_ONLY: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'xmp'])

/** A whole tag whose attributes are quoted. */
const WHOLE_TAG = /<\/?([a-z][^\s/>]*)(?:\s+[^\s/>="]+(?:="[^"]*")?)*\s*\/?>/iy
/** Characters that end a name. */
const NAME_END = /[\s/>=]/g
const IN_SCRIPT = /["'`]|\/\/|\/\*/g

/** Returns the place after `text`. */
export function follow(place: Place, text: string): Place {
  let now = place
  for (let at = 0; at < text.length; ) {
    const step = STEPS[now.at](now, text, at)
    now = step.place
    at = step.next
  }
  return now
}

interface Step {
  readonly place: Place
  readonly next: number
}

function findNext(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from
  return pattern.exec(text)
}

const STEPS: Readonly<Record<Place['at'], (place: Place, text: string, at: number) => Step>> = {
  content(place, text, at) {
    const open = text.indexOf('<', at)
    if (open < 0) return { place, next: text.length }
    // Most markup consists of whole tags.
    const tag = findNext(WHOLE_TAG, text, open)
    if (tag !== null && !TEXT_ONLY.has((tag[1] ?? '').toLowerCase()))
      return { place: CONTENT, next: WHOLE_TAG.lastIndex }
    if (text.startsWith('<!--', open)) return { place: { ...CONTENT, at: 'comment' }, next: open + 4 }
    const closing = text[open + 1] === '/'
    const name = open + (closing ? 2 : 1)
    if (name < text.length && !/[a-zA-Z!]/.test(text.charAt(name))) return { place, next: open + 1 }
    return { place: { ...CONTENT, at: 'open', closing }, next: name }
  },
  comment(place, text, at) {
    const end = text.indexOf('-->', at)
    return end < 0 ? { place, next: text.length } : { place: CONTENT, next: end + 3 }
  },
  raw(place, text, at) {
    const end = findNext(new RegExp(`</${place.element}`, 'gi'), text, at)
    const body = text.slice(at, end?.index)
    if (end === null) return { place: followScript(place, body), next: text.length }
    return {
      place: { ...CONTENT, at: 'tag', closing: true, element: place.element },
      next: end.index + end[0].length,
    }
  },
  open(place, text, at) {
    const end = findNext(NAME_END, text, at)?.index ?? text.length
    const element = place.element + text.slice(at, end).toLowerCase()
    return {
      place: { ...place, element, at: end < text.length ? 'tag' : 'open' },
      next: end,
    }
  },
  tag(place, text, at) {
    const char = text.charAt(at)
    if (char === '>') return { place: placeAfterTag(place), next: at + 1 }
    if (/[\s/]/.test(char)) return { place, next: at + 1 }
    return {
      place: { ...place, at: 'name', attribute: '', value: '' },
      next: at,
    }
  },
  name(place, text, at) {
    const end = findNext(NAME_END, text, at)?.index ?? text.length
    const attribute = place.attribute + text.slice(at, end).toLowerCase()
    if (end === text.length) return { place: { ...place, attribute }, next: end }
    const named = { ...place, attribute }
    if (text[end] === '=') return { place: { ...named, at: 'equals' }, next: end + 1 }
    return { place: { ...named, at: 'tag' }, next: end }
  },
  equals(place, text, at) {
    const char = text.charAt(at)
    if (/\s/.test(char)) return { place, next: at + 1 }
    if (char === '>') return { place: { ...place, at: 'tag' }, next: at }
    const begun: Place = { ...place, at: 'value', value: '', script: 'code' }
    if (char === '"' || char === "'") return { place: { ...begun, quote: char }, next: at + 1 }
    return { place: { ...begun, quote: '' }, next: at }
  },
  value(place, text, at) {
    const end = place.quote === '' ? (findNext(/[\s>]/g, text, at)?.index ?? -1) : text.indexOf(place.quote, at)
    const part = text.slice(at, end < 0 ? text.length : end)
    const value = place.value.length < 40 ? place.value + part : place.value
    if (end < 0) return { place: followScript({ ...place, value }, part), next: text.length }
    const type = place.attribute === 'type' ? value.trim().toLowerCase() : place.type
    const ended: Place = {
      ...place,
      at: 'tag',
      type,
      value: '',
      quote: '',
      script: 'code',
    }
    return { place: ended, next: place.quote === '' ? end : end + 1 }
  },
}

function placeAfterTag(place: Place): Place {
  if (place.closing || !TEXT_ONLY.has(place.element)) return CONTENT
  return { ...CONTENT, at: 'raw', element: place.element, type: place.type }
}

/** Returns the place with the state of the script after `text`; the same place if the text is not part of a script. */
function followScript(place: Place, text: string): Place {
  const isScript = place.at === 'raw' ? place.element === 'script' : isHandler(place)
  if (!isScript) return place
  let { script } = place
  for (let at = 0; at < text.length; ) {
    if (script === 'code') {
      const match = findNext(IN_SCRIPT, text, at)
      if (match === null) break
      script = SCRIPT_OPENERS.find((each) => each === match[0]) ?? 'code'
      at = match.index + match[0].length
    } else {
      const end = endOfScriptPart(script, text, at)
      if (end < 0) break
      script = 'code'
      at = end
    }
  }
  return script === place.script ? place : { ...place, script }
}

/** Returns the end of a string or comment in a script; -1 if it does not end here. */
function endOfScriptPart(script: ScriptState, text: string, from: number): number {
  if (script === '//' || script === '/*') {
    const end = text.indexOf(script === '//' ? '\n' : '*/', from)
    return end < 0 ? -1 : end + script.length - (script === '//' ? 1 : 0)
  }
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    // A quoted string ends with its line.
    else if (text[at] === script || (text[at] === '\n' && script !== '`')) return at + 1
  }
  return -1
}

/** Returns the place after output whose text is unknown. */
export function placeAfterOutput(place: Place): Place {
  if (place.at === 'equals') return { ...place, at: 'value', quote: '', value: '?', script: 'code' }
  if (place.at === 'value') return { ...place, value: `${place.value}?` }
  if (place.at === 'tag') return { ...place, at: 'name', attribute: '?' }
  if (place.at === 'open') return { ...place, element: `${place.element}?` }
  return place
}

export function isInAttribute({ at }: Place): boolean {
  return at === 'value' || at === 'equals'
}

// ---- hazards at a place -----------------------------------------------------------------------------------

/** The kind of a place, as named in diagnostics. */
type PlaceKind =
  | 'html'
  | 'attribute'
  | 'unquoted'
  | 'tag'
  | 'url'
  | 'handler'
  | 'script'
  | 'script text'
  | 'style'
  | 'document'

export interface Danger {
  readonly kind: PlaceKind
  readonly hazards: number
  /** The hazards that can only end the attribute. */
  readonly endingHazards: number
}

const HANDLER_ATTRIBUTE = /^(?:on[a-z]+|x-on:.*|x-init|x-data|@.+|hx-on.*)$/

function isHandler({ attribute, value }: Place): boolean {
  return HANDLER_ATTRIBUTE.test(attribute) || /^\s*javascript:/i.test(value)
}

/** Attributes with an address that is run or opened, and their elements. */
const ADDRESS_ATTRIBUTES: Readonly<Record<string, ReadonlySet<string>>> = {
  href: new Set(['a', 'area', 'base', 'link', 'use']),
  'xlink:href': new Set(['a', 'use']),
  src: new Set(['script', 'iframe', 'frame', 'embed']),
  action: new Set(['form']),
  formaction: new Set(['button', 'input']),
  data: new Set(['object']),
}

/** Matches the text before the address in the content of a `meta` refresh. */
const REFRESH_PREFIX = /^\s*\d+\s*[;,]\s*(?:url\s*=\s*)?['"]?$/i

const SCRIPT_TYPES = /^(?:$|module$|importmap$|speculationrules$|.*(?:javascript|ecmascript|json)\b)/

/** Returns the hazards that a text must not have here. */
export function dangerOf(place: Place): Danger {
  const { markup, quote, space, scheme, code, string, style } = HAZARD
  switch (place.at) {
    case 'content':
    case 'comment':
      return { kind: 'html', hazards: markup, endingHazards: 0 }
    case 'raw':
      if (place.element === 'style') return { kind: 'style', hazards: style, endingHazards: 0 }
      if (place.element !== 'script' || !SCRIPT_TYPES.test(place.type))
        return { kind: 'html', hazards: markup, endingHazards: 0 }
      return place.script === 'code'
        ? { kind: 'script', hazards: code, endingHazards: 0 }
        : { kind: 'script text', hazards: string, endingHazards: 0 }
    case 'open':
    case 'tag':
    case 'name':
      return { kind: 'tag', hazards: space, endingHazards: 0 }
    case 'equals':
    case 'value':
      break
  }
  const endingHazards = place.at === 'equals' || place.quote === '' ? space : quote
  if (isHandler(place))
    return {
      kind: 'handler',
      hazards: endingHazards | (place.script === 'code' ? code : string),
      endingHazards,
    }
  if (place.attribute === 'style') return { kind: 'style', hazards: endingHazards | style, endingHazards }
  if (place.attribute === 'srcdoc') return { kind: 'document', hazards: markup | code, endingHazards: 0 }
  const isBeginning = place.at === 'equals' || place.value.trim() === ''
  if (place.element === 'meta' && place.attribute === 'content' && REFRESH_PREFIX.test(place.value))
    return { kind: 'url', hazards: endingHazards | scheme, endingHazards }
  if (isBeginning && ADDRESS_ATTRIBUTES[place.attribute]?.has(place.element) === true)
    return { kind: 'url', hazards: endingHazards | scheme, endingHazards }
  return endingHazards === space
    ? { kind: 'unquoted', hazards: space, endingHazards: 0 }
    : { kind: 'attribute', hazards: quote, endingHazards: 0 }
}

/** Returns a key for summaries of a template that begins at this place. */
export function placeKey(place: Place): string {
  if (place.at === 'content') return ''
  return [
    place.at,
    place.element,
    place.attribute,
    place.quote,
    place.script,
    place.value.slice(0, 12),
    place.type,
  ].join('|')
}
