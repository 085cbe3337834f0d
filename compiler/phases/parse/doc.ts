/**
 * Parses the text of a `doc` block: `@param {type} name - text`, `[name]` for an optional parameter, `[name.key]` for a property of a
 * parameter, `@description`, `@example`.
 */
import type { TagNode } from '../../core/tree/ast.ts'
import { distance } from '../../core/diagnostics/suggest.ts'
import type { DocBlock, DocParam, DocMistake } from '../../core/model/unit.ts'

const PARAM =
  /^[ \t]*@param[ \t]+(?:\{([^}\n]*)\}[ \t]*)?(\[[ \t]*)?([A-Za-z_][\w-]*)((?:\.[\w-]+)*)([ \t]*\])?(?:[ \t]*-?[ \t]*([^\n]*))?/

/** A line that begins with a tag word, or with a parameter type that lacks its braces. */
const TAG_LINE = /^([ \t]*)@([a-z]+)(?=[ \t])/
const BARE_TYPE =
  /^([ \t]*@param[ \t]+)(string|number|boolean|object|array|integer|float|hash|any)([ \t]+)(?=\[?[A-Za-z_][\w-]*\]?[ \t]*(?:-|$))/
const WORDS_FOR_PARAM: ReadonlySet<string> = new Set(['params', 'arg', 'argument', 'parameter', 'prop', 'property'])

/** Corrects a misspelled line. Returns the line with the written and the intended word, or null if nothing has to be corrected. */
function correctLine(line: string): { readonly line: string; readonly written: string; readonly meant: string } | null {
  const [start = '', indent = '', word = ''] = TAG_LINE.exec(line) ?? []
  const isSlip = word !== 'param' && (WORDS_FOR_PARAM.has(word) || distance(word, 'param', 1) <= 1)
  if (word !== '' && isSlip && /^[ \t]+\{[^}\n]*\}[ \t]*\[?[A-Za-z_]/.test(line.slice(start.length)))
    return { line: `${indent}@param${line.slice(start.length)}`, written: `@${word}`, meant: '@param' }
  const [bareName = '', tag = '', type = '', space = ''] = BARE_TYPE.exec(line) ?? []
  if (bareName === '') return null
  return {
    line: `${tag}{${type}}${space}${line.slice(bareName.length)}`,
    written: `${tag.trimStart()}${type}`,
    meant: `${tag.trimStart()}{${type}}`,
  }
}

export function readDoc(node: TagNode, source: string, base: number): DocBlock {
  const file = node.span.file
  const bodyStart = node.span.end - base
  const bodyEnd = source.lastIndexOf('{%', node.wholeSpan.end - base - 1)
  const body = source.slice(bodyStart, Math.max(bodyStart, bodyEnd))
  const params: DocParam[] = []
  /** Parameters declared only through their properties. */
  const properties: DocParam[] = []
  const examples: string[][] = []
  const description: string[] = []
  let section: string[] = description
  const mistakes: DocMistake[] = []
  let offset = bodyStart
  for (const writtenText of body.split('\n')) {
    const slip = writtenText.includes('@') ? correctLine(writtenText) : null
    const line = slip?.line ?? writtenText
    // The corrected line may have another length. This start makes the offsets after the mistake match the line as written.
    const start = offset - (line.length - writtenText.length)
    if (slip !== null) {
      const at = base + offset + writtenText.indexOf(slip.written)
      mistakes.push({ span: { file, start: at, end: at + slip.written.length }, corrected: slip.meant })
    }
    offset += writtenText.length + 1
    const param = PARAM.exec(line)
    if (param !== null) {
      const [, type, opened, name = '', path = '', closed, text = ''] = param
      const nameAt = line.indexOf(
        name,
        line.indexOf('@param') + 6 + (type === undefined ? 0 : line.slice(line.indexOf('@param') + 6).indexOf('}') + 1),
      )
      const typeAt = type === undefined ? -1 : line.indexOf(type, line.indexOf('{'))
      const documented: DocParam = {
        name,
        type: type === undefined ? null : type.trim(),
        required: !(opened !== undefined && closed !== undefined),
        description: text.trim(),
        span: { file, start: base + start + nameAt, end: base + start + nameAt + name.length },
        typeSpan:
          type === undefined ? null : { file, start: base + start + typeAt, end: base + start + typeAt + type.length },
      }
      if (path === '') params.push(documented)
      else
        properties.push({
          ...documented,
          type: 'object',
          typeSpan: null,
          description: `${name}${path}: ${text.trim()}`,
        })
      section = []
      continue
    }
    const keyword = /^[ \t]*@(description|example)\b[ \t]*(.*)$/.exec(line)
    if (keyword !== null) {
      section = keyword[1] === 'description' ? description : []
      if (section !== description) examples.push(section)
      section.push(keyword[2] ?? '')
      continue
    }
    section.push(line)
  }
  return {
    description: description.join('\n').trim(),
    params: [...params, ...impliedParams(params, properties)],
    examples: examples.map((lines) => lines.join('\n').trim()),
    span: node.wholeSpan,
    mistakes: mistakes,
  }
}

/** Returns the parameters that are declared only through their properties. Such a parameter is optional if all of its properties are. */
function impliedParams(params: readonly DocParam[], properties: readonly DocParam[]): readonly DocParam[] {
  const implied = new Map<string, DocParam>()
  for (const each of properties) {
    const { name, required, description } = each
    const known = implied.get(name)
    const lines = known === undefined ? description : `${known.description}\n${description}`
    implied.set(name, { ...(known ?? each), required: required || known?.required === true, description: lines })
  }
  for (const { name } of params) implied.delete(name)
  return [...implied.values()]
}
