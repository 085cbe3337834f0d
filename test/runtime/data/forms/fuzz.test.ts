/** Random submissions: a form returns values and messages, or the path of a wrong shape, and never throws. */
import { expect, it } from 'vitest'
import {
  changesOf,
  completeValues,
  errorObject,
  formBuilder,
  isSentFile,
  openTag,
  readInput,
  storableValues,
  validate,
} from '../../../../runtime/data/forms/index.ts'
import { validatorOptions } from '../../../../runtime/data/forms/validations.ts'
import type { FormState } from '../../../../runtime/data/forms/model.ts'
import type { PropertyType } from '../../../../runtime/page/site.ts'
import { toJson } from '../../../../runtime/page/values/json.ts'
import { esc } from '../../../../runtime/page/values/text.ts'
import { field, form, group, rule } from '../openapi/forms.ts'
import { recordingHost, nestedGroup, renderWith } from './support.ts'

/** Returns a generator of the same pseudo-random numbers in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const TYPES: readonly PropertyType[] = [
  'string',
  'integer',
  'float',
  'decimal',
  'datetime',
  'time',
  'date',
  'binary',
  'boolean',
  'array',
  'address',
  'file',
  'photo',
  'geojson',
  'upload',
]

/** Options with which each validation can run. */
const OPTIONS: Readonly<Record<string, Record<string, unknown>>> = {
  length: { minimum: 2, maximum: 4 },
  inclusion: { in: ['a', 1, true, null] },
  exclusion: { in: ['b', 2] },
  format: { with: '\\A(?=a)[a-z]+\\z', without: 'x$' },
  numericality: { greater_than: 1, odd: true },
  unique: { scope: ['user_id', 'string'] },
  datetime: { before: 'now', at_or_after: '2000-01-01' },
  date: { after: '3 days ago' },
  file_content_type: { allow: ['image/*'] },
}

const RULES = Object.keys(validatorOptions).map((kind) => rule(kind, OPTIONS[kind] ?? {}))
const properties = TYPES.map((type) => field(type, type, ...RULES))
const fields = group(
  [
    field('email', 'string', ...RULES),
    field('customizable_id', 'integer'),
    field('customizable_type'),
    field('image', 'upload'),
  ],
  properties,
)
const entry = form(
  'everything',
  'record',
  group(fields.attributes, fields.properties, [
    nestedGroup('profiles', 'developer', fields, rule('presence')),
    nestedGroup('customizations', 'car', group([], properties, [nestedGroup('custom_images', 'photo', fields)])),
  ]),
)

const WORDS = [
  '',
  ' ',
  'a',
  '1',
  '-1e3',
  '2026-01-01',
  '9'.repeat(400),
  '\0',
  '\ud800',
  '__proto__',
  '<script>',
  'data:image/png;base64,AAAA',
  '{"type":"Point","coordinates":[1,2]}',
  '[[[',
]
const KEYS = [
  'form',
  'email',
  'properties',
  'properties_attributes',
  'profiles',
  'profiles_attributes',
  'developer',
  'developer_attributes',
  'customizations',
  'models_attributes',
  'car',
  'custom_images_attributes',
  'photo_attributes',
  'image',
  'remote_image_url',
  'customizable_id',
  'customizable_type',
  '__proto__',
  'constructor',
  'toString',
  '0',
  'kind',
  ...TYPES,
]

function anything(next: () => number, depth: number): unknown {
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(next() * list.length)] as Item
  const kind = next()
  if (depth > 5 || kind < 0.35)
    return pick([null, true, false, 0, -0, 1.5, 2 ** 60, Number.MAX_VALUE, 10n ** 30n, ...WORDS])
  if (kind < 0.45) return Array.from({ length: Math.floor(next() * 4) }, () => anything(next, depth + 1))
  if (kind < 0.48) return { kind: 'sent-file', path: '/etc/passwd', fileName: 'x', size: 1, contentType: 'image/png' }
  const pairs = Array.from({ length: Math.floor(next() * 8) }, () => [pick(KEYS), anything(next, depth + 1)] as const)
  return Object.fromEntries(pairs)
}

it('answers everything', async () => {
  const next = random(20)
  const r = renderWith()
  const counts = { problems: 0, checked: 0, valid: 0 }
  for (let round = 0; round < 200; round++) {
    const raw =
      round % 2 === 0
        ? anything(next, 0)
        : { properties: Object.fromEntries(TYPES.map((type) => [type, anything(next, 4)])) }
    const input = readInput(entry, raw)
    if ('problem' in input) {
      counts.problems++
      expect(input.problem).toMatch(/^form[^:]*: \S/)
      continue
    }
    const fresh: FormState = { storedResource: null, sentValues: input.values, errors: new Map() }
    const sentValues = await completeValues(entry, fresh, r)
    const errors = await validate(
      entry,
      { ...fresh, sentValues },
      recordingHost({ r, on: round % 3 === 0 ? 'update' : 'create' }),
    )
    const state: FormState = { storedResource: null, sentValues, errors }
    expect(JSON.stringify(errorObject(errors)).length).toBeLessThan(100_000)
    toJson(changesOf(entry, state))
    toJson(storableValues(entry, sentValues))
    const facts = { action: '/', systemFields: {}, r, metadata: null }
    const builder = formBuilder(entry, state, facts)
    toJson(builder)
    expect(Object.values({ ...sentValues.attributes, ...sentValues.properties }).some(isSentFile)).toBe(false)
    expect(`${openTag(entry, state, {}, facts)}${esc(builder)}`.includes('<script>')).toBe(false)
    counts.checked++
    if (errors.size === 0) counts.valid++
  }
  // All outcomes occurred.
  expect(counts.problems).toBeGreaterThan(20)
  expect(counts.checked).toBeGreaterThan(20)
})
