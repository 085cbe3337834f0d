/** Collects the forms of a site, the tags that show them, and the arguments of these tags. */
import { type CheckedSite, onceForSite } from './site-rule.ts'
import type { LinkedForm } from '../../../core/model/form.ts'
import type { Site } from '../../../core/model/site.ts'
import type { SiteNote } from '../../../language/tags/tag.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { Span } from '../../../core/source/span.ts'
import { type Unit, hasBody } from '../../../core/model/unit.ts'
import { type TemplateInput, isMissing } from '../walk/facts.ts'
import { literalText } from '../walk/literal-text.ts'
import { misspelledArguments } from '../walk/slips.ts'

type IncludeNote = Extract<SiteNote, { kind: 'include-form' }>

interface FormTags {
  /** The places of `form` tags, with their templates. */
  readonly elements: readonly { readonly siteTemplate: SiteTemplate; readonly span: Span }[]
  /** The `include_form` tags with a literal name. */
  readonly includes: readonly FormInclude[]
}

interface FormInclude {
  readonly note: IncludeNote
  readonly name: string
  readonly span: Span
  /** The form; undefined if there is none of this name. */
  readonly form: Unit | undefined
}

/** Collects the tags for forms in the templates of a site. */
export const formTags = onceForSite(({ site, siteTemplates, factsOf }): FormTags => {
  const elements: { readonly siteTemplate: SiteTemplate; readonly span: Span }[] = []
  const includes: FormInclude[] = []
  for (const siteTemplate of siteTemplates) {
    for (const { note, span } of factsOf(siteTemplate.key)?.notes ?? []) {
      const name = note.kind === 'include-form' ? literalText(note.name) : null
      if (note.kind === 'form') elements.push({ siteTemplate, span })
      else if (note.kind === 'include-form' && name !== null)
        includes.push({ note, name, span, form: formNamed(site, name) })
    }
  }
  return { elements, includes }
})

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

/**
 * Returns the forms of a resource with the owner `anyone` and without a policy, which give every visitor access to stored data. This is
 * seldom intended: the default owner is `self` for user forms and `creator` for record forms.
 */
export function openForms(
  site: Site,
  wanted: LinkedForm['resource'],
): readonly { readonly name: string; readonly span: Span }[] {
  return [...site.formSchemas.values()].flatMap(({ name, resource, owner, unit }) => {
    const { resource: named, authorizationPolicies } = unit.settings
    return resource !== wanted || owner !== 'anyone' || authorizationPolicies.length > 0 || named === null
      ? []
      : [{ name, span: named.span }]
  })
}

// ---- arguments of include_form ----------------------------------------------------------------------------------------

/** The arguments of `include_form` itself. The first line has the current names. */
export const OWN_ARGUMENTS: ReadonlySet<string> = new Set([
  ...['id', 'parent_resource_id', 'parent_resource_class'],
  ...['object_id', 'object_class', 'resource_id', 'resource_class', 'resource_type', 'parent_object_id'],
  ...['parent_object_class', 'parent_resource_type', 'form_type'],
])

/** Names that every form has without an argument. */
const ALWAYS_PRESENT: ReadonlySet<string> = new Set(['form', 'form_builder', 'context'])

/** How the arguments of an `include_form` tag differ from the names that the form reads. */
interface FormArguments {
  readonly include: FormInclude
  /** The names that the form reads. */
  readonly inputs: InputsByName
  /** The names that the form needs and the tag does not pass. */
  readonly missing: readonly (readonly [string, TemplateInput])[]
  /** The arguments that the form never reads, by name. */
  readonly unknown: ReadonlyMap<string, Span>
  /** The unknown arguments that are misspellings of missing names, by missing name. */
  readonly misspellings: ReadonlyMap<string, string>
}

/** Returns the `include_form` tags with missing or unknown arguments. A form that may read any name has none. */
export const argumentsOfForms = onceForSite((checked): readonly FormArguments[] => {
  const differing: FormArguments[] = []
  const inputsByForm = new Map<string, InputsByName | null>()
  const { includes } = formTags(checked)
  for (const include of includes) {
    const { form, note } = include
    if (form === undefined || form.template?.isBroken === true || !hasBody(form.template)) continue
    const file = form.file.path
    let inputs = inputsByForm.get(file)
    if (inputs === undefined) inputsByForm.set(file, (inputs = collectInputs(file, checked.factsOf)))
    if (inputs === null) continue
    const known = inputs
    const passedNames = new Set(note.arguments.map(({ name }) => name.name))
    const missing = [...known].filter(
      ([name, input]) => !ALWAYS_PRESENT.has(name) && isMissing(name, input, passedNames),
    )
    const unknown = new Map(
      note.arguments.flatMap(({ name }) =>
        OWN_ARGUMENTS.has(name.name) || known.has(name.name) ? [] : [[name.name, name.span]],
      ),
    )
    if (missing.length === 0 && unknown.size === 0) continue
    const misspellings = misspelledArguments(
      [...unknown.keys()],
      missing.map(([name]) => name),
    )
    differing.push({ include, inputs: known, missing, unknown, misspellings })
  }
  return differing
})

type InputsByName = ReadonlyMap<string, TemplateInput>

/**
 * Returns the names that a form's template, or a file that it includes, reads from the template that shows the form; null if it
 * may read any name.
 */
function collectInputs(form: string, factsOf: CheckedSite['factsOf']): InputsByName | null {
  const inputs = new Map<string, TemplateInput>()
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
