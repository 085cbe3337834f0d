/** JSON that a template writes around values, as `parse_json` reads it. */
import { CHANGES } from './changes.ts'
import {
  changedTaints,
  type Flow,
  join,
  joinTaints,
  listFlow,
  NOTHING,
  recordFlow,
  tainted,
  type Taint,
} from './flow.ts'
import type { Piece } from './state.ts'

const MARK = /\u0001(\d+)\u0001/g

/** What the text gives: each value at its place, or, where the text is no JSON, all of them everywhere. */
export function parsedFlow(pieces: readonly Piece[]): Flow {
  const values = pieces
    .filter((piece) => typeof piece !== 'string')
    .map((taints) => changedTaints(taints, CHANGES.decode))
  let text = ''
  let at = 0
  let isText = false
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      for (let index = 0; index < piece.length; index++) {
        if (piece[index] === '\\') index++
        else if (piece[index] === '"') isText = !isText
      }
    } else {
      const mark = `\u0001${at++}\u0001`
      text += isText ? mark : JSON.stringify(mark)
    }
  }
  try {
    return shaped(JSON.parse(text.replaceAll('\u0001', '\\u0001')), values)
  } catch {
    return tainted(values.reduce<readonly Taint[]>(joinTaints, []))
  }
}

function shaped(value: unknown, values: readonly (readonly Taint[])[]): Flow {
  if (typeof value === 'string') {
    const taints = [...value.matchAll(MARK)].flatMap(([, at]) => values[Number(at)] ?? [])
    return tainted(taints, !value.startsWith('\u0001') && value !== '')
  }
  if (Array.isArray(value))
    return listFlow(value.map((each) => shaped(each, values)).reduce((one, other) => join(one, other), NOTHING))
  if (typeof value !== 'object' || value === null) return NOTHING
  return recordFlow(new Map(Object.entries(value).map(([key, each]) => [key, shaped(each, values)])))
}
