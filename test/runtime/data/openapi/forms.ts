/** Builds form entries as the compiler emits them. */
import { blankForm } from '../../../support/blank-form.ts'
import type {
  FieldDef,
  FieldGroup,
  FormEntry,
  NestedGroup,
  Setting,
  ValidationDef,
} from '../../../../runtime/page/site.ts'

export const plain = (value: unknown): Setting => ({ kind: 'plain', value })
export const liquid = (text: string): Setting => ({ kind: 'liquid', render: () => text })

export function rule(
  kind: string,
  options: Record<string, unknown> = {},
  more: Partial<ValidationDef> = {},
): ValidationDef {
  const settings = Object.entries(options).map(([name, value]) => [name, plain(value)] as const)
  return {
    kind,
    options: Object.fromEntries(settings),
    message: null,
    if: null,
    allowNil: false,
    allowBlank: false,
    on: null,
    ...more,
  }
}

export function field(name: string, type: FieldDef['type'] = 'string', ...validations: ValidationDef[]): FieldDef {
  return { name, type, virtual: false, readonly: false, default: null, validations, options: {} }
}

export function group(
  attributes: readonly FieldDef[] = [],
  properties: readonly FieldDef[] = [],
  nested: readonly NestedGroup[] = [],
): FieldGroup {
  return { attributes, properties, nested }
}

export function form(
  name: string,
  resource: FormEntry['resource'],
  fields: FieldGroup,
  more: Partial<FormEntry> = {},
): FormEntry {
  return {
    ...blankForm(name),
    resource,
    resourceName: resource,
    fields,
    ...more,
  }
}
