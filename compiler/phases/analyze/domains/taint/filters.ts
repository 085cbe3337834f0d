/** Applies filters to tainted values. */
import type { FilterSignature } from '../../../../core/model/signature.ts'
import type { Type } from '../../../../core/model/type.ts'
import type { Change } from './changes.ts'
import {
  allTaints,
  AUTHORED,
  changeFlow,
  changeTaints,
  ELEMENT,
  type Flow,
  isEmpty,
  join,
  joinTaints,
  listFlow,
  NOTHING,
  partOf,
  recordFlow,
  taintedFlow,
  textTaints,
  withPart,
} from './flow.ts'

export interface FilterUse {
  readonly signature: FilterSignature | undefined
  /** The canonical name of the filter, after aliases are resolved. */
  readonly name: string
  readonly input: Flow
  readonly positional: readonly Flow[]
  readonly namedFlows: ReadonlyMap<string, Flow>
  /** The literal texts among the positional arguments, by index; null for other arguments. */
  readonly literals: readonly (string | null)[]
  /** Returns whether an option such as `raw_text: true` is set. */
  readonly isSet: (option: string) => boolean
  /** Whether translations escape interpolated values. */
  readonly safeTranslate: boolean
}

/** Filters that turn one text into another, with the change they make. */
const TEXT_CHANGES: Readonly<Record<string, Change>> = {
  escape: 'escape',
  escape_once: 'escapeRaw',
  raw_escape_string: 'escapeRaw',
  escape_javascript: 'script',
  url_encode: 'url',
  querify: 'url',
  www_form_encode: 'url',
  encode: 'text',
  base64_encode: 'encode',
  base64_url_safe_encode: 'encode',
  sanitize: 'sanitize',
  markdown: 'sanitize',
  strip_html: 'stripTags',
  url_decode: 'decode',
  unescape_javascript: 'decode',
  base64_decode: 'decode',
  base64_url_safe_decode: 'decode',
  html_to_text: 'decode',
  slugify: 'word',
  parameterize: 'word',
}

/** Filters whose results an attacker cannot choose freely through the input. */
const CLEANING_FILTERS: ReadonlySet<string> = new Set(
  (
    'asset_name_to_raw_url asset_path asset_url compute_hmac date date_add digest encrypt ' +
    'hcaptcha hkdf jwe_encode jwt_encode l pricify pricify_cents random_string sha1 size strftime time_diff to_date to_mobile_number ' +
    'to_time type_of url_to_qrcode_svg useragent uuid video_params videoify download_file ecdh_compute gzip_compress advanced_format ' +
    'format_number array_index_of find_index has encoding'
  ).split(' '),
)

/** Filters that return the same elements or keys, or some of them. */
const ELEMENT_KEEPING_FILTERS: ReadonlySet<string> = new Set(
  (
    'array_compact array_delete array_delete_at array_limit array_reject array_rotate array_select array_shuffle array_sort_by ' +
    'array_subtract array_uniq compact deep_clone hash_delete_key hash_except hash_sort reverse sort sort_natural uniq where reject ' +
    'distinct array_intersect'
  ).split(' '),
)

const SINGLE_ELEMENT_FILTERS: ReadonlySet<string> = new Set(['first', 'last', 'find', 'array_detect', 'detect'])
const ELEMENT_ADDING_FILTERS: ReadonlySet<string> = new Set(['array_add', 'array_prepend'])
const HARMLESS_TYPES: ReadonlySet<Type['kind']> = new Set([
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
  return type.kind === 'union' ? type.members.every(isHarmless) : HARMLESS_TYPES.has(type.kind)
}

/** Returns the result of a filter. */
export function applyFilter(use: FilterUse): Flow {
  const { name, input, positional, signature } = use
  // An unknown filter may do anything.
  if (signature === undefined) return NOTHING
  if (isHarmless(signature.result) || CLEANING_FILTERS.has(name)) return NOTHING
  const textChange = TEXT_CHANGES[name]
  if (textChange !== undefined) return changeText(use, textChange)
  const [first = NOTHING] = positional
  if (name === 'html_safe') return changeText(use, use.isSet('raw_text') ? 'htmlSafeRaw' : 'htmlSafe')
  if (name === 'json')
    return { ...taintedFlow(changeTaints(jsonTaints(input), 'json')), data: isEmpty(input) ? null : input }
  if (name === 'default') return isEmpty(input) && input.head ? input : applyDefault(input, first)
  if (ELEMENT_KEEPING_FILTERS.has(name)) return input
  if (SINGLE_ELEMENT_FILTERS.has(name)) return partOf(input, ELEMENT)
  if (name === 'concat') return join(input, first)
  if (ELEMENT_ADDING_FILTERS.has(name)) return listFlow(join(partOf(input, ELEMENT), first))
  return combineFlows(use)
}

/**
 * Returns the groups of `array_group_by`. A loop over the groups yields pairs, and a lookup yields a list. The returned value represents
 * both.
 */
function groupElements(element: Flow, key: string | null): Flow {
  const keys = join(key === null ? flattenFlow(element) : partAtDottedPath(element, key), element)
  const pair = new Map([
    ['0', keys],
    ['1', listFlow(element)],
  ])
  return listFlow(recordFlow(pair, element))
}

/** Returns the result of a filter that combines or takes apart values. Any other filter makes a text of its input. */
function combineFlows(use: FilterUse): Flow {
  const { name, input, positional, literals } = use
  const [first = NOTHING, second = NOTHING] = positional
  switch (name) {
    case 'append':
      return concatenateFlows([input, first])
    case 'prepend':
      return concatenateFlows([first, input])
    case 'replace':
    case 'replace_first':
    case 'replace_last':
    case 'replace_regex':
      return {
        ...taintedFlow(joinTaints(taintsWithoutMarks(input), taintsWithoutMarks(second))),
        head: false,
      }
    case 'remove':
    case 'remove_first':
    case 'remove_last':
      return taintedFlow(taintsWithoutMarks(input), input.head)
    case 'slice':
    case 'truncate':
    case 'truncatewords':
      // A part of a list consists of whole elements.
      return input.items === null
        ? taintedFlow(changeTaints(textTaints(input), 'shorten'), input.head)
        : taintedFlow(taintsWithoutMarks(input), input.head)
    case 'join':
      return taintedFlow(joinTaints(taintsWithoutMarks(flattenFlow(input)), taintsWithoutMarks(first)))
    case 'split':
      return listFlow(taintedFlow(taintsWithoutMarks(input)))
    case 'map':
    case 'array_map':
      return listFlow(
        literals[0] == null ? partOf(input, ELEMENT) : partAtDottedPath(partOf(input, ELEMENT), literals[0]),
      )
    case 'array_flatten':
      return listFlow(flattenFlow(partOf(input, ELEMENT)))
    case 'array_in_groups_of':
      return listFlow(listFlow(partOf(input, ELEMENT)))
    case 'array_group_by':
      return groupElements(partOf(input, ELEMENT), literals[0] ?? null)
    case 'hash_dig':
    case 'hash_fetch':
      return literals.reduce<Flow>(
        (flow, key) => (key === null ? partOf(flow, ELEMENT) : partAtDottedPath(flow, key)),
        input,
      )
    case 'hash_add_key':
      return withPart(input, [literals[0] ?? null], second)
    case 'hash_merge': {
      const merged = join(input, first)
      return use.namedFlows.size === 0 ? merged : join(merged, recordFlow(use.namedFlows))
    }
    case 'hash_values':
      return listFlow(partOf(input, ELEMENT))
    case 'parse_json':
      if (input.data !== null) return input.data
      return taintedFlow(changeTaints(allTaints(input), 'decode'))
    case 'parse_xml':
    case 'parse_csv':
    case 'extract_url_params':
    case 'jwt_decode':
    case 'decrypt':
      return taintedFlow(changeTaints(allTaints(input), 'decode'))
    case 't':
    case 't_escape':
      return translate(use)
    default:
      return taintedFlow(changeTaints(allTaints(input), 'text'))
  }
}

function partAtDottedPath(flow: Flow, path: string): Flow {
  return path.split('.').reduce(partOf, flow)
}

function changeText({ input }: FilterUse, change: Change): Flow {
  return taintedFlow(changeTaints(textTaints(input), change), input.head)
}

/** Returns the taints of a value that becomes part of JSON. A JSON text inside other JSON no longer counts as JSON. */
function jsonTaints(input: Flow): ReturnType<typeof allTaints> {
  return allTaints(changeFlow(input, 'text'))
}

function applyDefault(input: Flow, other: Flow): Flow {
  return isEmpty(input) && !input.head ? other : join(input, other)
}

function flattenFlow(flow: Flow): Flow {
  return taintedFlow(allTaints(flow), flow.head)
}

function taintsWithoutMarks(flow: Flow): ReturnType<typeof textTaints> {
  return changeTaints(textTaints(flow), 'text')
}

/** Returns the concatenation of texts. */
export function concatenateFlows(parts: readonly Flow[]): Flow {
  let taints: ReturnType<typeof textTaints> = []
  let isAfterAuthored = false
  for (const part of parts) {
    taints = joinTaints(taints, changeTaints(textTaints(part), isAfterAuthored ? 'behind' : 'text'))
    isAfterAuthored ||= part.head
  }
  return taints.length === 0 ? (isAfterAuthored ? AUTHORED : NOTHING) : taintedFlow(taints, parts[0]?.head === true)
}

/** Returns a translation. Interpolated values are escaped or marked as safe; the taints of options such as `default` are ignored. */
function translate({ namedFlows, name, safeTranslate }: FilterUse): Flow {
  let taints: ReturnType<typeof textTaints> = []
  for (const [key, value] of namedFlows) {
    if (key === 'locale' || key === 'scope' || key === 'count' || key === 'fallback' || key === 'default') continue
    const change = safeTranslate || name === 't_escape' ? 'escapeRaw' : 'htmlSafeRaw'
    taints = joinTaints(taints, changeTaints(changeTaints(textTaints(value), 'behind'), change))
  }
  return taintedFlow(taints, true)
}
