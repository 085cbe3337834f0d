/** Finds the places of translation keys: in the files of all languages, and in templates. */
import type { Site } from '../../../core/model/site.ts'
import { isOfKind, type Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { YamlNode } from '../../../core/source/yaml.ts'
import { collectMentions, type Mention } from './mentions.ts'

/** A part of a key where it is written. */
interface KeyPart {
  /** The key up to this part: `cart.title`, `modules/shop/cart`. */
  readonly name: string
  readonly span: Span
}

/** Returns all keys of a translation file, parents before the keys below them. */
export function declaredKeys({ file, settings }: Unit): readonly KeyPart[] {
  if (settings.kind !== 'translation') return []
  const parts: KeyPart[] = []
  const add = (node: YamlNode | null, above: string): void => {
    if (node?.kind !== 'map') return
    for (const { key, keySpan, value } of node.entries) {
      const at = file.text.slice(keySpan.start, keySpan.end).indexOf(key)
      // The quotes of a key are not part of it.
      const start = keySpan.start + Math.max(at, 0)
      const span = at < 0 ? keySpan : { ...keySpan, start, end: start + key.length }
      parts.push({ name: above + key, span })
      add(value, `${above}${key}.`)
    }
  }
  for (const { tree } of settings.locales) add(tree, file.module === null ? '' : `modules/${file.module}/`)
  return parts
}

/** Returns the parts of a key in a template. The module is not a part, and a scope that is written elsewhere is not one either. */
function partsOfMention({ name, span, scopeKey }: Mention): readonly KeyPart[] {
  const parts: KeyPart[] = []
  const above = scopeKey === null ? '' : `${scopeKey}.`
  const from = /^modules\/[^/]+\//.exec(name)?.[0].length ?? 0
  for (let start = from; start <= name.length; ) {
    const dot = name.indexOf('.', start)
    const end = dot < 0 ? name.length : dot
    parts.push({
      name: above + name.slice(0, end),
      span: { ...span, start: span.start + start, end: span.start + end },
    })
    start = end + 1
  }
  return parts
}

/** Returns the key up to the part at an offset in a template; the whole key where the offset is in the name of its module. */
export function keyAtMention(mention: Mention, offset: number): string {
  const parts = partsOfMention(mention)
  const part = parts.find(({ span }) => span.start <= offset && offset <= span.end) ?? parts.at(-1)
  return part?.name ?? mention.name
}

/** Returns the places of a key in the files of all languages and in templates, also as a part of longer keys. */
export function translationPlaces(site: Site, name: string) {
  const places: { readonly span: Span; readonly declares: boolean }[] = []
  const possible: Span[] = []
  for (const unit of site.units) {
    if (isOfKind(unit, 'translation'))
      for (const each of declaredKeys(unit)) if (each.name === name) places.push({ span: each.span, declares: true })
    for (const { mentions } of collectMentions(unit))
      for (const mention of mentions) {
        if (mention.kind === 'translation-start' && mayBegin(mention.name, name)) possible.push(mention.span)
        if (mention.kind !== 'translation') continue
        for (const each of partsOfMention(mention))
          if (each.name === name) places.push({ span: each.span, declares: false })
      }
  }
  return { places, possible }
}

/** Returns whether a computed key that begins with `start` may contain a key. */
function mayBegin(start: string, name: string): boolean {
  return start !== '' && (name.startsWith(start) || start.startsWith(`${name}.`))
}
