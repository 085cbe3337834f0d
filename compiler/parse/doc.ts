/** Reads the text of a `doc` block: `@param {type} name - text`, `[name]` for an optional one, `@description`, `@example`. */
import type { TagNode } from '../model/ast.ts'
import type { DocBlock, DocParam } from '../model/unit.ts'

const PARAM =
  /^[ \t]*@param[ \t]+(?:\{([^}\n]*)\}[ \t]*)?(\[[ \t]*)?([A-Za-z_][\w-]*)([ \t]*\])?(?:[ \t]*-?[ \t]*([^\n]*))?/

export function readDoc(node: TagNode, source: string, base: number): DocBlock {
  const file = node.span.file
  const bodyStart = node.span.end - base
  const bodyEnd = source.lastIndexOf('{%', node.whole.end - base - 1)
  const body = source.slice(bodyStart, Math.max(bodyStart, bodyEnd))
  const params: DocParam[] = []
  const examples: string[][] = []
  const description: string[] = []
  let section: string[] = description
  let offset = bodyStart
  for (const line of body.split('\n')) {
    const start = offset
    offset += line.length + 1
    const param = PARAM.exec(line)
    if (param !== null) {
      const [, type, opened, name = '', closed, text = ''] = param
      const nameAt = line.indexOf(
        name,
        line.indexOf('@param') + 6 + (type === undefined ? 0 : line.slice(line.indexOf('@param') + 6).indexOf('}') + 1),
      )
      const typeAt = type === undefined ? -1 : line.indexOf(type, line.indexOf('{'))
      params.push({
        name,
        type: type === undefined ? null : type.trim(),
        required: !(opened !== undefined && closed !== undefined),
        description: text.trim(),
        span: { file, start: base + start + nameAt, end: base + start + nameAt + name.length },
        typeSpan:
          type === undefined ? null : { file, start: base + start + typeAt, end: base + start + typeAt + type.length },
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
    params,
    examples: examples.map((lines) => lines.join('\n').trim()),
    span: node.whole,
  }
}
