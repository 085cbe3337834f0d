/** Renders the opening `<form …>` tag with its hidden inputs. */
import type { Fields } from '../../page/services.ts'
import type { FormEntry } from '../../page/site.ts'
import { FORM_METHODS } from '../../page/tag-keywords.ts'
import { escapeHtml, str } from '../../page/values/text.ts'
import { isBlank } from '../../page/values/truth.ts'
import { type FormFacts, hiddenInputs, methodOf, rootOf, setRoot } from './facts.ts'
import type { FormState } from './model.ts'

/** Attributes that the tag sets itself. */
const TAG_ATTRIBUTES = new Set(['action', 'method', 'enctype', 'accept-charset', 'multipart', 'class'])

/** The class of every form on the platform. Style sheets and tests of sites rely on it. */
const CLASS = 'simple_form'

/** Valid names of HTML attributes. */
const ATTRIBUTE = /^[A-Za-z_:][A-Za-z0-9_:.-]*$/

/**
 * Valid names of the parameter, which come from templates (`as`). Square brackets are excluded, because they mark nesting in names of
 * inputs.
 */
const PARAMETER = /^[A-Za-z_][A-Za-z0-9_-]*$/

/**
 * Returns the HTML of the opening tag. `facts` must be the object that the builder uses, because `as` also applies to inputs that are
 * printed later. The CSRF token is left out when the form is sent to another host.
 */
export function openTag(form: FormEntry, state: FormState, attributes: Fields, facts: FormFacts): string {
  const as = str(argument(attributes, 'as'))
  if (PARAMETER.test(as)) setRoot(facts, as)
  const requestedMethod = str(argument(attributes, 'method')).toLowerCase()
  const method = FORM_METHODS.includes(requestedMethod) ? requestedMethod : methodOf(state.storedResource?.id ?? null)
  const url = argument(attributes, 'url')
  const action = isBlank(url) ? facts.action : str(url)
  // Old templates write the name without the prefix `html-`.
  const multipart = argument(attributes, 'html-multipart') ?? argument(attributes, 'multipart')
  const parts = [`action="${escapeHtml(action)}"`, `method="${method === 'get' ? 'get' : 'post'}"`]
  if (method !== 'get' && multipart !== false && multipart !== 'false') parts.push('enctype="multipart/form-data"')
  parts.push('accept-charset="UTF-8"', `class="${escapeHtml(classOf(attributes, rootOf(facts)))}"`)
  parts.push(...htmlAttributes(attributes))
  return `<form ${parts.join(' ')}>${hiddenInputTags(form, facts, method, action)}`
}

function argument(attributes: Fields, name: string): unknown {
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? null) : null
}

/** Returns the value of `class`. The parameter name is added when the template does not set a class. */
function classOf(attributes: Fields, root: string): string {
  const htmlClass = argument(attributes, 'html-class')
  return `${CLASS} ${isBlank(htmlClass) ? root : str(htmlClass)}`
}

/** Returns the HTML attributes: `html-x: 'y'` becomes `x="y"`, true becomes the name alone, and false and nil are omitted. */
function htmlAttributes(attributes: Fields): readonly string[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    const name = key.startsWith('html-') ? key.slice('html-'.length) : ''
    if (!ATTRIBUTE.test(name) || TAG_ATTRIBUTES.has(name.toLowerCase())) return []
    if (value === null || value === undefined || value === false) return []
    if (name === 'novalidate') return value === 'false' ? [] : [name]
    return [value === true ? name : `${name}="${escapeHtml(str(value))}"`]
  })
}

function hiddenInputTags(form: FormEntry, facts: FormFacts, method: string, action: string): string {
  const inputs = new Map(hiddenInputs(facts, method))
  if (!inputs.has('form_name')) inputs.set('form_name', form.name)
  if (isOtherHost(action) || method === 'get') inputs.delete('authenticity_token')
  return Array.from(inputs, ([name, value]) => {
    return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`
  }).join('')
}

/** Returns whether a URL leads to another host: `https://…`, `//host`, or a spelling that browsers parse as one of these. */
function isOtherHost(action: string): boolean {
  const url = action.replace(/[\t\n\r]/g, '').trimStart()
  return /^(?:[A-Za-z][A-Za-z0-9+.-]*:|[\\/]{2})/.test(url)
}
