/** Checks the forms of a site: the files that they name, the templates that show them, and their arguments. */
import { withAbsentModule } from '../../../core/diagnostics/absent-modules.ts'
import { formOutside } from '../rules/forms/form-outside.ts'
import { formWithoutTemplate } from '../rules/forms/form-without-template.ts'
import { missingForm } from '../rules/forms/missing-form.ts'
import { missingFormArgument } from '../rules/forms/missing-form-argument.ts'
import { missingNotification } from '../rules/forms/missing-notification.ts'
import { missingPolicy } from '../rules/site/missing-policy.ts'
import { openRecordForm } from '../rules/forms/open-record-form.ts'
import { openUserForm } from '../rules/forms/open-user-form.ts'
import { unknownFormArgument } from '../rules/forms/unknown-form-argument.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { derivedFromFrame } from '../../../core/model/derived.ts'
import type { LinkedForm } from '../../../core/model/form.ts'
import type { FormSettings, NamedReference } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import { concatSteps, type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import type { Span } from '../../../core/source/span.ts'
import { hasBody, isOfKind, type Unit } from '../../../core/model/unit.ts'
import type { SiteNote } from '../../../language/tags/tag.ts'
import { literalText } from '../walk/literal-text.ts'
import { isMissing, type UnitFacts } from '../walk/facts.ts'
import { misspelledArguments } from '../walk/slips.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'

export interface FormRules {
  readonly site: Site
  readonly siteTemplates: readonly SiteTemplate[]
  readonly factsOf: (key: string) => UnitFacts | undefined
}

export function checkForms(rules: FormRules): Steps<readonly Diagnostic[]> {
  return concatSteps([() => settingsDiagnostics(rules.site), () => elementSteps(rules), () => includeFormSteps(rules)])
}

const settingsDiagnostics = derivedFromFrame((site) => {
  const forms = site.units.filter((unit) => isOfKind(unit, 'form'))
  return [
    ...forms.flatMap(({ settings }) => checkNames(settings, site)),
    ...[...site.formSchemas.values()].flatMap(checkOwner),
  ]
})

// ---- files named by a form ------------------------------------------------------------------------------------------------

const NOTIFICATIONS = [
  { key: 'emailNotifications', files: 'emails', words: 'email' },
  { key: 'smsNotifications', files: 'smses', words: 'text message' },
  { key: 'apiCallNotifications', files: 'apiCalls', words: 'API call' },
] as const

function checkNames(settings: FormSettings, site: Site): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const { name, span } of settings.authorizationPolicies)
    if (!site.policies.has(name))
      diagnostics.push(withAbsentModule(site.modules, name, missingPolicy(span, name, site.policies.keys())))
  for (const { key, files, words } of NOTIFICATIONS) {
    const references: readonly NamedReference[] = settings[key]
    for (const { name, span } of references)
      if (!site[files].has(name))
        diagnostics.push(
          withAbsentModule(site.modules, name, missingNotification(span, words, name, [...site[files].keys()])),
        )
  }
  return diagnostics
}

/**
 * Reports forms with the owner `anyone`, which give every visitor access to stored data. This is seldom intended: the default
 * owner is `self` for user forms and `creator` for record forms.
 */
function checkOwner({ name, resource, owner, unit }: LinkedForm): readonly Diagnostic[] {
  const { resource: named, authorizationPolicies } = unit.settings
  if (owner !== 'anyone' || authorizationPolicies.length > 0 || named === null) return []
  if (resource === 'user') return [openUserForm(named.span, name)]
  return resource === 'record' ? [openRecordForm(named.span, name)] : []
}

// ---- the element ------------------------------------------------------------------------------------------------------

/** Reports `form` tags outside of a form's template and of the partials and layouts that a form renders. */
function* elementSteps({ site, siteTemplates, factsOf }: FormRules): Steps<readonly Diagnostic[]> {
  const formTags: { readonly siteTemplate: SiteTemplate; readonly span: Span }[] = []
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    for (const { note, span } of factsOf(siteTemplate.key)?.notes ?? [])
      if (note.kind === 'form') formTags.push({ siteTemplate, span })
  })
  if (formTags.every(({ siteTemplate }) => siteTemplate.unit.file.kind === 'form') || site.openEntries) {
    // With open entries a site is incomplete, so a form that is not part of it may render the partial.
    return formTags.flatMap(({ siteTemplate, span }) =>
      siteTemplate.unit.file.kind === 'page' ? [formOutside(span)] : [],
    )
  }
  const shownFiles = collectShownFiles(siteTemplates, factsOf)
  return formTags.flatMap(({ siteTemplate, span }) => {
    const { kind, path } = siteTemplate.unit.file
    return kind === 'form' ||
      ((kind === 'partial' || kind === 'layout') && (shownFiles === null || shownFiles.has(path)))
      ? []
      : [formOutside(span)]
  })
}

/** Returns the files that forms render, directly or through other files; null if a computed name may refer to any file. */
function collectShownFiles(
  siteTemplates: readonly SiteTemplate[],
  factsOf: FormRules['factsOf'],
): ReadonlySet<string> | null {
  const byFile = new Map<string, SiteTemplate[]>()
  for (const siteTemplate of siteTemplates)
    byFile.set(siteTemplate.unit.file.path, [...(byFile.get(siteTemplate.unit.file.path) ?? []), siteTemplate])
  const seen = new Set<string>()
  for (const { unit } of siteTemplates) if (unit.file.kind === 'form') seen.add(unit.file.path)
  for (const file of seen) {
    for (const siteTemplate of byFile.get(file) ?? []) {
      for (const { targets } of factsOf(siteTemplate.key)?.calls ?? []) {
        if (targets === null) return null
        for (const target of targets) seen.add(target)
      }
    }
  }
  return seen
}

// ---- include_form -----------------------------------------------------------------------------------------------------

/** The arguments of `include_form` itself. The first line has the current names. */
const OWN_ARGUMENTS: ReadonlySet<string> = new Set([
  ...['id', 'parent_resource_id', 'parent_resource_class'],
  ...['object_id', 'object_class', 'resource_id', 'resource_class', 'resource_type', 'parent_object_id'],
  ...['parent_object_class', 'parent_resource_type', 'form_type'],
])

/** Checks the names and arguments of `include_form` tags. */
function* includeFormSteps({ site, siteTemplates, factsOf }: FormRules): Steps<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  const inputs = new Map<string, InputsByName | null>()
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    for (const { note, span } of factsOf(siteTemplate.key)?.notes ?? []) {
      if (note.kind !== 'include-form') continue
      const name = literalText(note.name)
      if (name === null) continue
      const form = formNamed(site, name)
      if (form === undefined) {
        if (!site.openEntries || site.forms.size > 0)
          diagnostics.push(
            withAbsentModule(site.modules, name, missingForm(note.name.span, name, [...site.forms.keys()])),
          )
        continue
      }
      const file = form.file.path
      const { template } = form
      if (template?.isBroken !== true && !hasBody(template)) {
        diagnostics.push(formWithoutTemplate(note.name.span, name, { file, start: 0, end: 0 }))
        continue
      }
      if (template?.isBroken === true) continue
      let known = inputs.get(file)
      if (known === undefined) inputs.set(file, (known = collectInputs(file, factsOf)))
      if (known !== null) diagnostics.push(...checkArguments(note, name, known, span))
    }
  })
  return diagnostics
}

/** Finds a form by its name; spaces, hyphens and underscores between its words are equivalent. Undefined if there is none. */
export function formNamed(site: Site, name: string): Unit | undefined {
  const direct = site.forms.get(name)
  if (direct !== undefined) return direct
  const normalized = toUnderscores(name)
  for (const [known, unit] of site.forms) if (toUnderscores(known) === normalized) return unit
  return undefined
}

function toUnderscores(name: string): string {
  return name.replace(/[- ]/g, '_')
}

type InputsByName = UnitFacts['inputs']

/**
 * Returns the names that a form's template, or a file that it includes, reads from the template that shows the form; null if it
 * may read any name.
 */
function collectInputs(form: string, factsOf: FormRules['factsOf']): InputsByName | null {
  const inputs = new Map<string, InputsByName extends ReadonlyMap<string, infer Input> ? Input : never>()
  const files = new Set([form])
  for (const file of files) {
    const own = factsOf(file)
    if (own === undefined || own.readsAll) return null
    // The form itself may set a name that a partial reads.
    for (const [name, input] of own.inputs)
      if (!inputs.has(name)) inputs.set(name, file === form ? input : { ...input, required: false })
    for (const { kind, targets } of own.calls) {
      if (kind !== 'include') continue
      if (targets === null) return null
      for (const target of targets) files.add(target)
    }
  }
  return inputs
}

function checkArguments(
  note: Extract<SiteNote, { kind: 'include-form' }>,
  form: string,
  inputs: InputsByName,
  span: Diagnostic['span'],
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const passedNames = new Set(note.arguments.map(({ name }) => name.name))
  const missing = [...inputs].filter(
    ([name, input]) => !ALWAYS_PRESENT.has(name) && isMissing(name, input, passedNames),
  )
  const unknown = new Map(
    note.arguments.flatMap(({ name }) =>
      OWN_ARGUMENTS.has(name.name) || inputs.has(name.name) ? [] : [[name.name, name]],
    ),
  )
  const misspellings = misspelledArguments(
    [...unknown.keys()],
    missing.map(([name]) => name),
  )
  const misspelled = new Set(misspellings.values())
  for (const name of unknown.values()) {
    if (misspelled.has(name.name)) continue
    diagnostics.push(
      unknownFormArgument(
        name.span,
        form,
        name.name,
        [...inputs.keys(), ...OWN_ARGUMENTS].filter((each) => !passedNames.has(each)),
      ),
    )
  }
  for (const [name, input] of missing) {
    const misspelling = misspellings.get(name) ?? null
    const argumentSpan = (misspelling === null ? undefined : unknown.get(misspelling)?.span) ?? span
    diagnostics.push(missingFormArgument(argumentSpan, form, name, input.span, misspelling))
  }
  return diagnostics
}

/** Names that every form has without an argument. */
const ALWAYS_PRESENT: ReadonlySet<string> = new Set(['form', 'form_builder', 'context'])
