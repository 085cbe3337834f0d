/** What a request test looks for in HTML: elements by a selector of CSS, and their texts. */
import { selectAll } from 'css-select'
import { DomHandler, Parser } from 'htmlparser2'

type Element = ReturnType<typeof parsed>[number]

/** The elements of a page that fit a selector. @throws Error for one that is none */
export function elementsOf(html: string, selector: string): readonly Element[] {
  return selectAll(selector, parsed(html) as never) as unknown as readonly Element[]
}

function parsed(html: string): DomHandler['dom'] {
  const handler = new DomHandler()
  new Parser(handler).end(html)
  return handler.dom
}

/** The text of an element and all below it, as a reader sees it. */
export function textIn(node: Element): string {
  return rawText(node).replace(/\s+/g, ' ').trim()
}

function rawText(node: object): string {
  if ('data' in node && 'type' in node && node.type === 'text') return String(node.data)
  const children: readonly object[] = 'children' in node ? (node.children as readonly object[]) : []
  return children.map(rawText).join('')
}

/** A form as a browser would send it. */
export interface SentForm {
  readonly action: string
  readonly method: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** The form that fits a selector, with the values that its fields have; null where there is none. */
export function formOf(html: string, selector: string): SentForm | null {
  const [form] = elementsOf(html, selector)
  if (form === undefined) return null
  const { action = '', method = 'get' } = attributesOf(form)
  return { action, method: method.toUpperCase(), fields: fieldsOf(form) }
}

/** Where the first link that fits a selector leads; null where there is none. */
export function hrefOf(html: string, selector: string): string | null {
  const [link] = elementsOf(html, selector)
  return link === undefined ? null : (attributesOf(link)['href'] ?? null)
}

function attributesOf(node: object): Readonly<Record<string, string>> {
  return 'attribs' in node ? (node.attribs as Record<string, string>) : {}
}

function fieldsOf(form: object): SentForm['fields'] {
  const inputs = selectAll('input, textarea, select', [form] as never) as unknown as readonly Element[]
  return inputs.flatMap((node): SentForm['fields'] => {
    const { name, type = 'text', value, disabled, checked } = attributesOf(node)
    if (name === undefined || disabled !== undefined || ['submit', 'button', 'file', 'reset', 'image'].includes(type))
      return []
    if (type === 'checkbox' || type === 'radio') return checked === undefined ? [] : [[name, value ?? 'on']]
    if ('name' in node && node.name === 'select') return [[name, chosenIn(node)]]
    return [[name, 'name' in node && node.name === 'textarea' ? rawText(node).replace(/^\n/, '') : (value ?? '')]]
  })
}

function chosenIn(select: object): string {
  const options = selectAll('option', [select] as never) as unknown as readonly Element[]
  const chosen = options.find((option) => attributesOf(option)['selected'] !== undefined) ?? options[0]
  return chosen === undefined ? '' : (attributesOf(chosen)['value'] ?? textIn(chosen))
}
