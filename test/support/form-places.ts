/** Finds all names that belong to forms: in configurations, their templates, declarations of their fields, and `include_form`. */
import { asMarkupNode } from '../../compiler/core/model/markup.ts'
import type { FormField, FormGroup, FormRule, FormSettings } from '../../compiler/core/model/settings.ts'
import type { Site } from '../../compiler/core/model/site.ts'
import type { Template, Unit } from '../../compiler/core/model/unit.ts'
import type { Span } from '../../compiler/core/source/span.ts'
import { include_form } from '../../compiler/language/tags/include_form.ts'
import { isNodeOf } from '../../compiler/language/tags/tag.ts'
import { visitObjects, visitTags, trackVariables, type NamePlace, fieldPlaces, literalText } from './rename-places.ts'

export type FormSort =
  | 'form'
  | 'resource'
  | 'field'
  | 'profile'
  | 'validation'
  | 'option'
  | 'policy'
  | 'notification'
  | 'declared'
  | 'table'
  | 'part'
  | 'include_form'
  | 'argument'

type Add = (sort: FormSort, span: Span, name: string) => void

/** Returns all places of names, sorted by file and position. */
export function formPlaces(site: Site): readonly NamePlace<FormSort>[] {
  const found = new Map<string, NamePlace<FormSort>>()
  const add: Add = (sort, span, name) => {
    const text = site.byFile.get(span.file)?.file.text ?? ''
    // A span may include quotes, brackets or a dot around the name.
    const start = text.indexOf(name, span.start)
    if (name === '' || start < 0 || start + name.length > Math.max(span.end, span.start + 1)) return
    found.set(`${span.file} ${start}`, { sort, file: span.file, start, end: start + name.length })
  }
  const forms = [...site.forms.values()]
  const included = includedForms(site)
  for (const { settings } of forms) inSettings(settings, included, add)
  inDeclarations(site, forms, add)
  inTemplates(site, add)
  return [...found.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start))
}

function inSettings(settings: FormSettings, included: ReadonlySet<string>, add: Add): void {
  // The name of a form that no template includes may be used by other programs.
  if (included.has(settings.name)) add('form', settings.nameSpan, settings.name)
  if (settings.resource !== null) add('resource', settings.resource.span, settings.resource.name)
  for (const { name, span } of settings.authorizationPolicies) add('policy', span, name)
  for (const key of ['emailNotifications', 'smsNotifications', 'apiCallNotifications'] as const)
    for (const { name, span } of settings[key]) add('notification', span, name)
  inGroup(settings.fields, add)
}

function inGroup(group: FormGroup, add: Add): void {
  const rules = (validations: readonly FormRule[]): void => {
    for (const { rule, span, options } of validations) {
      add('validation', span, rule)
      for (const option of options) add('option', option.span, option.name)
    }
  }
  const field = ({ name, span, validations }: FormField): void => {
    add('field', span, name)
    rules(validations)
  }
  for (const each of [...group.attributes, ...group.properties]) field(each)
  for (const { name, span, group: kind, validations, fields } of group.nested) {
    add(kind === 'profiles' ? 'profile' : 'field', span, name)
    rules(validations)
    inGroup(fields, add)
  }
}

/** Adds declarations of the properties that forms accept, and the names of tables and profiles. */
function inDeclarations(site: Site, forms: readonly Unit<FormSettings>[], add: Add): void {
  const resources = new Set(forms.map(({ settings }) => settings.resource?.name ?? ''))
  const profiles = new Set<string>()
  const acceptedNames = new Map<string, Set<string>>()
  const addAccepted = (owner: string, group: FormGroup): void => {
    const names = acceptedNames.get(owner) ?? new Set<string>()
    acceptedNames.set(owner, names)
    for (const { name, virtual } of group.properties) if (!virtual) names.add(name)
    for (const { group: kind, name, fields } of group.nested) {
      if (kind === 'profiles') profiles.add(name)
      addAccepted(name, fields)
    }
  }
  for (const { settings } of forms) addAccepted(settings.resource?.name ?? '', settings.fields)
  for (const unit of site.units) {
    const { settings } = unit
    if (!('properties' in settings)) continue
    const { kind } = settings
    const owner = kind === 'user_schema' ? 'User' : settings.name
    if (kind === 'table' && resources.has(owner)) add('table', settings.nameSpan, settings.name)
    if (kind === 'user_profile_schema' && profiles.has(owner)) add('profile', settings.nameSpan, settings.name)
    for (const { name, span } of settings.properties)
      if (acceptedNames.get(owner)?.has(name) === true) add('declared', span, name)
  }
}

function includedForms(site: Site): ReadonlySet<string> {
  const names = new Set<string>()
  for (const template of templatesOf(site)) {
    visitTags(template.nodes, (node) => {
      if (isNodeOf(include_form, node, 'name')) names.add(literalText(node.markup.name))
    })
  }
  return names
}

function templatesOf(site: Site): readonly Template[] {
  return site.units.flatMap((unit) => [...(unit.template === null ? [] : [unit.template]), ...unit.inner.values()])
}

/** Adds the parts of `form` that templates read, directly or through other variables, and names and arguments of `include_form`. */
function inTemplates(site: Site, add: Add): void {
  const names = trackVariables(site, false, ({ file }) => (file.kind === 'form' ? ['form', 'form_builder'] : []))
  for (const unit of site.units) {
    const { path: file, text } = unit.file
    const own = names(file)
    for (const template of [...(unit.template === null ? [] : [unit.template]), ...unit.inner.values()]) {
      visitObjects(template.nodes, (value) => {
        for (const { start, end } of fieldPlaces(value, own, text))
          add('part', { file, start, end }, text.slice(start, end))
        for (const { span, key } of quotedParts(value, own)) add('part', span, key)
      })
      visitTags(template.nodes, (node) => {
        if (!isNodeOf(include_form, node, 'name', 'arguments')) return
        const { name, arguments: args } = node.markup
        add('include_form', name.span, literalText(name))
        for (const each of args) if (!each.name.name.includes('id')) add('argument', each.name.span, each.name.name)
      })
    }
  }
}

/** Returns the parts of quoted keys, as in `form.errors['properties.title']`. */
function quotedParts(
  value: Readonly<Record<string, unknown>>,
  own: ReadonlySet<string>,
): readonly { readonly span: Span; readonly key: string }[] {
  const node = asMarkupNode(value)
  if (node?.kind !== 'lookup') return []
  const { name, path } = node
  if (name === null || !own.has(name.name)) return []
  return path.flatMap((part) =>
    part.kind === 'index' && literalText(part.value) !== ''
      ? [{ span: part.value.span, key: literalText(part.value) }]
      : [],
  )
}
