/** Helpers for tests of forms: states, a render with translations, and a check of one value by one rule. */
import { validate } from '../../../../runtime/data/forms/index.ts'
import {
  type ValidationHost,
  type FormErrors,
  type FormState,
  NO_VALUES,
  type StoredResource,
  type Values,
} from '../../../../runtime/data/forms/model.ts'
import type { Render } from '../../../../runtime/page/render.ts'
import type { FieldDef, FormEntry, NestedGroup, Setting, ValidationDef } from '../../../../runtime/page/site.ts'
import { createRender } from '../../page/filters/evaluator.ts'
import { field, form, group } from '../openapi/forms.ts'

export const NOW = '2026-03-10T12:00:00Z'

export function renderWith(translations: Record<string, unknown> = {}, language = 'en'): Render {
  const r = createRender({ $i18n: translations, $now: NOW })
  r.context['language'] = language
  return r
}

export function values(more: Partial<Values>): Values {
  return { ...NO_VALUES, ...more }
}

export function storedResource(more: Partial<StoredResource>): StoredResource {
  return { ...NO_VALUES, id: '7', userId: null, ...more }
}

export function formState(
  sent: Partial<Values> | null,
  known: Partial<StoredResource> | null = null,
  errors: FormErrors = new Map(),
): FormState {
  return {
    sentValues: sent === null ? null : values(sent),
    storedResource: known === null ? null : storedResource(known),
    errors,
  }
}

/** A uniqueness check that was requested. */
export type UniquenessCheck = readonly [path: string, value: unknown, options: unknown]

export interface RecordingHost extends ValidationHost {
  readonly asked: UniquenessCheck[]
}

/** Creates a host whose uniqueness check knows a list of taken values. */
export function recordingHost(
  more: { r?: Render; on?: ValidationHost['on']; taken?: readonly unknown[] } = {},
): RecordingHost {
  const asked: UniquenessCheck[] = []
  return {
    r: more.r ?? renderWith(),
    on: more.on ?? 'create',
    asked,
    async unique(path, _field, value, options) {
      asked.push([path, value, options])
      return !(more.taken ?? []).includes(value)
    },
  }
}

/** Returns the messages of `validate` as a plain object. */
export async function errorsOf(
  entry: FormEntry,
  at: FormState,
  how: ValidationHost = recordingHost(),
): Promise<Record<string, readonly string[]>> {
  return Object.fromEntries(await validate(entry, at, how))
}

/** Returns the messages of one property under some rules; `undefined` is not sent. */
export async function messages(
  value: unknown,
  rules: readonly ValidationDef[],
  type: FieldDef['type'] = 'string',
  how: ValidationHost = recordingHost(),
): Promise<readonly string[]> {
  const entry = form('one', 'record', group([], [field('field', type, ...rules)]))
  const sent = value === undefined ? {} : { properties: { field: value } }
  const errors = await validate(entry, formState(sent), how)
  return errors.get('properties.field') ?? []
}

export function nestedGroup(
  kind: NestedGroup['kind'],
  name: string,
  fields: NestedGroup['fields'],
  ...rules: ValidationDef[]
): NestedGroup {
  return { kind, name, table: kind === 'customizations' ? name : null, validations: rules, fields }
}

/** Creates a Liquid setting from a function of its scope. */
export function liquidSetting(render: (scope: Record<string, unknown>) => string | Promise<string>): Setting {
  return { kind: 'liquid', render: (_r, scope) => render(scope) }
}
