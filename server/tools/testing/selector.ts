/** Finds elements in HTML by CSS selectors, for request tests. */
import { selectAll } from 'css-select'
import { DomHandler, Parser } from 'htmlparser2'

type Element = ReturnType<typeof parseHtml>[number]

/** Returns the elements of a page that match a selector. @throws Error for an invalid selector */
export function elementsOf(html: string, selector: string): readonly Element[] {
  return select(selector, parseHtml(html))
}

function select(selector: string, nodes: readonly Element[]): readonly Element[] {
  // css-select has types of another version of the same DOM library.
  return selectAll(selector, nodes as never) as unknown as readonly Element[]
}

function parseHtml(html: string): DomHandler['dom'] {
  const handler = new DomHandler()
  new Parser(handler).end(html)
  return handler.dom
}

/** Returns the text of an element and its descendants, with normalized white space. */
export function textIn(node: Element): string {
  return rawText(node).replace(/\s+/g, ' ').trim()
}

function rawText(node: Element): string {
  if ('data' in node && node.type === 'text') return String(node.data)
  return 'children' in node ? node.children.map(rawText).join('') : ''
}

/** A form, as a browser would submit it. */
export interface SentForm {
  readonly action: string
  readonly method: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** Returns the form that matches a selector, with the values of its fields; null when there is none. */
export function formOf(html: string, selector: string): SentForm | null {
  const [form] = elementsOf(html, selector)
  if (form === undefined) return null
  const { action = '', method = 'get' } = attributesOf(form)
  return { action, method: method.toUpperCase(), fields: fieldsOf(form) }
}

/** Returns the target of the first link that matches a selector; null when there is none. */
export function hrefOf(html: string, selector: string): string | null {
  const [link] = elementsOf(html, selector)
  return link === undefined ? null : (attributesOf(link)['href'] ?? null)
}

function attributesOf(node: Element): Readonly<Record<string, string>> {
  return 'attribs' in node ? node.attribs : {}
}

function fieldsOf(form: Element): SentForm['fields'] {
  const inputs = select('input, textarea, select', [form])
  return inputs.flatMap((node): SentForm['fields'] => {
    const { name, type = 'text', value, disabled, checked } = attributesOf(node)
    if (name === undefined || disabled !== undefined || ['submit', 'button', 'file', 'reset', 'image'].includes(type))
      return []
    if (type === 'checkbox' || type === 'radio') return checked === undefined ? [] : [[name, value ?? 'on']]
    if ('name' in node && node.name === 'select') return [[name, selectedValue(node)]]
    return [[name, 'name' in node && node.name === 'textarea' ? rawText(node).replace(/^\n/, '') : (value ?? '')]]
  })
}

function selectedValue(element: Element): string {
  const options = select('option', [element])
  const selected = options.find((option) => attributesOf(option)['selected'] !== undefined) ?? options[0]
  return selected === undefined ? '' : (attributesOf(selected)['value'] ?? textIn(selected))
}
