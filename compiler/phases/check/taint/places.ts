/**
 * Where in HTML a template prints: in text, in a script or a style, in the value of an attribute, and what a text from outside must not be
 * able to do there. Tolerant: templates cut HTML anywhere.
 */
import { HAZARD } from './changes.ts'

/** What begins a text or a comment in a script. */
const SCRIPT_OPENERS = ['"', "'", '`', '//', '/*'] as const

/** Within a script: code, a text with its quote, or a comment. */
type ScriptState = 'code' | (typeof SCRIPT_OPENERS)[number]

export interface Place {
  readonly at: 'content' | 'comment' | 'raw' | 'open' | 'tag' | 'name' | 'equals' | 'value'
  /** Of the element that is being opened, or whose text it is. */
  readonly element: string
  readonly closing: boolean
  readonly attribute: string
  readonly quote: '' | '"' | "'"
  readonly script: ScriptState
  /** The value of the attribute so far, its beginning at least. */
  readonly value: string
  /** The attribute `type` of the element. */
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

/** A file that is all script. */
export const SCRIPT: Place = { ...CONTENT, at: 'raw', element: 'script' }

/** Elements that hold text up to their end tag. */
const TEXT_ONLY: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'xmp'])

/** Where the characters of a name end. */
const NAME_END = /[\s/>=]/g
const IN_SCRIPT = /["'`]|\/\/|\/\*/g

/** The place behind `text`. */
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

function nextOf(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from
  return pattern.exec(text)
}

const STEPS: Readonly<Record<Place['at'], (place: Place, text: string, at: number) => Step>> = {
  content(place, text, at) {
    const open = text.indexOf('<', at)
    if (open < 0) return { place, next: text.length }
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
    const end = nextOf(new RegExp(`</${place.element}`, 'gi'), text, at)
    const body = text.slice(at, end?.index)
    if (end === null) return { place: inScript(place, body), next: text.length }
    return {
      place: { ...CONTENT, at: 'tag', closing: true, element: place.element },
      next: end.index + end[0].length,
    }
  },
  open(place, text, at) {
    const end = nextOf(NAME_END, text, at)?.index ?? text.length
    const element = place.element + text.slice(at, end).toLowerCase()
    return {
      place: { ...place, element, at: end < text.length ? 'tag' : 'open' },
      next: end,
    }
  },
  tag(place, text, at) {
    const char = text.charAt(at)
    if (char === '>') return { place: closed(place), next: at + 1 }
    if (/[\s/]/.test(char)) return { place, next: at + 1 }
    return {
      place: { ...place, at: 'name', attribute: '', value: '' },
      next: at,
    }
  },
  name(place, text, at) {
    const end = nextOf(NAME_END, text, at)?.index ?? text.length
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
    const end = place.quote === '' ? (nextOf(/[\s>]/g, text, at)?.index ?? -1) : text.indexOf(place.quote, at)
    const part = text.slice(at, end < 0 ? text.length : end)
    const value = place.value.length < 40 ? place.value + part : place.value
    if (end < 0) return { place: inScript({ ...place, value }, part), next: text.length }
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

function closed(place: Place): Place {
  if (place.closing || !TEXT_ONLY.has(place.element)) return CONTENT
  return { ...CONTENT, at: 'raw', element: place.element, type: place.type }
}

/** Follows the script that a text is a part of, if it is one. */
function inScript(place: Place, text: string): Place {
  const isScript = place.at === 'raw' ? place.element === 'script' : isHandler(place)
  if (!isScript) return place
  let { script } = place
  for (let at = 0; at < text.length; ) {
    if (script === 'code') {
      const found = nextOf(IN_SCRIPT, text, at)
      if (found === null) break
      script = SCRIPT_OPENERS.find((each) => each === found[0]) ?? 'code'
      at = found.index + found[0].length
    } else {
      const end = endOf(script, text, at)
      if (end < 0) break
      script = 'code'
      at = end
    }
  }
  return script === place.script ? place : { ...place, script }
}

/** Where a text or comment of a script ends. */
function endOf(script: ScriptState, text: string, from: number): number {
  if (script === '//' || script === '/*') {
    const end = text.indexOf(script === '//' ? '\n' : '*/', from)
    return end < 0 ? -1 : end + script.length - (script === '//' ? 1 : 0)
  }
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    // A text in quotes ends with its line.
    else if (text[at] === script || (text[at] === '\n' && script !== '`')) return at + 1
  }
  return -1
}

/** Something that Liquid prints, of which nothing is known. */
export function printed(place: Place): Place {
  if (place.at === 'equals') return { ...place, at: 'value', quote: '', value: '?', script: 'code' }
  if (place.at === 'value') return { ...place, value: `${place.value}?` }
  if (place.at === 'tag') return { ...place, at: 'name', attribute: '?' }
  if (place.at === 'open') return { ...place, element: `${place.element}?` }
  return place
}

export function isInAttribute({ at }: Place): boolean {
  return at === 'value' || at === 'equals'
}

// ---- what must not be printed there -----------------------------------------------------------------------------------

/** What a place is to an author. */
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
  /** Those of them that end the attribute, and nothing worse. */
  readonly ends: number
}

const HANDLER = /^(?:on[a-z]+|x-on:.*|x-init|x-data|@.+|hx-on.*)$/

function isHandler({ attribute, value }: Place): boolean {
  return HANDLER.test(attribute) || /^\s*javascript:/i.test(value)
}

/** Elements whose address is run or opened. */
const ADDRESSES: Readonly<Record<string, ReadonlySet<string>>> = {
  href: new Set(['a', 'area', 'base', 'link', 'use']),
  'xlink:href': new Set(['a', 'use']),
  src: new Set(['script', 'iframe', 'frame', 'embed']),
  action: new Set(['form']),
  formaction: new Set(['button', 'input']),
  data: new Set(['object']),
}

/** What stands before the address of a page that follows by itself. */
const REFRESH = /^\s*\d+\s*[;,]\s*(?:url\s*=\s*)?['"]?$/i

const SCRIPT_TYPES = /^(?:$|module$|importmap$|speculationrules$|.*(?:javascript|ecmascript|json)\b)/

/** What a text must not be able to do here. */
export function dangerOf(place: Place): Danger {
  const { markup, quote, space, scheme, code, string, style } = HAZARD
  switch (place.at) {
    case 'content':
    case 'comment':
      return { kind: 'html', hazards: markup, ends: 0 }
    case 'raw':
      if (place.element === 'style') return { kind: 'style', hazards: style, ends: 0 }
      if (place.element !== 'script' || !SCRIPT_TYPES.test(place.type))
        return { kind: 'html', hazards: markup, ends: 0 }
      return place.script === 'code'
        ? { kind: 'script', hazards: code, ends: 0 }
        : { kind: 'script text', hazards: string, ends: 0 }
    case 'open':
    case 'tag':
    case 'name':
      return { kind: 'tag', hazards: space, ends: 0 }
    case 'equals':
    case 'value':
      break
  }
  const ends = place.at === 'equals' || place.quote === '' ? space : quote
  if (isHandler(place))
    return {
      kind: 'handler',
      hazards: ends | (place.script === 'code' ? code : string),
      ends,
    }
  if (place.attribute === 'style') return { kind: 'style', hazards: ends | style, ends }
  if (place.attribute === 'srcdoc') return { kind: 'document', hazards: markup | code, ends: 0 }
  const begins = place.at === 'equals' || place.value.trim() === ''
  if (place.element === 'meta' && place.attribute === 'content' && REFRESH.test(place.value))
    return { kind: 'url', hazards: ends | scheme, ends }
  if (begins && ADDRESSES[place.attribute]?.has(place.element) === true)
    return { kind: 'url', hazards: ends | scheme, ends }
  return ends === space ? { kind: 'unquoted', hazards: space, ends: 0 } : { kind: 'attribute', hazards: quote, ends: 0 }
}

/** Names the place, for what is remembered of a template that begins there. */
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
