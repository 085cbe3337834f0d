/** What filters make of values from outside. */
import type { FilterSignature } from '../../../core/model/signature.ts'
import type { Type } from '../../../core/model/type.ts'
import { type Change, CHANGES } from './changes.ts'
import {
  allTaints,
  AUTHORED,
  changed,
  changedTaints,
  ELEMENT,
  type Flow,
  isEmpty,
  join,
  joinTaints,
  listFlow,
  NOTHING,
  partOf,
  recordFlow,
  tainted,
  textTaints,
  withPart,
} from './flow.ts'

export interface FilterUse {
  readonly signature: FilterSignature | undefined
  /** Without the alias. */
  readonly name: string
  readonly input: Flow
  readonly positional: readonly Flow[]
  readonly named: ReadonlyMap<string, Flow>
  /** Texts of the author's among the positional arguments, by their place. */
  readonly literals: readonly (string | null)[]
  /** `raw_text: true` and its like. */
  readonly isSet: (option: string) => boolean
  /** Translations escape what is filled in. */
  readonly safeTranslate: boolean
}

/** Filters that make one text of one text. */
const TEXT_CHANGES: Readonly<Record<string, Change>> = {
  escape: CHANGES.escape,
  escape_once: CHANGES.escapeRaw,
  raw_escape_string: CHANGES.escapeRaw,
  escape_javascript: CHANGES.script,
  url_encode: CHANGES.url,
  querify: CHANGES.url,
  www_form_encode: CHANGES.url,
  encode: CHANGES.text,
  base64_encode: CHANGES.encode,
  base64_url_safe_encode: CHANGES.encode,
  sanitize: CHANGES.sanitize,
  markdown: CHANGES.sanitize,
  strip_html: CHANGES.stripTags,
  url_decode: CHANGES.decode,
  unescape_javascript: CHANGES.decode,
  base64_decode: CHANGES.decode,
  base64_url_safe_decode: CHANGES.decode,
  html_to_text: CHANGES.decode,
  slugify: CHANGES.word,
  parameterize: CHANGES.word,
}

/** What they give cannot be chosen freely by whoever chose their input. */
const CLEANING: ReadonlySet<string> = new Set(
  (
    'asset_name_to_raw_url asset_path asset_url compute_hmac date date_add digest encrypt ' +
    'hcaptcha hkdf jwe_encode jwt_encode l pricify pricify_cents random_string sha1 size strftime time_diff to_date to_mobile_number ' +
    'to_time type_of url_to_qrcode_svg useragent uuid video_params videoify download_file ecdh_compute gzip_compress advanced_format ' +
    'format_number array_index_of find_index has encoding'
  ).split(' '),
)

/** They give the same elements or keys, or some of them. */
const KEEPING: ReadonlySet<string> = new Set(
  (
    'array_compact array_delete array_delete_at array_limit array_reject array_rotate array_select array_shuffle array_sort_by ' +
    'array_subtract array_uniq compact deep_clone hash_delete_key hash_except hash_sort reverse sort sort_natural uniq where reject ' +
    'distinct array_intersect'
  ).split(' '),
)

const ONE_ELEMENT: ReadonlySet<string> = new Set(['first', 'last', 'find', 'array_detect', 'detect'])
const JOINED_LISTS: ReadonlySet<string> = new Set(['concat'])
const ONE_MORE: ReadonlySet<string> = new Set(['array_add', 'array_prepend'])
const HARMLESS: ReadonlySet<Type['kind']> = new Set([
  'boolean',
  'integer',
  'float',
  'number',
  'date',
  'time',
  'range',
  'nil',
])

function isHarmless(type: Type): boolean {
  return type.kind === 'union' ? type.of.every(isHarmless) : HARMLESS.has(type.kind)
}

/** The value that a filter gives. */
export function filtered(use: FilterUse): Flow {
  const { name, input, positional, signature } = use
  // A filter that is not known may do anything.
  if (signature === undefined) return NOTHING
  if (isHarmless(signature.result) || CLEANING.has(name)) return NOTHING
  const text = TEXT_CHANGES[name]
  if (text !== undefined) return textChanged(use, text)
  const [first = NOTHING] = positional
  if (name === 'html_safe') return textChanged(use, use.isSet('raw_text') ? CHANGES.htmlSafeRaw : CHANGES.htmlSafe)
  if (name === 'json')
    return { ...tainted(changedTaints(jsonTaints(input), CHANGES.json)), data: isEmpty(input) ? null : input }
  if (name === 'default') return isEmpty(input) && input.head ? input : defaulted(input, first)
  if (KEEPING.has(name)) return input
  if (ONE_ELEMENT.has(name)) return partOf(input, ELEMENT)
  if (JOINED_LISTS.has(name)) return join(input, first)
  if (ONE_MORE.has(name)) return listFlow(join(partOf(input, ELEMENT), first))
  return composed(use)
}

/** Lists of elements by their keys. A loop over them gives pairs, a lookup gives a list: one value stands for both. */
function grouped(element: Flow, key: string | null): Flow {
  const keys = join(key === null ? flattened(element) : at(element, key), element)
  const pair = new Map([
    ['0', keys],
    ['1', listFlow(element)],
  ])
  return listFlow(recordFlow(pair, element))
}

/** What is made of several values. */
function composed(use: FilterUse): Flow {
  const { name, input, positional, literals } = use
  const [first = NOTHING, second = NOTHING] = positional
  switch (name) {
    case 'append':
      return concatenated([input, first])
    case 'prepend':
      return concatenated([first, input])
    case 'replace':
    case 'replace_first':
    case 'replace_last':
    case 'replace_regex':
      return {
        ...tainted(joinTaints(marksDropped(input), marksDropped(second))),
        head: false,
      }
    case 'remove':
    case 'remove_first':
    case 'remove_last':
      return tainted(marksDropped(input), input.head)
    case 'slice':
    case 'truncate':
    case 'truncatewords':
      // A list has a part of its elements, each of them whole.
      return input.items === null
        ? tainted(changedTaints(textTaints(input), CHANGES.shorten), input.head)
        : tainted(marksDropped(input), input.head)
    case 'join':
      return tainted(joinTaints(marksDropped(flattened(input)), marksDropped(first)))
    case 'split':
      return listFlow(tainted(marksDropped(input)))
    case 'map':
    case 'array_map':
      return listFlow(literals[0] == null ? partOf(input, ELEMENT) : at(partOf(input, ELEMENT), literals[0]))
    case 'array_flatten':
      return listFlow(flattened(partOf(input, ELEMENT)))
    case 'array_in_groups_of':
      return listFlow(listFlow(partOf(input, ELEMENT)))
    case 'array_group_by':
      return grouped(partOf(input, ELEMENT), literals[0] ?? null)
    case 'hash_dig':
    case 'hash_fetch':
      return literals.reduce<Flow>((flow, key) => (key === null ? partOf(flow, ELEMENT) : at(flow, key)), input)
    case 'hash_add_key':
      return withPart(input, [literals[0] ?? null], second)
    case 'hash_merge': {
      const merged = join(input, first)
      return use.named.size === 0 ? merged : join(merged, recordFlow(use.named))
    }
    case 'hash_values':
      return listFlow(partOf(input, ELEMENT))
    case 'parse_json':
      if (input.data !== null) return input.data
      return tainted(changedTaints(allTaints(input), CHANGES.decode))
    case 'parse_xml':
    case 'parse_csv':
    case 'extract_url_params':
    case 'jwt_decode':
    case 'decrypt':
      return tainted(changedTaints(allTaints(input), CHANGES.decode))
    case 't':
    case 't_escape':
      return translated(use)
    default:
      return tainted(changedTaints(allTaints(input), CHANGES.text))
  }
}

function at(flow: Flow, path: string): Flow {
  return path.split('.').reduce(partOf, flow)
}

function textChanged({ input }: FilterUse, by: Change): Flow {
  return tainted(changedTaints(textTaints(input), by), input.head)
}

/** A text in JSON is no longer the JSON that it was. */
function jsonTaints(input: Flow): ReturnType<typeof allTaints> {
  return allTaints(changed(input, CHANGES.text))
}

function defaulted(input: Flow, other: Flow): Flow {
  return isEmpty(input) && !input.head ? other : join(input, other)
}

function flattened(flow: Flow): Flow {
  return tainted(allTaints(flow), flow.head)
}

function marksDropped(flow: Flow): ReturnType<typeof textTaints> {
  return changedTaints(textTaints(flow), CHANGES.text)
}

/** Texts behind each other. */
export function concatenated(parts: readonly Flow[]): Flow {
  let taints: ReturnType<typeof textTaints> = []
  let isBehind = false
  for (const part of parts) {
    taints = joinTaints(taints, changedTaints(textTaints(part), isBehind ? CHANGES.behind : CHANGES.text))
    isBehind ||= part.head
  }
  return taints.length === 0 ? (isBehind ? AUTHORED : NOTHING) : tainted(taints, parts[0]?.head === true)
}

/** What is filled in is escaped; `default` and the text itself are not. */
function translated({ named, name, safeTranslate }: FilterUse): Flow {
  let taints: ReturnType<typeof textTaints> = []
  for (const [key, value] of named) {
    if (key === 'locale' || key === 'scope' || key === 'count' || key === 'fallback' || key === 'default') continue
    const by = safeTranslate || name === 't_escape' ? CHANGES.escapeRaw : CHANGES.htmlSafeRaw
    taints = joinTaints(taints, changedTaints(changedTaints(textTaints(value), CHANGES.behind), by))
  }
  return tainted(taints, true)
}
